//go:build !js

package worker

import (
	"context"
	"sync"
	"time"
)

// recentSummaries is the cache of a native server: the last maxEntries summaries, lost when the process ends.
type recentSummaries struct {
	mu    sync.Mutex
	texts map[string]cacheEntry
	order []string // oldest first
}

type cacheEntry struct {
	text    string
	expires time.Time
}

// maxEntries limits the cache to a few megabytes, as a summary has a few kilobytes.
const maxEntries = 1000

func newRecentSummaries() *recentSummaries { return &recentSummaries{texts: map[string]cacheEntry{}} }

func (m *recentSummaries) Find(_ context.Context, key string) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.texts[key]
	return k.text, ok && time.Now().Before(k.expires)
}

func (m *recentSummaries) Keep(_ context.Context, key, text string, ttl time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, found := m.texts[key]; !found {
		m.order = append(m.order, key)
	}
	m.texts[key] = cacheEntry{text, time.Now().Add(ttl)}
	if len(m.order) > maxEntries {
		delete(m.texts, m.order[0])
		m.order = m.order[1:]
	}
}
