package pass_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/pass"
	"tamp/core/tokens"
)

// A result is critical where it says error or exception, in any case and anywhere; no other result is, whatever
// letters it has.
func TestCriticalResultsSayError(t *testing.T) {
	for text, want := range map[string]bool{
		"error: no such file": true, "ERROR": true, "IndexError at line 3": true, "java.lang.Exception": true,
		"an eXCEPTION":      true,
		"everything passed": false, "eee": false, "erro": false, "exceptio n": false, "no errand, no exit": false, "": false,
	} {
		require.Equal(t, []bool{false, want, want}, pass.Critical{}.Mark(input(one("go", text), tokens.Estimate)), text)
	}
}
