//go:build !js

package worker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/worker/summarizer"
)

func settings(pairs ...string) func(string) string {
	env := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		env[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return env[name] }
}

func TestConfigDefaults(t *testing.T) {
	c, err := readConfig(settings(), false)
	require.NoError(t, err)
	require.Equal(t, config{Summarizer: summarizer.Config{Provider: "extractive", Deadline: time.Minute,
		MaxAnswer: 1 << 20},
		Concurrency: 4, SummaryTTL: 24 * time.Hour, ReplayWork: 60_000_000, Origins: []string{"*"}}, c)
	require.False(t, c.costsOperator())
	c, err = readConfig(settings(), true)
	require.NoError(t, err)
	require.Empty(t, c.Origins, "a local server serves its own page only")
}

func TestConfigReadsEverySetting(t *testing.T) {
	c, err := readConfig(settings("SUMMARIZER", "openai", "SUMMARIZER_MODEL", "m", "SUMMARIZER_BASE_URL",
		"http://localhost:11434/v1/", "SUMMARIZER_API_KEY", "k",
		"SUMMARIZER_TIMEOUT", "5", "SUMMARIZER_CONCURRENCY", "64", "SUMMARY_TTL", "0", "OPEN_REPLAY", "1", "REPLAY_WORK",
		"1000", "TAMP_TOKEN", token, "TAMP_WIRE_TOKEN", wireToken, "ALLOWED_ORIGINS", " https://a.example/,https://b.example "), true)
	require.NoError(t, err)
	require.Equal(t, config{Summarizer: summarizer.Config{Provider: "openai", Model: "m",
		BaseURL: "http://localhost:11434/v1", APIKey: "k", Deadline: 5 * time.Second, MaxAnswer: 1 << 20},
		Concurrency: 64, OpenReplay: true, ReplayWork: 1000, Token: token, WireToken: wireToken,
		Origins: []string{"https://a.example", "https://b.example"}, Trusted: true}, c)
	require.True(t, c.costsOperator())
}

// One error names all wrong settings, and quotes no value.
func TestConfigErrorNamesEverySetting(t *testing.T) {
	for _, row := range []struct{ name, value, says string }{
		{"SUMMARIZER", marker, "its provider is not one of anthropic, openai, workers-ai, extractive"},
		{"SUMMARIZER", "openai", "openai needs a model"},
		{"SUMMARIZER", "workers-ai", "workers-ai needs a model"},
		{"SUMMARIZER_BASE_URL", "http://" + marker + ".example", "extractive has no base URL"},
		{"SUMMARIZER_API_KEY", marker + "\n", "its key has characters that a key cannot have"},
		{"SUMMARIZER_TIMEOUT", "0", "cannot use SUMMARIZER_TIMEOUT: want a whole number from 1 to 600"},
		{"SUMMARIZER_TIMEOUT", "60s", "cannot use SUMMARIZER_TIMEOUT"},
		{"SUMMARIZER_CONCURRENCY", "65", "cannot use SUMMARIZER_CONCURRENCY: want a whole number from 1 to 64"},
		{"SUMMARY_TTL", "-1", "cannot use SUMMARY_TTL: want a whole number from 0 to 31536000"},
		{"OPEN_REPLAY", "yes", "cannot use OPEN_REPLAY: want 1 or 0"},
		{"REPLAY_WORK", "0", "cannot use REPLAY_WORK: want a whole number from 1 to 1000000000"},
		{"TAMP_TOKEN", marker, "cannot use TAMP_TOKEN: want at least 16 characters"},
		{"TAMP_WIRE_TOKEN", marker, "cannot use TAMP_WIRE_TOKEN: want at least 16 characters, and another token than TAMP_TOKEN"},
	} {
		_, err := readConfig(settings(row.name, row.value), false)
		require.ErrorContains(t, err, row.says)
		require.NotContains(t, err.Error(), marker)
	}
	_, err := readConfig(settings("TAMP_TOKEN", token, "TAMP_WIRE_TOKEN", token), false)
	require.ErrorContains(t, err, "another token than TAMP_TOKEN")
	_, err = readConfig(settings("TAMP_WIRE_TOKEN", wireToken), true)
	require.ErrorContains(t, err, "sessions, originals and metrics would be open")
	_, err = readConfig(settings("SUMMARIZER", "unknown", "TAMP_TOKEN", "short", "SUMMARY_TTL", "x"), false)
	require.ErrorContains(t, err, "provider")
	require.ErrorContains(t, err, "TAMP_TOKEN")
	require.ErrorContains(t, err, "SUMMARY_TTL")
}
