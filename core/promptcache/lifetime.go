package promptcache

import "tamp/core/msg"

// The lifetimes of a breakpoint, as the ttl of cache_control.
const (
	FiveMinutes = "5m" // the provider's default
	OneHour     = "1h"
)

// lifetime is the lifetime of an entry, and the time between two calls from which a hit is not expected, both in
// seconds. A request takes some seconds to arrive, so the last 10 % of five minutes and the last minute of an hour are
// not safe.
type lifetime struct {
	seconds, near int
}

func lifetimeOf(ttl string) lifetime {
	if ttl == OneHour {
		return lifetime{3600, 3540}
	}
	return lifetime{300, 270}
}

// ttlOf returns the lifetime of a breakpoint.
func ttlOf(cache *msg.Cache) string {
	if cache.TTL == OneHour {
		return OneHour
	}
	return FiveMinutes
}

// cacheFor returns the cache_control of a lifetime. Five minutes are the default and are not written.
func cacheFor(ttl string) *msg.Cache {
	cache := &msg.Cache{Type: "ephemeral"}
	if ttl == OneHour {
		cache.TTL = OneHour
	}
	return cache
}
