package summarize

import "strings"

// Use is what one call of a tool uses of the conversation before it.
type Use struct {
	Texts []string // the decoded values of its input
	Old   []string // the texts that it replaces in files
	// Key is equal for two calls that read, search or run the same; "" if the call changes files or lists of tasks. Values
	// that only explain the call do not count.
	Key string
}

// ReadUse decodes a call.
func ReadUse(name, input string) (u Use) {
	k := readCall(name, input)
	for _, f := range k.fields {
		u.Texts = append(u.Texts, f.text)
		if strings.Contains(f.text, "*** Update File: ") {
			patchFiles(f.text, func(_ string, a act, c change) {
				if a == actEdit {
					u.Old = append(u.Old, c.old)
				}
			})
		}
	}
	for _, c := range k.changes() {
		if k.act == actEdit || k.act == actOther {
			u.Old = append(u.Old, c.old)
		}
	}
	switch k.act {
	case actEdit, actWrite, actDelete, actMove, actTodo, actNewTask, actTask:
		return u
	case actShell:
		u.Key = k.command
	case actRead:
		u.Key = k.path + " " + k.where
	}
	if strings.TrimSpace(u.Key) == "" {
		u.Key = input
	}
	if len(u.Old) > 0 {
		u.Key = ""
	} else {
		u.Key = name + " " + u.Key
	}
	return u
}
