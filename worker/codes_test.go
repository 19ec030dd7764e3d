package worker

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The README documents every error code of the server, with its status, and no code that does not exist.
func TestReadmeDocumentsEveryErrorCode(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(readme), "Errors are `")
	require.True(t, found)
	section, _, found = strings.Cut(section, "\n## ")
	require.True(t, found)
	documented := map[string]bool{}
	for _, match := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(section, -1) {
		documented[match[1]] = true
	}
	for _, match := range regexp.MustCompile(`"code":"([a-z_]+)"`).FindAllStringSubmatch(section, -1) {
		documented[match[1]] = true
	}
	for code := range statusOf {
		require.True(t, documented[code], "%s is not documented", code)
	}
	for code := range documented {
		require.Contains(t, statusOf, code, "a code that does not exist is documented")
	}
}

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
