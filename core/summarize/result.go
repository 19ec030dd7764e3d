package summarize

import (
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/provenance"
)

// IsError reports a tool result that failed: it is marked so (is_error), it contains an exit code other than zero, or a
// line of a failing test or a panic. The word "error" alone does not count, since it is frequent in source code.
func IsError(b *msg.Block) bool {
	if b.Kind != msg.KindToolResult {
		return false
	}
	if b.IsError {
		return true
	}
	if code, ok := ExitCode(b.Text); ok {
		return code != 0
	}
	return hasFailure(b.Text)
}

// maxScanned is the number of bytes of an output whose lines IsError reads.
const maxScanned = 1 << 20

// hasFailure reports whether one of the lines in the first maxScanned bytes of text is a failure.
func hasFailure(text string) bool {
	for start := 0; start < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[start:], '\n'); n >= 0 {
			end = start + n + 1
		}
		if end > maxScanned {
			return false
		}
		at := start
		for at < end && (text[at] == ' ' || text[at] == '\t') {
			at++
		}
		if at < end && failures.byFirst[text[at]] != nil && isFailure(strings.TrimRight(text[at:end], "\r\n")) {
			return true
		}
		start = end
	}
	return false
}

// ErrorLines returns at most n error lines of a tool's output, in order.
func ErrorLines(text string, n int) []string {
	var out []string
	for line, rest := provenance.NextLine(text); line != ""; line, rest = provenance.NextLine(rest) {
		if len(out) == n {
			break
		}
		if line = strings.TrimSpace(line); isErrorLine(line) {
			out = append(out, line)
		}
	}
	return out
}

// ExitCode finds the exit code in the output of a command, in the phrases of common agents. ok is false if there is
// none.
func ExitCode(text string) (code int, ok bool) {
	for _, part := range [2]string{text[:min(len(text), 400)], text[max(0, len(text)-400):]} {
		if !mayHaveExit(part) {
			continue
		}
		low := strings.ToLower(part)
		for _, lead := range exitLeads {
			i := strings.LastIndex(low, lead)
			if i < 0 {
				continue
			}
			rest := strings.TrimLeft(low[i+len(lead):], "\": =")
			digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
			if digits == 0 || digits > 3 {
				continue
			}
			code, err := strconv.Atoi(rest[:digits])
			return code, err == nil
		}
	}
	return 0, false
}

// mayHaveExit reports whether the lower case of text can contain "xi", which every lead has. It is false for most
// texts.
func mayHaveExit(text string) bool {
	for i := 1; i < len(text); i++ {
		if text[i-1]|0x20 == 'x' {
			if c := text[i]; c|0x20 == 'i' || c == 0xC4 { // the lower case of U+0130, C4 B0, is i
				return true
			}
		}
	}
	return false
}

// exitLeads are the phrases before an exit code.
var exitLeads = []string{"exit code", "exited with code", "exit status", "exit_code", "exitcode", "exited with status",
	"returned non-zero exit status"}

var failureStarts = []string{"panic:", "fatal:", "FAIL\t", "FAIL ", "--- FAIL", "FAILED ",
	"Traceback (most recent call last)", "✗ ", "✕ ", "× ", "not ok ", "fatal error:", "Segmentation fault", "npm ERR!",
	"error[E", "AssertionError"}

var failures = newWordList(failureStarts...)

// isFailure reports a line that only failing programs and tests print.
func isFailure(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return len(line) <= 1000 && failures.begin(line)
}

// isErrorLine reports a line that describes an error: "error:", "Error:", "TypeError: …", "path:12:3: error", a failing
// test.
func isErrorLine(line string) bool {
	if len(line) < 5 || len(line) > 1000 {
		return false
	}
	if isFailure(line) {
		return true
	}
	for from := 0; from < len(line); {
		i := strings.Index(line[from:], "rror")
		if i < 1 {
			break
		}
		i += from
		before, after := line[i-1], i+4
		from = after
		if before != 'e' && before != 'E' || after >= len(line) {
			continue
		}
		word := i - 1
		for word > 0 && nameByte(line[word-1]) {
			word--
		}
		switch {
		case word > 1 && (line[word-1] == '(' || line[word-2:word] == ", "): // a parameter: (error: string, count: int)
		case line[after] == ':' && (word == 0 || i-1-word > 2 || line[word] == 'e' || line[word] == 'E') &&
			!strings.HasSuffix(strings.TrimRight(line, " "), ","):
			// "error:", "Error:", "ValueError: …"; a key of an object ("error: x,") ends in a comma
			return len(line) > after+2 && line[after+1] == ' '
		case line[after] == ' ' && word > 2 && line[word-1] == ' ' && line[word-2] == ':' && after+2 < len(line) &&
			isLetter(line[after+1]):
			return true // "file.ts(3,4): error TS2345"
		}
	}
	return hasAny(line, errorPhrases) && !strings.ContainsAny(line[:1], "/*#+-\"'`")
}

var errorPhrases = newWordList("No such file or directory", "command not found", "Permission denied",
	"ModuleNotFoundError", "Cannot find module",
	"is not defined", "undefined reference", "cannot find package", "does not exist in type", "not assignable to")

// isTestLine reports a summary line of a test run or a build.
func isTestLine(line string) bool {
	if len(line) < 4 || len(line) > 300 {
		return false
	}
	if testStarts.begin(line) {
		return true
	}
	digit := 0
	for digit < len(line) && byteClasses[line[digit]] != digitByte {
		digit++
	}
	for i := digit; i < len(line); i++ {
		for _, s := range testWords.byFirst[line[i]] {
			if strings.HasPrefix(line[i:], s) && strings.Index(line, s) == i {
				return true
			}
		}
	}
	return false
}

var testStarts = newWordList("ok  \t", "PASS", "FAIL", "Tests:", "Test Suites:", "Test Files", "test result:", "TOTAL ",
	"BUILD ")
var testWords = newWordList(" passed", " failed", " passing", " failing", " tests pass", " tests fail", "/0 fail",
	" errors found", " problems (")

// jsonError returns the first line of the error that a tool reports as the member error or stderr of a JSON object; ""
// if the object has none, or if it reports success. Many tools do not set the error flag of such a result.
func jsonError(text string) string {
	raw := rawjson.Value(strings.TrimSpace(text))
	if raw.Kind() != '{' || len(raw) > maxJSONError || msg.Validate(raw) != nil {
		return ""
	}
	failed := raw.Member("error")
	code, _ := ExitCode(text)
	if failed.Kind() == '{' {
		failed = failed.Member("message")
	} else if failed.Kind() != '"' && (code != 0 || raw.Member("success").Kind() == 'f') {
		failed = raw.Member("stderr")
	}
	if failed.Kind() != '"' || raw.Member("success").IsTrue() {
		return ""
	}
	line := firstTextLine(failed.Text())
	for _, l := range ErrorLines(failed.Text(), 2) {
		if line = l; !strings.HasPrefix(l, "Traceback") { // its first line says nothing
			break
		}
	}
	return line
}

const maxJSONError = 1 << 16 // bytes; an error is short

// outcome describes how a command ended: the exit code if it failed, with the last test summary or else the first error
// line, or the last test summary or a short output; "" if there is none of these. reported is the error that the output
// reports, "" if it reports none. tests says that a line of the output is a test summary.
func outcome(b *msg.Block, reported string) (how string, tests bool) {
	text := strings.TrimSpace(b.Text)
	code, known := ExitCode(text)
	last := ""
	n := 0
	for line, rest := provenance.NextLine(text); line != ""; line, rest = provenance.NextLine(rest) {
		n++
		if line = strings.TrimSpace(line); isTestLine(line) {
			last = line
		}
	}
	if _, words := started(text); words != "" {
		return words, last != ""
	}
	switch {
	case known && code != 0:
		how = "exit " + strconv.Itoa(code)
	case b.IsError, reported != "":
		how = "failed"
	}
	if last != "" {
		last = strings.Trim(shortLine(last, 100), "= ")
		if how != "" {
			how += ", "
		}
		return how + last, true
	}
	switch {
	case how == "" && n == 1 && len(text) <= 80:
		return text, false
	case how == "":
		return "", false
	case reported == "":
		reported = reasonOf(text)
	}
	if reported = shortLine(reported, maxReason); reported != "" {
		how += ": " + reported
	}
	return how, false
}

const maxReason = 120 // code points of the reason of a failure

// reasonOf is the first error line of the output of a failed call, else its first line with text.
func reasonOf(text string) string {
	for _, line := range ErrorLines(text, 2) {
		if !strings.HasPrefix(line, "Traceback") { // its first line says nothing
			return line
		}
	}
	return firstTextLine(text)
}
