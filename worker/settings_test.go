//go:build !js

package worker

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/wire"
	"tamp/worker/gateway"
)

// The table has each setting that is read, and no other; the documentation has the same defaults.
func TestSettings(t *testing.T) {
	read := map[string]bool{}
	getenv := func(name string) string {
		read[name] = true
		return ""
	}
	s, err := native(getenv)
	require.NoError(t, err)
	_, err = nativeGateway(s, getenv)
	require.NoError(t, err)
	read["PORT"], read["ALLOWED_HOSTS"] = true, true // read by run
	allowedHosts(getenv)
	var documented strings.Builder
	for _, file := range []string{"README.md", "../docs/gateway.md"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		documented.Write(text)
	}
	for _, setting := range allSettings {
		require.True(t, read[setting.Name], "%s is read", setting.Name)
		delete(read, setting.Name)
		row := regexp.MustCompile("(?m)^\\| `" + setting.Name + "` \\|([^|]*)\\|").FindStringSubmatch(documented.String())
		require.NotNil(t, row, setting.Name)
		if setting.Name != "GATEWAY_POLICY" && setting.Default != "" {
			require.Contains(t, row[1], setting.Default, setting.Name)
		}
	}
	require.Empty(t, read, "read, but not in the table")
	require.Contains(t, help(), gateway.DefaultUpstreams)
}

// A setting that has its default value changes nothing.
func TestDefaultsOfTheTable(t *testing.T) {
	value := func(name string) string {
		for _, s := range allSettings {
			if s.Name == name {
				return s.Default
			}
		}
		return ""
	}
	none := func(string) string { return "" }
	want, err := gateway.ReadConfig(none)
	require.NoError(t, err)
	have, err := gateway.ReadConfig(value)
	require.NoError(t, err)
	require.Equal(t, want, have)
	api, err := readConfig(none, true)
	require.NoError(t, err)
	same, err := readConfig(func(name string) string {
		if name == "SUMMARIZER_MODEL" {
			return "" // the default of a provider
		}
		return value(name)
	}, true)
	require.NoError(t, err)
	require.Equal(t, api, same)
	require.Equal(t, []string{defaultPort, defaultHost, defaultTranscripts},
		[]string{value("PORT"), value("HOST"), value("TRANSCRIPTS_DIR")})
}

func TestCommandLine(t *testing.T) {
	for _, row := range []struct {
		args          string
		code          int
		out, problems string
	}{
		{"--version", 0, wire.Version + "\n", ""}, {"serve --version", 0, wire.Version + "\n", ""},
		{"serve --help", 0, help(), ""}, {"-h", 0, help(), ""},
		{"serve --nonsense", 2, "", "flag provided but not defined: -nonsense\n" + help()},
		{"serve now", 2, "", "cannot serve \"now\": serve takes only options; serve --help lists them\n"},
		{"serve --tamp-token x", 2, "", "flag provided but not defined: -tamp-token\n" + help()},
		{"serve --port many", 1, "", "cannot listen on port \"many\": want a number from 0 to 65535 in PORT\n"},
		{"--port=1 --host 0.0.0.0", 1, "", "cannot use HOST: other machines can connect then, so TAMP_TOKEN must be set\n"},
	} {
		var out, problems bytes.Buffer
		code := command(strings.Fields(row.args), &out, &problems, func(string) string { return "" })
		said := regexp.MustCompile(`(?m)^  this program has no engine.*\n`).ReplaceAllString(problems.String(), "")
		require.Equal(t, []any{row.code, row.out, row.problems}, []any{code, out.String(), said}, row.args)
	}
}
