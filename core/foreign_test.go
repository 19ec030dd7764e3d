package core_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
)

// A few lost halves are a defect that Repair repairs; a conversation of lost halves is in another format.
func TestCheckPairs(t *testing.T) {
	call := func(n int) string {
		return `{"role":"assistant","content":[{"type":"tool_use","id":"c` + strconv.Itoa(n) + `","name":"f","input":{}}]}`
	}
	result := func(n int) string {
		return `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c` + strconv.Itoa(n) + `","content":"x"}]}`
	}
	session := func(whole, lost int) string {
		messages := []string{`{"role":"user","content":"go"}`}
		for n := range whole {
			messages = append(messages, call(n), result(n))
		}
		for n := range lost {
			messages = append(messages, call(100+n), `{"role":"user","content":"go on"}`)
		}
		return "[" + strings.Join(messages, ",") + "]"
	}
	for _, row := range []struct {
		whole, lost int
		refused     bool
		why         string
	}{
		{0, 0, false, "no calls at all"},
		{0, 3, false, "short: a defect, whatever its share"},
		{0, 5, true, "nothing but lost calls"},
		{4, 8, false, "8 of 16 halves are not more than half"},
		{4, 12, true, "11 of 20 halves, and the last call may still be answered"},
	} {
		requireRefused(t, row.refused, session(row.whole, row.lost), row.why)
	}
}

// requireRefused requires that CheckPairs refuses a conversation as one of another format, or that it does not.
func requireRefused(t *testing.T, refused bool, conversation, why string) {
	err := core.CheckPairs(parse(t, conversation))
	if !refused {
		require.NoError(t, err, why)
		return
	}
	var known *msg.Error
	require.ErrorAs(t, err, &known, why)
	require.Equal(t, msg.UnknownFormat, known.Code)
}

// Roles of another program: check names each, and nothing is compacted.
func TestCheckPairsOfRoles(t *testing.T) {
	turn := func(role string) string { return `{"role":"` + role + `","content":"x"}` }
	for _, row := range []struct {
		roles   string
		refused bool
	}{
		{"user assistant user", false},
		{"user assistant critic user", false},
		{"user bot", false},
		{"user bot user bot", true},
		{"User Assistant", true},
		{"system USER ASSISTANT", true},
	} {
		var messages []string
		for _, role := range strings.Fields(row.roles) {
			messages = append(messages, turn(role))
		}
		requireRefused(t, row.refused, "["+strings.Join(messages, ",")+"]", row.roles)
	}
}
