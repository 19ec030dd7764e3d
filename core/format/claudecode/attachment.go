package claudecode

import (
	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// attached has the path of the text in an attachment, by its type: what Claude Code sends as a message of the user. A
// queued command is what the user wrote while the agent worked. The others insert files, memory and plans.
var attached = map[string]string{"queued_command": "prompt", "file": "content/file/content",
	"nested_memory": "content/content", "edited_text_file": "snippet", "plan_file_reference": "planContent"}

// readAttachment reads the message that an attachment is sent as, if it is.
func (n *line) readAttachment(i int, x *rawjson.Index, l *log) error {
	kind := n.attachment.Member("type").Text()
	text, path := record.At(n.attachment, attached[kind]), jsonl.Pointer(i)+"/attachment/"+attached[kind]
	if text.Kind() != '"' && (text.Kind() != '[' || kind != "queued_command") {
		return nil
	}
	blocks, err := l.parse(text, path, path, x, &l.room)
	if n.isMessage = err == nil && len(text) > len(`""`); n.isMessage {
		n.role, n.blocks = msg.User, blocks
		mode := n.attachment.Member("commandMode").Text()
		n.meta = kind != "queued_command" || mode != "" && mode != "prompt"
	}
	return err
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
