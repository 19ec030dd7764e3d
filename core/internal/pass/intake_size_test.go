package pass_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/pass"
	"tamp/core/tokens"
)

// A text whose placeholder has as many bytes stays, also where the placeholder costs no more tokens; one byte more is
// set aside.
func TestIntakeAtTheSizeOfThePlaceholder(t *testing.T) {
	for _, counter := range []tokens.Counter{tokens.Chars4, tokens.Chars3} {
		set := 0
		for n := 60; n < 140; n++ {
			text := strings.Repeat("x", n)
			placeholder := "[Large input saved to " + intakeRef(text) + ", " + strconv.Itoa(n) +
				" chars. Use the recall tool to read it.]"
			decisions := pass.Intake{MaxChars: 50}.Run(input(one(text, "out"), counter), intakeRef)
			require.Equal(t, utf8.RuneCountInString(placeholder) < n, len(decisions) == 1, "%d bytes for %d",
				len(placeholder), n)
			set += len(decisions)
		}
		require.Positive(t, set)
	}
}
