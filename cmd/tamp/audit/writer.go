package audit

import (
	"strconv"
	"strings"
	"unicode"
)

// writer collects the lines of a report.
type writer struct {
	View
	s     *sums
	lines []string
}

// line adds a line in which each @ is one of parts; a line break in front of it is an empty line.
func (w *writer) line(format string, parts ...string) {
	if rest, found := strings.CutPrefix(format, "\n"); found {
		format = rest
		w.lines = append(w.lines, "")
	}
	w.lines = append(w.lines, "")
	for _, part := range parts {
		before, after, _ := strings.Cut(format, "@")
		format = after
		w.append(before + part)
	}
	w.append(format)
}

// append adds to the last line.
func (w *writer) append(text string) { w.lines[len(w.lines)-1] += text }

// text lists the files that are in no total, and joins the lines. Titles are in bold, and money that compaction would
// have cost is red.
func (w *writer) text() string {
	w.others()
	for i, line := range w.lines {
		line = Visible(line)
		if w.Color {
			line = painted(line)
		}
		w.lines[i] = line
	}
	return strings.Join(w.lines, "\n")
}

// Visible is a line for a terminal: names of files and projects may have line breaks and escape sequences.
func Visible(line string) string {
	var out strings.Builder
	for _, r := range line {
		if unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			out.WriteString(`\u` + pad(strconv.FormatInt(int64(r), 16), 4, '0'))
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

func painted(line string) string {
	text := strings.TrimLeft(line, " ")
	for _, title := range [...]string{"saved  ", "paid again  ", "cost  "} {
		if strings.HasPrefix(text, title) {
			return "\x1b[1m" + line + "\x1b[22m"
		}
	}
	if !strings.HasPrefix(text, "-$") {
		return line
	}
	end := len(line) - len(strings.TrimLeft(text[len("-$"):], "0123456789."))
	return "\x1b[31m" + line[:end] + "\x1b[39m" + line[end:]
}

// many is a number with its noun.
func many(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return strconv.Itoa(n) + " " + word
}

// dollars is an amount of millionths of a dollar.
func dollars(millionths int) string {
	cents, sign := (abs(millionths)+5000)/10_000, "$"
	if millionths < 0 {
		sign = "-$"
	}
	return sign + strconv.Itoa(cents/100) + "." + padded(cents%100, 2, '0')
}

func cell(millionths int) string { return pad(dollars(millionths), 10, ' ') }

func number(n, width int) string { return padded(n, width, ' ') }

// accepted starts the list of formats in the reason of a file with an unknown format.
const accepted = "; accepted are "

// others lists the files that are in no total, each reason once, in the order of its first file, and the accepted
// formats once.
func (w *writer) others() {
	formats := ""
	unread := append([]Unread{}, w.s.others.Unread...)
	for i := range unread {
		reason, list, found := strings.Cut(unread[i].Reason, accepted)
		if unread[i].Reason = reason; found && formats == "" {
			formats = list
		}
	}
	w.files("\n@ could not be read:", unread)
	if formats != "" {
		w.line("Accepted formats: @.", formats)
	}
	w.files("\n@ left out:", w.s.others.Skipped)
}

func (w *writer) files(title string, files []Unread) {
	if len(files) == 0 {
		return
	}
	w.line(title, many(len(files), "file"))
	room := unreadMax
	byReason := map[string][]string{}
	for _, f := range files {
		byReason[f.Reason] = append(byReason[f.Reason], f.File)
	}
	for _, f := range files {
		names := byReason[f.Reason]
		if names == nil {
			continue // is listed with the first
		}
		byReason[f.Reason] = nil
		shown := names[:min(room, len(names))]
		room -= len(shown)
		if len(names) == 1 && len(shown) == 1 {
			w.line("  @: @", shown[0], f.Reason)
			continue
		}
		w.line("  @: @", many(len(names), "file"), f.Reason)
		for _, name := range shown {
			w.line("    @", name)
		}
	}
	if n := len(files) - unreadMax; n > 0 {
		w.line("  "+more, strconv.Itoa(n))
	}
}
