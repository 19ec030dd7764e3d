package wire_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/quality"
)

// The operations of the question check give what core/quality gives, with the conversation as a value and as a body.
func TestQuestions(t *testing.T) {
	const previous = `[{"role":"user","content":"The port is 8080."},{"role":"assistant","content":"Noted."}]`
	const after = `[{"role":"user","content":"It is 8080."}]`
	questions := []string{"What is the port?", "What is the color?"}
	list, err := json.Marshal(questions)
	require.NoError(t, err)
	before, err := format.Parse([]byte(previous), "")
	require.NoError(t, err)
	now, err := format.Parse([]byte(after), "")
	require.NoError(t, err)

	want, err := json.Marshal(quality.Requests(before, now, questions))
	require.NoError(t, err)
	header := `{"previous":` + previous + `,"questions":` + string(list)
	require.JSONEq(t, string(want), string(handle("questions", []byte(header+`,"conversation":`+after+`}`))))
	c := &client{t: t}
	out, _ := c.must("questions", header+`}`, after)
	require.JSONEq(t, string(want), out)

	answers := []quality.Answer{{ID: "original", Text: "1: 8080\n2: unknown"},
		{ID: "compacted", Text: "1: it is 8080\n2: unknown"}}
	given, err := json.Marshal(answers)
	require.NoError(t, err)
	want, err = json.Marshal(quality.Verdicts(questions, answers))
	require.NoError(t, err)
	graded := handle("gradeAnswers", []byte(`{"questions":`+string(list)+`,"answers":`+string(given)+`}`))
	require.JSONEq(t, string(want), string(graded))
	require.Contains(t, string(graded), `"id":"verdict-1"`)

	grades := `[{"id":"verdict-1","text":"same"}]`
	require.JSONEq(t,
		`{"permille":1000,"counted":1,"outcomes":[{"question":1,"verdict":"same"},{"question":2,"verdict":"unasked"}]}`,
		string(handle("scoreAnswers", []byte(`{"answers":`+string(given)+`,"grades":`+grades+`}`))))
	require.Equal(t, "[]", string(handle("gradeAnswers", []byte(`{"questions":[],"answers":[]}`))), "without answers there is nothing to grade")
}

func TestQuestionErrors(t *testing.T) {
	conversation := `"conversation":[{"role":"user","content":"x"}]`
	for _, row := range []struct{ why, in, path string }{
		{"no questions", `{` + conversation + `,"previous":[]}`, "/questions"},
		{"too many questions", `{` + conversation + `,"previous":[],"questions":["?"` + strings.Repeat(`,"?"`, 1000) + `]}`,
			"/questions"},
		{"a question that is no text", `{` + conversation + `,"questions":[7]}`, "/questions/0"},
		{"no previous conversation", `{` + conversation + `,"questions":["?"]}`, "/previous"},
		{"no conversation", `{"previous":[{"role":"user","content":"x"}],"questions":["?"]}`, "/conversation"},
	} {
		out := string(handle("questions", []byte(row.in)))
		require.Contains(t, out, `"code":"bad_request","path":"`+row.path+`"`, row.why)
	}
}

// The limit of questions is the highest number that an answer may have.
func TestQuestionLimitIsWhatAnswersMayNumber(t *testing.T) {
	score := func(number string) string {
		text := string(must(json.Marshal(number + ": blue")))
		return string(handle("scoreAnswers",
			[]byte(`{"answers":[{"id":"original","text":`+text+`},{"id":"compacted","text":`+text+`}],"grades":[]}`)))
	}
	require.Contains(t, score("1000"), `"question":1000,"verdict":"same"`)
	require.NotContains(t, score("1001"), `"question":1001`)
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}
