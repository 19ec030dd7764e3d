package bench

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// Quotes: what the summaries of every conversation quote as the user's words must be in a real prompt of the user.

// userHeading matches the headings of the sections of a summary that quote the user.
var userHeading = regexp.MustCompile(`(?i)\b(?:user|asked|asks|constraints?)\b`)

// omittedText is the note in the middle of a long text.
var omittedText = regexp.MustCompile(`^ *\[… \d+ characters of this message omitted; original [0-9a-f]{16}\]$`)

// askTool is a tool whose result is the user's answer.
var askTool = regexp.MustCompile(`(?i)^(ask_?user(_?question)?|request_user_input|ask_?followup_?question|question)$`)

// bulletMark is what a summary puts before a quoted line: a bullet and the turn.
var bulletMark = regexp.MustCompile(`^\s*(?:[-*·] )?(?:turns? [\d–-]+(?:, asked "[^"]*")?: ?)?`)

// userQuotes lists the lines that the summaries of a context give as the user's.
func userQuotes(c *msg.Conversation) []string {
	var out []string
	for _, block := range c.Blocks() {
		if !isSummaryText(block.Text) && !block.IsSummary() {
			continue
		}
		user, blank := false, false
		for l := range strings.SplitSeq(block.Text, "\n") {
			heading, isHeading := strings.CutPrefix(l, "## ")
			if isHeading {
				user = userHeading.MatchString(heading)
			} else if blank && l != "" && !strings.ContainsAny(l[:1], "- \t") {
				user = false // a paragraph after the list
			}
			blank = l == ""
			if isHeading || omittedText.MatchString(l) {
				continue
			}
			if l = strings.Trim(bulletMark.ReplaceAllString(l, ""), `"“” `); user && l != "" {
				out = append(out, l)
			}
		}
	}
	return out
}

// letters is a text in lower case without anything but letters and digits, so that quoting, line breaks and Markdown do
// not matter.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

var joints = strings.NewReplacer("[…]", "\x00", "…", "\x00", "[...]", "\x00", "...", "\x00", " · ", "\x00")

// isQuoteOf reports whether every piece of a quote, between ellipses and joints of fragments, is in the text. Both the
// text and the pieces are compared by their letters.
func isQuoteOf(quote, text string) bool {
	for piece := range strings.SplitSeq(joints.Replace(quote), "\x00") {
		if !strings.Contains(text, letters(piece)) {
			return false
		}
	}
	return true
}

// quotes is the result of one conversation.
type quotes struct {
	all   int
	false []string
}

func quotesOf(t testing.TB, s session, p policy.Policy) quotes {
	total := tokens.NewMeter(counter, s.c).Conversation(s.c).Total
	after, _, _ := compact(t, s.c, "", withTarget(p, total/5))
	var real strings.Builder
	for m := range s.c.Messages {
		real.WriteString(letters(realText(&s.c.Messages[m])) + "\x00")
	}
	pairs := msg.Pair(s.c)
	for ref, block := range s.c.Blocks() { // what the user answered when a tool asked
		if block.Kind == msg.KindToolResult && askTool.MatchString(pairs.ToolName(s.c, ref)) {
			real.WriteString(letters(block.Text) + "\x00")
		}
	}
	var q quotes
	for _, quote := range userQuotes(after) {
		q.all++
		if !isQuoteOf(quote, real.String()) {
			q.false = append(q.false, quote)
		}
	}
	return q
}

// quotesTable measures the preset under test, and harness, which replaces all messages.
func quotesTable(t *testing.T) {
	all := slices.DeleteFunc(sessions(t), func(s session) bool { return len(s.c.Messages) < 4 })
	harness, err := policy.Preset("harness")
	require.NoError(t, err)
	printf("\nQuotes: lines that the summaries of %d conversations at 0.200 give as the user's.", len(all))
	for _, p := range []policy.Policy{preset(t), harness} {
		results := make([]quotes, len(all))
		each(len(all), func(i int) { results[i] = quotesOf(t, all[i], p) })
		count, wrong, affected := 0, 0, 0
		for i, q := range results {
			count += q.all
			wrong += len(q.false)
			if len(q.false) > 0 {
				affected++
			}
			for _, text := range q.false {
				if verbose {
					printf("%s, %s: not the user's: %s", p.Preset, all[i].name, first(text, 160))
				}
			}
		}
		printf("%-10s %5d quotes, %4d of them, in %d conversations, are in no real prompt (VERBOSE=1 lists them)", p.Preset,
			count, wrong, affected)
		if wrong > 0 {
			t.Errorf("%s gives %d lines as the user's that no user wrote", p.Preset, wrong)
		}
	}
}
