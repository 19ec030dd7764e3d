package worker

import (
	"strings"

	"tamp/worker/gateway"
)

// setting is one of the operator's settings: an environment variable, on Cloudflare a variable or a secret of the
// Worker, and for the command serve an option, too, unless it is a secret.
type setting struct {
	Name    string `json:"name"`
	Default string `json:"default"`
	Meaning string `json:"meaning"`
	Native  bool   `json:"native"` // a Worker has no such setting
	Secret  bool   `json:"secret"` // other users of a machine can read the options of a command
}

// allSettings has all of them, in the order of the help. README.md and docs/gateway.md explain them further.
var allSettings = []setting{
	{"PORT", "8787", "port to listen on; 0: any that is free", true, false},
	{"HOST", "127.0.0.1", "address to listen on; another one than this machine's needs TAMP_TOKEN", true, false},
	{"ALLOWED_HOSTS", "", "names that the header Host may have, besides this machine and HOST", true, false},
	{"ALLOWED_ORIGINS", "", "origins whose pages may call, separated by commas; on Cloudflare all", false, false},
	{"TAMP_TOKEN", "", "token that opens the whole server, at least 16 characters", false, true},
	{"TAMP_WIRE_TOKEN", "", "token that opens the gateway only, at least 16 characters", false, true},
	{"UPSTREAMS", gateway.DefaultUpstreams, "providers of the gateway: name=URL or name=plain:URL", false, false},
	{"GATEWAY_POLICY", `{"preset":"balanced"}`, "policy of the gateway as JSON", false, false},
	{"GATEWAY_MODE", "compact", "compact, or observe: forward everything unchanged", false, false},
	{"GATEWAY_KEEP", "1", "1: keep the last request of each session in memory for the page; 0: none (native program only)",
		true, false},
	{"GATEWAY_SECRET", "", "key of the names of checkpoints, at least 16 characters; natively a random one", false, true},
	{"GATEWAY_MAX_STREAMS", "256", "requests to the gateway at the same time (not on Cloudflare)", true, false},
	{"GATEWAY_BODY_TIMEOUT", "120", "seconds in which the body of a request must arrive", true, false},
	{"GATEWAY_WORK", "30000000", "limit on the work of compacting one request", false, false},
	{"SUMMARIZER", "extractive", "extractive (no model), anthropic, openai or workers-ai", false, false},
	{"SUMMARIZER_MODEL", "claude-haiku-4-5", "model of the summaries; openai and workers-ai have no default", false,
		false},
	{"SUMMARIZER_BASE_URL", "", "address of the summarizer; default: that of the vendor", false, false},
	{"SUMMARIZER_API_KEY", "", "key of the summarizer; without it callers send their own", false, true},
	{"SUMMARIZER_TIMEOUT", "60", "seconds for one summary, with its retries", false, false},
	{"SUMMARIZER_CONCURRENCY", "4", "concurrent summaries of one compaction", false, false},
	{"SUMMARY_TTL", "86400", "seconds for which a summary may be reused; 0: never", false, false},
	{"OPEN_REPLAY", "0", "1: replays need no token", false, false},
	{"REPLAY_WORK", "60000000", "limit on the work of one replay", false, false},
	{"TRANSCRIPTS_DIR", ".tamp/transcripts", "folder of the originals that POST /v1/compact removes", true, false},
}

// option is the option of a setting on the command line.
func (s *setting) option() string { return strings.ToLower(strings.ReplaceAll(s.Name, "_", "-")) }

// help is the text of serve --help. The Worker gives it to worker/serve.mjs.
func help() string {
	var b strings.Builder
	b.WriteString("Usage: tamp serve [OPTIONS]\n\n" +
		"Serves the gateway to the providers, the API and the playground. tamp usage and tamp audit read the\n" +
		"session logs of agents: tamp COMMAND --help.\n\n" +
		"Each option is also an environment variable: --gateway-mode observe is GATEWAY_MODE=observe. Secrets are\n" +
		"environment variables only, since other users of a machine can read the options of a command.\n")
	for _, secret := range []bool{false, true} {
		b.WriteString(map[bool]string{false: "\nOptions:\n", true: "\nSecrets:\n"}[secret])
		for _, s := range allSettings {
			if s.Secret != secret {
				continue
			}
			name := "--" + s.option()
			if secret {
				name = s.Name
			}
			b.WriteString("  " + name + strings.Repeat(" ", max(1, 26-len(name))) + s.Meaning + "\n")
			if s.Default != "" {
				b.WriteString(strings.Repeat(" ", 28) + "default: " + s.Default + "\n")
			}
		}
	}
	b.WriteString("\n  --help                    print this text\n  --version                 print the version\n")
	return b.String()
}
