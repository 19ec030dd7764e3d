package bpe

import (
	"strings"
	"unicode/utf8"

	"tamp/core/internal/swar"
)

// change is a stretch of a text that is counted in another form: text[text:textEnd] became form[form:formEnd].
type change struct{ text, textEnd, form, formEnd int }

// formed returns what is counted instead of text, and where it differs. It is valid UTF-8: each byte that is not part of
// any becomes U+FFFD.
func (v *Vocabulary) formed(text string) (string, []change) {
	if v.form == nil && utf8.ValidString(text) {
		return text, nil
	}
	f := forming{text: text}
	n := normalizer{form: v.form}
	for i := 0; i < len(text); {
		if i+8 <= len(text) && swar.Load(text, i)&swar.Highs == 0 {
			i += 8
			continue
		}
		class, size := v.form.at(text, i)
		switch {
		case class == bad:
			f.put(i, i+1, badRune)
		case class != 0:
			start := i
			if class != changes && f.done < i {
				_, before := utf8.DecodeLastRuneInString(text[f.done:i])
				start -= before
			}
			for i+size < len(text) {
				class, more := v.form.at(text, i+size)
				if class == 0 || class == changes || class == bad {
					break
				}
				size += more
			}
			if to := n.normalize(text[start : i+size]); string(to) != text[start:i+size] {
				f.put(start, i+size, string(to))
			}
		}
		i += size
	}
	if f.done == 0 {
		return text, nil
	}
	f.out.WriteString(text[f.done:])
	return f.out.String(), f.list
}

// forming is a text on its way into another form.
type forming struct {
	text string
	out  strings.Builder
	list []change
	done int // the text before this is in out
}

// put says what text[start:end] becomes.
func (f *forming) put(start, end int, to string) {
	if f.done == 0 {
		f.out.Grow(len(f.text) + len(f.text)/8)
	}
	for _, s := range [2]string{f.text[f.done:start], to} {
		f.out.WriteString(s)
	}
	f.list = append(f.list, change{start, end, f.out.Len() - len(to), f.out.Len()})
	f.done = end
}

const badRune = string(utf8.RuneError)

// at returns what is known of the code point at s[i], and its length.
func (f *form) at(s string, i int) (class uint8, size int) {
	r, size := utf8.DecodeRuneInString(s[i:])
	if r == utf8.RuneError && size == 1 {
		return bad, 1
	}
	return f.class(r), size
}

func (f *form) class(r rune) uint8 {
	if f == nil || r >= formRunes {
		return 0
	}
	return f.combin[r]
}

// normalizer brings one stretch of text into form KC: a code point, and all after it that may join it.
type normalizer struct {
	*form
	text, spare []classed
	out         []byte
}

type classed struct {
	r     rune
	class uint8 // the combining class
}

// normalize returns what lasts until the next call.
func (n *normalizer) normalize(s string) []byte {
	n.text, n.out = n.text[:0], n.out[:0]
	for _, r := range s {
		n.decompose(r)
	}
	for i := 0; i < len(n.text); i++ {
		start := i
		for i < len(n.text) && n.text[i].class != 0 {
			i++
		}
		if i-start > 1 {
			n.order(n.text[start:i])
		}
	}
	n.compose()
	for _, c := range n.text {
		n.out = utf8.AppendRune(n.out, c.r)
	}
	return n.out
}

// order sorts by class and leaves equals in their order. It counts, since a text may be nothing but marks.
func (n *normalizer) order(marks []classed) {
	var starts [256]int
	for _, c := range marks {
		starts[c.class]++
	}
	sum := 0
	for class, count := range starts {
		starts[class] = sum
		sum += count
	}
	n.spare = append(n.spare[:0], marks...)
	for _, c := range n.spare {
		marks[starts[c.class]] = c
		starts[c.class]++
	}
}

func (n *normalizer) decompose(r rune) {
	if r >= sBase && r < sBase+sCount {
		s := r - sBase
		parts := [3]rune{lBase + s/(vCount*tCount), vBase + s%(vCount*tCount)/tCount, tBase + s%tCount}
		for _, r := range parts {
			if r != tBase {
				n.text = append(n.text, classed{r: r})
			}
		}
		return
	}
	d := n.decomposition(r)
	if d == "" {
		d = string(r)
	}
	for _, r := range d {
		class := n.class(r)
		if class >= bad {
			class = 0
		}
		n.text = append(n.text, classed{r, class})
	}
}

// compose puts together what it can: each with the last of class 0 before it, unless something between is of its class
// or a higher one.
func (n *normalizer) compose() {
	out := n.text[:0]
	base := -1
	for _, c := range n.text {
		if base >= 0 && (base == len(out)-1 || out[len(out)-1].class < c.class) {
			if to := n.composite(out[base].r, c.r); to != 0 {
				out[base].r = to
				continue
			}
		}
		if c.class == 0 {
			base = len(out)
		}
		out = append(out, c)
	}
	n.text = out
}
