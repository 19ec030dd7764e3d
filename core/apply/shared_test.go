package apply_test

import "tamp/core/internal/convtest/coretest"

// What the tests of these packages share.
var (
	parse           = coretest.Parse
	spelled         = coretest.Spelled
	talk            = coretest.Talk
	session         = coretest.Session
	answerAll       = coretest.AnswerAll
	isOverflow      = coretest.IsOverflow
	requireNoErrors = coretest.RequireNoErrors
	texts           = coretest.Texts
	whole           = coretest.Whole
)
