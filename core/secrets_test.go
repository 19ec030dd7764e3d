package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/policy"
)

// No text that Tamp writes has a value that looks like a secret: it is only in messages that no compaction changed.
func TestNoSecretInWrittenTexts(t *testing.T) {
	run := "Ab3dEf6hIj9kLm2nOp5qRs8tUv1w"
	shapes := []string{"OPENAI_API_KEY=sk-proj-%s", "AWS_SECRET_ACCESS_KEY=%s", "token xoxb-123456789012-%s",
		"auth ghp_%s",
		"expired token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.%s", "STRIPE_KEY=sk_live_%s", "Authorization: Bearer %s",
		"password=%s", "DEPLOY_TOKEN=%s", "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z\n%s\nAAAA\n-----END PRIVATE KEY-----",
		"DATABASE_URL=postgres://app:%s@db.local/app", `{"api_key": "%s"}`}
	presets := policy.Presets()
	rapid.Check(t, func(t *rapid.T) {
		line := fmt.Sprintf(rapid.SampledFrom(shapes).Draw(t, "shape"), run)
		if rapid.Bool().Draw(t, "failed") {
			line = "error: " + line + " is not valid"
		}
		preset := presets[rapid.IntRange(0, len(presets)-1).Draw(t, "preset")].Name
		if preset == "clear_thinking" {
			return
		}
		messages := []object{{"role": "user", "content": "Deploy it"}}
		where := rapid.SampledFrom([]string{"result", "command", "text", "input", "kept"}).Draw(t, "where")
		switch where {
		case "result":
			messages = append(messages, callOf("e", "Bash", object{"command": "env | sort"}),
				resultOf("e", "HOME=/root\n"+line+"\nPATH=/bin\n"))
		case "kept": // of a long result lines stay
			messages = append(messages, callOf("e", "Bash", object{"command": "env | sort"}),
				resultOf("e", "HOME=/root\n"+line+"\nPATH=/bin\n"+
					strings.Repeat("the same line again\n", 400)))
		case "command":
			messages = append(messages, callOf("e", "Bash", object{"command": "export " + line + " && make deploy"}),
				resultOf("e", "ok"))
		case "text":
			messages = append(messages, object{"role": "assistant", "content": "The value in .env.production is " + line +
				" now."},
				object{"role": "user", "content": "Go on"})
		case "input":
			messages = append(messages, callOf("e", "Write", object{"file_path": "/app/.env",
				"content": "A=1\n" + line + "\n"}), resultOf("e", "ok"))
		}
		c, out := compactFully(t, preset, append(messages, filler(60, 500)...), nil)
		untouched := map[string]bool{}
		for it := c.Walk(); it.Next(); {
			untouched[it.Block.Text] = true
		}
		for it := out.Walk(); it.Next(); {
			require.True(t, untouched[it.Block.Text] || !strings.Contains(it.Block.Text, run), "%s: %s", preset, it.Block.Text)
		}
	})
}
