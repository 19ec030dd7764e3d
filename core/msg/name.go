package msg

// ToolName returns a tool's name as all providers take it: of letters, digits, underscores and dashes, at most longest
// of them. Each other character becomes an underscore; an empty name becomes "unnamed".
func ToolName(name string, longest int) string {
	if name == "" {
		return "unnamed"
	}
	made := make([]byte, 0, min(len(name), longest))
	for _, r := range name {
		if len(made) == longest {
			break
		}
		if !isNameRune(r) {
			r = '_'
		}
		made = append(made, byte(r))
	}
	return string(made)
}

func isNameRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-'
}
