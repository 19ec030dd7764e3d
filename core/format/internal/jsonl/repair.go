package jsonl

import (
	"bytes"
	"strconv"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Repair returns a file in which each whole record of a faulty line is a line of its own, and a warning for each such
// line; nil if no line has one. What is no record stays as a line that cannot be read. faulty has the lines that
// cannot be read; nil means that it is not known which.
//
// Several programs write into one file, and machines stop while they write. So a line can have several records, a
// record behind the beginning of another one, and a record can have line breaks between its members, and raw ones or
// other control characters in a string. A record behind something else is only an object whose first members are those
// of a line that can be read: an incomplete record has objects inside, too.
func Repair(data []byte, faulty map[int]bool) (repaired []byte, faults []msg.Warning) {
	m := repairer{data: data}
	_ = split(data, func(i int, n Line, text rawjson.Value) error {
		m.lines = append(m.lines, faultyLine{n, text, len(text) > 0 && (faulty == nil && !isObject(text) || faulty[i])})
		return nil
	})
	budget := 8*len(data) + 1<<16 // bytes that are read for records that go on below, so that the time is linear
	for i := 0; i < len(m.lines); i++ {
		line, last := &m.lines[i], i
		var pieces []rawjson.Value
		records, joined := 0, false
		if line.isFaulty {
			pieces, records = m.pieces(line.text)
			rest := line.text
			if records > 0 {
				rest = pieces[len(pieces)-1]
			}
			if rest[0] == '{' && budget > 0 {
				at := line.Start + bytes.LastIndex(data[line.Start:line.End], rest)
				text, end := m.joined(i, at)
				budget -= m.lines[end].End - at
				if more, n := m.pieces(text); n > 0 {
					pieces = append(pieces[:max(len(pieces)-1, 0)], more...)
					records, joined, last = records+n, true, end
				}
			}
		}
		if records == 0 {
			m.add(data[line.Start:line.End])
			continue
		}
		faults = append(faults, msg.Warning{Code: msg.GluedLine, Path: Pointer(m.count), Message: Number(i) + " has " +
			whatIs(records, len(pieces), joined) + ": each record is read as a line of its own"})
		m.add(data[line.Start : line.Start+document.Mark(data[line.Start:line.End])])
		for k, piece := range pieces {
			m.add(piece)
			if k < len(pieces)-1 || data[m.lines[last].End-1] == '\n' {
				m.add([]byte{'\n'})
			}
		}
		i = last
	}
	if len(faults) == 0 {
		return nil, nil
	}
	return m.out, faults
}

// whatIs describes a faulty line by the number of its records and pieces.
func whatIs(records, pieces int, joined bool) string {
	text := strconv.Itoa(records) + " records"
	if records == 1 {
		text = "a record"
	}
	if joined {
		text += " over several lines, or with raw control characters in a string"
	}
	if pieces > records {
		text += " next to what is none"
	}
	return text
}

type faultyLine struct {
	Line
	text     rawjson.Value
	isFaulty bool
}

// repairer is a Repair under way.
type repairer struct {
	data  []byte
	lines []faultyLine
	out   []byte
	count int             // lines of out
	forms map[string]bool // the first members of the lines that can be read; nil: not read yet
}

// joined returns the text from a byte of line i to the end of the line that its strings and objects end in, in one
// line, with raw control characters of strings as escapes, and the last line that was read; nil if it is line i as it
// is, or a record begins before that end.
func (m *repairer) joined(i, at int) (record rawjson.Value, last int) {
	inString, escapes, depth := false, 0, 0
	for last = i; last < len(m.lines); last++ {
		line := &m.lines[last]
		if last > i && len(line.text) > 0 && !line.isFaulty {
			return nil, last - 1
		}
		for ; at < line.End; at++ {
			switch c := m.data[at]; {
			case c < ' ' && inString:
				escape := rawjson.Quote(string(rune(c)))
				record, escapes = append(record, escape[1:len(escape)-1]...), escapes+1
				continue
			case c == '\n' || c == '\r':
				continue
			case c == '"':
				inString = !inString
			case c == '\\' && inString && at+1 < line.End && m.data[at+1] >= ' ':
				record = append(record, c)
				at++
			}
			record = append(record, m.data[at])
			if !inString {
				switch m.data[at] {
				case '{', '[':
					depth++
				case '}', ']':
					depth--
				}
			}
		}
		if !inString && depth <= 0 {
			break
		}
	}
	if escapes == 0 && last == i || inString || depth > 0 {
		return nil, min(last, len(m.lines)-1)
	}
	from, to := document.TrimSpace(record)
	return record[from:to], last
}

// pieces splits a text into its whole records and what is between them. records is the number of the records.
func (m *repairer) pieces(text rawjson.Value) (pieces []rawjson.Value, records int) {
	budget := 8*len(text) + 1<<16 // bytes of attempts that end in no record, so that the time is linear
	other := 0                    // where the text begins that is no record
	for at := 0; at < len(text) && budget > 0; {
		if text[at] != '{' {
			at++
			continue
		}
		end, whole := rawjson.End(text, at)
		if !whole {
			budget -= end - at
			at++
			continue
		}
		next := end
		for next < len(text) && (text[next] == ' ' || text[next] == '\t' || text[next] == '\r') {
			next++
		}
		behind := next == len(text) && at == 0 || next < len(text) && text[next] == '{' || records > 0
		if at != other || !behind {
			if !m.isForm(text[at:end]) {
				at = end // an object inside of what is no record
				continue
			}
		}
		if other < at {
			pieces = append(pieces, text[other:at])
		}
		pieces, records = append(pieces, text[at:end]), records+1
		at, other = next, next
	}
	if records > 0 && other < len(text) {
		pieces = append(pieces, text[other:])
	}
	return pieces, records
}

// isForm reports whether the first members of an object are those of a line that can be read.
func (m *repairer) isForm(object rawjson.Value) bool {
	if m.forms == nil {
		m.forms = map[string]bool{}
		for i := range m.lines {
			if n := &m.lines[i]; !n.isFaulty && n.text.Kind() == '{' {
				m.forms[form(n.text)] = true
			}
		}
	}
	return m.forms[form(object)]
}

// form returns the names of the first three members of an object.
func form(object rawjson.Value) string {
	var names []string
	for it := object.Walk(); len(names) < 3 && it.Next(); {
		names = append(names, strconv.Quote(it.Name))
	}
	return strings.Join(names, ",")
}

// add adds bytes to the file.
func (m *repairer) add(text []byte) {
	m.out = append(m.out, text...)
	m.count += bytes.Count(text, []byte{'\n'})
}
