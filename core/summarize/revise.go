package summarize

import "strings"

// Later text replaces earlier text: a correction, a sentence that is said again, and an edit of a file that was read.

// isCorrection reports a sentence that takes back the sentences before it.
func isCorrection(s string) bool {
	for _, word := range corrections {
		if rest, ok := strings.CutPrefix(s, word); ok && (rest == "" || !nameByte(rest[0])) {
			return true
		}
	}
	return false
}

var corrections = []string{"Actually", "Wait", "No,", "Hmm, no", "不对", "等等", "其实"}

// demote takes the rank of a decision from the units of a group from index from on.
func (d *draft) demote(g int32, from int) {
	for i := from; i < len(d.units); i++ {
		if u := &d.units[i]; u.group == g && u.base >= worthFinding {
			u.base = worthSaid
		}
	}
}

// dropRepeated drops an earlier sentence that differs from the one of the newest unit in digits, case and punctuation
// only.
func (d *draft) dropRepeated(text string) {
	key := strings.Map(func(c rune) rune {
		switch {
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		case c >= 'a' && c <= 'z' || c >= 0x80:
			return c
		}
		return -1
	}, text)
	if len(key) < minRepeated {
		return
	}
	if i, ok := d.said[key]; ok {
		d.units[i].part = partDropped
	}
	d.said[key] = int32(len(d.units) - 1)
}

const minRepeated = 24 // bytes of letters; shorter sentences are equal by chance

// supersede drops the lines that were read from a file before it is changed. Declarations stay, marked.
func (d *draft) supersede(g int32) {
	for _, i := range d.read[g] {
		u := &d.units[i]
		switch u.part {
		case partLine:
			u.part = partDropped
			for line := range strings.Lines(u.text) { // a short result is one unit
				if _, code := splitLineNumber(strings.TrimSpace(line)); isDeclaration(code) && strings.Contains(u.text, "\n") {
					d.add(g, partDeclaration, int(u.turn), worthDeclared, minLineWorth, beforeEdits+declarationHead(code))
					u = &d.units[i]
				}
			}
		case partDeclaration:
			u.number, u.text = 0, beforeEdits+withoutNumber(u.text)
		}
	}
	delete(d.read, g)
}

const beforeEdits = "before the edits: "

func withoutNumber(line string) string {
	if number, text := splitLineNumber(line); number != "" {
		return strings.TrimSpace(text)
	}
	return line
}

// paired removes Markdown marks without a partner.
func paired(s string) string {
	for _, mark := range [...]string{"```", "**", "`"} {
		if strings.Count(s, mark)%2 == 1 {
			s = strings.ReplaceAll(s, mark, "")
		}
	}
	return strings.TrimSpace(s)
}
