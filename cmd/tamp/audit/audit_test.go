package audit

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/replay"
)

// audited is a session of calls that cost a dollar each; those in upper case are of subagents.
func audited(file, ids string, session string, forkedFrom ...string) AuditedFile {
	a := AuditedFile{File: file}
	a.Session, a.ForkedFrom, a.Start, a.End, a.Priced = session, forkedFrom, 1, 1, true
	for _, id := range ids {
		bill := replay.CallBill{ID: strings.ToLower(string(id)), Cost: 1_000_000, Compacted: 400_000}
		if bill.ID == string(id) {
			bill.Breaks = []replay.CallBreak{{Cause: "edit", Tokens: 5, Cost: 7}}
			a.Calls++
		} else {
			bill.Kind = "subagent"
			a.Subagents.Calls++
			a.Subagents.Cost += bill.Cost
		}
		a.Bills = append(a.Bills, bill)
	}
	n := a.Calls
	a.Cost, a.Compacted, a.Saved, a.FixedCost = n*1_000_000, n*400_000, n*600_000, n*10
	a.Breaks = []replay.Break{{Cause: "edit", Calls: n, Tokens: 5 * n, Cost: 7 * n}}
	a.Servers = []replay.Server{{Name: "db", Tools: 1, Tokens: 3, Cost: n * 3}}
	return a
}

// A call counts once over forks, copies, and subagents in two logs: in the session that was forked least.
func TestCopies(t *testing.T) {
	for _, row := range []struct {
		why    string
		all    []AuditedFile
		calls  []int // by the name of the file
		copies int
	}{
		{"two sessions with equal IDs", []AuditedFile{audited("a", "xy", "1"), audited("b", "xy", "2")}, []int{2, 2}, 0},
		{"a copy of a file", []AuditedFile{audited("b", "xyz", "1"), audited("a", "xy", "1")}, []int{2, 1}, 2},
		{"a fork", []AuditedFile{audited("a", "xyz", "2", "1"), audited("b", "xy", "1")}, []int{1, 2}, 2},
		{"two forks of a session that is not here", []AuditedFile{audited("a", "xy", "2", "1"), audited("b", "xz", "3", "1")},
			[]int{2, 1}, 1},
		{"a subagent in two logs", []AuditedFile{audited("a", "xB", "1"), audited("b", "yB", "1")}, []int{1, 1}, 1},
		{"all of a log", []AuditedFile{audited("a", "x", "1"), audited("b", "xy", "1")}, []int{1, 1}, 1},
	} {
		r := Rank(row.all, Others{})
		calls, copies, again := map[string]int{}, 0, 0
		for _, s := range r.Sessions {
			calls[s.File] = s.Calls
			copies += s.Copies
			require.Equal(t, s.Calls*1_000_000, s.Cost, row.why)
			require.Equal(t, s.Cost-s.Compacted, s.Saved, row.why)
			require.Equal(t, s.Calls*10, s.FixedCost, row.why)
			require.Equal(t, s.Calls*3, s.Servers[0].Cost, row.why)
			require.Empty(t, s.Bills)
		}
		for _, cause := range r.Causes {
			again += cause.Calls
		}
		require.Equal(t, map[string]int{"a": row.calls[0], "b": row.calls[1]}, calls, row.why)
		require.Equal(t, row.copies, copies, row.why)
		require.Equal(t, row.calls[0]+row.calls[1], again, row.why)
		require.Equal(t, 2, r.Projects[0].Sessions, row.why)
		require.Equal(t, row.calls[0]+row.calls[1], r.Projects[0].Calls, row.why)
		var used []UsedFile
		for _, a := range row.all {
			used = append(used, UsedFile{a.File, a.Used})
		}
		u := SumUp(used, Others{})
		require.Equal(t, []int{2, again, copies}, []int{u.Sessions, u.Calls, u.Copies}, row.why)
		require.Equal(t, withoutSaved(r.Projects), u.Projects, row.why)
		require.Equal(t, withoutSaved(r.Periods.Blocks), u.Periods.Blocks, row.why)
	}
}

// The names of days and weeks are those of package time.
func TestDates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		millis := rapid.IntRange(-60_000_000_000_000, 200_000_000_000_000).Draw(t, "time")
		when := time.UnixMilli(int64(millis)).UTC()
		if millis == 0 {
			return
		}
		require.Equal(t, when.Format(time.DateOnly), nameOfDay(millis))
		for when.Weekday() != time.Monday {
			when = when.AddDate(0, 0, -1)
		}
		require.Equal(t, when.Format(time.DateOnly), nameOfWeek(millis))
	})
	require.Equal(t, "no date", nameOfDay(0))
}

// A block of five hours begins with the full hour of the first call that is in none.
func TestPeriods(t *testing.T) {
	one := audited("a", "wxyz", "1")
	for i, at := range []string{"2026-11-24T12:00:00Z", "2026-11-22T23:50:00Z", "2026-11-23T03:59:00Z",
		"2026-11-23T04:00:00Z"} {
		when, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		one.Bills[i].Time = int(when.UnixMilli())
	}
	p := Rank([]AuditedFile{one}, Others{}).Periods
	names := func(all []Total) (names []string) {
		for _, t := range all {
			names = append(names, t.Name+" "+number(t.Calls, 1))
		}
		return names
	}
	require.Equal(t, []string{"2026-11-22 23:00 2", "2026-11-23 04:00 1", "2026-11-24 12:00 1"}, names(p.Blocks))
	require.Equal(t, []string{"2026-11-16 1", "2026-11-23 3"}, names(p.Weekly))
	require.Equal(t, []string{"2026-11-22 1", "2026-11-23 2", "2026-11-24 1"}, names(p.Daily))
}

func TestChoose(t *testing.T) {
	c := Choose(Found{
		Files: []string{"/b.jsonl", "/a.json", "/.json", "/notes.md", "/.aider.chat.history.md", "/z.ndjson.zst", "/x.zst",
			"/k/context.jsonl", "/k/wire.jsonl", "/k/context_12.jsonl", "/k/context_x.jsonl", "/other/wire.jsonl",
			"/.kimi-code/s/wire.jsonl", "/.kimi-code/s/state.json", `C:\.kimi-code\s\state.json`,
			"/s.jsonl.deleted.2026-11-01T10-00-00.000Z", "/s.jsonl.reset.1", "/opencode.db", "/opencode-dev.db", "/a/crush.db",
			"/crush.sqlite", "/.grok/s/chat_history.jsonl", "/.grok/s/updates.jsonl", "/.copilot/s/events.jsonl",
			"/.copilot/s/x.json", "/.cline/s/a.messages.json", "/.cline/s/a.json"},
		Links:     []string{"/link.jsonl", "/link.md"},
		Odd:       []Unread{{"/pipe.json", "odd"}, {"/pipe.txt", "odd"}},
		Databases: true,
	})
	var files []string
	for _, log := range c.Logs {
		files = append(files, log.File)
		require.Equal(t, strings.HasSuffix(log.File, ".db"), log.Database, log.File)
		require.Equal(t, log.File == "/k/context.jsonl", log.Next == "/k/wire.jsonl", log.File)
		require.Equal(t, log.File == "/.grok/s/chat_history.jsonl", log.Usage == "/.grok/s/updates.jsonl", log.File)
	}
	require.Equal(t, []string{"/.aider.chat.history.md", "/.cline/s/a.messages.json", "/.copilot/s/events.jsonl",
		"/.grok/s/chat_history.jsonl", "/.kimi-code/s/wire.jsonl", "/a.json", "/a/crush.db", "/b.jsonl", "/k/context.jsonl",
		"/k/context_x.jsonl", "/link.jsonl", "/opencode-dev.db", "/opencode.db", "/other/wire.jsonl",
		"/z.ndjson.zst"}, files)
	require.Equal(t, []Unread{{"/pipe.json", "odd"}}, c.Unread)
	var skipped []string
	for _, s := range c.Skipped {
		skipped = append(skipped, s.File+": "+strings.Fields(s.Reason)[1])
	}
	require.Equal(t, []string{"/.json: name", "/notes.md: name", "/x.zst: name", "/k/wire.jsonl: calls",
		"/k/context_12.jsonl: calls", "/.kimi-code/s/state.json: is", `C:\.kimi-code\s\state.json: is`,
		"/s.jsonl.deleted.2026-11-01T10-00-00.000Z: agent", "/s.jsonl.reset.1: agent", "/crush.sqlite: name",
		"/.grok/s/updates.jsonl: is", "/.copilot/s/x.json: is", "/.cline/s/a.json: is"}, skipped)
}

func TestFolders(t *testing.T) {
	all := Folders("/h", nil)
	for _, folder := range []string{"/h/.claude/projects", "/h/.config/claude/projects", "/h/.codex/archived_sessions",
		"/h/.kimi-code/sessions", "/h/.local/share/opencode/opencode.db", "/h/.cline/data/sessions"} {
		require.Contains(t, all, folder)
	}
	all = Folders("/h", []string{"CLAUDE_CONFIG_DIR=/x, /y", "CODEX_HOME=/c", "XDG_DATA_HOME=/d", "KIMI_CODE_HOME="})
	require.Equal(t, []string{"/x/projects", "/y/projects", "/c/sessions", "/c/archived_sessions"}, all[:4])
	require.Subset(t, all, []string{"/d/opencode/opencode.db", "/h/.kimi-code/sessions"})
	require.Len(t, all, 13)
	require.Equal(t, "/h/.local/share/crush/projects.json", CrushProjects("/h", nil))
	require.Equal(t, "/d/crush/projects.json", CrushProjects("/h", []string{"XDG_DATA_HOME=/d"}))
	require.Equal(t, "/c/projects.json", CrushProjects("/h", []string{"XDG_DATA_HOME=/d", "CRUSH_GLOBAL_DATA=/c"}))
	require.Equal(t, []string{"/p/.crush/crush.db"}, CrushDatabases([]byte(`{"projects":[{"data_dir":"/p/.crush"}]}`)))
	require.Empty(t, CrushDatabases([]byte(`{"projects":[{`)))
}

// The text names everything that the totals have, and lists each reason once.
func TestReport(t *testing.T) {
	loss := audited("b\n\x1b[31m", "yzB", "2")
	loss.Saved, loss.Priced, loss.Project = -2_400_000, false, "/p"
	for i := range loss.Bills {
		loss.Bills[i].Compacted = 2_200_000
	}
	loss.Misses = replay.Misses{Names: 1000, Missed: 1, Calls: 2, Edits: 1, Lost: 1, ReadCost: 30_000}
	loss.Agent = &msg.Agent{Window: 200_000, Compactions: []msg.Compaction{{}}}
	loss.Multipliers = []models.Multiplier{{Name: "batch", Permille: 500}}
	gain := audited("a", "x", "1")
	gain.Multipliers = []models.Multiplier{{Name: "batch", Permille: 1000}}
	others := Others{[]Unread{{"u", "odd; accepted are A, B"}, {"t", "odd; accepted are A, B"}, {"v", "empty"}},
		[]Unread{{"s", "its name"}}}
	text := Report([]AuditedFile{gain, audited("copy", "xw", "1"), loss, {File: "none"}}, others, View{Totals: "weekly"})
	require.Equal(t, `3 sessions, 4 calls, $4.00. Compaction would have saved -$1.20. System prompts and tools: $0.00.
Apart from these: 1 call of subagents, $1.00.
1 call of forks and copies of a session are counted once.
Of 1000 names that the agents used later, 999 would have been in the context (99 %); 2 of 4 calls would have missed something; 1 of 1 edit would have had to read again. Reading it again would have cost $0.03.
* The price of the model is not known; assumed is that of a mid-range model.
The prices are multiplied: batch 1 or 0.5. Models without such a factor keep theirs (1).
The agents compacted 1 time themselves, in 1 session.
Windows that the agents worked with: 200000 tokens.

     saved       cost  calls  session
    -$2.40      $2.00      2  b\u000a\u001b[31m *
     $0.60      $1.00      1  a
     $0.60      $1.00      1  copy

paid again     tokens  calls  cause
     $0.00         20      4  edit

      cost  sessions  tool server, its definitions in each call
     $0.00         3  db

     saved       cost  calls  week from
    -$1.20      $4.00      4  no date

     saved       cost  calls  project
    -$2.40      $2.00      2  /p
     $1.20      $2.00      2  no project

4 files could not be read:
  none: the conversation has no model call
  2 files: odd
    t
    u
  v: empty
Accepted formats: A, B.

1 file left out:
  s: its name`, text)
	colored := Report([]AuditedFile{gain, loss}, Others{}, View{Color: true})
	require.Contains(t, colored, "\x1b[1m     saved       cost  calls  session\x1b[22m\n\x1b[31m    -$2.40\x1b[39m      $2.00")
	plain := strings.NewReplacer("\x1b[1m", "", "\x1b[22m", "", "\x1b[31m", "", "\x1b[39m", "").Replace(colored)
	require.Equal(t, Report([]AuditedFile{gain, loss}, Others{}, View{}), plain)
	require.Equal(t, "There is no session log below /f (*.json, *.jsonl, *.ndjson, also with .zst; "+
		".aider.chat.history.md).", UsageReport(nil, Others{}, View{Folder: "/f"}))
}

// Long lists are cut.
func TestLongReport(t *testing.T) {
	var all []AuditedFile
	var others Others
	for i := range 123 {
		all = append(all, audited(number(i, 3), "x", number(i, 1)))
		others.Unread = append(others.Unread, Unread{number(i, 3), "odd"}, Unread{number(i, 3) + "b", number(i, 1)})
	}
	text := Report(all, others, View{})
	require.Contains(t, text, "\n… 103 more: --json lists them all\n")
	require.Contains(t, text, "\n  … 146 more: --json lists them all")
	require.Contains(t, text, "\n  1 file: 122\n")
}
