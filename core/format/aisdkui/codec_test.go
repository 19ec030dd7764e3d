package aisdkui_test

import (
	"testing"

	"tamp/core/internal/convtest/codecs"
	"tamp/core/msg"
)

func TestCodec(t *testing.T) { codecs.OfFormat(t, msg.AISDKUI) }
