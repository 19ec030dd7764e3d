//go:build !js

package main

import (
	"context"
	"sync"
	"time"
)

// memory is the cache of a native server: the last few hundred summaries, gone when it stops.
type memory struct {
	mu    sync.Mutex
	texts map[string]kept
	order []string // oldest first
}

type kept struct {
	text string
	ends time.Time
}

// A summary is a few kilobytes, so this is a few megabytes.
const mostKept = 1000

func newMemory() *memory { return &memory{texts: map[string]kept{}} }

func (m *memory) Find(_ context.Context, key string) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.texts[key]
	return k.text, ok && time.Now().Before(k.ends)
}

func (m *memory) Keep(_ context.Context, key, text string, ttl time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, again := m.texts[key]; !again {
		m.order = append(m.order, key)
	}
	m.texts[key] = kept{text, time.Now().Add(ttl)}
	if len(m.order) > mostKept {
		delete(m.texts, m.order[0])
		m.order = m.order[1:]
	}
}
