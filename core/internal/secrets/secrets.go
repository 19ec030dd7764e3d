// Package secrets masks values that look like keys, tokens and passwords in the texts that Tamp writes: a summary stays
// for the rest of a session, and it is sent to other models. The original stays in the archive. It is not for texts
// that Tamp only keeps: the messages, the user's words, the archive and the answers of models are not changed.
//
// Start with [Mask].
package secrets

import "strings"

// masked replaces a value. It is no value itself, so masking again changes nothing.
const masked = "[masked]"

// Mask returns a text with the values that look like secrets replaced, and their names kept: STRIPE_KEY=[masked]. The
// JSON of a call stays valid. Paths, hashes and UUIDs stay, unless the name of a secret is before them. It takes time
// linear in the text.
func Mask(text string) string {
	var out strings.Builder
	done := 0 // of the text, copied
	for i := 0; i < len(text); {
		c := text[i]
		if c == '\\' {
			i += escape(text[i:])
			continue
		}
		if c != '-' && c != ':' && !isLetter(c) {
			i++
			continue
		}
		start, end := find(text, i)
		if start < 0 { // no secret begins here: go to the next word
			i = end
			continue
		}
		out.WriteString(text[done:start])
		out.WriteString(masked)
		done, i = end, end
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// escape returns the length of the escape of JSON that a text begins with, \n or \u0026, whose letters are not of the
// word that follows; one byte if it begins with another backslash.
func escape(text string) int {
	if len(text) < 2 {
		return 1
	}
	switch text[1] {
	case 'n', 'r', 't', 'b', 'f':
		return 2
	case 'u':
		return min(6, len(text))
	}
	return 1
}

// find returns the secret that the word at i has or that it names; start is -1 without one, and end is where to go on.
func find(text string, i int) (start, end int) {
	c := text[i]
	switch {
	case c == '-' && strings.HasPrefix(text[i:], pemStart):
		return pem(text, i)
	case c == ':' && strings.HasPrefix(text[i:], "://"):
		return address(text, i+3)
	case c == '-' && (strings.HasPrefix(text[i:], "-u ") || strings.HasPrefix(text[i:], "--user ")):
		return userOption(text, i+strings.IndexByte(text[i:], ' '))
	case !isLetter(c):
		return -1, i + 1
	}
	end = i + 1
	for end < len(text) && wordBytes[text[end]] {
		end++
	}
	word := text[i:end]
	if len(word) >= minWord || end < len(text) && text[end] == '.' { // most words are neither
		if n := shaped(text, i, end); n > 0 {
			return i, i + n
		}
	}
	if end < len(text) && nameEnds[word[len(word)-1]] &&
		(strings.IndexByte("=: \t\\\"'`", text[end]) >= 0 || text[end] == '>' && i > 0 && text[i-1] == '<') {
		if start, end := named(text, i, end); start >= 0 {
			return start, end
		}
	}
	switch n := len(word); {
	case n == 6 && strings.EqualFold(word, "bearer"), n == 5 && strings.EqualFold(word, "basic"):
		start, end := after(text, end)
		if end-start >= minValue && hasDigit(text[start:end]) || end-start >= minLetters {
			return start, end
		}
	case n == 5 && strings.EqualFold(word, "token"): // Authorization: Token VALUE
		start, end := after(text, end)
		if value := text[start:end]; len(value) >= minLetters && hasDigit(value) && hasRun(value, minShaped) {
			return start, end
		}
	case word == "sshpass", word == "login": // of docker, helm, az: login -u NAME -p VALUE
		return passOption(text, end)
	case word == "sig", strings.HasSuffix(word, "ignature"): // of a URL that is signed
		if start, end := signature(text, i, end); start >= 0 {
			return start, end
		}
	}
	return -1, end
}

const (
	minWord    = 12 // bytes of the first word of a secret that has the form of one
	minValue   = 8  // bytes of a secret: shorter ones are numbers, options and words, and the mask would not be shorter
	minShaped  = 16 // bytes behind the prefix of a secret
	minLetters = 20 // bytes of a secret without digits: words are shorter
)

// prefixes begin the keys of providers, with the first bytes for a quick look.
var prefixes = [...]string{"sk-", "sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", // OpenAI and others, Stripe
	"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xapp-", // Slack
	"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", // GitHub
	"glpat-", "glrt-", "gldt-", "glcbt-", "glptt-", // GitLab
	"AIza", "GOCSPX-", "npm_", "pypi-", "hf_", "dop_v1_", // Google, npm, PyPI, Hugging Face, DigitalOcean
	"gsk_", "xai-", "shpat_", "shpss_", "shpca_", "lin_api_", // Groq, xAI, Shopify, Linear
	"key-", "dapi", "AGE-SECRET-KEY-"} // Mailgun, Databricks, age

const prefixStarts = "srwxgAnphdeGkl"

// dotted are the words before the dot of a key that has dots: SendGrid, Vault, Google.
const dotted = " SG hvs hvb ya29 "

const maxDotted = 512 // bytes: larger than every key

// shaped returns the length of the secret that begins with the word [i, end) and has the form of one; 0 if it has none.
func shaped(text string, i, end int) int {
	word := text[i:end]
	if end < len(text) && text[end] == '.' && len(word) <= 4 && strings.Contains(dotted, " "+word+" ") {
		for end++; end < len(text) && end-i < maxDotted && (isWord(text[end]) || text[end] == '.'); {
			end++
		}
		rest := strings.TrimRight(text[i+len(word)+1:end], ".")
		if len(rest) >= minShaped && hasDigit(rest) && hasRun(rest, 12) {
			return len(word) + 1 + len(rest)
		}
		return 0
	}
	if strings.IndexByte(prefixStarts, word[0]) < 0 || len(word) < minWord {
		return 0
	}
	if (strings.HasPrefix(word, "AKIA") || strings.HasPrefix(word, "ASIA")) && len(word) == 20 &&
		strings.Trim(word, upperDigits) == "" { // AWS
		return 20
	}
	if strings.HasPrefix(word, "eyJ") { // a JWT: three parts of base64, the first is JSON
		if n := jwt(text[i:], end-i); n > 0 {
			return n
		}
	}
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(word, p); ok && len(rest) >= minShaped && hasDigit(rest) && hasRun(rest, 12) {
			return len(word)
		}
	}
	return 0
}

const upperDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// jwt returns the length of the JWT at the beginning of a text, whose first part has n bytes; 0 if it is none.
func jwt(text string, n int) int {
	if n < 12 {
		return 0
	}
	for part := 1; part < 3; part++ {
		start := n + 1
		if n >= len(text) || text[n] != '.' {
			return 0
		}
		for n = start; n < len(text) && isWord(text[n]); {
			n++
		}
		if n == start {
			return 0
		}
	}
	return n
}

const (
	pemStart = "-----BEGIN "
	pemEnd   = "-----END "
	pemKey   = "PRIVATE KEY"
	maxPEM   = 16 << 10 // bytes: larger than every key
)

// pem returns the body of the block of a private key.
func pem(text string, i int) (start, end int) {
	i += len(pemStart)
	head := text[i:min(i+60, len(text))]
	title := strings.Index(head, "-----")
	if title < 0 || !strings.Contains(head[:title], pemKey) {
		return -1, i
	}
	start = i + title + len("-----")
	if n := strings.Index(text[start:min(start+maxPEM, len(text))], pemEnd); n >= 0 {
		return start, start + n
	}
	for end = start; end < len(text) && (isValue(text[end]) || strings.IndexByte("\\\r\n", text[end]) >= 0); {
		end++
	}
	if end-start < minValue {
		return -1, end
	}
	return start, end
}

// hooks are the addresses whose path is a secret.
var hooks = [...]string{"hooks.slack.com/services/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/",
	"api.telegram.org/bot", "outlook.office.com/webhook/"}

// address returns the secret of a URL: its password, its user if that is a token, or its path. i is after the scheme.
func address(text string, i int) (start, end int) {
	for _, hook := range hooks {
		if !strings.HasPrefix(text[i:], hook) {
			continue
		}
		start = i + len(hook)
		for end = start; end < len(text) && (isValue(text[end]) || text[end] == ':'); {
			end++
		}
		if end-start >= minShaped {
			return start, end
		}
	}
	start = -1
	for end = i; end < len(text) && end-i <= 300; end++ {
		switch c := text[end]; {
		case c == ':' && start < 0:
			start = end + 1
		case c == '@' && start < 0 && end-i >= minLetters && hasDigit(text[i:end]) && hasRun(text[i:end], minShaped):
			return i, end
		case c == '@' && start >= 0 && end-start >= 4 && strings.IndexByte("$<{[%*", text[start]) < 0:
			return start, end
		case !isValue(c) && strings.IndexByte("!$&*%:@\\", c) < 0, c == '/':
			return -1, i
		}
	}
	return -1, i
}

// userOption returns the password of the value of an option -u: USER:PASSWORD. i is after the option.
func userOption(text string, i int) (start, end int) {
	at := skip(text, skip(text, i, " ", 2), "\\\"'", 2)
	colon := at
	for colon < len(text) && (isWord(text[colon]) || text[colon] == '.' || text[colon] == '@') {
		colon++
	}
	if colon == at || colon == len(text) || text[colon] != ':' {
		return -1, i
	}
	return password(text, colon+1)
}

// password returns the word at i if it may be a password.
func password(text string, i int) (start, end int) {
	for end = i; end < len(text) && (isValue(text[end]) || strings.IndexByte("!@#%^&*?", text[end]) >= 0); {
		end++
	}
	value := text[i:end]
	if len(value) >= 6 && hasLetter(value) && !isPath(value) && (hasDigit(value) || len(value) >= minValue) {
		return i, end
	}
	return -1, i
}

// passOption returns the value of an option -p in the rest of a command.
func passOption(text string, i int) (start, end int) {
	line := text[i:min(i+200, len(text))]
	if n := strings.IndexAny(line, "\n;|"); n >= 0 {
		line = line[:n]
	}
	n := strings.Index(line, " -p ")
	if n < 0 {
		return -1, i
	}
	start = skip(text, i+n+len(" -p "), "\\\"' ", 3)
	return password(text, start)
}

// signature returns the value of the parameter [i, end) of a URL.
func signature(text string, i, end int) (start, stop int) {
	before := text[:i]
	if !strings.HasSuffix(before, "&") && !strings.HasSuffix(before, "?") && !strings.HasSuffix(before, `\u0026`) ||
		end == len(text) || text[end] != '=' {
		return -1, end
	}
	start = end + 1
	for stop = start; stop < len(text) && (isValue(text[stop]) || text[stop] == '%'); {
		stop++
	}
	if stop-start < minShaped {
		return -1, end
	}
	return start, stop
}

// after returns the value behind the spaces at i.
func after(text string, i int) (start, end int) {
	start = skip(text, i, " ", 2)
	if start == i {
		return i, i
	}
	for end = start; end < len(text) && isValue(text[end]); {
		end++
	}
	return start, start + len(strings.TrimRight(text[start:end], "."))
}

// skip returns the position after at most n bytes of a set.
func skip(text string, i int, set string, n int) int {
	for ; n > 0 && i < len(text) && strings.IndexByte(set, text[i]) >= 0; n-- {
		i++
	}
	return i
}

// isPath reports a value that is a path or a URL: it has a name between slashes, and no other form of a secret.
func isPath(value string) bool {
	return strings.HasPrefix(value, "/") || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "../") ||
		strings.HasPrefix(value, "~/") || strings.Contains(value, "://")
}

func hasLetter(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < 128 && isLetter(byte(r)) }) >= 0
}

func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }

// hasMark reports a value of several words.
func hasMark(text string) bool { return strings.ContainsAny(text, "_-/:") }

// hasRun reports a run of n letters and digits.
func hasRun(text string, n int) bool {
	run := 0
	for i := 0; i < len(text); i++ {
		if run++; text[i] == '-' || text[i] == '_' {
			run = 0
		}
		if run == n {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

// wordBytes has isWord of each byte.
var wordBytes = func() (set [256]bool) {
	for c := range set {
		set[c] = isWord(byte(c))
	}
	return set
}()

func isWord(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' || c == '-' }

// isValue reports a byte of base64, of a hash, or of a name with dots.
func isValue(c byte) bool {
	return isWord(c) || c == '+' || c == '/' || c == '=' || c == '.' || c == '~'
}
