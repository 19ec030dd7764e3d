package bench

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Artifact trail: the files that the agent read, changed and created, and the last command that failed, must be named
// in the compacted context, the files with the action. F1 is computed for each cut over pairs of a file and an action,
// with the failed command as one more item, and its mean over the cuts is printed.

type action byte

const (
	wasRead action = iota
	wasChanged
	wasCreated
)

// The tools of the corpus that act on one file, and its shells. The table is the judge's own.
var (
	readers   = []string{"read", "readfile", "read_file", "view", "open_file", "notebookread"}
	editors   = []string{"edit", "multiedit", "strreplacefile", "str_replace", "edit_file", "notebookedit"}
	writers   = []string{"write", "writefile", "write_file", "create", "create_file"}
	fileTools = slices.Concat(readers, editors, writers, []string{"apply_patch"})
	shells    = []string{"bash", "shell", "exec_command", "execute_command", "run_command", "run_terminal_cmd"}
)

// artifact is a file with an action.
type artifact struct {
	path   string
	action action
}

// trail is what the agent did in a list of messages.
type trail struct {
	done   map[artifact]bool
	inputs string // of the calls of other tools, such as shells, which may act on files, too
	failed string // the last shell command that failed and did not succeed later; "" if there is none
}

var (
	patchFile = regexp.MustCompile(`(?m)^\*\*\* (Add|Update) File: (.+)$`)
	exitCode  = regexp.MustCompile(`(?i)(?:exit code:?|exited with code|exit status:?) ?([0-9]+)`)
)

// readTrail reads the calls of messages. Calls that failed leave no artifact. A file is created if the first action on
// it is a write.
func readTrail(c *msg.Conversation) trail {
	t := trail{done: map[artifact]bool{}}
	seen := map[string]bool{}
	pairs := msg.Pair(c)
	var inputs strings.Builder
	failed := map[string]int{}
	order := 0
	for ref, call := range c.Blocks() {
		if call.Kind != msg.KindToolUse {
			continue
		}
		input := blockText(call)
		if name := strings.ToLower(call.Name); !slices.Contains(fileTools, name) {
			inputs.WriteString(input + "\n")
		}
		at, answered := pairs.Result(ref)
		if !answered {
			continue
		}
		result := c.At(at)
		raw := rawjson.Value(call.Text)
		if msg.Validate(raw) != nil || raw.Kind() != '{' {
			continue
		}
		name := strings.ToLower(call.Name)
		if slices.Contains(shells, name) {
			command := oneLine(shellCommand(raw))
			switch {
			case command == "":
			case hasFailed(result):
				order++
				failed[command] = order
			default:
				delete(failed, command)
			}
			continue
		}
		if result.IsError {
			continue
		}
		path := filePath(raw)
		write := func(path string) {
			if seen[path] {
				t.done[artifact{path, wasChanged}] = true
			} else {
				t.done[artifact{path, wasCreated}] = true
			}
			seen[path] = true
		}
		switch {
		case name == "apply_patch":
			for _, match := range patchFile.FindAllStringSubmatch(input, -1) {
				path := strings.TrimSpace(match[2])
				if match[1] == "Add" {
					write(path)
				} else {
					t.done[artifact{path, wasChanged}] = true
				}
				seen[path] = true
			}
		case path == "" || !strings.Contains(path[strings.LastIndexByte(path, '/')+1:], "."): // a folder
		case slices.Contains(readers, name):
			t.done[artifact{path, wasRead}] = true
			seen[path] = true
		case slices.Contains(editors, name):
			t.done[artifact{path, wasChanged}] = true
			seen[path] = true
		case slices.Contains(writers, name):
			write(path)
		}
	}
	last := 0
	for command, n := range failed {
		if n > last {
			t.failed, last = command, n
		}
	}
	t.inputs = inputs.String()
	return t
}

func filePath(input rawjson.Value) string {
	for _, name := range []string{"file_path", "filePath", "path", "filename", "notebook_path"} {
		if v := input.Member(name); v.Kind() == '"' {
			return lineRange.ReplaceAllString(v.Text(), "")
		}
	}
	return ""
}

// lineRange is the part of a path by which some agents name lines.
var lineRange = regexp.MustCompile(`:(?:\d+(?:-\d+)?|raw)$`)

func shellCommand(input rawjson.Value) string {
	for _, name := range []string{"command", "cmd"} {
		switch v := input.Member(name); v.Kind() {
		case '"':
			return v.Text()
		case '[':
			var words []string
			for _, e := range v.Elements() {
				words = append(words, e.Text())
			}
			return strings.Join(words, " ")
		}
	}
	return ""
}

// hasFailed reports whether a result of a shell is an error, or states an exit code other than 0 at its head or end.
func hasFailed(result *msg.Block) bool {
	if result.IsError {
		return true
	}
	ends := first(result.Text, 300) + "\n" + last(result.Text, 300)
	match := exitCode.FindStringSubmatch(ends)
	return match != nil && match[1] != "0"
}

var actionWords = [...]*regexp.Regexp{
	wasRead:    regexp.MustCompile(`(?i)\b(?:read|viewed|opened)\b`),
	wasChanged: regexp.MustCompile(`(?i)\b(?:edited|changed|modified|updated|written|edits?|changes)\b`),
	wasCreated: regexp.MustCompile(`(?i)\b(?:created|written|wrote|added|new)\b`),
}

// claims are the files that a context names with an action: those of the calls that it still has, and those of lines of
// summaries. A line without a word for an action has the actions of its heading. listed has only those of sections
// about files; other lines may report the words of others.
func claims(c *msg.Conversation) (all, listed map[artifact]bool) {
	all = readTrail(c).done
	listed = maps.Clone(all)
	for _, block := range c.Blocks() {
		if block.IsSummary() || isSummaryText(block.Text) {
			claimsOf(block.Text, all, listed)
		}
	}
	return all, listed
}

var fileHeading = regexp.MustCompile(`(?i)\b(?:files?|artifacts?)\b`)

func claimsOf(summary string, all, listed map[artifact]bool) {
	heading := ""
	for l := range strings.SplitSeq(summary, "\n") {
		if strings.HasPrefix(l, "#") {
			heading = l
			continue
		}
		paths := slices.DeleteFunc(pathPattern.FindAllString(l, -1), func(p string) bool {
			return !strings.Contains(p[strings.LastIndexByte(p, '/')+1:], ".")
		})
		words := l
		for _, p := range paths {
			words = strings.Replace(words, p, " ", 1)
		}
		actions := actionsIn(words)
		if len(actions) == 0 {
			actions = actionsIn(heading)
		}
		for _, action := range actions {
			for _, p := range paths {
				all[artifact{p, action}] = true
				if fileHeading.MatchString(heading) && !strings.HasPrefix(l, " ") { // not the content of a file
					listed[artifact{p, action}] = true
				}
			}
		}
	}
}

func actionsIn(text string) []action {
	var out []action
	for a, pattern := range actionWords {
		if pattern.MatchString(text) {
			out = append(out, action(a))
		}
	}
	return out
}

// sameFile reports whether a claimed path names a file: it is the path, or its end from a slash on.
func sameFile(claimed, path string) bool {
	claimed = strings.TrimPrefix(claimed, "./")
	return claimed == path || strings.HasSuffix(path, "/"+claimed) || strings.HasSuffix(claimed, "/"+path)
}

// artifactScore is the result of one cut: shares in permille, and counts by action.
type artifactScore struct {
	budget, precision, recall, f1 int
	named, done                   [3]int
	failed, failedNamed           bool
}

// scoreTrail compares a context with the actions of the session. A claim is wrong if no tool did the action on the file
// and the name of the file is in no other call, such as a shell command, which might have done it.
func scoreTrail(before trail, after *msg.Conversation) artifactScore {
	var s artifactScore
	claimed, listed := claims(after)
	right, hits, items := 0, 0, 0
	for a := range listed {
		ok := false
		for d := range before.done {
			same := d.action == a.action || d.action != wasRead && a.action != wasRead // written: changed or created
			ok = ok || same && sameFile(a.path, d.path)
		}
		if ok || strings.Contains(before.inputs, a.path[strings.LastIndexByte(a.path, '/')+1:]) {
			right++
		}
	}
	for d := range before.done {
		s.done[d.action]++
		items++
		for a := range claimed {
			if d.action == a.action && sameFile(a.path, d.path) {
				s.named[d.action]++
				hits++
				break
			}
		}
	}
	if before.failed != "" {
		s.failed = true
		items++
		if strings.Contains(oneLine(text(after.Messages)), first(before.failed, 60)) {
			s.failedNamed = true
			hits++
		}
	}
	s.recall, s.precision = share(hits, items), share(right, max(len(listed), 1))
	if s.recall+s.precision > 0 {
		s.f1 = 2 * s.recall * s.precision / (s.recall + s.precision)
	}
	return s
}

func artifactsTable(t *testing.T) {
	all := sessions(t)
	printf("\nArtifact trail: files read, changed and created, named with the action, and the last failing command, "+
		"preset %s.", preset(t).Preset)
	for _, budget := range []int{100, 200} {
		bySession := make([][]artifactScore, len(all))
		each(len(all), func(i int) {
			for _, k := range cutsOf(all[i]) {
				before := readTrail(k.c)
				if len(before.done) < 3 {
					continue
				}
				after, _, step := compact(t, k.c, "", withTarget(preset(t), k.tokens*budget/1000))
				s := scoreTrail(before, after)
				s.budget = share(step.after, k.tokens)
				bySession[i] = append(bySession[i], s)
				if verbose {
					printf("%s at %d: %+v", k.name, k.permille, s)
				}
			}
		})
		scores := slices.Concat(bySession...)
		of := func(value func(artifactScore) int) int {
			values := []int{}
			for _, s := range scores {
				values = append(values, value(s))
			}
			return mean(values)
		}
		var named, done [3]int
		failed, failedNamed := 0, 0
		for _, s := range scores {
			for a := range named {
				named[a] += s.named[a]
				done[a] += s.done[a]
			}
			if s.failed {
				failed++
			}
			if s.failedNamed {
				failedNamed++
			}
		}
		record("artifacts", "asked,cuts,reached,F1,precision,recall", percent(budget), len(scores),
			percent(of(func(s artifactScore) int { return s.budget })), percent(of(func(s artifactScore) int { return s.f1 })),
			percent(of(func(s artifactScore) int { return s.precision })),
			percent(of(func(s artifactScore) int { return s.recall })))
		printf("asked %s, %d cuts, reached %s | F1 %s (precision %s, recall %s) | read %s changed %s created %s | "+
			"failing command %s", ratio(budget), len(scores), ratio(of(func(s artifactScore) int { return s.budget })),
			ratio(of(func(s artifactScore) int { return s.f1 })), ratio(of(func(s artifactScore) int { return s.precision })),
			ratio(of(func(s artifactScore) int { return s.recall })), cell(named[wasRead], done[wasRead]),
			cell(named[wasChanged], done[wasChanged]), cell(named[wasCreated], done[wasCreated]), cell(failedNamed, failed))
	}
}

func cell(part, whole int) string { return fmt.Sprintf("%d/%d", part, whole) }
