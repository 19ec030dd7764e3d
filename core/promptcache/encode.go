package promptcache

import (
	"encoding/base64"
	"encoding/binary"
)

// Limits of the stored lists. They keep an encoded Health under 4 KB for a conversation of any length.
const (
	storedTools    = 32
	storedLines    = 128
	storedMessages = 256
	maxStored      = 1 << 30 // maximum of a stored number: items in a list, positions, seconds
)

// encoding is the version, the first number of an encoded Health; other versions are rejected.
const encoding = 1

// Encode writes the health as a short text that needs no escapes in JSON; "" for the zero value.
func (h Health) Encode() string {
	if h.requests == 0 && h.compactions == 0 && !h.pending.set {
		return ""
	}
	w := writer{encoding}
	w.numbers(h.requests, h.misses, bit(h.used), h.read, h.prompt, h.compactions, h.saved, h.idle,
		int(h.change.cause), h.change.at.from, h.change.at.to, bit(h.change.timestamp), h.change.gap)
	w.fingerprint(h.before)
	w.fingerprint(h.pending)
	return base64.RawURLEncoding.EncodeToString(w)
}

// DecodeHealth reads the output of Encode; ok is false for any other text.
func DecodeHealth(text string) (h Health, ok bool) {
	if text == "" {
		return Health{}, true
	}
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	r := reader{data: data, ok: err == nil}
	if r.number(maxStored) != encoding {
		return Health{}, false
	}
	h = Health{requests: r.number(maxSum), misses: r.number(maxSum), used: r.bit(), read: r.number(maxSum),
		prompt:      r.number(maxSum),
		compactions: r.number(maxSum), saved: r.number(maxSum), idle: r.number(maxStored)}
	h.change = change{cause: cause(r.number(int(lastCause) - 1)), at: span{r.number(maxStored), r.number(maxStored)},
		timestamp: r.bit(), gap: r.number(maxStored)}
	h.before, h.pending = r.fingerprint(), r.fingerprint()
	if !r.ok || len(r.data) > 0 {
		return Health{}, false
	}
	return h, true
}

type writer []byte

func (w *writer) numbers(all ...int) {
	for _, n := range all {
		*w = binary.AppendUvarint(*w, uint64(n))
	}
}

func (w *writer) fingerprint(f Fingerprint) {
	w.numbers(bit(f.set))
	if !f.set {
		return
	}
	w.numbers(bit(f.automatic), bit(f.inline), bit(f.hour), f.minTokens)
	*w = binary.BigEndian.AppendUint64(*w, f.model)
	w.numbers(len(f.breakpoints))
	w.numbers(f.breakpoints...)
	for _, d := range [...]digests{f.tools.regroup(storedTools), f.lines.regroup(storedLines),
		f.messages.regroup(storedMessages)} {
		w.numbers(d.n, d.size)
		for _, sum := range d.sums {
			*w = append(*w, byte(sum>>16), byte(sum>>8), byte(sum))
		}
	}
}

type reader struct {
	data []byte
	ok   bool
}

// number reads a number that is at most limit; otherwise it sets ok to false.
func (r *reader) number(limit int) int {
	n, size := binary.Uvarint(r.data)
	if !r.ok || size <= 0 || n > uint64(limit) {
		r.ok = false
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

func (r *reader) bit() bool { return r.number(1) == 1 }

func (r *reader) bytes(n int) []byte {
	if !r.ok || n > len(r.data) {
		r.ok = false
		return make([]byte, n)
	}
	out := r.data[:n]
	r.data = r.data[n:]
	return out
}

func (r *reader) fingerprint() Fingerprint {
	f := Fingerprint{set: r.bit()}
	if !f.set {
		return f
	}
	f.automatic, f.inline, f.hour, f.minTokens = r.bit(), r.bit(), r.bit(), r.number(maxStored)
	f.model = binary.BigEndian.Uint64(r.bytes(8))
	for range r.number(2 * Limit) {
		f.breakpoints = append(f.breakpoints, r.number(maxStored))
	}
	f.tools, f.lines, f.messages = r.digests(storedTools), r.digests(storedLines), r.digests(storedMessages)
	return f
}

func (r *reader) digests(limit int) digests {
	d := digests{n: r.number(maxStored), size: max(r.number(maxStored), 1)}
	groups := (d.n + d.size - 1) / d.size
	if groups > limit {
		r.ok = false
		return digests{}
	}
	for range groups {
		b := r.bytes(3)
		d.sums = append(d.sums, uint32(b[0])<<16|uint32(b[1])<<8|uint32(b[2]))
	}
	return d
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
