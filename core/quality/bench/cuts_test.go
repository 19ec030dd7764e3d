package bench

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// session is a real conversation of a data set.
type session struct {
	set  string // "data", "more"
	name string
	c    *msg.Conversation
}

// halfOf is the half of the sessions, A or B, to which one belongs by a hash of its name. A value that is chosen on one
// half is judged on the other.
func halfOf(name string) string {
	return string(rune('A' + sha256.Sum256([]byte(name))[0]&1))
}

// onlyHalf is the half that is loaded, "" for both; loaded has the names of the sessions since it was emptied.
var onlyHalf, loaded = "", map[string]bool{}

// folders of the data sets. A session that is in several of them, in several formats, is read from the first one.
var folders = []string{"anthropic", "openai-chat", "claude-code"}

// sessions reads all conversations of both data sets. TAMP_SET selects one set, TAMP_ONLY a part of their names.
func sessions(t testing.TB) []session { return load(t, os.Getenv("TAMP_SET"), os.Getenv("TAMP_ONLY")) }

// load reads the conversations of a set, "" for both, in the formats of the engine, whose names contain a text. They
// are in the order of their folders and names.
func load(t testing.TB, onlySet, onlyName string) []session {
	return loadFolders(t, folders, onlySet, onlyName)
}

func loadFolders(t testing.TB, folders []string, onlySet, onlyName string) []session {
	var out []session
	seen := map[string]bool{}
	for _, set := range convtest.Sets(t) {
		if onlySet != "" && onlySet != set.Name {
			continue
		}
		for _, folder := range folders {
			for _, file := range set.Files(folder) {
				name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
				name = strings.TrimSuffix(name, "-as-anthropic")
				if seen[name] || !strings.Contains(name, onlyName) {
					continue
				}
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				c, err := format.Parse(data, "")
				if err != nil {
					continue // files with a defect that the codec refuses
				}
				seen[name] = true
				if onlyHalf != "" && onlyHalf != halfOf(name) {
					continue
				}
				loaded[name] = true
				out = append(out, session{set.Name, name, c})
			}
		}
	}
	return out
}

// cut is one measurement: a session up to a model call, and the names that the agent uses after it.
type cut struct {
	session
	short     bool
	permille  int // position of the call, as a share of the session's text
	r         *reader
	tokens    int
	chars     int                 // code points
	used      map[string]nameKind // used later, not in the last message
	originals map[string][]*line
}

// horizon is the number of the agent's next messages that are read.
const horizon = 20

// Sessions of at most minChars characters or with fewer than minMessages messages are not cut. Those of at most
// shortChars are reported apart: their prompts and their open round are a large part of them.
const (
	minChars    = 20_000
	shortChars  = 80_000
	minMessages = 12
)

// cutsOf cuts a session at three model calls. Cuts after which the agent uses no earlier name are left out.
func cutsOf(s session) []cut {
	c := s.c
	total := 0
	sizes := make([]int, len(c.Messages))
	for m := range c.Messages {
		sizes[m] = len(text(c.Messages[m : m+1]))
		total += sizes[m]
	}
	if total <= minChars || len(c.Messages) < minMessages {
		return nil
	}
	var out []cut
	r := newReader()
	for _, permille := range []int{350, 600, 850} {
		sum, at := 0, -1
		for m := range c.Messages {
			if c.Messages[m].Role == msg.Assistant && sum*1000 >= total*permille {
				at = m
				break
			}
			sum += sizes[m]
		}
		if at < 3 {
			continue
		}
		k := cut{session: s, short: total <= shortChars, permille: permille, r: r, used: map[string]nameKind{}}
		k.c = c.WithMessages(c.Messages[:at:at])
		last := map[string]nameKind{}
		readNames(text(c.Messages[at-1:at]), last)
		for name, kind := range usedAfter(c.Messages[at:]) {
			if last[name] == 0 {
				k.used[name] = kind
			}
		}
		before := text(k.c.Messages)
		k.originals = originals(r.read(before), k.used)
		for name := range k.used {
			if k.originals[name] == nil {
				delete(k.used, name)
			}
		}
		if len(k.used) == 0 {
			continue
		}
		k.chars = characters(before)
		k.tokens = tokens.NewMeter(counter, k.c).Conversation(k.c).Total
		out = append(out, k)
	}
	return out
}

// usedAfter returns the names in the texts and calls of the agent's next messages.
func usedAfter(messages []msg.Message) map[string]nameKind {
	used := map[string]nameKind{}
	seen := 0
	for m := range messages {
		if messages[m].Role != msg.Assistant {
			continue
		}
		if seen++; seen > horizon {
			break
		}
		for b := range messages[m].Blocks {
			if block := &messages[m].Blocks[b]; block.Kind == msg.KindText || block.Kind == msg.KindToolUse {
				readNames(blockText(block), used)
			}
		}
	}
	return used
}

var counter = tokens.Estimate
