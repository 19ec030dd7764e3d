//go:build workerd && !js

package worker

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWireWorkerd(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	s, err := onWorkerd(t, newModels(t), wireOf(u))
	require.NoError(t, err)
	testWire(t, s, u)
}
