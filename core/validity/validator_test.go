package validity_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/convtest/validator"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/validity"
)

// Check and the validator of the tests, which was written from the providers' rules alone, agree on valid and on broken
// conversations: what Check has nothing to say of the provider accepts, and what Check calls an error it refuses. A
// call at the very end that waits for its result is a warning of Check, and refused.
func TestCheckIsTheValidator(t *testing.T) {
	accepted := map[bool]int{}
	convtest.SetCases(t, 1000)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(convtest.RequestFormats).Draw(t, "format")
		var document []byte
		if rapid.Bool().Draw(t, "session") {
			s := convtest.NewSession(convtest.Drawn(t), name)
			document = s.Document(rapid.IntRange(1, len(s.Messages)).Draw(t, "messages"))
		} else {
			document = convtest.Conversation(t, name)
		}
		broken := rapid.IntRange(0, 3).Draw(t, "broken") > 0
		if broken {
			document = convtest.Break(t, name, document)
		}
		c, err := format.Parse(document, name)
		odd := func(w msg.Warning) bool { return strings.HasPrefix(w.Code, "odd_") }
		if err != nil || slices.ContainsFunc(c.Warnings, odd) {
			require.True(t, broken, "%v", err)
			return // a body that cannot be read, or a line of a log that is passed over
		}
		accepted[requireAgreement(t, c, document)]++
	})
	require.Positive(t, min(accepted[true], accepted[false]), "both were seen: %v", accepted)
}

// The two agree on an item of Responses whose call_id is null, empty or missing, and on what Repair makes of it.
func TestCheckIsTheValidatorWithoutCallIDs(t *testing.T) {
	types := map[string]bool{}
	convtest.SetCases(t, 200)
	rapid.Check(t, func(t *rapid.T) {
		document := rawjson.Value(convtest.Conversation(t, msg.OpenAIResponses))
		list := document
		if document.Kind() == '{' {
			list = document.Member("input")
		}
		items := list.List()
		var named []int
		for i, item := range items {
			if item.Member("call_id") != nil {
				named = append(named, i)
			}
		}
		if len(named) == 0 {
			return
		}
		i := rapid.SampledFrom(named).Draw(t, "item")
		types[items[i].Member("type").Text()] = true
		if odd := rapid.SampledFrom([]string{"null", `""`, ""}).Draw(t, "id"); odd == "" {
			items[i] = items[i].Without("call_id")
		} else {
			items[i] = items[i].With("call_id", rawjson.Value(odd))
		}
		body := list.WithElements(items)
		if document.Kind() == '{' {
			body = document.With("input", body)
		}
		c, err := format.Parse(body, msg.OpenAIResponses)
		require.NoError(t, err)
		requireAgreement(t, c, body)
		repaired, _ := validity.Repair(c)
		out, err := format.Render(repaired)
		require.NoError(t, err)
		requireAgreement(t, repaired, out)
	})
	require.Greater(t, len(types), 3, "%v", types)
}

// requireAgreement compares the two on one document, and returns whether the provider accepts it.
func requireAgreement(t require.TestingT, c *msg.Conversation, document []byte) bool {
	request, err := validator.Decode(c.Format, document)
	require.NoError(t, err)
	problems, violations := validity.Check(c), request.Check()
	refused := slices.ContainsFunc(violations, func(b validator.Violation) bool { return !b.Last })
	require.Equal(t, refused, !validity.Valid(problems), "%s\nCheck: %v\nvalidator: %v", document, problems, violations)
	if !refused { // all that is left are calls that wait, and what some models would refuse if none is named
		problems = slices.DeleteFunc(problems, func(p validity.Problem) bool { return p.Reason == "the model is not known" })
		require.Equal(t, len(violations) > 0, len(problems) > 0,
			"%s\nCheck: %v\nvalidator: %v", document, problems, violations)
	}
	return !refused
}
