package secrets

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestMask(t *testing.T) {
	for _, c := range [][2]string{
		{"OPENAI_API_KEY=sk-proj-AbCdEf0123456789AbCdEf0123456789", "OPENAI_API_KEY=[masked]"},
		{"error: AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY is set", "error: AWS_SECRET_ACCESS_KEY=[masked] is set"},
		{"AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "AWS_SECRET_ACCESS_KEY=[masked]"},
		{"token xoxb-123456789012-abcdefABCDEF0123 rejected", "token [masked] rejected"},
		{"expired token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcDEF123ghiJKL456.", "expired token [masked]."},
		{"export STRIPE_KEY=sk_live_0123456789abcdefABCDEF && make deploy", "export STRIPE_KEY=[masked] && make deploy"},
		{"ghp_16C7e42F292c6912E7710c838347Ae178B4a", "[masked]"},
		{"id AKIAIOSFODNN7EXAMPLE.", "id [masked]."},
		{"Authorization: Bearer abc123def456ghi789", "Authorization: Bearer [masked]"},
		{`curl -H "Authorization: bearer AbCdEfGhIjKlMnOpQrStUv"`, `curl -H "Authorization: bearer [masked]"`},
		{"password=hunter2hunter", "password=[masked]"},
		{"password=hunter2", "password=[masked]"},
		{"PASSWORD='correct horse'", "PASSWORD='correct horse'"}, // a sentence, which has no digit
		{"SMTP_PASSWORD=\"my secret phrase 42\" next", "SMTP_PASSWORD=\"[masked]\" next"},
		{"  password: 'hunter2'", "  password: '[masked]'"},
		{"<password>Sup3rS3cret9</password>", "<password>[masked]</password>"},
		{"curl -u admin:Adm1nPassw0rd https://a.example/v1", "curl -u admin:[masked] https://a.example/v1"},
		{"sshpass -p 'S3cretPass99' ssh root@10.0.0.5", "sshpass -p '[masked]' ssh root@10.0.0.5"},
		{"docker login -u ci -p Ci5ecretPw77 a.example", "docker login -u ci -p [masked] a.example"},
		{"Authorization: Token 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "Authorization: Token [masked]"},
		{"https://9f8e7d6c5b4a39281706f5e4d3c2b1a0@a.example/678", "https://[masked]@a.example/678"},
		{`{"url":"postgres://app:Tr0ub4dor\u00263x@db/orders"}`, `{"url":"postgres://app:[masked]@db/orders"}`},
		{"https://hooks.slack.com/services/T01ABCDEF/B01ABCDEF/aB3dE5fG7hJ9kLm", "https://hooks.slack.com/services/[masked]"},
		{"https://api.telegram.org/bot123456789:AAaB3dE5fG7hJ9kL/getMe", "https://api.telegram.org/bot[masked]"},
		{"https://a.example/c?sv=2022-11-02&sig=aB3dE5fG7hJ9kLmN%3D&se=2027", "https://a.example/c?sv=2022-11-02&sig=[masked]&se=2027"},
		{"SG.aB3dE5fG7hJ9kLmNpQrStU.aB3dE5fG7hJ9kLmNpQ sent", "[masked] sent"},
		{"GOCSPX-aB3dE5fG7hJ9kLmNpQrStUv", "[masked]"},
		{"session=eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.aB3dE5fG7h-_; Path=/", "session=[masked]; Path=/"},
		{"password: \"correcthorse\"", "password: \"[masked]\""},
		{`{"api_key": "abcdef1234567890", "user": "jo"}`, `{"api_key": "[masked]", "user": "jo"}`},
		{`{"command":"{\"apiKey\":\"abcdef1234567890\"}"}`, `{"command":"{\"apiKey\":\"[masked]\"}"}`},
		{"GITHUB_TOKEN=0123456789abcdef0123456789abcdef01234567", "GITHUB_TOKEN=[masked]"},
		{"MY_CLIENT_SECRET = 'aaaa-bbbb-1111'", "MY_CLIENT_SECRET = '[masked]'"},
		{"tool --token abcdefgh12345678 run", "tool --token [masked] run"},
		{"postgres://app:s3cr3tpw@db.local:5432/app", "postgres://app:[masked]@db.local:5432/app"},
		{"https://x.example/?access_token=abcdef123456&page=2", "https://x.example/?access_token=[masked]&page=2"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z\nabc+/==\n-----END RSA PRIVATE KEY-----\nrest",
			"-----BEGIN RSA PRIVATE KEY-----[masked]-----END RSA PRIVATE KEY-----\nrest"},
		{"-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z\nabc", "-----BEGIN PRIVATE KEY-----[masked]"},
		{"export API_TOKEN=abcdefghijklmnop", "export API_TOKEN=[masked]"},
		{"DB_PASSWORD=P@ssw0rd!23 next", "DB_PASSWORD=[masked] next"},
		{"x-api-key: 8f3b2c1d9e0a4b5c", "x-api-key: [masked]"},
		{`{"a":"A=1\n-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z\nabc"}`, `{"a":"A=1\n-----BEGIN PRIVATE KEY-----[masked]"}`},
		{`"a\tghp_16C7e42F292c6912E7710c838347Ae178B4a\u0026ghp_16C7e42F292c6912E7710c838347Ae178B4a"`, `"a\t[masked]\u0026[masked]"`},
	} {
		require.Equal(t, c[1], Mask(c[0]))
		require.Equal(t, c[1], Mask(c[1]), "again")
	}
}

// Facts stay: hashes, UUIDs, paths, code that names a secret, numbers.
func TestMaskKeepsFacts(t *testing.T) {
	for _, text := range []string{
		"commit 3f786850e387550fdab836ed7e6dc881de23001b", "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
		"550e8400-e29b-41d4-a716-446655440000", "src/auth/token_store.go:120", "max_tokens: 4096", "tokens=12000",
		"password=$DB_PASSWORD", "token = getToken()", "api_key: string", "const apiKey = process.env.API_KEY",
		"password=password", "password=********", "cache-key: node-modules-v3-2026", "docker run -u 1000:1000 -p 8080:80 a",
		"docker run -u node:node a", "mkdir -p build/output1", "List<Token> tokens12345", "the function's signature=changed_in_version_12",
		"https://api.telegram.org/bots", "const SG.name_of_the_group_2024", "login -p 8080",
		"key=value12345", "KEY=1", "PWD=/home/dev/shop12", "SSH_KEY=/home/dev/.ssh/id_ed25519",
		"secret: ${{ secrets.NPM_TOKEN }}",
		"PRIMARY KEY (id)", "primary_key=customer_id_2", "sort_key: created_at", "sk-spinner-circle-fade-dot",
		"the token is expired",
		"Bearer authentication is required", "basic knowledge of the code", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
		"eyJ.a.b", "http://localhost:8080/a@b", "git@github.com:a/b.git", "ref 5dd8f0a1b2c3d4e5", "token_count=123456789",
		"- token: the name of the parser's unit", "TestTokenRefresh", "func password(a string) error", "", "key",
		`{"max_key": 12345678901}`, "monkey=banana1234", "expires_at=1767225600", "[Read src/parser.go: left out, 4,100 tokens; ref 5dd8f0a1b2c3d4e5]",
	} {
		require.Equal(t, text, Mask(text))
	}
}

// Masking is idempotent, and never longer than the text by more than the mask of a short password.
func TestMaskIsStable(t *testing.T) {
	pieces := []string{"KEY=", "password", ":", " ", "=", "\"", "sk-", "abc123def456ghi7", "eyJ", ".", "Bearer ",
		"-----BEGIN ", "PRIVATE KEY-----",
		"-----END ", "://", "@", "\\", "\n", "a", "9", "_TOKEN", "--", "é", "[masked]"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "text"), "")
		once := Mask(text)
		require.Equal(t, once, Mask(once))
	})
}

// The time is linear in texts that begin a secret at every word.
func TestMaskIsLinear(t *testing.T) {
	for _, unit := range []string{"://", "SG.", "-u a:", "login ", "&sig=",
		"https://hooks.slack.com/services/", "-----BEGIN PRIVATE KEY-----", "password=", "eyJ.", "Bearer ", "a_key: ",
		"--token "} {
		n := (1 << 20) / len(unit)
		start := time.Now()
		Mask(strings.Repeat(unit, n))
		require.Less(t, time.Since(start), 2*time.Second, unit) // quadratic: minutes
	}
}

func BenchmarkMask(b *testing.B) {
	text := strings.Repeat("func read(path string) (key string, err error) { // see src/auth/token_store.go:120\n", 1<<13)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Mask(text)
	}
}
