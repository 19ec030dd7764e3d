package record_test

import (
	"testing"

	"tamp/core/internal/convtest/codecs"
)

func TestCodecs(t *testing.T) { codecs.Run(t, "aisdkui", "opencode", "geminicli", "pi") }
