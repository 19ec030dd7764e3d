package convtest

import (
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
)

// log puts the messages of the Messages API into the lines of a Claude Code session: an assistant message as one line a
// block or as one line, results as a line each, lines of other types between.
func (g *gen) log(messages []string) []byte {
	g.pretty = false
	var out strings.Builder
	parent, lines := "null", 0
	put := func(kind string, message rawjson.Value, extra ...string) {
		id := quote("u-" + strconv.Itoa(lines))
		line := object{"parentUuid", parent, "isSidechain", "false", "type", quote(kind), "message", string(message.Line()),
			"uuid", id, "timestamp", quote("2026-01-02T03:04:" + strconv.Itoa(10+lines%50) + ".000Z")}
		out.WriteString(g.object(append(line, extra...)) + "\n")
		parent, lines = id, lines+1
	}
	if chance(g.t, 3) {
		out.WriteString(`{"type":"summary","summary":"A session","leafUuid":"u-0"}` + "\n")
	}
	for n, m := range messages {
		message := rawjson.Value(m)
		role := message.Member("role").Text()
		if role == "system" {
			continue // a log has system lines, which are no messages
		}
		if chance(g.t, 12) {
			out.WriteString(`{"type":"file-history-snapshot","messageId":"s","snapshot":{"n":` + strconv.Itoa(n) + `}}` + "\n")
		}
		if role == "user" {
			put("user", message, "cwd", `"/project"`)
			continue
		}
		message = message.With("id", rawjson.Quote("msg_"+strconv.Itoa(n)))
		usage := `{"input_tokens":10,"cache_read_input_tokens":200,"cache_creation_input_tokens":3,"output_tokens":7}`
		message = message.With("usage", rawjson.Value(usage))
		content := message.Member("content")
		blocks := elements(content)
		if len(blocks) < 2 || chance(g.t, 3) {
			put("assistant", message)
			continue
		}
		for _, block := range blocks {
			put("assistant", message.With("content", rawjson.Value("["+string(block)+"]")))
		}
	}
	return []byte(out.String())
}
