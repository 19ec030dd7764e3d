package msg

import (
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
)

// Code names a kind of failure. Codes are stable: hosts switch on them.
type Code string

const (
	BadJSON         Code = "bad_json"         // not JSON, or cut short
	UnknownFormat   Code = "unknown_format"   // JSON, but in no format that a codec accepts
	BadMessage      Code = "bad_message"      // the right format, but a part of it has the wrong shape
	TooLarge        Code = "too_large"        // over MaxBytes, MaxDepth, MaxMessages, MaxBlocks or MaxLines
	BadRequest      Code = "bad_request"      // the call itself is malformed
	BadPolicy       Code = "bad_policy"       // a policy with unknown keys or values out of range
	BadPlan         Code = "bad_plan"         // a plan that no NewPlan could have made
	StalePlan       Code = "stale_plan"       // the plan is for another conversation
	ContextOverflow Code = "context_overflow" // no content is left that can be compacted
	TooMuchWork     Code = "too_much_work"    // over the host's limit on the work of one call
	InvalidOutcome  Code = "invalid_outcome"  // a bug of Tamp: the provider would refuse what a valid conversation became
	Internal        Code = "internal"         // a bug of Tamp
)

// Error is the only error type that leaves this module.
type Error struct {
	Code Code   // stable; hosts switch on it
	Path string // JSON Pointer into the input: "/messages/12/content/0"; "" for the whole input
	Msg  string // for people; may change
	Err  error  // the cause, or nil
}

func (e *Error) Error() string {
	s := e.Msg
	if e.Path != "" {
		s += " (at " + e.Path + ")"
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// NewError returns an Error with the text given: "cannot X: reason", lower case, no full stop.
func NewError(code Code, path, text string) *Error {
	return &Error{Code: code, Path: path, Msg: text}
}

// ParseError turns the *SyntaxError of data into an Error with line and column, as an editor counts them. nil stays
// nil.
func ParseError(data []byte, err error) error {
	if err == nil {
		return nil
	}
	e := err.(*rawjson.SyntaxError)
	line, column := rawjson.Position(data, e.Offset)
	code := BadJSON
	if e.TooDeep {
		code = TooLarge
	}
	return NewError(code, "",
		"cannot parse JSON: "+e.Reason+" at line "+strconv.Itoa(line)+", column "+strconv.Itoa(column))
}

// Validate checks that data is one JSON value with optional white space around it. The error has line and column; its
// code is bad_json, or too_large if the value is nested deeper than MaxDepth.
func Validate(data []byte) error { return ParseError(data, rawjson.Check(data)) }

// ValidateIndex is Validate, and returns the index of data. Do not use it after data changes.
func ValidateIndex(data []byte) (*rawjson.Index, error) {
	index, err := rawjson.NewIndex(data)
	return index, ParseError(data, err)
}

// PathName writes the name of a member as a part of a path (RFC 6901).
func PathName(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
