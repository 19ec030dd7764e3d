package format_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/validity"
)

var requests = []string{msg.Anthropic, msg.OpenAIChat, msg.OpenAIResponses, msg.Gemini, msg.AISDK}

// A valid conversation of every format is valid in every other one, its bytes are read as that format, and every call
// keeps its result.
func TestConvert(t *testing.T) {
	for _, from := range slices.Concat([]string{msg.ClaudeCode, msg.Codex}, convtest.Clients[:], requests) {
		t.Run(from, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				to := rapid.SampledFrom(requests).Draw(t, "to")
				c, err := format.Parse(convtest.Conversation(t, from), from)
				require.NoError(t, err)
				out := requireConverted(t, c, to)
				require.Equal(t, answered(c)+madeUp(t, c, to), answered(out), "the calls with a result, of those that the client runs")
			})
		})
	}
}

// requireConverted converts c, and asserts that the result has no error that c does not have.
func requireConverted(t require.TestingT, c *msg.Conversation, to string) *msg.Conversation {
	out, _, err := format.Convert(c, to)
	require.NoError(t, err)
	written, err := format.Render(out)
	require.NoError(t, err)
	again, err := format.Parse(written, to)
	require.NoError(t, err, "%s", written)
	if len(validity.BrokenRules(c)) == 0 && len(again.Messages) > 0 { // nothing is left if nothing has an equal
		for _, p := range validity.Check(again) {
			switch p.Rule {
			case validity.G3Signature, validity.A1Role, validity.G1Order: // of another provider, and of how a session begins
				continue
			}
			require.Equal(t, validity.SeverityWarning, p.Severity, "%s at %s: %s\n%s", p.Rule, p.Path, p.Message, written)
		}
	}
	return again
}

// answered counts the calls that have a result, without those of servers.
func answered(c *msg.Conversation) int {
	pairs, count := msg.Pair(c), 0
	for at, block := range c.Blocks() {
		if block.Kind != msg.KindToolUse || block.Server {
			continue
		}
		if _, ok := pairs.Result(at); ok {
			count++
		}
	}
	return count
}

// madeUp counts the results that Convert makes for asynchronous calls that wait for theirs.
func madeUp(t require.TestingT, c *msg.Conversation, to string) (count int) {
	_, losses, err := format.Convert(c, to)
	require.NoError(t, err)
	for _, loss := range losses {
		if loss.What == "an asynchronous call without its result" {
			count++
		}
	}
	return count
}

// Where nothing is lost, there and back gives the same conversation.
func TestConvertThereAndBack(t *testing.T) {
	same := 0
	for _, from := range requests {
		rapid.Check(t, func(t *rapid.T) {
			to := rapid.SampledFrom(requests).Draw(t, "to")
			c, err := format.Parse(convtest.Conversation(t, from), from)
			require.NoError(t, err)
			there, losses, err := format.Convert(c, to)
			require.NoError(t, err)
			if len(losses) > 0 {
				return
			}
			back, losses, err := format.Convert(there, from)
			require.NoError(t, err)
			require.Empty(t, losses)
			require.Equal(t, heard(c), heard(back), "%s to %s and back", from, to)
			same++
		})
	}
	require.Positive(t, same)
}

// heard lists what the model reads, whatever the messages are divided into.
func heard(c *msg.Conversation) (out []string) {
	system := ""
	for i := range c.System {
		system += c.System[i].Text + "\n"
	}
	for at, block := range c.Blocks() {
		if role := c.Messages[at.Message].Role; (role == msg.System || role == msg.Developer) && len(out) == 0 {
			system += block.Text + "\n"
			continue
		}
		if block.Kind == msg.KindText && block.Text == "" {
			continue
		}
		kind := block.Kind
		if kind == msg.KindSummary { // which a log marks, and a request does not
			kind = msg.KindText
		}
		out = append(out, string(kind)+" "+block.ID+" "+block.Text)
		for p := range block.Parts {
			if block.Parts[p].Kind == msg.KindImage {
				out = append(out, "an image of "+block.ID)
			}
		}
	}
	return append([]string{strings.ReplaceAll(system, "\n\n", "\n")}, out...)
}

// Real sessions of every format become valid requests of every other one; the log of an agent becomes its own
// provider's request without a loss but the lines around it.
func TestConvertCorpus(t *testing.T) {
	root := convtest.NeedCorpus(t)
	files, err := filepath.Glob(filepath.Join(root, "*", "*.json*"))
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		c, err := format.Parse(data, "")
		if err != nil {
			continue // usage, and formats without a codec
		}
		if len(data) < 300_000 { // the large ones say nothing more
			for _, to := range requests {
				requireConverted(t, c, to)
			}
		}
		if msg.IsLog(c.Format) && c.Format != msg.GeminiCLI {
			out, losses, err := format.Convert(c, msg.API(c.Format))
			require.NoError(t, err)
			require.Empty(t, losses, file)
			interruption := regexp.MustCompile(`^tool_result \S+ (\[Tool result missing due to internal error\]|aborted|` +
				`No result provided|\[Tool execution was interrupted\])$`) // see testdata/convert/interrupted.txtar
			was := slices.DeleteFunc(heard(out), func(said string) bool {
				return !slices.Contains(heard(c), said) && interruption.MatchString(said)
			})
			require.Equal(t, heard(c), was, file)
		}
	}
}

// Assistant messages in a row are one turn for Anthropic, whose results may come in one message or in several. Every
// target gets a request that it takes.
func TestConvertCallsInMessagesOfTheirOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := convtest.NewSession(convtest.Drawn(t), msg.Anthropic)
		var list []string
		for _, m := range s.Messages {
			message := rawjson.Value(m)
			blocks := message.Member("content").List()
			if message.Member("role").Text() != "assistant" || len(blocks) < 2 {
				list = append(list, m)
				continue
			}
			for _, b := range blocks {
				list = append(list, string(message.With("content", rawjson.Value("[]").WithElements([]rawjson.Value{b}))))
			}
		}
		c, err := format.Parse([]byte("["+strings.Join(list, ",")+"]"), msg.Anthropic)
		require.NoError(t, err)
		for _, to := range requests[1:] {
			if validity.Valid(validity.Check(c)) {
				again := requireConverted(t, c, to)
				require.True(t, validity.Valid(validity.Check(again)), "%s: %v", to, validity.Check(again))
			}
		}
	})
}
