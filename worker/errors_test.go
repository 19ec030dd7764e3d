package main

import (
	"net/http"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every code of the engine has a status of its own choice and is named in the table of the README.
func TestEveryCodeHasAStatus(t *testing.T) {
	types, err := os.ReadFile("../wasm/npm/wire.d.ts") // written from the Go code
	require.NoError(t, err)
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	line := regexp.MustCompile(`export type Code = .*`).Find(types)
	codes := regexp.MustCompile(`"(\w+)"`).FindAllSubmatch(line, -1)
	require.Greater(t, len(codes), 5)
	for _, code := range codes {
		require.Contains(t, statusOf, string(code[1]))
		require.Contains(t, string(readme), "`"+string(code[1])+"`")
	}
	require.Equal(t, http.StatusInternalServerError, statusOf["invalid_outcome"])
	require.Equal(t, http.StatusConflict, statusOf["stale_plan"])
}
