package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode/utf16"

	"tamp/cmd/tamp/audit"
	"tamp/core/replay"
	"tamp/core/tokens"
	"tamp/core/validity"
	"tamp/core/wire"
)

// The commands that read one conversation and compact nothing.

// show writes a line for people to stderr. It may have texts of others.
func (c *call) show(format string, values ...any) {
	fmt.Fprintln(c.Problems, audit.Visible(fmt.Sprintf(format, values...)))
}

// ask asks the engine about the conversation of a command.
func ask[Ans, Req any](c *call, operation string, r *Req) (*Ans, []byte, error) {
	text, err := c.input()
	if err != nil {
		return nil, nil, err
	}
	return wire.Call[Ans](c.engine(), operation, r, text)
}

// answer writes what the engine answered to stdout, as JSON.
func (c *call) answer(value any, document []byte) (code int, err error) {
	var out bytes.Buffer
	if err := json.Indent(&out, wire.JSON(value, document), "", "  "); err != nil {
		return fault, err
	}
	return c.print(out.String())
}

func (c *call) check() (code int, err error) {
	report, _, err := ask[wire.CheckReport](c, "check", c.conversation())
	if err != nil {
		return fault, err
	}
	if !report.Valid {
		code = fault
	}
	if c.has("json") {
		report.Omitted = 0
		_, err := c.answer(report, nil)
		return code, err
	}
	var lines []string
	for _, p := range report.Problems {
		lines = append(lines, audit.Visible(fmt.Sprintf("%s: %s (%s at %s)", p.Severity, p.Message, p.Rule, p.Path)))
	}
	if report.Valid {
		lines = append(lines, "valid")
	}
	_, err = c.print(strings.Join(lines, "\n"))
	return code, err
}

func (c *call) count() (code int, err error) {
	r := wire.CountRequest{ConversationRequest: *c.conversation(), Counter: c.given["counter"]}
	found, _, err := ask[tokens.Count](c, "count", &r)
	switch {
	case err != nil:
		return fault, err
	case c.has("json"):
		return c.answer(found, nil)
	}
	return c.print(fmt.Sprintf("%d tokens (%d to %d)", found.Total, found.Low, found.High))
}

// maxListed is the maximum number of warnings or losses that are printed: each line of a log that cannot be read is
// one.
const maxListed = 20

func (c *call) convert() (code int, err error) {
	if c.given["to"] == "" {
		return wrong, usageError("convert needs --to and the name of a format")
	}
	r := wire.ConvertRequest{ConversationRequest: *c.conversation(), To: c.given["to"]}
	converted, document, err := ask[wire.Converted](c, "convert", &r)
	if err != nil {
		return fault, err
	}
	if _, err := c.Out.Write(document); err != nil {
		return fault, err
	}
	var losses []string
	for _, l := range converted.Losses {
		losses = append(losses, fmt.Sprintf("lost at %s: %s, %s", l.Path, l.What, l.Became))
	}
	c.list(losses, "losses")
	return done, nil
}

// list writes the first lines for people to stderr.
func (c *call) list(lines []string, what string) {
	for _, line := range lines[:min(len(lines), maxListed)] {
		c.show("%s", line)
	}
	if more := len(lines) - maxListed; more > 0 {
		c.show("and %d more %s", more, what)
	}
}

func (c *call) repair() (code int, err error) {
	repaired, document, err := ask[wire.Repaired](c, "repair", c.conversation())
	if err != nil {
		return fault, err
	}
	archive := c.given["archive"]
	if !c.has("archive") && c.file() != "" {
		archive = c.file() + ".originals"
	}
	removed := repaired.Originals != "" && !c.has("discard")
	if removed && archive != "" {
		if err := appendOnce(archive, repaired.Originals); err != nil {
			return fault, err
		}
	}
	if c.has("json") {
		_, err = c.answer(repaired, document)
	} else {
		_, err = c.Out.Write(document)
	}
	if err != nil {
		return fault, err
	}
	c.show("%s repaired, %d left", counted(len(repaired.Problems), "problem"), len(repaired.Left))
	if removed && archive != "" {
		c.show("what it removed or changed: tamp recall --archive %s", archive)
	} else if removed {
		c.show("what it removed or changed is in no file: --archive FILE keeps it")
	}
	for _, p := range repaired.Left {
		c.show("%s at %s: %s", p.Severity, p.Path, p.Message)
		if p.Severity == validity.SeverityError {
			code = fault
		}
	}
	return code, nil
}

// appendOnce appends originals to an archive that does not have them yet.
func appendOnce(archive, originals string) error {
	if there, _ := os.ReadFile(archive); bytes.Contains(there, []byte(originals)) {
		return nil
	}
	return appendTo(archive, []byte(originals), 0o600)
}

func appendTo(file string, text []byte, mode os.FileMode) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, mode)
	if err != nil {
		return plainError(err)
	}
	defer f.Close()
	_, err = f.Write(text)
	return err
}

func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

func (c *call) lost() (code int, err error) {
	r := wire.LostRequest{ConversationRequest: *c.conversation()}
	r.Words = strings.Join(c.args[min(len(c.args), 1):], " ")
	found, _, err := ask[replay.Removed](c, "lost", &r)
	switch {
	case err != nil:
		return fault, err
	case c.has("json"):
		return c.answer(found, nil)
	}
	for i := range found.Parts {
		p := &found.Parts[i]
		if code, err = c.print(audit.Visible(p.Ref + "  " + described(p))); err != nil {
			return code, err
		}
	}
	what, hint, more := "has these words", "", ""
	if r.Words == "" {
		what, hint = "a later call needed", "; with words: all that have them"
	}
	if len(found.Parts) < found.Total {
		more = fmt.Sprintf(", of which %d are listed", len(found.Parts))
	}
	if found.Total == 0 {
		c.show("no compaction removed what %s%s", what, hint)
	} else {
		c.show("%d blocks%s; tamp resume FILE --restore REF puts one back", found.Total, more)
	}
	return done, nil
}

// described is one line about a block that was removed.
func described(p *replay.Part) string {
	what, used := "an answer", ""
	if p.Tool != "" {
		what = p.Tool + " " + short(p.Input)
	} else if p.Role == "user" {
		what = "a prompt"
	}
	if p.Calls > 0 {
		used = fmt.Sprintf("needed by %s (%s); ", counted(p.Calls, "later call"), short(strings.Join(p.Names, ", ")))
	}
	return fmt.Sprintf("%s; %s%d characters: %s", what, used, len(utf16.Encode([]rune(p.Text))), short(p.Text))
}

// short is the first 60 characters of a text, on one line.
func short(text string) string {
	line := utf16.Encode([]rune(strings.Join(strings.Fields(text), " ")))
	if len(line) > 60 {
		return string(utf16.Decode(line[:60])) + "…"
	}
	return string(utf16.Decode(line))
}
