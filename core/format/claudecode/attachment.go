package claudecode

import (
	"strings"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// attached has the paths of the texts in an attachment, by its type: what Claude Code sends to the model. "*" is each
// element of a list, "|" is between paths. A queued command is what the user wrote while the agent worked. The others
// insert files, memory and plans, and what hooks, the editor, tasks and other agents say. Types that are not here are
// not sent, or their text is only in the member rendered, which attachments have since version 2.1.332.
var attached = map[string]string{"queued_command": "prompt", "file": "content/file/content",
	"nested_memory": "content/content", "edited_text_file": "snippet", "plan_file_reference": "planContent",
	"invoked_skills": "skills/*/content", "hook_additional_context": "content|content/*",
	"hook_blocking_error": "blockingError/blockingError", "hook_success": "content",
	"hook_stopped_continuation": "message",
	"todo_reminder":             "content/*/content", "task_reminder": "content/*/subject", "todo": "content/*/content",
	"task_status": "description|deltaSummary", "diagnostics": "files/*/diagnostics/*/message",
	"selected_lines_in_ide": "content", "opened_file_in_ide": "filename", "mcp_resource": "content/contents/*/text",
	"directory": "content", "compact_file_reference": "filename", "teammate_mailbox": "messages/*/text",
	"plan_mode": "planFilePath", "plan_mode_reentry": "planFilePath", "plan_mode_exit": "planFilePath",
	"new_file": "content", "new_directory": "content", "relevant_memories": "memories/*/content",
	"critical_system_reminder": "content", "output_style": "style", "async_hook_response": "response/systemMessage"}

// readAttachment reads the message that an attachment is sent as, if it is. In newer logs, it is a part of the message
// of the user before it.
func (n *line) readAttachment(i int, x *rawjson.Index, l *log) error {
	kind := n.attachment.Member("type").Text()
	path := jsonl.Pointer(i) + "/attachment"
	text := n.attachment.Member("prompt")
	if kind == "queued_command" && (text.Kind() == '"' || text.Kind() == '[') {
		blocks, err := l.parse(text, path+"/prompt", path+"/prompt", x, &l.room)
		if n.isMessage = err == nil && len(text) > len(`""`); n.isMessage {
			mode := n.attachment.Member("commandMode").Text()
			n.role, n.blocks, n.meta = msg.User, blocks, mode != "" && mode != "prompt"
		}
		return err
	}
	if n.rendered.Kind() == '[' {
		n.addTexts(n.rendered, jsonl.Pointer(i)+"/rendered", "*/content")
		n.isReminder = n.isMessage
		return l.takeAll(n.blocks)
	}
	if event := n.attachment.Member("hookEvent").Text(); kind == "hook_success" && event != "SessionStart" &&
		event != "UserPromptSubmit" {
		return nil // its output is only shown
	}
	for _, one := range strings.Split(attached[kind], "|") {
		n.addTexts(n.attachment, path, one)
	}
	return l.takeAll(n.blocks)
}

func (l *log) takeAll(blocks []msg.Block) error {
	for b := range blocks {
		if err := l.room.Take(blocks[b].Path); err != nil {
			return err
		}
	}
	return nil
}

// addTexts adds the texts at a path of an attachment as blocks.
func (n *line) addTexts(value rawjson.Value, at, path string) {
	name, rest, _ := strings.Cut(path, "/")
	switch {
	case path == "" && value.Kind() == '"' && len(value) > len(`""`):
		n.role, n.meta, n.isMessage = msg.User, true, true
		for b := range n.blocks {
			n.blocks[b].Bare = false
		}
		n.blocks = append(n.blocks, msg.Block{Kind: msg.KindText, Type: "text", Raw: value, Path: at, Text: value.Text(),
			Bare: len(n.blocks) == 0})
	case path == "":
	case name == "*":
		for k, element := range value.List() {
			n.addTexts(element, document.At(at, k), rest)
		}
	default:
		n.addTexts(value.Member(name), at+"/"+name, rest)
	}
}

// attach returns the line of an attachment with other blocks: as a queued command, since it may be among results.
func (n *line) attach(blocks []msg.Block) (rawjson.Value, error) {
	same := len(blocks) == len(n.blocks)
	for k := range blocks {
		same = same && blocks[k].Changed == 0 && document.Same(blocks[k].Raw, n.blocks[k].Raw)
	}
	if same {
		return n.raw, nil
	}
	content, err := block.Content(nil, blocks)
	if err != nil {
		return nil, err
	}
	return n.raw.With("attachment", rawjson.Value(`{"type":"queued_command","commandMode":"prompt"}`).With("prompt",
		content)), nil
}
