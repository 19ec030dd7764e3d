package wire_test

import (
	"encoding/json"
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
