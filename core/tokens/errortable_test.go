//go:build !js

package tokens

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest"
	"tamp/core/internal/convtest/texts"
)

type errorLine struct{ bytes, exact, estimate, chars4, worst int }

func (l *errorLine) add(t *testing.T, body string) {
	exact, err := texts.Exact(body)
	require.NoError(t, err)
	estimate := Estimate.Count(body)
	l.bytes += len(body)
	l.exact += exact
	l.estimate += estimate
	l.chars4 += Chars4.Count(body)
	if exact > 1000 {
		l.worst = min(l.worst, off(estimate, exact))
	}
}

func (l *errorLine) join(other *errorLine) {
	l.bytes += other.bytes
	l.exact += other.exact
	l.estimate += other.estimate
	l.chars4 += other.chars4
	l.worst = min(l.worst, other.worst)
}

func (l *errorLine) String() string {
	return fmt.Sprintf("%9d %9d %9d %+8d %+9d", l.bytes, l.exact, l.estimate, off(l.estimate, l.exact),
		off(l.chars4, l.exact))
}

func off(got, want int) int { return (got - want) * 1000 / want }

const errorHead = "class                          bytes     exact  estimate  error ‰  chars4 ‰"

// The classes on which the estimate must be within ±10 % of o200k_base.
var promised = []string{
	"english", "german", "spanish", "portuguese", "chinese", "japanese", "korean", "arabic", "russian", "go", "python",
	"js",
	"json", "lock", "log", "diff", "base64", "hex", "emoji",
}

// TestErrorTable prints the error of the estimate on each class of text (with -v) and asserts its bounds: on texts
// written here and generated from seeds that the fit does not use.
func TestErrorTable(t *testing.T) {
	own, err := texts.Own()
	require.NoError(t, err)
	lines := map[string]*errorLine{}
	for _, text := range append(append(own, texts.Generated(1000)...), texts.Generated(1001)...) {
		if lines[text.Class] == nil {
			lines[text.Class] = new(errorLine)
		}
		lines[text.Class].add(t, text.Body)
	}
	t.Log("against o200k_base; texts written and generated here\n" + render(lines))
	total := new(errorLine)
	for _, class := range promised {
		l := lines[class]
		require.NotNil(t, l, class)
		// The promise of the estimate: within 10 % for each class.
		require.LessOrEqual(t, off(l.estimate, l.exact), 100, class)
		require.GreaterOrEqual(t, off(l.estimate, l.exact), -100, class)
		total.exact += l.exact
		total.estimate += l.estimate
	}
	require.GreaterOrEqual(t, total.estimate, total.exact, "the total must not be too low")
}

func TestErrorOnConversations(t *testing.T) {
	if testing.Short() {
		t.Skip("counts each conversation of the corpus three times")
	}
	list, err := texts.Corpus(convtest.NeedCorpus(t))
	require.NoError(t, err)
	require.NotEmpty(t, list)
	lines := map[string]*errorLine{"all conversations": {}}
	for _, text := range list {
		name := "fitted"
		if text.Held {
			name = "held out"
		}
		name = text.Class + ", " + name
		if lines[name] == nil {
			lines[name] = new(errorLine)
		}
		lines[name].add(t, text.Body)
	}
	for _, name := range []string{"conversation, held out", "conversation, fitted"} {
		lines["all conversations"].join(lines[name])
	}
	t.Log("against o200k_base; real conversations\n" + render(lines))
	for _, name := range []string{"all conversations", "conversation, held out", "conversation, fitted"} {
		l := lines[name]
		require.GreaterOrEqual(t, off(l.estimate, l.exact), 0, name)
		// High rather than low, but at most 4 %: it moves a trigger by no more than that.
		require.LessOrEqual(t, off(l.estimate, l.exact), 40, name)
		require.GreaterOrEqual(t, l.worst, -20, "%s: no conversation may be far too low", name)
	}
}

func render(lines map[string]*errorLine) string {
	names := make([]string, 0, len(lines))
	for name := range lines {
		names = append(names, name)
	}
	sort.Strings(names)
	var b strings.Builder
	b.WriteString(errorHead + "\n")
	for _, name := range names {
		fmt.Fprintf(&b, "%-26s%s\n", name, lines[name])
	}
	return b.String()
}
