package summarize

import "strings"

// splitLineNumber splits the line number off a line of a file listing: "   12→text", "12\ttext", "12|text", "12:text".
// number is "" if there is none.
func splitLineNumber(line string) (number, text string) {
	i := 0
	for i < len(line) && line[i] == ' ' {
		i++
	}
	start := i
	for i < len(line) && isDigit(line[i]) {
		i++
	}
	if i == start || i-start > 7 {
		return "", line
	}
	rest := line[i:]
	for _, mark := range [...]string{"→", "\t", "|", ": ", ":"} {
		if after, ok := strings.CutPrefix(rest, mark); ok {
			return line[start:i], after
		}
	}
	return "", line
}

var declarationKeywords = map[string]bool{"func": true, "type": true, "class": true, "def": true, "async": true,
	"function": true,
	"export":   true, "const": true, "interface": true, "struct": true, "enum": true, "impl": true, "pub": true,
	"fn": true, "trait": true, "mod": true, "module": true,
	"public": true, "private": true, "protected": true, "static": true, "abstract": true, "declare": true,
	"namespace": true, "package": true,
	"#define": true, "CREATE": true, "describe": true, "var": true, "let": true, "override": true, "internal": true,
	"extern": true}

// isDeclaration reports a line that declares a function, a type or a constant. Variables and constants count only
// without indentation, since indented ones are local.
func isDeclaration(line string) bool {
	text := strings.TrimLeft(line, " \t")
	indent := len(line) - len(text)
	n := 0
	for n < len(text) && text[n] != ' ' && text[n] != '\t' && text[n] != '(' && text[n] != '<' {
		n++
	}
	word := text[:n]
	if !declarationKeywords[word] {
		return false
	}
	switch word {
	case "const", "let", "var", "static", "describe":
		return indent == 0
	case "export":
		return !strings.HasPrefix(text, "export {") && !strings.HasPrefix(text, "export *")
	}
	return len(text) > len(word)+1
}

// declarationHead is a declaration without the opening of its body.
func declarationHead(line string) string {
	return strings.TrimRight(shortLine(line, 140), "{ (:=")
}
