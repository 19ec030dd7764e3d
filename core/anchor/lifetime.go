package anchor

import "tamp/core/msg"

// The lifetimes that a breakpoint can ask for, as cache_control spells them.
const (
	FiveMinutes = "5m" // the provider's default
	OneHour     = "1h"
)

// lifetime is how long an entry lives, and from which time between two calls on we no longer count on it: a request takes
// some seconds to arrive and its lifetime begins with it, so the last 10 % (and of an hour the last minute) are not safe.
type lifetime struct {
	seconds, near int
}

func lifetimeOf(ttl string) lifetime {
	if ttl == OneHour {
		return lifetime{3600, 3540}
	}
	return lifetime{300, 270}
}

// ttlOf names the lifetime of a breakpoint.
func ttlOf(cache *msg.Cache) string {
	if cache.TTL == OneHour {
		return OneHour
	}
	return FiveMinutes
}

// cacheFor is the cache_control of a lifetime. Five minutes are the default, which needs no word.
func cacheFor(ttl string) *msg.Cache {
	cache := &msg.Cache{Type: "ephemeral"}
	if ttl == OneHour {
		cache.TTL = OneHour
	}
	return cache
}
