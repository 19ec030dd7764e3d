package anchor

import (
	"strconv"

	"tamp/core/msg"
)

// Health is what is remembered of a conversation's requests to see whether the prompt cache works. It is a value of bounded
// size: keep it beside the conversation, as its Encode. The zero value starts a new one.
type Health struct {
	requests    int // observed
	misses      int // in a row, while a hit was expected
	used        bool
	read        int // tokens, of all requests
	prompt      int
	compactions int
	saved       int
	idle        int // seconds before the pending request
	change      change
	before      Fingerprint // of the last request that was observed
	pending     Fingerprint // of the one that is under way
}

// Metrics are the numbers to plot.
type Metrics struct {
	Requests     int `json:"requests"`
	CacheHitRate int `json:"cacheHitRate"` // permille of all prompt tokens that were read from the cache
	CompactCount int `json:"compactCount"` // compactions that changed something
	TokensIn     int `json:"tokensIn"`     // prompt tokens of all requests
	Saved        int `json:"saved"`        // tokens that compactions took out of the conversation
	Misses       int `json:"misses"`       // requests in a row that read nothing although they should have
}

// The codes of the warnings, one for each cause.
const (
	CodeModel  = "cache_model_changed"
	CodeSystem = "cache_system_changed"
	CodeTools  = "cache_tools_changed"
	CodePrefix = "cache_prefix_changed"
	CodeIdle   = "cache_idle"
	CodeShort  = "cache_below_minimum"
	CodeMoved  = "cache_anchor_moved"
	CodeMissed = "cache_missed" // with no cause that can be seen from here
)

// missesToWarn is how many misses in a row make a warning: one happens (an entry was evicted, a compaction moved the
// prefix), two may, three are a habit.
const missesToWarn = 3

// most is where sums of tokens stop growing: what every platform's int holds.
const most = 1<<31 - 1

// Sent notes the request that is about to go out, idleSec seconds after the one before. Noting another before Observe
// replaces it, so planning twice does no harm.
func (h Health) Sent(request Fingerprint, idleSec int) Health {
	h.pending, h.idle, h.change = request, max(idleSec, 0), request.since(h.before)
	return h
}

// Compacted notes a compaction that changed something and the tokens that it took out.
func (h Health) Compacted(saved int) Health {
	h.compactions++
	h.saved = sum(h.saved, max(saved, 0))
	return h
}

// Observe takes the usage of a response. request and idleSec describe what it answers; a zero request means the one that Sent
// noted, or one that nobody saw. The third miss in a row, and every third after it, is a warning with its cause,
// found by comparing the request with the one before it. Usage without a single prompt token is no response and changes nothing.
func Observe(h Health, u msg.Usage, request Fingerprint, idleSec int) (Health, []msg.Warning, Metrics) {
	if request.known {
		h = h.Sent(request, idleSec)
	} else {
		h.idle = max(h.idle, idleSec)
	}
	u = sane(u)
	if u.Prompt() == 0 {
		return h, nil, h.Metrics()
	}
	var warnings []msg.Warning
	expected := h.requests > 0 && (h.before.cached() || h.used)
	switch {
	case u.CacheRead > 0:
		h.misses = 0
	case expected:
		h.misses++
		if h.misses%missesToWarn == 0 {
			warnings = append(warnings, h.warning(u))
		}
	}
	h.requests++
	h.used = h.used || u.CacheRead+u.CacheWrite > 0
	h.read = sum(h.read, u.CacheRead)
	h.prompt = sum(h.prompt, u.Prompt())
	h.before, h.pending, h.change, h.idle = h.pending, Fingerprint{}, change{}, 0
	return h, warnings, h.Metrics()
}

// Metrics are the numbers so far.
func (h Health) Metrics() Metrics {
	m := Metrics{Requests: h.requests, CompactCount: h.compactions, TokensIn: h.prompt, Saved: h.saved, Misses: h.misses}
	if h.prompt > 0 {
		m.CacheHitRate = int(int64(h.read) * 1000 / int64(h.prompt))
	}
	return m
}

// warning names why the request read nothing: what is certain first, then what is nearest to the front of the request.
func (h Health) warning(u msg.Usage) msg.Warning {
	f, life := h.pending, h.pending.lifetime()
	least := f.least
	if !f.known {
		least = otherMinimum
	}
	w := msg.Warning{Code: CodeMissed}
	why := ""
	switch {
	case u.Prompt() < least:
		w.Code, why = CodeShort, "the prompt of "+strconv.Itoa(u.Prompt())+" tokens is below the model's minimum of "+strconv.Itoa(least)
	case h.change.cause == modelChanged:
		w.Code, why = CodeModel, "another model was asked, and each has a cache of its own"
	case h.change.cause == toolsChanged:
		w.Code, w.Path = CodeTools, "/tools/"+strconv.Itoa(h.change.at.from)
		why = "the tools changed at " + w.Path + h.change.at.blur()
	case h.change.cause == systemChanged:
		w.Code, w.Path = CodeSystem, "/system"
		if f.inline {
			w.Path = "/messages/0"
		}
		why = "the system prompt changed on line " + strconv.Itoa(h.change.at.from+1) + h.change.at.blur()
		if h.change.clock {
			why += ", which holds a timestamp"
		}
	case h.change.cause == prefixChanged:
		w.Code, w.Path = CodePrefix, "/messages/"+strconv.Itoa(h.change.at.from)
		why = "the prefix changed at " + w.Path + h.change.at.blur()
	case h.idle >= life.near:
		w.Code, why = CodeIdle, strconv.Itoa(h.idle)+" s passed since the call before, and an entry lives "+strconv.Itoa(life.seconds)+" s"
	case f.known && !f.cached():
		w.Code, why = CodeMoved, "the request has no breakpoint any more"
	case h.change.cause == anchorMoved:
		w.Code, why = CodeMoved, "the anchors moved by "+strconv.Itoa(h.change.gap)+" positions, and a read looks back at most "+strconv.Itoa(Lookback)
	case f.known && !f.automatic && u.CacheWrite == 0:
		w.Code, why = CodeShort, "nothing was written to it either, so what stands before the breakpoints is below the model's minimum of "+
			strconv.Itoa(least)+" tokens"
	case !f.known:
		why = "the cause is unknown, since the requests were not noted"
	default:
		why = "nothing changed since the request before, so the provider let the entry go"
	}
	w.Message = strconv.Itoa(h.misses) + " requests in a row read nothing from the prompt cache: " + why
	return w
}

// blur says that the place is only known to a few items.
func (s span) blur() string {
	if s.to-s.from <= 1 {
		return ""
	}
	return " or shortly after"
}

func sum(a, b int) int { return int(min(int64(a)+int64(b), most)) }

// sane clamps usage from outside: no response has less than no tokens, or more than 500 million of a kind.
func sane(u msg.Usage) msg.Usage {
	clamp := func(n int) int { return min(max(n, 0), 500_000_000) }
	return msg.Usage{Input: clamp(u.Input), CacheRead: clamp(u.CacheRead), CacheWrite: clamp(u.CacheWrite), Output: clamp(u.Output)}
}
