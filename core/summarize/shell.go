package summarize

import "strings"

// shellFiles calls visit for each file that a command line changes: rm deletes, sed -i edits, > writes.
// Here-documents are skipped.
func shellFiles(command string, visit func(act, string)) {
	if i := strings.Index(command, "<<"); i >= 0 { // the rest of that line still counts: cat <<EOF > file
		end := strings.IndexByte(command[i:], '\n')
		if end >= 0 {
			command = command[:i+end]
		}
	}
	if len(command) > 2000 {
		command = command[:2000]
	}
	verb, a := "", actOther
	redirect, script := false, false // script: the next operand is the script of sed
	for _, w := range shellWords(command) {
		switch {
		case w == "|" || w == ";" || w == "&":
			verb, a, redirect = "", actOther, false
		case w == ">":
			redirect = true
		case redirect:
			redirect = false
			if looksLikeFile(w) {
				visit(actWrite, w)
			}
		case verb == "":
			if strings.IndexByte(w, '=') > 0 || w == "sudo" || w == "time" || w == "git" {
				continue
			}
			verb, a = w, shellActs[w]
			if script = w == "sed"; script {
				a = actRead
			}
		case verb == "sed" && strings.HasPrefix(w, "-i"):
			a = actEdit
		case script && w[0] != '-':
			script = false
		case a != actOther && w[0] != '-' && looksLikeFile(w):
			visit(a, w)
		}
	}
}

var shellActs = map[string]act{"rm": actDelete, "mv": actMove, "touch": actWrite, "tee": actWrite,
	"cat": actRead, "nl": actRead, "head": actRead, "tail": actRead}

func looksLikeFile(w string) bool {
	if len(w) > maxPathLength || strings.HasPrefix(w, "/dev/") ||
		strings.ContainsAny(w, "*{}()'\"`<>|;,$=") {
		return false
	}
	dot := strings.LastIndexByte(w, '.')
	return dot > 0 && extensions[w[dot+1:]] || isPath(w)
}

// shellWords splits a command at white space and operators; a quoted piece stays part of its word, without its quotes.
func shellWords(s string) []string {
	var out []string
	var word []byte
	flush := func() {
		if len(word) > 0 {
			out = append(out, string(word))
			word = word[:0]
		}
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '\t', '\r':
			flush()
		case '\n', ';', '(', ')':
			flush()
			out = append(out, ";")
		case '|', '&', '>':
			if c == '>' && len(word) == 1 && isDigit(word[0]) { // 2>&1, 2>/dev/null
				word = word[:0]
			}
			flush()
			if i+1 < len(s) && c == '>' && s[i+1] == '&' { // >&1 is not a file
				i += 2
				continue
			}
			out = append(out, string(c)) // "&&" is two separators, ">>" two redirections
		case '\'', '"':
			end := strings.IndexByte(s[i+1:], c)
			if end < 0 {
				return out
			}
			word = append(word, s[i+1:i+1+end]...)
			i += end + 1
		case '\\':
			if i++; i < len(s) && s[i] != '\n' {
				word = append(word, s[i])
			}
		default:
			word = append(word, c)
		}
	}
	flush()
	return out
}
