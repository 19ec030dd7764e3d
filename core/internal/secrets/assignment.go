package secrets

import "strings"

// names end the names of secrets, in lower case without marks. strong ones always name a secret.
var names = [...]struct {
	end    string
	strong bool
}{{"password", true}, {"passwd", true}, {"passphrase", true}, {"secret", true}, {"token", false}, {"key", false},
	{"credential", false}, {"credentials", false}, {"auth", false}, {"pwd", false}, {"pass", false}}

// nameEnds has the last letters of names.
var nameEnds = func() (set [256]bool) {
	for i := range names {
		last := names[i].end[len(names[i].end)-1]
		set[last], set[last-'a'+'A'] = true, true
	}
	return set
}()

// isName reports a word that ends like the name of a secret.
func isName(word string) (is, strong bool) {
	if len(word) < 3 || len(word) > 100 {
		return false, false
	}
	last := word[len(word)-1] | 0x20
	for i := range names {
		n := len(word) - len(names[i].end)
		if n < 0 || names[i].end[len(names[i].end)-1] != last || !strings.EqualFold(word[n:], names[i].end) {
			continue
		}
		head := strings.ToLower(strings.TrimRight(word[:n], "_-"))
		if strings.HasSuffix(head, "public") || strings.HasSuffix(head, "primary") || strings.HasSuffix(head, "foreign") {
			return false, false
		}
		bounded := n == 0 || word[n-1] == '_' || word[n-1] == '-' || word[n] >= 'A' && word[n] <= 'Z' && word[n-1] >= 'a'
		switch names[i].end {
		case "key": // a key alone is one of a map
			return n > 0 && (bounded || strings.HasSuffix(head, "api") || strings.HasSuffix(head, "access") ||
				strings.HasSuffix(head, "secret")), false
		case "auth", "pwd", "pass": // the folder of a shell is PWD
			return n > 0 && bounded && !strings.EqualFold(word, "OLDPWD"), false
		}
		return bounded || names[i].strong || strings.HasSuffix(head, "auth"), names[i].strong
	}
	return false, false
}

// named returns the value that the word [i, end) names: the word ends like the name of a secret, and an assignment
// follows.
func named(text string, i, end int) (start, stop int) {
	word := text[i:end]
	is, strong := isName(word)
	if !is {
		return -1, end
	}
	a := assignment{strong: strong}
	if !a.read(text, i, end) || a.isOther(text, word, end) || !a.isSecret(text[a.start:a.stop], word) {
		return -1, end
	}
	return a.start, a.stop
}

// assignment is what follows a name of a secret.
type assignment struct {
	strong      bool // see names
	quoted      bool // the name is in quotes
	tight       bool // as a shell writes it, without spaces
	in          bool // the value is in quotes
	start, stop int  // the value
}

// read reads the assignment to the word [i, end), and reports whether there is one.
func (a *assignment) read(text string, i, end int) bool {
	at := end
	a.quoted = at < len(text) && (text[at] == '\\' || text[at] == '"' || text[at] == '\'')
	at = skip(text, at, "\\", 1)
	at = skip(text, at, "\"'`", 1)
	at = skip(text, at, " \t", 8)
	spaced := at > end && text[at-1] == ' '
	before := at
	if at = skip(text, at, ":=>", 3); at == before {
		if !spaced || a.quoted || i < 2 || text[i-2:i] != "--" { // --token VALUE
			return false
		}
	}
	colon := at > before && text[before] == ':'
	assigned := at
	at = skip(text, at, " \t", 8)
	a.tight = !spaced && at == assigned && !colon
	at = skip(text, at, "\\", 1)
	open := at
	at = skip(text, at, "\"'`", 1)
	a.in, a.start = at > open, at
	a.stop = a.valueEnd(text, open)
	return true
}

// valueEnd returns the end of the value; open is the place of its quote, if it has one.
func (a *assignment) valueEnd(text string, open int) int {
	start, stop := a.start, a.start
	for stop < len(text) && (isValue(text[stop]) ||
		strings.IndexByte("!@#$%^&*?~:", text[stop]) >= 0 && stop-start < maxValue) {
		stop++
	}
	if !a.in {
		stop = start + len(strings.TrimRight(text[start:stop], ".:?!&"))
		if n := strings.IndexByte(text[start:stop], '&'); n >= 0 { // the next parameter of a query
			stop = start + n
		}
	}
	if a.strong && a.tight && a.in { // the value may have spaces
		if n := strings.IndexAny(text[stop:min(stop+100, len(text))], "\"'`\n"); n > 0 && text[stop+n] == text[open] &&
			hasDigit(text[start:stop+n]) {
			stop += n
		}
	}
	return stop
}

const maxValue = 4096 // bytes of a value with marks

// isOther reports a value that is no secret, whatever it looks like. end is the end of the name.
func (a *assignment) isOther(text, word string, end int) bool {
	value, next := text[a.start:a.stop], byte(0)
	if a.stop < len(text) {
		next = text[a.stop]
	}
	switch {
	case text[end] == '>' && (next != '<' || a.start > end+1): // the element of XML ends behind its value
	case len(value) < minValue && !(a.strong && (a.tight || a.in) && len(value) >= 6 && hasDigit(value)):
	case value == "" || strings.IndexByte("$%<{[*", value[0]) >= 0: // a reference to a variable
	case a.quoted && !a.in && strings.Trim(value, "0123456789.-") == "": // a number of JSON
	case strings.EqualFold(value, word): // code
	case !a.in && next != 0 && strings.IndexByte("([{", next) >= 0: // code that computes it
	case isPath(value):
	default:
		return false
	}
	return true
}

// isSecret reports whether a value looks like the secret that word names.
func (a *assignment) isSecret(value, word string) bool {
	switch {
	case hasDigit(value) && (a.strong || hasRun(value, minValue)),
		len(value) >= minLetters && strings.IndexByte(value, '.') < 0 && !hasMark(value):
		return true
	case a.tight && strings.Contains(word, "_") && word == strings.ToUpper(word): // a variable of the environment
		return true
	}
	return a.strong && (a.in || a.tight) && strings.IndexByte(value, '.') < 0
}
