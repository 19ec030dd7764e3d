package quality_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// Future use: a real session is cut at a model call, and the part before the cut is compacted. The measured facts are
// the paths, names, numbers and hashes that the agent's next messages use and that occur before the cut, but not in the
// last message. Recall is the share of them that is still present in the compacted context.

// These expressions find the facts of the measure. Package extract is not used, so that the summarizer does not judge
// itself.
var (
	futurePath      = regexp.MustCompile(`(?:[\w.@~+-]*/)+[\w.@+-]*\w|\b[\w-]+\.(?:go|py|tsx|ts|jsx|json|js|md|toml|yaml|yml|rs|cpp|c|h|java|css|html|sh|txt|sql|lock|mjs)\b`)
	futureWord      = regexp.MustCompile(`[A-Za-z_$][\w$]*`)
	futureCamelCase = regexp.MustCompile(`[a-z0-9][A-Z]`)
	futureNum       = regexp.MustCompile(`\d+(?:\.\d+)*(?:%|ms|s|MB|KB|GB|px|k|m)?`)
	futureHash      = regexp.MustCompile(`\b[0-9a-f]{7,40}\b`)
	futureDigit     = regexp.MustCompile(`\d`)
)

type futureFacts map[string]byte

func (f futureFacts) read(text string) {
	for _, p := range futurePath.FindAllString(text, -1) {
		if len(p) > 3 {
			f[p] = 'p'
		}
	}
	for _, w := range futureWord.FindAllString(text, -1) {
		if len(w) >= 4 && (strings.Contains(strings.Trim(w, "_"), "_") || futureCamelCase.MatchString(w) ||
			len(w) >= 5 && strings.ToUpper(w) == w && strings.ContainsAny(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
			f[w] = 'i'
		}
	}
	for _, at := range futureNum.FindAllStringIndex(text, -1) {
		w := text[at[0]:at[1]]
		before := at[0] == 0 || !isWord(text[at[0]-1]) && text[at[0]-1] != '.'
		after := at[1] == len(text) || !isWord(text[at[1]])
		if before && after && len(futureDigit.FindAllString(w, 2)) == 2 {
			f[w] = 'n'
		}
	}
	for _, h := range futureHash.FindAllString(text, -1) {
		if strings.ContainsAny(h, "0123456789") && strings.ContainsAny(h, "abcdef") {
			f[h] = 'h'
		}
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// blockText is the text of a block that the model reads.
func blockText(b *msg.Block) string {
	if b.Kind == msg.KindToolUse {
		return b.Name + " " + plainInput(b.Text)
	}
	return b.Text
}

// plainInput is the input of a call with its strings decoded, so that the escape of a line break is not read as a
// letter n.
func plainInput(input string) string {
	raw := msg.Raw(input)
	if msg.Validate(raw) != nil {
		return input
	}
	var b strings.Builder
	var walk func(msg.Raw)
	walk = func(r msg.Raw) {
		switch r.Kind() {
		case '{':
			for _, v := range r.Members() {
				walk(v)
			}
		case '[':
			for _, v := range r.Elements() {
				walk(v)
			}
		case '"':
			b.WriteString(r.Text() + "\n")
		default:
			b.WriteString(string(r) + "\n")
		}
	}
	walk(raw)
	return b.String()
}

func readFacts(messages []msg.Message) futureFacts {
	f := futureFacts{}
	for m := range messages {
		for b := range messages[m].Blocks {
			f.read(blockText(&messages[m].Blocks[b]))
		}
	}
	return f
}

// cutSession is one measurement: a session up to a model call, and the facts used after it.
type cutSession struct {
	name     string
	session  int
	permille int
	before   *msg.Conversation
	used     futureFacts
	tokens   int
}

// horizon is the number of the agent's next messages that are read.
const horizon = 20

func cutSessions(t testing.TB) []cutSession {
	var out []cutSession
	session := 0
	folders := []string{"anthropic"}
	if extra := os.Getenv("TAMP_FUTURE_FOLDERS"); extra != "" {
		folders = strings.Split(extra, ",")
	}
	for _, file := range convtest.Corpus(t, folders...) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := format.Parse(data, "")
		if err != nil {
			continue
		}
		total := 0
		for m := range c.Messages {
			total += messageChars(&c.Messages[m])
		}
		if total <= 80_000 || len(c.Messages) < 20 {
			continue
		}
		for _, permille := range []int{350, 600, 850} {
			sum, cut := 0, -1
			for m := range c.Messages {
				if c.Messages[m].Role == msg.Assistant && sum*1000 >= total*permille {
					cut = m
					break
				}
				sum += messageChars(&c.Messages[m])
			}
			if cut < 3 {
				continue
			}
			k := cutSession{name: strings.TrimSuffix(filepath.Base(file), ".json"), session: session,
				permille: permille,
				before:   c.WithMessages(c.Messages[:cut:cut])}
			later := futureFacts{}
			seen := 0
			for m := cut; m < len(c.Messages) && seen < horizon; m++ {
				if c.Messages[m].Role != msg.Assistant {
					continue
				}
				seen++
				for b := range c.Messages[m].Blocks {
					if block := &c.Messages[m].Blocks[b]; block.Kind == msg.KindText || block.Kind == msg.KindToolUse {
						later.read(blockText(block))
					}
				}
			}
			earlier := readFacts(c.Messages[:cut-1])
			last := readFacts(c.Messages[cut-1 : cut])
			k.used = futureFacts{}
			for f, kind := range later {
				if earlier[f] != 0 && last[f] == 0 {
					k.used[f] = kind
				}
			}
			if len(k.used) == 0 {
				continue
			}
			k.tokens = tokens.NewMeter(futureCounter(), k.before).Conversation(k.before).Total
			out = append(out, k)
		}
		session++
	}
	return out
}

func messageChars(m *msg.Message) int {
	n := 0
	for b := range m.Blocks {
		n += len(blockText(&m.Blocks[b]))
	}
	return n
}

// score is the recall of one compacted context, and its size.
type score struct {
	permille, budget int // recall and size, in permille of the full
	kept, used       map[byte]int
	lost             []string
}

func (k *cutSession) score(after *msg.Conversation) score {
	have := readFacts(after.Messages)
	s := score{kept: map[byte]int{}, used: map[byte]int{}}
	for f, kind := range k.used {
		s.used[kind]++
		if have[f] != 0 {
			s.kept[kind]++
		} else {
			s.lost = append(s.lost, f)
		}
	}
	all, kept := 0, 0
	for kind, n := range s.used {
		all += n
		kept += s.kept[kind]
	}
	s.permille = kept * 1000 / all
	s.budget = tokens.NewMeter(futureCounter(), after).Conversation(after).Total * 1000 / k.tokens
	return s
}

// mean returns the mean of scores, each cut with the same weight.
func mean(scores []score) (recall, budget int) {
	for _, s := range scores {
		recall += s.permille
		budget += s.budget
	}
	if n := len(scores); n > 0 {
		recall /= n
		budget /= n
	}
	return recall, budget
}

func percent(permille int) string { return fmt.Sprintf("%.3f", float64(permille)/1000) }

func futureCounter() tokens.Counter {
	if c, ok := tokens.Lookup(os.Getenv("TAMP_COUNTER")); ok {
		return c
	}
	return tokens.Estimate
}
