package parts_test

import (
	"testing"

	"tamp/core/internal/convtest/codecs"
)

func TestCodecs(t *testing.T) { codecs.Run(t, "gemini", "aisdk") }
