package core_test

import "tamp/core/internal/convtest/coretest"

// What the tests of these packages share.
var (
	parse           = coretest.Parse
	spelled         = coretest.Spelled
	answerAll       = coretest.AnswerAll
	isOverflow      = coretest.IsOverflow
	talk            = coretest.Talk
	sessionWithIDs  = coretest.SessionWithIDs
	session         = coretest.Session
	requireNoErrors = coretest.RequireNoErrors
	drawPolicy      = coretest.DrawPolicy
	drawEnv         = coretest.DrawEnv
	drawResults     = coretest.DrawResults
	texts           = coretest.Texts
	reread          = coretest.Reread
	rendered        = coretest.Rendered
	whole           = coretest.Whole
)
