package fake

import (
	"cmp"

	"tamp/core/format"
	"tamp/core/validity"
)

// broken returns why the provider refuses the conversation: the rules of core/validity, in the provider's words where
// they are known. What the fake checks by itself is what depends on more than one request, on a header or on its
// window, and the members that a strict API does not know.
func (in *input) broken(api string) (problems []string) {
	c, err := format.Parse(in.body, api)
	if err != nil {
		return []string{err.Error()}
	}
	c.Model = in.Model
	for _, p := range validity.Check(c) {
		if p.Severity == validity.SeverityError || endsOpen(p.Rule) {
			problems = append(problems, cmp.Or(p.ProviderError, p.Path+": "+p.Message))
		}
	}
	return problems
}

// endsOpen reports a rule that the validator only warns of at the end of a conversation, since a result may still come;
// a request that ends there is refused.
func endsOpen(rule validity.Rule) bool {
	switch rule {
	case validity.A2Unanswered, validity.A18System, validity.O1Unanswered, validity.R1Unanswered, validity.G2Count:
		return true
	}
	return false
}
