package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"tamp/cmd/tamp/audit"
	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/replay"
	"tamp/core/wire"
)

// run runs a command line on a machine whose user has a home folder.
func runIn(home string, args ...string) (code int, out, problems string) {
	var o, p bytes.Buffer
	code = Run(args, System{Out: &o, Problems: &p, Home: home, IsTerminal: func(io.Writer) bool { return false }})
	return code, o.String(), p.String()
}

const talk = `[{"role":"user","content":"Hello."},{"role":"assistant","content":"Hello to you."}]`

func write(t *testing.T, path string, text []byte) {
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, text, 0o600))
}

// Logs of every kind are read, also compressed ones and those of a database, and what is none is named with its reason.
func TestFolder(t *testing.T) {
	at := t.TempDir()
	database, err := os.ReadFile("testdata/opencode.db")
	require.NoError(t, err)
	encoder, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	for name, text := range map[string][]byte{
		"plain.json": []byte(talk), "deep/packed.jsonl.zst": encoder.EncodeAll([]byte(talk), nil), "opencode.db": database,
		"bomb.jsonl.zst": encoder.EncodeAll(make([]byte, maxFile+1), nil), "torn.json.zst": {0x28, 0xb5, 0x2f, 0xfd, 9},
		"empty.jsonl": {}, "foreign.json": []byte(`{"name":"tamp"}`), "renamed.json": database, "notes.txt": []byte("x"),
		"opencode-old.db": []byte("SQLite format 3\x00 and no more"),
		"k/context.jsonl": []byte(`{"role":"user","content":"x"}` + "\n" + `{"role":"assistant","content":"y"}`),
		"k/wire.jsonl": []byte(`{"timestamp":1770000000.5,"message":{"type":"StatusUpdate","payload":{"token_usage":` +
			`{"input_other":100,"input_cache_read":2000,"input_cache_creation":0,"output":50}}}}`),
	} {
		write(t, filepath.Join(at, name), text)
	}
	write(t, filepath.Join(at, "huge.jsonl"), nil)
	require.NoError(t, os.Truncate(filepath.Join(at, "huge.jsonl"), 1<<30)) // without blocks on disk
	for _, threads := range []string{"1", "3"} {
		code, out, problems := runIn("", "usage", at, "--json", "--threads="+threads)
		require.Equal(t, 0, code, problems)
		var u audit.Usage
		require.NoError(t, json.Unmarshal([]byte(out), &u))
		require.Equal(t, []int{5, 6, 1}, []int{u.Sessions, u.Calls, u.Copies})
		reasons := map[string]string{}
		for _, unread := range append(u.Unread, u.Skipped...) {
			name, err := filepath.Rel(at, unread.File)
			require.NoError(t, err)
			reasons[name] = unread.Reason
		}
		for name, says := range map[string]string{"bomb.jsonl.zst": "its content has more than 128 MB",
			"torn.json.zst": "cannot unpack the file: ", "empty.jsonl": "the file is empty",
			"foreign.json": "accepted are ", "renamed.json": "it is a SQLite database", "notes.txt": "its name is not",
			"opencode-old.db": "database", "k/wire.jsonl": "its calls are counted with context.jsonl",
			"huge.jsonl": "the file has 1074 MB, at most 128 MB are read"} {
			require.Contains(t, reasons[name], says, name)
			delete(reasons, name)
		}
		require.Empty(t, reasons)
	}
}

// Links are followed to files outside of the folder, but not out of the one that --root names; none is followed to a
// folder.
func TestLinks(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "outside.json"), []byte(talk))
	write(t, filepath.Join(root, "r", "near.json"), []byte(strings.Replace(talk, "Hello.", "Near.", 1)))
	write(t, filepath.Join(root, "r", "at", "s.json"), []byte(strings.Replace(talk, "Hello.", "Here.", 1)))
	at := filepath.Join(root, "r", "at")
	for name, to := range map[string]string{"same.json": "s.json", "near.json": "../near.json",
		"far.json": "../../outside.json", "far.txt": "../../outside.json", "loop": ".", "dead.json": "absent"} {
		require.NoError(t, os.Symlink(to, filepath.Join(at, name)))
	}
	t.Chdir(root)
	for row, want := range map[string][]string{"": {"far.json", "near.json", "s.json"},
		filepath.Join(root, "r"): {"near.json", "s.json"}, at: {"s.json"}} {
		args := []string{"audit", filepath.Join("r", "at"), "--json"}
		if row != "" {
			args = append(args, "--root", row)
		}
		code, out, problems := runIn("", args...)
		require.Equal(t, 0, code, problems)
		var r audit.Ranked
		require.NoError(t, json.Unmarshal([]byte(out), &r))
		files := map[string]bool{}
		for _, s := range r.Sessions {
			files[filepath.Base(s.File)] = true
		}
		for _, name := range want {
			require.True(t, files[name], name)
		}
		require.Len(t, files, len(want))
		require.Len(t, r.Unread, 5-len(want), "also loop and dead.json")
		require.Empty(t, r.Skipped)
	}
}

// A session of a database is what `opencode export` writes.
func TestDatabase(t *testing.T) {
	var files []string
	require.NoError(t, sessionsOf("testdata/opencode.db", func(file string, text []byte, err error) {
		require.NoError(t, err)
		files = append(files, file)
		var s struct {
			Info     struct{ ID, Directory string }
			Messages []struct {
				Info  struct{ ID, SessionID, Role string }
				Parts []struct{ ID, SessionID, MessageID, Text string }
			}
		}
		require.NoError(t, json.Unmarshal(text, &s))
		require.Equal(t, "/home/dev", s.Info.Directory)
		require.Len(t, s.Messages, 4)
		for i, m := range s.Messages {
			require.Equal(t, []string{"user", "assistant"}[i%2], m.Info.Role)
			require.Equal(t, s.Info.ID, m.Info.SessionID)
			require.Equal(t, m.Info.ID, m.Parts[0].MessageID)
			require.Equal(t, "text "+string(rune('0'+i))+` "of" `+s.Info.ID+" "+strings.Repeat("long ", 200), m.Parts[0].Text)
		}
		used, _, err := wire.Call[replay.Used](&wire.Engine{}, "usage", &wire.UsageRequest{}, text)
		require.NoError(t, err)
		require.Equal(t, []int{2, 2 * (100*5 + 10*25)}, []int{used.Calls, used.Cost})
	}))
	require.Equal(t, []string{"testdata/opencode.db#ses_1", "testdata/opencode.db#ses_2"}, files)
}

// A session of a database of Crush is what `crush session show --json` writes. It has no usage, so its calls are
// estimates.
func TestCrush(t *testing.T) {
	home := t.TempDir()
	database, err := os.ReadFile("testdata/crush.db")
	require.NoError(t, err)
	write(t, filepath.Join(home, "project", ".crush", "crush.db"), database)
	projects, err := json.Marshal(map[string]any{"projects": []map[string]string{
		{"data_dir": filepath.Join(home, "project", ".crush")}, {"data_dir": filepath.Join(home, "gone")}}})
	require.NoError(t, err)
	write(t, filepath.Join(home, ".local", "share", "crush", "projects.json"), projects)
	code, out, problems := runIn(home, "usage", "--json")
	require.Equal(t, 0, code, problems)
	var u audit.Usage
	require.NoError(t, json.Unmarshal([]byte(out), &u))
	require.Equal(t, []int{1, 1, 0}, []int{u.Sessions, u.Calls, len(u.Unread)})

	var text []byte
	require.NoError(t, sessionsOf("testdata/crush.db", func(_ string, session []byte, err error) {
		require.NoError(t, err)
		text = session
	}))
	c, err := format.Parse(text, msg.Crush)
	require.NoError(t, err)
	made, _, err := format.Convert(c, msg.Anthropic)
	require.NoError(t, err)
	body, err := format.Render(made)
	require.NoError(t, err)
	for _, has := range []string{"summary", "go on", "$ pwd\\n/src\\n(exit code 0)", `"command":"ls"`, "a.go"} {
		require.Contains(t, string(body), has)
	}
	require.NotContains(t, string(body), "long ago")
}

// The calls of Grok CLI are billed by the sums in the file next to the history.
func TestGrok(t *testing.T) {
	home := t.TempDir()
	at := filepath.Join(home, ".grok", "sessions", "work", "s")
	write(t, filepath.Join(at, "chat_history.jsonl"), []byte(`{"type":"user","content":[{"type":"text","text":"go"}],"prompt_index":1}
{"type":"assistant","content":"x","model_id":"claude-opus-4-5"}
{"type":"assistant","content":"y","model_id":"claude-opus-4-5"}
`))
	write(t, filepath.Join(at, "updates.jsonl"), []byte(`{"params":{"update":{"sessionUpdate":"tool_call"},"_meta":{"streamStartMs":1,"totalTokens":1010}}}
{"params":{"update":{"sessionUpdate":"turn_completed","usage":{"inputTokens":2200,"cachedReadTokens":1000,"cacheCreationTokens":900,"outputTokens":20}}}}
`))
	code, out, problems := runIn(home, "usage", "--json", "--prices=1,7,2,3")
	require.Equal(t, 0, code, problems)
	var u audit.Usage
	require.NoError(t, json.Unmarshal([]byte(out), &u))
	require.Equal(t, []int{2, 300 + 7*20 + 2*1000 + 3*900}, []int{u.Calls, u.Cost})
}

func TestOptions(t *testing.T) {
	at := t.TempDir()
	write(t, filepath.Join(at, "s.json"), []byte(talk))
	policy := filepath.Join(at, "policy.txt")
	write(t, policy, []byte(`{"trigger":{"ratio":0}}`))
	for _, row := range []struct {
		line string
		code int
		says string
	}{
		{"usage", wrong, "there is no folder of an agent on this machine: name a folder"},
		{"usage a b", wrong, "usage takes one file or folder"},
		{"usage AT --preset=balanced", wrong, "usage has no option --preset"},
		{"usage AT --nothing 3", wrong, "there is no option --nothing"},
		{"usage AT -j", wrong, "there is no option -j"},
		{"plugin claude", fault, "plugin is a command of the npm package: npx tamp plugin"},
		{"recall --archive AT", wrong, "recall needs a ref: the archive is a folder"},
		{"count AT/s.json --counter cl100k_base", done, ""},
		{"usage AT --threads", wrong, "--threads needs a value"},
		{"usage AT --json=yes", wrong, "--json takes no value"},
		{"usage AT --threads 0", wrong, "--threads must be a whole number from 1 to 64"},
		{"usage AT --totals yearly", wrong, "--totals must be daily, weekly or blocks"},
		{"audit AT --ttl 2h", wrong, "--ttl must be 5m or 1h"},
		{"audit AT --breakpoints none", wrong, "--breakpoints must be anchors, automatic or request"},
		{"audit AT --hidden -1", wrong, "--hidden must be a number of tokens, at most 10000000"},
		{"audit AT --prices 0,1", wrong, "--prices must be IN,OUT or IN,OUT,READ,WRITE, in dollars for a million tokens"},
		{"audit AT --prices 1,2,3", wrong, "--prices must be"},
		{"audit AT --prices 1001,2", wrong, "--prices must be"},
		{"audit AT --multipliers batch=1001", wrong, "--multipliers must be NAME or NAME=FACTOR"},
		{"audit AT --window 0", wrong, "--window must be a number of tokens"},
		{"audit AT --policy AT/s.json", fault, "is no JSON object with parts of a policy"},
		{"audit AT --policy AT/none", fault, "ENOENT: no such file or directory, open '"},
		{"audit AT --policy AT/policy.txt", fault, "(at /policy/trigger/ratio)"},
		{"audit AT --preset none", fault, "preset"},
		{"usage AT/none", fault, "cannot read AT/none: ENOENT: no such file or directory, stat 'AT/none'"},
		{"audit AT --window 9000 --preset harness --hidden 7", done, ""},
		{"usage -- AT", done, ""},
		{"help usage", done, ""},
	} {
		code, out, problems := runIn(at, strings.Fields(strings.ReplaceAll(row.line, "AT", at))...)
		require.Equal(t, row.code, code, row.line+problems)
		require.Contains(t, problems, strings.ReplaceAll(row.says, "AT", at), row.line)
		require.Equal(t, row.code == done, out != "", row.line)
		require.Equal(t, row.code == wrong, strings.HasSuffix(problems, "tamp COMMAND --help for one.\n"), row.line)
	}
	for line, has := range map[string]bool{"usage": true, "--format codex audit": true, "help audit": true, "serve": false,
		"": false, "help": true, "--help": true, "shrink": true, "usage --what": true, "serve --help": false,
		"--port 8": false, "-web web": false} {
		require.Equal(t, has, Has(strings.Fields(line)), line)
	}
}

func TestChoice(t *testing.T) {
	read := func(name, value string) (c choice) {
		require.Empty(t, c.read(name, value), value)
		return c
	}
	require.Equal(t, wire.Price{Input: 2000, Output: 8000, Read: 100, Write5m: 1250, Write1h: 2000},
		*read("prices", "2,8").Prices)
	require.Equal(t, wire.Price{Input: 2000, Output: 8001, Read: 250, Write5m: 0, Write1h: 0},
		*read("prices", " 2.0, 8.0005,.5,0").Prices)
	require.Equal(t, wire.Price{Input: 3000, Output: 15_000, Read: 100, Write5m: 1250, Write1h: 1250},
		*read("prices", "3,15,0.3,3.75").Prices)
	all := read("multipliers", "batch, own=1.25,tiny=0.001").Multipliers
	require.Equal(t, []string{"batch", "own", "tiny"}, []string{all[0].Name, all[1].Name, all[2].Name})
	require.Equal(t, []int{0, 1250, 1}, []int{all[0].Permille, all[1].Permille, all[2].Permille})
}

// The help of a command has its lines and those of its options.
func TestHelp(t *testing.T) {
	_, out, _ := runIn("", "usage", "--help")
	require.True(t, strings.HasPrefix(out, "Usage: tamp usage [FOLDER] sums up "), out)
	require.Contains(t, out, "\n\nOptions:\n  --format NAME ")
	require.Contains(t, out, "\n                  default: those of the model\n")
	require.NotContains(t, out, "--preset")
	for _, row := range table() {
		_, out, _ := runIn("", "help", row.name)
		for _, option := range strings.Fields(row.options) {
			require.Contains(t, out, "\n  --"+option, row.name)
		}
	}
}
