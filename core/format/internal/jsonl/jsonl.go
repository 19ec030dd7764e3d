// Package jsonl reads JSON Lines, the form of most session logs. Start with Read.
package jsonl

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Line is one line of a file.
type Line struct {
	Start, End int           // its bytes, line break included
	Raw        rawjson.Value // the object; nil for a blank line and for a value that is no object
	// of Raw, only during the visit: the next line overwrites it
	Index *rawjson.Index
}

// Read splits a file into lines, validates each, and calls visit with it; i is its index. Agents die while they write,
// several write at once, and other programs write between them: a line that is no JSON object is reported to warn, and
// has no Raw. If no line is one, the first line's error is returned. An error of visit ends the reading.
func Read(data []byte, warn func(msg.Warning), visit func(i int, n Line) error) error {
	if err := document.Size(data); err != nil {
		return err
	}
	start, stop := document.Trim(data)
	if start == stop {
		return msg.NewError(msg.BadJSON, "",
			"cannot read the session log: the input is empty at line 1, column 1")
	}
	var first error
	any := false
	var index rawjson.Index
	err := split(data, func(i int, n Line, text rawjson.Value) error {
		if i == msg.MaxLines && data[n.End-1] == '\n' { // without the line break, it is a rest without an end
			return document.TooMany("lines", msg.MaxLines, Pointer(i))
		}
		if len(text) > 0 {
			const kept = "kept, but not part of the conversation"
			w := msg.Warning{Code: msg.OddLine, Path: Pointer(i)}
			from := cap(data) - cap(text) // its place in the file
			to := from + len(text)
			switch err := msg.ParseError(text, index.Read(text)); {
			case err == nil && text.Kind() == '{':
				n.Raw, n.Index, any = text, &index, true
			case err == nil:
				w.Message = Number(i) + " is " + document.What(text) + ", not an object: it is " + kept
			case to >= stop && i > 0 && IsCut(text):
				w.Code, w.Message = msg.CutLine, "the last line ("+Number(i)+", from byte "+strconv.Itoa(from)+
					") is cut short at byte "+strconv.Itoa(to)+": it is "+kept
			default:
				err = Error(i, err)
				w.Message = Number(i) + " is " + kept + ": " + err.Error()
				if first == nil {
					first = err
				}
			}
			if n.Raw == nil {
				warn(w)
			}
		}
		return visit(i, n)
	})
	if err == nil && !any {
		err = first
	}
	return err
}

// split calls visit with the index of each line of a file, its place, and its text without the white space around it.
func split(data []byte, visit func(i int, n Line, text rawjson.Value) error) error {
	trim := document.Trim // only the start of the file can have a byte order mark
	for at, i := 0, 0; at < len(data); i++ {
		end := len(data)
		if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		from, to := trim(data[at:end])
		if err := visit(i, Line{Start: at, End: end}, data[at+from:at+to]); err != nil {
			return err
		}
		at, trim = end, document.TrimSpace
	}
	return nil
}

// isObject reports whether the text of a line is a JSON object.
func isObject(text rawjson.Value) bool { return text.Kind() == '{' && msg.Validate(text) == nil }

// Clean returns a file without the lines that are no JSON objects, and those lines, each with a line break. Blank lines
// stay.
func Clean(data []byte) (out, removed []byte) {
	_ = split(data, func(_ int, n Line, text rawjson.Value) error {
		if len(text) == 0 || isObject(text) {
			out = append(out, data[n.Start:n.End]...)
		} else {
			removed = append(append(removed, text...), '\n')
		}
		return nil
	})
	return out, removed
}

// Whole is rawjson.Whole of the lines that are JSON objects. All others stay as they are. Only the lines with a fault
// are validated again.
func Whole(data []byte) (out []byte) {
	if rawjson.IsWhole(data) {
		return data
	}
	_ = split(data, func(_ int, n Line, text rawjson.Value) error {
		line := data[n.Start:n.End]
		if !rawjson.IsWhole(text) && isObject(text) {
			line = rawjson.Whole(line)
		}
		out = append(out, line...)
		return nil
	})
	return out
}

// Number returns the number of line i in an editor.
func Number(i int) string { return "line " + strconv.Itoa(i+1) }

// Pointer returns the JSON Pointer of line i.
func Pointer(i int) string { return "/" + strconv.Itoa(i) }

// Error adds the line of the file to a JSON error in one line.
func Error(i int, err error) error {
	var own *msg.Error
	if !errors.As(err, &own) {
		return err
	}
	text := strings.Replace(own.Msg, "at line 1, column", "at line "+strconv.Itoa(i+1)+", column", 1)
	return &msg.Error{Code: own.Code, Path: Pointer(i), Msg: text}
}

// IsCut reports whether a line is incomplete: it ends inside a string, an object or an array, or is the zeros that a
// machine leaves which lost its power.
func IsCut(text []byte) bool {
	if text[0] == 0 {
		return len(bytes.Trim(text, "\x00")) == 0
	}
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth <= 0 && i+1 < len(text) {
				return false // other bytes follow the closed value
			}
		}
	}
	return text[0] == '{' && (inString || depth > 0)
}

// First returns the first line of the subagent or of the branch that line i belongs to. above returns the line before
// one, -1 before the first. tops has one element for each line, 0 at first: it keeps what is known, plus 1.
func First(i int, tops []int, above func(i int) int) int {
	var branch []int
	for tops[i] == 0 {
		branch = append(branch, i)
		tops[i] = i + 1 // ends a cycle, too
		up := above(i)
		if up < 0 {
			break
		}
		i = up
	}
	for _, k := range branch {
		tops[k] = tops[i]
	}
	return tops[i] - 1
}
