package anchor

import (
	"encoding/base64"
	"encoding/binary"
)

// Limits of what is stored. With them an encoded Health is under 4 KB, however long the conversation.
const (
	storedTools    = 32
	storedLines    = 128
	storedMessages = 256
	storedMost     = 1 << 30 // items in a list, positions, seconds
)

// encoding is the first number of an encoded Health; another one is not ours.
const encoding = 1

// Encode writes the health down as a short text that needs no quoting in JSON; "" for a new one.
func (h Health) Encode() string {
	if h.requests == 0 && h.compactions == 0 && !h.pending.known {
		return ""
	}
	w := writer{encoding}
	w.numbers(h.requests, h.misses, bit(h.used), h.read, h.prompt, h.compactions, h.saved, h.idle,
		int(h.change.cause), h.change.at.from, h.change.at.to, bit(h.change.clock), h.change.gap)
	w.fingerprint(h.before)
	w.fingerprint(h.pending)
	return base64.RawURLEncoding.EncodeToString(w)
}

// DecodeHealth reads what Encode wrote; false for anything else.
func DecodeHealth(text string) (Health, bool) {
	if text == "" {
		return Health{}, true
	}
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	r := reader{data: data, ok: err == nil}
	if r.number(storedMost) != encoding {
		return Health{}, false
	}
	h := Health{requests: r.number(most), misses: r.number(most), used: r.bit(), read: r.number(most), prompt: r.number(most),
		compactions: r.number(most), saved: r.number(most), idle: r.number(storedMost)}
	h.change = change{cause: cause(r.number(int(lastCause) - 1)), at: span{r.number(storedMost), r.number(storedMost)}, clock: r.bit(), gap: r.number(storedMost)}
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
	w.numbers(bit(f.known))
	if !f.known {
		return
	}
	w.numbers(bit(f.automatic), bit(f.inline), bit(f.hour), f.least)
	*w = binary.BigEndian.AppendUint64(*w, f.model)
	w.numbers(len(f.marks))
	w.numbers(f.marks...)
	for _, d := range [...]digests{f.tools.coarse(storedTools), f.lines.coarse(storedLines), f.messages.coarse(storedMessages)} {
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

// number reads a number of at most limit.
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
	f := Fingerprint{known: r.bit()}
	if !f.known {
		return f
	}
	f.automatic, f.inline, f.hour, f.least = r.bit(), r.bit(), r.bit(), r.number(storedMost)
	f.model = binary.BigEndian.Uint64(r.bytes(8))
	for range r.number(2 * Limit) {
		f.marks = append(f.marks, r.number(storedMost))
	}
	f.tools, f.lines, f.messages = r.digests(storedTools), r.digests(storedLines), r.digests(storedMessages)
	return f
}

func (r *reader) digests(limit int) digests {
	d := digests{n: r.number(storedMost), size: max(r.number(storedMost), 1)}
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
