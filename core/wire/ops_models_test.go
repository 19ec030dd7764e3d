package wire_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/models"
	"tamp/core/wire"
)

// The table of models, each price with its page and date.
func TestModels(t *testing.T) {
	var all []wire.ModelInfo
	require.NoError(t, json.Unmarshal(handle("models", []byte(`{}`)), &all))
	require.Len(t, all, len(models.List()))
	for i, m := range models.List() {
		require.Equal(t, m.Name, all[i].Name)
		require.Equal(t, m.Source != "", all[i].Price != nil, m.Name)
		if p := all[i].Price; p != nil {
			require.Equal(t, m.Price.Input, p.Input)
			require.Equal(t, m.Source, p.Source)
			require.Equal(t, models.PricesRead, p.Date)
			require.False(t, p.Assumed)
		}
	}
}

// The window is the model's, with each operation and each preset: models, inspect, replay and a plan have the same one,
// the hard limit is at most a buffer and a share below it, and a lower limit is one that the policy names.
func TestWindowOfEachModel(t *testing.T) {
	var all []wire.ModelInfo
	require.NoError(t, json.Unmarshal(handle("models", []byte(`{}`)), &all))
	var presets []struct{ Name string }
	require.NoError(t, json.Unmarshal(handle("presets", []byte(`{}`)), &presets))
	require.NotEmpty(t, presets)
	type limits struct {
		Window, Hard, Limit int
		Trigger             struct {
			WaitsFor   string
			WaitsLimit int
		}
	}
	for k, m := range all {
		names := []string{m.Name, m.Name + "-20261101", "vendor/" + m.Name}
		for i, preset := range presets {
			if testing.Short() && i != k%len(presets) {
				continue
			}
			name := names[i%len(names)]
			ask := func(operation, policy string) (l limits) {
				answer := handle(operation, fmt.Appendf(nil, `{"preset":%q,%s"conversation":{"model":%q,"max_tokens":9,`+
					`"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"ok"},{"role":"user","content":"go"}]}}`,
					preset.Name, policy, name))
				require.NoError(t, json.Unmarshal(answer, &l), "%s", answer)
				return l
			}
			set := fmt.Sprintf(`"policy":{"trigger":{"window":%d}},`, m.Window)
			seen, replayed := ask("inspect", ""), ask("replay", "")
			require.Equal(t, m.Window, seen.Window, name)
			require.Equal(t, m.Window, replayed.Window, name)
			require.Equal(t, seen, ask("inspect", set), name)
			require.Equal(t, replayed, ask("replay", set), name)
			if limit := ask("plan", "").Limit; limit > 0 && m.Window > 60_000 {
				require.LessOrEqual(t, limit, m.Window, name)
				require.GreaterOrEqual(t, limit, m.Window*6/10, "%s with %s", name, preset.Name)
			}
			switch w := seen.Trigger; w.WaitsFor {
			case "", "soft", "tokens", "long_prompts", "tool_uses":
			case "hard", "overflow":
				require.True(t, w.WaitsLimit >= m.Window/2 || m.Window < 60_000, name)
			default:
				require.Fail(t, w.WaitsFor)
			}
		}
	}
}
