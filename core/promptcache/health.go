package promptcache

import (
	"strconv"

	"tamp/core/models"
	"tamp/core/msg"
)

// Health is the history of a conversation's requests from which failures of the prompt cache are detected. It is a
// value of bounded size: store the result of Encode with the conversation. The zero value is the health of a new
// conversation.
type Health struct {
	requests    int  // observed
	misses      int  // in a row, of requests that should have read from the cache
	used        bool // some request has read or written the cache
	read        int  // tokens read from the cache, of all requests
	prompt      int  // tokens, of all requests
	compactions int
	saved       int // tokens
	idle        int // seconds between the last request and the pending one
	change      change
	before      Fingerprint // of the last request that was observed
	pending     Fingerprint // of the request without a response yet
}

// Metrics are the numbers to plot.
type Metrics struct {
	Requests     int `json:"requests"`
	CacheHitRate int `json:"cacheHitRate"` // permille of all prompt tokens that were read from the cache
	CompactCount int `json:"compactCount"` // compactions that changed something
	TokensIn     int `json:"tokensIn"`     // prompt tokens of all requests
	Saved        int `json:"saved"`        // tokens that compactions took out of the conversation
	Misses       int `json:"misses"`       // requests in a row that should have read from the cache and did not
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
	CodeMissed = "cache_missed" // no cause found in the requests
)

// missesToWarn is the number of misses in a row that causes a warning: one or two can be chance (an entry was evicted,
// a compaction changed the prefix).
const missesToWarn = 3

// maxSum is the limit of the sums of tokens: the largest int of a 32-bit platform.
const maxSum = 1<<31 - 1

// Sent records the request that will be sent, idleSec seconds after the previous one. A second call before Observe
// replaces the first, so planning twice changes nothing.
func (h Health) Sent(request Fingerprint, idleSec int) Health {
	h.pending, h.idle, h.change = request, max(idleSec, 0), request.changeSince(h.before)
	return h
}

// Observed returns the last request whose response was observed; the zero value if there is none.
func (h Health) Observed() Fingerprint { return h.before }

// Compacted records a compaction that changed something, and the tokens that it removed.
func (h Health) Compacted(saved int) Health {
	h.compactions++
	h.saved = sum(h.saved, max(saved, 0))
	return h
}

// Observe records the usage of a response. request and idleSec describe its request; a zero request means the one that
// Sent recorded, if any. The third miss in a row, and every third after it, is a warning with its cause, found by
// comparing the request with the previous one. Usage without prompt tokens is ignored.
func Observe(h Health, u msg.Usage, request Fingerprint, idleSec int) (Health, []msg.Warning, Metrics) {
	if request.set {
		h = h.Sent(request, idleSec)
	} else {
		h.idle = max(h.idle, idleSec)
	}
	u = clampUsage(u)
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

// Metrics returns the numbers so far.
func (h Health) Metrics() Metrics {
	m := Metrics{Requests: h.requests, CompactCount: h.compactions, TokensIn: h.prompt, Saved: h.saved,
		Misses: h.misses}
	if h.prompt > 0 {
		m.CacheHitRate = int(int64(h.read) * 1000 / int64(h.prompt))
	}
	return m
}

// warning returns the warning with its cause: a certain cause first, then the change nearest to the start of the
// request.
func (h Health) warning(u msg.Usage) msg.Warning {
	f, life := h.pending, h.pending.lifetime()
	minTokens := f.minTokens
	if !f.set {
		minTokens = models.DefaultMinCacheTokens
	}
	w := msg.Warning{Code: CodeMissed}
	why := ""
	switch {
	case u.Prompt() < minTokens:
		w.Code, why = CodeShort,
			"the prompt of "+strconv.Itoa(u.Prompt())+" tokens is below the model's minimum of "+strconv.Itoa(minTokens)
	case h.change.cause == modelChanged:
		w.Code, why = CodeModel, "another model was called, and each model has its own cache"
	case h.change.cause == toolsChanged:
		w.Code, w.Path = CodeTools, "/tools/"+strconv.Itoa(h.change.at.from)
		why = "the tools changed at " + w.Path + h.change.at.approximateSuffix()
	case h.change.cause == systemChanged:
		w.Code, w.Path = CodeSystem, "/system"
		if f.inline {
			w.Path = "/messages/0"
		}
		why = "the system prompt changed on line " + strconv.Itoa(h.change.at.from+1) + h.change.at.approximateSuffix()
		if h.change.timestamp {
			why += ", which holds a timestamp"
		}
	case h.change.cause == prefixChanged:
		w.Code, w.Path = CodePrefix, "/messages/"+strconv.Itoa(h.change.at.from)
		why = "the prefix changed at " + w.Path + h.change.at.approximateSuffix()
	case h.idle >= life.near:
		w.Code, why = CodeIdle,
			strconv.Itoa(h.idle)+" s passed since the previous call, and a cache entry lives "+strconv.Itoa(life.seconds)+" s"
	case f.set && !f.cached():
		w.Code, why = CodeMoved, "the request has no breakpoint"
	case h.change.cause == breakpointsMoved:
		w.Code, why = CodeMoved,
			"the breakpoints moved by "+strconv.Itoa(h.change.gap)+" positions, and a read looks back at most "+
				strconv.Itoa(Lookback)
	case f.set && !f.automatic && u.CacheWrite == 0:
		w.Code, why = CodeShort,
			"nothing was written to the cache either, so the prefix before the breakpoints is below the model's minimum of "+
				strconv.Itoa(minTokens)+" tokens"
	case !f.set:
		why = "the cause is unknown, since the requests were not recorded"
	default:
		why = "nothing changed since the previous request, so the provider evicted the entry"
	}
	w.Message = strconv.Itoa(h.misses) + " requests in a row read nothing from the prompt cache: " + why
	return w
}

// approximateSuffix returns a suffix for a place that is known only approximately, as a group of items; else "".
func (s span) approximateSuffix() string {
	if s.to-s.from <= 1 {
		return ""
	}
	return " or shortly after"
}

func sum(a, b int) int { return int(min(int64(a)+int64(b), maxSum)) }

// clampUsage clamps usage from outside: each number is from 0 to 500 million.
func clampUsage(u msg.Usage) msg.Usage {
	clamp := func(n int) int { return min(max(n, 0), 500_000_000) }
	return msg.Usage{Input: clamp(u.Input), CacheRead: clamp(u.CacheRead), CacheWrite: clamp(u.CacheWrite),
		Output: clamp(u.Output)}
}
