package plan_test

import "tamp/core/internal/convtest/coretest"

// What the tests of these packages share.
var (
	parse           = coretest.Parse
	spelled         = coretest.Spelled
	isOverflow      = coretest.IsOverflow
	answerAll       = coretest.AnswerAll
	session         = coretest.Session
	requireNoErrors = coretest.RequireNoErrors
	drawPolicy      = coretest.DrawPolicy
	drawEnv         = coretest.DrawEnv
	drawResults     = coretest.DrawResults
	texts           = coretest.Texts
	reread          = coretest.Reread
	rendered        = coretest.Rendered
)
