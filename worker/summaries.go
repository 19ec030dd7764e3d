package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"
)

// cache keeps summaries by key, for a while. It may forget any at any time, and fails silently: a summary that is not
// found is made again.
type cache interface {
	Find(ctx context.Context, key string) (text string, ok bool)
	Keep(ctx context.Context, key, text string, ttl time.Duration)
}

// reuse is the cache as one caller wants it, by the words of HTTP: Cache-Control: no-cache makes every summary anew,
// no-store leaves nothing behind either.
type reuse struct {
	in          cache
	prefix      string // who makes the summary: another model makes another one
	ttl         time.Duration
	read, write bool
}

func (s *server) reuse(r *http.Request) reuse {
	c := s.config.Summarizer
	u := reuse{in: s.host.Summaries, prefix: c.Provider + "\n" + c.Model + "\n" + c.BaseURL + "\n", ttl: s.config.SummaryTTL, read: true, write: true}
	// What the engine extracts is made sooner than it is fetched. Strangers may not use the operator's cache, as nothing of his.
	if u.in == nil || u.ttl == 0 || c.Model == "" || !s.mayStore(r) {
		return reuse{}
	}
	for directive := range strings.SplitSeq(strings.Join(r.Header.Values("Cache-Control"), ","), ",") {
		switch strings.ToLower(strings.TrimSpace(directive)) {
		case "no-cache":
			u.read = false
		case "no-store":
			u.read, u.write = false, false
		}
	}
	return u
}

// key names a summary: the request's ID is the digest of region, prompt and budget.
func (u *reuse) key(id string) string {
	sum := sha256.Sum256([]byte(u.prefix + id))
	return hex.EncodeToString(sum[:])
}

func (u *reuse) find(ctx context.Context, id string) (string, bool) {
	if !u.read {
		return "", false
	}
	return u.in.Find(ctx, u.key(id))
}

func (u *reuse) keep(ctx context.Context, id, text string) {
	if u.write {
		u.in.Keep(ctx, u.key(id), text, u.ttl)
	}
}
