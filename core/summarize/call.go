package summarize

import (
	"strings"

	"tamp/core/provenance"
)

// act is the kind of action of a call, derived from the name and the input of its tool.
type act uint8

const (
	actOther act = iota
	actRead
	actEdit
	actWrite
	actDelete
	actMove
	actSearch
	actShell
	actTodo
	acts
	actNewTask // these two are not counted
	actTask
)

var actWords = [acts]string{actOther: "used", actRead: "read", actEdit: "edited", actWrite: "written",
	actDelete: "deleted", actMove: "moved", actSearch: "searched", actShell: "run", actTodo: "listed"}

// toolActs maps the tools of common agents, by normalized name (see normalizeToolName), to their actions.
var toolActs = map[string]act{
	"read": actRead, "readfile": actRead, "view": actRead, "viewfile": actRead, "openfile": actRead, "open": actRead,
	"cat":          actRead,
	"notebookread": actRead, "readmanyfiles": actRead, "getfilecontents": actRead,
	"edit": actEdit, "multiedit": actEdit, "editfile": actEdit, "strreplace": actEdit, "strreplacefile": actEdit,
	"replace": actEdit,
	"insert":  actEdit, "applypatch": actEdit, "patch": actEdit, "searchreplace": actEdit, "notebookedit": actEdit,
	"applydiff":        actEdit,
	"strreplaceeditor": actEdit, "strreplacebasededittool": actEdit, "replaceinfile": actEdit, "updatefile": actEdit,
	"write": actWrite, "writefile": actWrite, "createfile": actWrite, "create": actWrite, "writetofile": actWrite,
	"delete": actDelete, "deletefile": actDelete, "removefile": actDelete, "movefile": actMove,
	"grep": actSearch, "glob": actSearch, "ls": actSearch, "search": actSearch, "find": actSearch, "listdir": actSearch,
	"listfiles":   actSearch,
	"searchfiles": actSearch, "grepsearch": actSearch, "filesearch": actSearch, "codebasesearch": actSearch,
	"websearch":  actSearch,
	"toolsearch": actSearch, "findfile": actSearch, "searchdir": actSearch, "searchfile": actSearch,
	"bash": actShell, "shell": actShell, "exec": actShell, "execute": actShell, "execcommand": actShell,
	"runcommand":      actShell,
	"runshellcommand": actShell, "localshell": actShell, "terminal": actShell, "runterminalcmd": actShell,
	"executecommand": actShell,
	"executebash":    actShell, "powershell": actShell,
	"todowrite": actTodo, "updateplan": actTodo, "settodolist": actTodo, "todo": actTodo, "todos": actTodo,
	"writetodos": actTodo,
	"taskcreate": actNewTask, "taskupdate": actTask,
}

var pathFields = []string{"file_path", "path", "filePath", "filename", "file_name", "target_file", "notebook_path",
	"file", "absolute_path", "filepath"}

// call is one decoded tool call.
type call struct {
	act     act
	name    string
	path    string
	command string
	where   string // of a read: the part that was read, as offset+limit
	fields  []field
}

func readCall(name, input string) call {
	k := call{name: name, fields: fields(input)}
	k.act = toolActs[normalizeToolName(name)]
	for _, n := range pathFields {
		if k.path = first(k.fields, n); k.path != "" {
			break
		}
	}
	switch command := joined(k.fields, "command", "cmd", "script"); {
	case k.act == actEdit && (command == "view" || command == "create"): // editors that use one tool for all actions
		k.act = actRead
		if command == "create" {
			k.act = actWrite
		}
	case command != "" && (k.act == actShell || k.act == actOther):
		k.act, k.command = actShell, command
	}
	if k.command == "" {
		k.command = first(k.fields, "code", "input", "")
	}
	if k.act == actRead {
		offset, limit := first(k.fields, "offset", "start_line", "line_offset"), first(k.fields, "limit", "end_line",
			"n_lines")
		if k.where = joined(k.fields, "view_range"); k.where == "" {
			k.path, k.where = splitRange(k.path)
		}
		if k.where == "" && (offset != "" || limit != "") {
			k.where = offset + "+" + limit
		}
	}
	return k
}

// splitRange splits a path with lines, core/read.go:84-90, as some clients write it.
func splitRange(path string) (file, lines string) {
	i := strings.LastIndexByte(path, ':')
	if i <= 1 || strings.Contains(path, "://") || !isDigit(path[len(path)-1]) ||
		strings.Trim(path[i+1:], "0123456789-+,") != "" {
		return path, ""
	}
	return path[:i], path[i+1:]
}

// normalizeToolName normalizes a tool name: lower case, without the prefix of an MCP server and without separators.
func normalizeToolName(name string) string {
	if i := strings.LastIndex(name, "__"); i >= 0 { // mcp__server__tool
		name = name[i+2:]
	}
	name = strings.ToLower(name)
	name = strings.ReplaceAll(name, "_", "")
	return strings.ReplaceAll(name, "-", "")
}

// isOneOf reports a tool of the client in a list of names. A tool of a server (mcp__server__tool) can have any name and
// is not believed.
func isOneOf(name, list string) bool {
	return !strings.Contains(name, "__") && strings.Contains(list, " "+normalizeToolName(name)+" ")
}

// joined joins the texts of all fields that have one of the names with spaces. Of a command for a shell it is the
// command.
func joined(list []field, names ...string) string {
	var parts []string
	for i := range list {
		for _, n := range names {
			if list[i].name == n {
				parts = append(parts, list[i].text)
			}
		}
	}
	if len(parts) == 3 && (parts[1] == "-lc" || parts[1] == "-c") { // ["bash", "-lc", "…"]
		return parts[2]
	}
	return strings.Join(parts, " ")
}

// change is one replaced piece of a file. old is empty if the piece is new or the whole file was written.
type change struct{ old, new string }

// changes returns the replacements of an editing call, in order.
func (k *call) changes() []change {
	var out []change
	var old string
	for _, f := range k.fields {
		switch f.name {
		case "old_string", "old_str", "oldText", "old_text", "old", "search", "oldString":
			old = f.text
		case "new_string", "new_str", "newText", "new_text", "new", "replace", "newString", "insert_text", "content",
			"contents", "file_text",
			"new_source", "code_edit":
			out = append(out, change{old, f.text})
			old = ""
		}
	}
	if old != "" {
		out = append(out, change{old, ""})
	}
	return out
}

// moveTo begins the line of a patch with the new path of the file.
const moveTo = "Move to: "

// patchFiles parses a patch in the format of apply_patch. It calls visit once per hunk, with the file, the action and
// the changed lines, and for the new path of a file that moves, to which the hunks below belong.
func patchFiles(text string, visit func(path string, a act, c change)) {
	path, a := "", actOther
	var old, added []string
	flush := func() {
		if path != "" {
			visit(path, a, change{strings.Join(old, "\n"), strings.Join(added, "\n")})
		}
		old, added = nil, nil
	}
	for line, rest := provenance.NextLine(text); line != ""; line, rest = provenance.NextLine(rest) {
		line = strings.TrimRight(line, "\r\n")
		head, isHead := strings.CutPrefix(line, "*** ")
		switch {
		case head == "End of File":
		case isHead && path != "" && strings.HasPrefix(head, moveTo):
			visit(path, actMove, change{})
			path = strings.TrimSpace(head[len(moveTo):])
		case isHead:
			flush()
			verb, file, ok := strings.Cut(head, " File: ")
			if path = ""; ok {
				path = strings.TrimSpace(file)
				a = map[string]act{"Update": actEdit, "Add": actWrite, "Delete": actDelete}[verb]
			}
		case path == "":
		case strings.HasPrefix(line, "@@"):
			flush()
		case strings.HasPrefix(line, "-"):
			old = append(old, line[1:])
		case strings.HasPrefix(line, "+"):
			added = append(added, line[1:])
		}
	}
	flush()
}
