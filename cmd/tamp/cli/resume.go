package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tamp/core"
	"tamp/core/replay"
	"tamp/core/tokens"
	"tamp/core/wire"
)

func (c *call) resume() (code int, err error) {
	if c.file() == "" {
		return wrong, usageError("resume needs the file of a log")
	}
	k, err := compacting(c)
	if err != nil {
		return fault, err
	}
	original := k.text
	detected, _, err := wire.Call[wire.Detection](k.engine, "detect", &k.request.ConversationRequest, original)
	if err == nil {
		err = resumes(detected.Format)
	}
	if err != nil {
		return fault, err
	}
	// A policy that does nothing to the session yet is made to; else its own compaction is made.
	report, _, err := wire.Call[core.Report](k.engine, "inspect", &k.request, original)
	if err != nil {
		return fault, err
	}
	k.request.Force = report.Before == report.After
	var originals []byte
	k.save = func(jsonl []byte) error { originals = append(originals, jsonl...); return nil }
	out, document, err := k.run()
	if err != nil {
		return fault, err
	}
	if document, err = k.restore(original, document); err != nil {
		return fault, err
	}
	log, err := filepath.Abs(c.file())
	if err != nil {
		return fault, err
	}
	s, err := resumable(detected.Format, log, document, newID(), time.Now())
	if err != nil {
		return fault, err
	}
	file := filepath.Join(filepath.Dir(log), s.name)
	archive := file + ".originals" // no name that an agent takes for a session
	if len(originals) > 0 {
		if err := create(archive, originals); err != nil {
			return fault, err
		}
	}
	if err := create(file, s.text); err != nil {
		return fault, err
	}
	r := wire.CountRequest{ConversationRequest: *c.conversation()}
	counted, _, err := wire.Call[tokens.Count](k.engine, "count", &r, original)
	if err != nil {
		return fault, err
	}
	before, factor, whose := out.Before, 1000, ""
	if usage := counted.Usage; usage != nil {
		before, factor, whose = usage.Total, usage.Factor, " by the API's count, with system prompt and tools"
	}
	after := before - rounded((out.Before-out.After)*factor, 1000)
	if c.has("json") {
		_, err := c.answer(&struct {
			Before  int    `json:"before"`
			After   int    `json:"after"`
			File    string `json:"file"`
			Archive string `json:"archive"`
			Command string `json:"command"`
		}{before, after, file, archive, s.command}, nil)
		return k.code, err
	}
	c.show("%d tokens before, %d after%s; %s is unchanged", before, after, whose, c.file())
	if len(originals) > 0 {
		c.show("the originals: %s", archive)
	}
	_, err = c.print(s.command)
	return k.code, err
}

// restore adds the texts that --restore names to the end of a compacted log, as one message of the user.
func (c *compaction) restore(original, compacted []byte) ([]byte, error) {
	var texts []string
	for _, ref := range c.values("restore") {
		found, _, err := wire.Call[replay.Removed](c.engine, "lost", &wire.LostRequest{
			ConversationRequest: c.request.ConversationRequest, LostQuery: replay.LostQuery{Ref: ref}}, original)
		if err != nil {
			return nil, err
		}
		if len(found.Parts) == 0 {
			return nil, usageError("no compaction of this log removed a text with the ref " + ref)
		}
		part, what := &found.Parts[0], "A text"
		if part.Tool != "" {
			what = "The result of " + part.Tool + " " + part.Input
		}
		texts = append(texts, what+", from before the compaction:\n"+part.Text)
	}
	if len(texts) == 0 {
		return compacted, nil
	}
	r := wire.AssembleRequest{Text: strings.Join(texts, "\n\n")}
	r.ConversationRequest = c.request.ConversationRequest
	_, document, err := wire.Call[wire.Assembled](c.engine, "assemble", &r, compacted)
	return document, err
}

// create writes a new file, for its owner only.
func create(file string, text []byte) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return plainError(err)
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// newID is a random UUID.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
