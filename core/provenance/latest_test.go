package provenance_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/provenance"
)

func TestLatest(t *testing.T) {
	for _, row := range []struct {
		text string
		want []string
		why  string
	}{
		{"Keep every reply under 80 words.\nKeep every reply under 120 words.", []string{"Keep every reply under 120 words."},
			"a new number"},
		{"Never touch the production database.\nNever touch the staging database.",
			[]string{"Never touch the production database.", "Never touch the staging database."}, "two databases"},
		{"Never touch the production database.\nFrom now on, never touch the staging database.",
			[]string{"Never touch the production database.", "From now on, never touch the staging database."},
			"two databases, said later"},
		{"Never delete ticket 41.\nNever delete ticket 42.", []string{"Never delete ticket 41.", "Never delete ticket 42."},
			"two tickets"},
		{"Service 1 must use port 80.\nService 2 must use port 81.\nService 1 must use port 90.",
			[]string{"Service 2 must use port 81.", "Service 1 must use port 90."}, "a service has one port"},
		{"Always use tabs here, please.\nActually, always use spaces here.",
			[]string{"Actually, always use spaces here."}, "a change of one word"},
		{"FACT: the deadline is Monday\nFACT: the deadline is Friday", []string{"FACT: the deadline is Friday"}, "a date"},
		{"FACT: the customer is angry\nFACT: the customer is from Rome",
			[]string{"FACT: the customer is angry", "FACT: the customer is from Rome"}, "two facts"},
		{"FACT: the production database is Postgres\nFACT: the staging database is SQLite",
			[]string{"FACT: the production database is Postgres", "FACT: the staging database is SQLite"}, "two subjects"},
		{"FACT: the database is Postgres\nFACT: the database is now SQLite", []string{"FACT: the database is now SQLite"},
			"a new name"},
		{"Don't push to main.\nYou may push to main again.", nil, "revoked"},
		{"Don't push to main.\nDon't rename files.\nForget the rule about main.", []string{"Don't rename files."},
			"revoked by its topic"},
		{"Don't push to main.\nYou can edit the docs now.", []string{"Don't push to main.", "You can edit the docs now."},
			"about another topic"},
		{"Don't push.\nDon't push.", []string{"Don't push."}, "said twice"},
		{"回答必须少于80字。\n回答必须少于120字。", []string{"回答必须少于120字。"}, "Chinese"},
		{"不要修改生产数据库。\n不要修改测试数据库。", []string{"不要修改生产数据库。", "不要修改测试数据库。"}, "two Chinese databases"},
		{"返事は必ず80字以内にしてください。\n返事は必ず120字以内にしてください。", []string{"返事は必ず120字以内にしてください。"}, "Japanese"},
		{"답변은 반드시 80자 이내로 작성하세요.\n답변은 반드시 120자 이내로 작성하세요.", []string{"답변은 반드시 120자 이내로 작성하세요."}, "Korean"},
		{"Die Antwort muss unter 80 Wörtern bleiben.\nDie Antwort muss unter 120 Wörtern bleiben.",
			[]string{"Die Antwort muss unter 120 Wörtern bleiben."}, "German"},
		{"La réponse doit rester sous 80 mots.\nLa réponse doit rester sous 120 mots.",
			[]string{"La réponse doit rester sous 120 mots."}, "French"},
		{"La respuesta debe tener menos de 80 palabras.\nLa respuesta debe tener menos de 120 palabras.",
			[]string{"La respuesta debe tener menos de 120 palabras."}, "Spanish"},
		{"Ответ должен занимать менее 80 слов.\nОтвет должен занимать менее 120 слов.",
			[]string{"Ответ должен занимать менее 120 слов."}, "Russian"},
	} {
		var got []string
		for _, c := range provenance.Latest(provenance.Constraints(row.text)) {
			got = append(got, c.Text)
		}
		require.Equal(t, row.want, got, row.why)
	}
}

// A text without a sentence is not read for a rule: the time would grow with its square, here for many minutes.
func TestBindingClauseOfAList(t *testing.T) {
	list := strings.Repeat("/src/file.go ", 200_000)
	require.Equal(t, list[:len("/src/file.go ")*9-1]+"…", provenance.BindingClause(provenance.Constraint{Text: list}, 120))
}

func TestBindingClause(t *testing.T) {
	c := provenance.Constraints("Since the release is near and the reviewers are on leave, never push to main, whatever the build says.")[0]
	require.Equal(t, c.Text, provenance.BindingClause(c, 200), "it fits")
	require.Equal(t, "… never push to main, whatever the…", provenance.BindingClause(c, 40))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab ,.必须;not"))).Draw(t, "text")
		limit := rapid.IntRange(0, 60).Draw(t, "limit")
		got := provenance.BindingClause(provenance.Constraint{Text: text}, limit)
		require.LessOrEqual(t, utf8.RuneCountInString(got), limit)
		require.True(t, strings.Contains(text, strings.Trim(strings.TrimSuffix(strings.TrimPrefix(got, "… "), "…"), " ")))
	})
}

// Any text is read without a failure, each statement is a part of it, and Latest keeps a part of them in order.
var lineEnds = regexp.MustCompile(`\s*\n[ \t]*`)

func TestStatementsAreVerbatim(t *testing.T) {
	parts := append([]string{"must", "never", " ", ", ", ". ", "\n", "GOAL:", "user:", "\"", "必须", "ください", "하세요", "12",
		"\xff", "`", "no", "not", ":", "(",
		"Don't push to main", "you may", " again", "Actually", "use", "tabs"}, pieces...)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 40).Draw(t, "parts"), "")
		all := provenance.Constraints(text)
		joined := lineEnds.ReplaceAllString(text, " ") // of a sentence that an editor wrapped
		for _, c := range all {
			require.True(t, strings.Contains(text, c.Text) || strings.Contains(joined, c.Text), c.Text)
		}
		n := 0
		for _, c := range provenance.Latest(all) {
			for n < len(all) && all[n] != c {
				n++
			}
			require.Less(t, n, len(all))
			n++
		}
	})
}

// Each statement is compared with the 1,000 before it only. A later one that changes or lifts an older one does not.
func TestLatestIsLinear(t *testing.T) {
	n := 10000
	if convtest.Fewer() {
		n = 1001
	}
	for _, row := range []struct{ first, others, last string }{
		{"Never touch the folder tests.", "Never use the tool x of y.", "You may touch the folder tests again."},
		{"Always use tabs in parsers.", "Actually, always use @ in @.", "Actually, always use spaces in parsers."},
	} {
		first := provenance.Constraints(row.first)
		last := provenance.Constraints(row.last)
		all := first
		for i := range n {
			all = append(all, provenance.Constraints(strings.ReplaceAll(row.others, "@", "x"+strconv.Itoa(i)))...)
		}
		require.Contains(t, provenance.Latest(append(all, last...)), first[0], row.last)
		require.NotContains(t, provenance.Latest(append(slices.Clone(all[:1000]), last...)), first[0], row.last)
	}
}
