package wire

import (
	"tamp/core/quality"
	"tamp/core/validity"
)

// The operations that compare two conversations: an earlier one and a later one, or one before and after a compaction.

// AppendReport is the answer of checkAppend.
type AppendReport struct {
	Appended bool               `json:"appended"` // the conversation is the previous one with something at its end
	Valid    bool               `json:"valid"`    // the provider would accept it after the previous one
	Problems []validity.Problem `json:"problems"`
}

func (c *call) checkAppend(r *CompareRequest) (*AppendReport, error) {
	previous, conversation, err := c.parseBoth(r)
	if err != nil {
		return nil, err
	}
	report := &AppendReport{Appended: true, Problems: append([]validity.Problem{},
		validity.CheckAppend(previous, conversation)...)}
	for _, p := range report.Problems {
		report.Appended = report.Appended && p.Rule != validity.AppendOnly
	}
	report.Valid = validity.Valid(report.Problems)
	return report, nil
}

func (c *call) quality(r *QualityRequest) (*quality.Report, error) {
	previous, conversation, err := c.parseBoth(&r.CompareRequest)
	if err != nil {
		return nil, err
	}
	report := quality.Compare(previous, conversation)
	if r.Statements {
		report.Statements = quality.Statements(previous, conversation)
	}
	return &report, nil
}

// maxQuestions is the highest number of a question that core/quality reads in an answer.
const maxQuestions = 1000

// questions returns the prompts that ask a model the same questions about the previous conversation and about this one.
func (c *call) questions(r *QuestionsRequest) (*[]quality.Request, error) {
	if n := len(r.Questions); n == 0 || n > maxQuestions {
		return nil, badRequest("/questions", "there must be from 1 to 1000 questions")
	}
	previous, conversation, err := c.parseBoth(&r.CompareRequest)
	if err != nil {
		return nil, err
	}
	prompts := quality.Requests(previous, conversation, r.Questions)
	return &prompts, nil
}

// gradeAnswers returns the prompts that ask a model whether two answers to a question say the same.
func (*call) gradeAnswers(r *GradeAnswersRequest) (*[]quality.Request, error) {
	prompts := append([]quality.Request{}, quality.Verdicts(r.Questions, r.Answers)...)
	return &prompts, nil
}

// scoreAnswers counts the grades.
func (*call) scoreAnswers(r *ScoreAnswersRequest) (*quality.Result, error) {
	score := quality.Score(r.Answers, r.Grades)
	return &score, nil
}
