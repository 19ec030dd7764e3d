package msg_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

// An error is a sentence, with the path of a part of the input if it has one.
func TestErrorSaysWhere(t *testing.T) {
	require.Equal(t, "cannot parse: it is wrong (at /messages/3)",
		msg.NewError(msg.BadMessage, "/messages/3", "cannot parse: it is wrong").Error())
	require.Equal(t, "cannot parse: it is wrong", msg.NewError(msg.BadMessage, "", "cannot parse: it is wrong").Error())
	cause := errors.New("cause")
	require.ErrorIs(t, &msg.Error{Code: msg.BadMessage, Err: cause}, cause)
}
