package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"
)

// summaryCache is the cache as one request may use it, by its Cache-Control header: with no-cache no summary is read
// from it, with no-store none is read or stored. The zero value reads and stores nothing.
type summaryCache struct {
	in          cache
	prefix      string // provider and model, since their summaries differ
	ttl         time.Duration
	read, write bool
}

func (s *server) summariesFor(r *http.Request) summaryCache {
	c := s.config.Summarizer
	u := summaryCache{in: s.host.Summaries, prefix: c.Provider + "\n" + c.Model + "\n" + c.BaseURL + "\n",
		ttl: s.config.SummaryTTL, read: true, write: true}
	// Extractive summaries (no model) are computed faster than they are fetched. Untrusted callers may not use the
	// cache.
	if u.in == nil || u.ttl == 0 || c.Model == "" || !s.mayStore(r) {
		return summaryCache{}
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

// key is the cache key of a summary. The request's ID is the digest of region, prompt and budget.
func (u *summaryCache) key(id string) string {
	sum := sha256.Sum256([]byte(u.prefix + id))
	return hex.EncodeToString(sum[:])
}

func (u *summaryCache) find(ctx context.Context, id string) (string, bool) {
	if !u.read {
		return "", false
	}
	return u.in.Find(ctx, u.key(id))
}

func (u *summaryCache) keep(ctx context.Context, id, text string) {
	if u.write {
		u.in.Keep(ctx, u.key(id), text, u.ttl)
	}
}
