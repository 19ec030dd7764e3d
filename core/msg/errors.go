package msg

import "strconv"

// Code names a kind of failure. Codes are stable: hosts switch on them.
type Code string

const (
	BadJSON         Code = "bad_json"         // not JSON, or cut short
	UnknownFormat   Code = "unknown_format"   // JSON, but of no shape that a codec accepts
	BadMessage      Code = "bad_message"      // the right format, but a part of it has the wrong shape
	TooLarge        Code = "too_large"        // over MaxBytes, MaxDepth, MaxMessages, MaxBlocks or MaxLines
	BadRequest      Code = "bad_request"      // the call itself is malformed
	BadPolicy       Code = "bad_policy"       // a policy with unknown keys or values out of range
	BadPlan         Code = "bad_plan"         // a plan that no NewPlan could have made
	StalePlan       Code = "stale_plan"       // the plan speaks of another conversation
	ContextOverflow Code = "context_overflow" // nothing is left to compact
	TooMuchWork     Code = "too_much_work"    // over the host's limit on the work of one call
	InvalidOutcome  Code = "invalid_outcome"  // a bug of Tamp: the provider would refuse what a valid conversation became
	Internal        Code = "internal"         // a bug of Tamp
)

// Error is the only error type that leaves this module.
type Error struct {
	Code Code   // stable; hosts switch on it
	Path string // JSON Pointer into the input: "/messages/12/content/0"; empty where the whole input is meant
	Msg  string // for people; may change
	Err  error  // the cause, where there is one
}

func (e *Error) Error() string {
	s := e.Msg
	if e.Path != "" {
		s += " (at " + e.Path + ")"
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// NewError makes an Error of a finished sentence: "cannot X: reason", lower case, no full stop.
func NewError(code Code, path, text string) *Error {
	return &Error{Code: code, Path: path, Msg: text}
}

// syntaxError says where JSON stopped being JSON, by line and column as an editor counts them.
func syntaxError(data []byte, offset int, reason string) *Error {
	return NewError(BadJSON, "", "cannot parse JSON: "+reason+place(data, offset))
}

func place(data []byte, offset int) string {
	line, column := Position(data, offset)
	return " at line " + strconv.Itoa(line) + ", column " + strconv.Itoa(column)
}
