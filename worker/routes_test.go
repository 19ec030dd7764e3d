//go:build !js

package worker

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/wire"
)

// Every route and every status.

const (
	small    = `{"conversation":[{"role":"user","content":"` + marker + `"},{"role":"assistant","content":"Yes."}]}`
	jsonType = "Content-Type: application/json"
)

func full() string {
	return `{"preset":"balanced","policy":{"trigger":{"window":7000}},"conversation":{"system":"` +
		strings.Repeat("Be brief. ", 2000) +
		`","messages":[{"role":"user","content":"Hi."}]}}`
}

type row struct {
	name         string
	on           setup
	method, path string
	body         string
	header       []string
	status       int
	says         string // in the body; of an error, its code
	has          string // a line of the header
	why          string
}

// stalePlan is a plan for another conversation.
func stalePlan() string {
	plan, err := json.Marshal(core.Plan{Base: "x", Length: 1})
	if err != nil {
		panic(err)
	}
	return string(plan)
}

func (p *place) rows() []row {
	closed, member := p.closed(), p.withToken("anthropic")
	bearer := "Authorization: Bearer " + token
	return []row{
		{"health", plain, "GET", "/healthz", "", nil, 200, `{"ok":true,"version":"` + wire.Version + `"}`,
			"Content-Type: application/json", ""},
		{"health, HEAD", plain, "HEAD", "/healthz", "", nil, 200, "", "Content-Type: application/json", "checkers ask so"},
		{"health, asked first", plain, "OPTIONS", "/healthz", "", nil, 204, "", "Allow: GET, HEAD, OPTIONS", ""},
		{"health, posted", plain, "POST", "/healthz", small, nil, 405, methodNotAllowed, "Allow: GET, HEAD, OPTIONS", ""},
		{"health of a wrong setup", wrongToken, "GET", "/healthz", "", nil, 200, `"ok":false`, "",
			"a checker sees it before a caller does"},
		{"health with a token configured", member, "GET", "/healthz", "", nil, 200, `"ok":true`, "", "checkers have none"},
		{"info", plain, "GET", "/v1", "", nil, 200,
			`"summarizer":{"provider":"extractive"},"token":false,"store":false,"key":false}`, "", ""},
		{"info, with a slash", plain, "GET", "/v1/", "", nil, 200, `"name":"tamp"`, "", ""},
		{"info, with a question", plain, "GET", "/v1?x=1", "", nil, 200, `"name":"tamp"`, "", ""},
		{"info with a token configured", member, "GET", "/v1", "", nil, 200,
			`"model":"claude-haiku-4-5"},"token":true,"store":true,"key":false}`, "", "reports that it needs a token"},
		{"info with a key configured", closed, "GET", "/v1", "", nil, 200, `"token":false,"store":false,"key":true}`, "",
			"but not which key"},
		{"info, deleted", plain, "DELETE", "/v1", "", nil, 405, methodNotAllowed, "Allow: GET, HEAD, OPTIONS", ""},

		{"an unknown path", plain, "GET", "/v1/nope", "", nil, 404, notFound, "", ""},
		{"another version", plain, "POST", "/v2/plan", small, nil, 404, notFound, "", ""},
		{"no op", plain, "POST", "/v1/transcripts", small, nil, 404, notFound, "", "a ref is missing"},
		{"an op in capitals", plain, "POST", "/v1/PLAN", small, nil, 404, notFound, "", ""},
		{"an op with a tail", plain, "POST", "/v1/plan/x", small, nil, 404, notFound, "", ""},
		{"an op with an escape", plain, "POST", "/v1/%70lan", small, nil, 404, notFound, "",
			"each path is written in one way"},
		{"a compaction with an escape", plain, "POST", "/v1/%63ompact", small, nil, 404, notFound, "",
			"the kept instance must never wait"},

		{"an op, read", plain, "GET", "/v1/plan", "", nil, 405, methodNotAllowed, "Allow: POST, OPTIONS", ""},
		{"an op, headed", plain, "HEAD", "/v1/plan", "", nil, 405, "", "Allow: POST, OPTIONS", ""},
		{"an op, put", plain, "PUT", "/v1/plan", small, nil, 405, methodNotAllowed, "Allow: POST, OPTIONS", ""},
		{"a compaction, read", plain, "GET", "/v1/compact", "", nil, 405, methodNotAllowed, "Allow: POST, OPTIONS", ""},
		{"a transcript, posted", plain, "POST", "/v1/transcripts/0123456789abcdef", small, nil, 405, methodNotAllowed,
			"Allow: GET, HEAD, OPTIONS", ""},

		{"no JSON", plain, "POST", "/v1/plan", "{", nil, 400, "bad_json", "", ""},
		{"no body", plain, "POST", "/v1/plan", "", nil, 400, "bad_request", "", ""},
		{"no conversation", plain, "POST", "/v1/plan", "{}", nil, 400, "bad_request", "", ""},
		{"an unknown member", plain, "POST", "/v1/plan", `{"conversaton":"` + marker + `"}`, nil, 400, "bad_request", "", ""},
		{"of no format", plain, "POST", "/v1/plan", `{"conversation":"` + marker + `"}`, nil, 400, "bad_json", "",
			"a text has to be JSON"},
		{"a number", plain, "POST", "/v1/plan", `{"conversation":7}`, nil, 400, "unknown_format", "", ""},
		{"a bad message", plain, "POST", "/v1/plan",
			`{"format":"anthropic","conversation":[{"role":"` + marker + `","content":7}]}`, nil, 400, "bad_message", "", ""},
		{"a bad compaction", plain, "POST", "/v1/compact", "{", nil, 400, "bad_json", "", ""},
		{"a bad compaction, with events", plain, "POST", "/v1/compact", "{}", []string{"Accept: text/event-stream"}, 400,
			"bad_request", "", "no event was written yet"},
		{"a stale plan", plain, "POST", "/v1/apply", small[:len(small)-1] + `,"plan":` + stalePlan() + `}`, nil, 409,
			"stale_plan", "", ""},
		{"a bad plan", plain, "POST", "/v1/apply", small, nil, 422, "bad_plan", "", "no plan"},
		{"a bad policy", plain, "POST", "/v1/plan", small[:len(small)-1] + `,"preset":"harnes"}`, nil, 422, "bad_policy", "",
			""},
		{"a bad policy to compact by", plain, "POST", "/v1/compact", small[:len(small)-1] + `,"policy":{"claer":{}}}`, nil,
			422, "bad_policy", "", ""},
		{"nothing left to compact", plain, "POST", "/v1/plan", full(), nil, 422, "context_overflow", "", ""},
		{"nothing left in a compaction", plain, "POST", "/v1/compact", full(), nil, 422, "context_overflow", "", ""},

		{"plain text", plain, "POST", "/v1/plan", small, []string{"Content-Type: text/plain"}, 415, unsupportedType, "",
			"pages of other origins can send it without a preflight"},
		{"a form", plain, "POST", "/v1/compact", small, []string{"Content-Type: application/x-www-form-urlencoded"}, 415,
			unsupportedType, "", ""},
		{"no type, from a page", plain, "POST", "/v1/plan", small, []string{"Origin: https://evil.example"}, 415,
			unsupportedType, "", ""},
		{"a type that is none", plain, "POST", "/v1/plan", small, []string{"Content-Type: ;"}, 415, unsupportedType, "", ""},
		{"compressed", plain, "POST", "/v1/plan", small, []string{jsonType, "Content-Encoding: gzip"}, 415, unsupportedType,
			"", ""},
		{"no type, from a program", plain, "POST", "/v1/check", small, nil, 200, `"valid":true`, "", ""},
		{"a type with a charset", plain, "POST", "/v1/check", small,
			[]string{"Content-Type: Application/JSON; charset=utf-8"}, 200, `"valid":true`, "", ""},
		{"a type of a family", plain, "POST", "/v1/check", small, []string{"Content-Type: application/vnd.x+json"}, 200,
			`"valid":true`, "", ""},

		{"a page may ask", plain, "OPTIONS", "/v1/plan", "",
			[]string{"Origin: https://any.example", "Access-Control-Request-Method: POST"}, 204, "",
			"Access-Control-Allow-Origin: *", ""},
		{"headers that a page may send", plain, "OPTIONS", "/v1/compact", "", []string{"Origin: https://any.example"}, 204,
			"", "Access-Control-Allow-Headers: Accept, Authorization, Cache-Control, Content-Type, X-API-Key", ""},
		{"a page that is allowed", closed, "GET", "/v1", "", []string{"Origin: https://app.example.com"}, 200, "tamp",
			"Access-Control-Allow-Origin: https://app.example.com", ""},
		{"another that is", closed, "OPTIONS", "/v1/plan", "", []string{"Origin: https://b.example.com"}, 204, "",
			"Access-Control-Allow-Methods: POST, OPTIONS", "set with a slash, asked without"},
		{"a page that is not", closed, "GET", "/v1", "", []string{"Origin: https://evil.example"}, 200, "tamp",
			"Access-Control-Allow-Origin: ", "the browser keeps the answer from it"},
		{"a page that is not, asking first", closed, "OPTIONS", "/v1/plan", "",
			[]string{"Origin: https://app.example.com.evil.example"}, 204, "", "Access-Control-Allow-Methods: ", ""},
		{"caches know", closed, "GET", "/v1", "", nil, 200, "tamp", "Vary: Origin", ""},
		{"a page reads errors too", plain, "POST", "/v1/plan", "{", []string{jsonType, "Origin: https://any.example"}, 400,
			"bad_json", "Access-Control-Allow-Origin: *", ""},

		{"a wrong setup", wrongToken, "POST", "/v1/plan", small, nil, 500, misconfigured, "", ""},
		{"a wrong setup, compacting", wrongToken, "POST", "/v1/compact", small, nil, 500, misconfigured, "",
			"an instance of its own says so too"},

		{"no token", member, "POST", "/v1/plan", small, nil, 401, unauthorized, `WWW-Authenticate: Bearer realm="tamp"`, ""},
		{"no token, compacting", member, "POST", "/v1/compact", small, nil, 401, unauthorized, "", ""},
		{"a key is no token", member, "POST", "/v1/compact", small, []string{"X-API-Key: " + token}, 401, unauthorized, "",
			""},
		{"another token", member, "POST", "/v1/plan", small, []string{"Authorization: Bearer " + token + "x"}, 401,
			unauthorized, "", ""},
		{"half a token", member, "POST", "/v1/plan", small, []string{"Authorization: Bearer " + token[:20]}, 401,
			unauthorized, "", ""},
		{"the token in another way", member, "POST", "/v1/plan", small, []string{"Authorization: Basic " + token}, 401,
			unauthorized, "", ""},
		{"a transcript without the token", member, "GET", "/v1/transcripts/0123456789abcdef", "", nil, 401, unauthorized, "",
			""},
		{"the token", member, "POST", "/v1/check", small, []string{bearer}, 200, `"valid":true`, "", ""},
		{"the token, other case", member, "POST", "/v1/check", small, []string{"Authorization: bearer " + token}, 200,
			`"valid":true`, "", "the scheme has no case"},
		{"a preflight needs no token", member, "OPTIONS", "/v1/plan", "", nil, 204, "", "Allow: POST, OPTIONS",
			"browsers send none"},
		{"an unknown path needs no token", member, "GET", "/v1/nope", "", nil, 404, notFound, "", ""},

		{"no transcript", member, "GET", "/v1/transcripts/0123456789abcdef", "", []string{bearer}, 404, notFound, "", ""},
		{"no ref", member, "GET", "/v1/transcripts/", "", []string{bearer}, 404, notFound, "", ""},
		{"a ref in capitals", member, "GET", "/v1/transcripts/0123456789ABCDEF", "", []string{bearer}, 404, notFound, "",
			"a file system may not tell them apart"},
		{"a path", member, "GET", "/v1/transcripts/../../etc/passwd", "", []string{bearer}, 404, notFound, "", ""},
		{"an escaped path", member, "GET", "/v1/transcripts/..%2f..%2fetc%2fpasswd", "", []string{bearer}, 404, notFound, "",
			""},
		{"a path of the right length", member, "GET", "/v1/transcripts/../../../../etc/", "", []string{bearer}, 404, notFound,
			"", ""},
		{"a transcript without a store", plain, "GET", "/v1/transcripts/0123456789abcdef", "", nil, 401, unauthorized, "",
			"reading needs the token"},

		{"the operator's key, for a stranger", closed, "POST", "/v1/compact", small, nil, 401, unauthorized, "",
			"it would be spent"},
		{"a pure operation without a token", closed, "POST", "/v1/check", small, nil, 200, `"valid":true`, "",
			"costs nothing"},
		{"the platform's models, for a stranger", p.asking("workers-ai"), "POST", "/v1/compact", small, nil, 401,
			unauthorized, "", ""},
		{"those with a key", p.asking("workers-ai"), "POST", "/v1/compact", small, []string{"X-API-Key: mine"}, 401,
			unauthorized, "", "no key of the caller's pays for them"},
		{"no key for the vendor", vendor, "POST", "/v1/compact", request("harness", talk("nokey", 3000)), nil, 502,
			summarizerFailed, "", ""},
		{"no key and no need", vendor, "POST", "/v1/compact", small, nil, 200, `"transcripts":[]`, "", "nothing is asked"},
	}
}

func testRoutes(t *testing.T, p *place) {
	for _, row := range p.rows() {
		t.Run(row.name, func(t *testing.T) {
			r := p.on(t, row.on)
			got := r.ask(t, row.method, row.path, row.body, row.header...)
			require.Equal(t, row.status, got.status, "%s %.300s", row.why, got.body)
			if row.status >= 400 && row.method != "HEAD" {
				code, _ := got.failure(t)
				require.Equal(t, row.says, code, row.why)
			} else {
				require.Contains(t, got.body, row.says, row.why)
			}
			if row.method == "HEAD" || row.status == 204 {
				require.Empty(t, got.body)
			}
			if name, value, ok := strings.Cut(row.has, ": "); ok {
				require.Equal(t, value, got.header.Get(name), row.why)
			}
		})
	}
}

// documented are the operations that every version has. Others may need more input than is sent here, and return an
// error.
var documented = []string{"detect", "count", "check", "repair", "inspect", "plan", "apply", "archive", "anchors",
	"assemble", "observe", "summarize",
	"countText", "convert", "presets", "models", "tools", "version", "checkAppend", "quality", "questions", "gradeAnswers",
	"scoreAnswers"}

// Every operation returns the engine's result, byte for byte, for conversations of other formats too.
func testOps(t *testing.T, p *place) {
	r := p.on(t, replaying)
	settings := `"preset":"s06","force":true,"format":"anthropic","conversation":` + talk("ops", 8000)
	plan := string(engineAnswer("plan", []byte(`{`+settings+`}`)))
	require.Subset(t, wire.Ops(), documented)
	for _, op := range wire.Ops() {
		body := `{` + settings + `}`
		switch op {
		case "apply", "archive", "summarize":
			body = `{` + settings + `,"plan":` + plan + `}`
		case "convert":
			body = `{` + settings + `,"to":"openai-responses"}`
		case "observe":
			body = `{"usage":{"input_tokens":1000,"cache_read_input_tokens":3000,"output_tokens":5}}`
		case "countText", "assemble":
			body = `{"format":"openai-chat","text":"` + marker + ` and so on"}`
		case "questions":
			body = `{` + settings + `,"previous":` + talk("ops", 2000) + `,"questions":["What is ` + marker + `?"]}`
		case "scoreAnswers":
			body = `{"answers":[],"grades":[]}`
		case "gradeAnswers":
			body = `{"questions":["?"],"answers":[{"id":"original","text":"1: ` + marker +
				`"},{"id":"compacted","text":"1: no"}]}`
		case "checkAppend", "quality":
			body = `{` + settings + `,"previous":` + talk("ops", 2000) + `}`
		}
		want := string(engineAnswer(op, []byte(body)))
		got := r.ask(t, "POST", "/v1/"+op, body, jsonType)
		if strings.HasPrefix(want, `{"error":`) {
			require.NotContains(t, documented, op, want)
			require.GreaterOrEqual(t, got.status, 400)
		} else {
			require.Equal(t, 200, got.status)
		}
		require.True(t, want == got.body, "%s differs from the engine", op)
		require.Equal(t, 405, r.ask(t, "GET", "/v1/"+op, "").status, op)
		require.Equal(t, 204, r.ask(t, "OPTIONS", "/v1/"+op, "").status, op)
	}
}

// Real conversations of every format, as JSON values and as strings.
func testCorpus(t *testing.T, p *place) {
	r := p.on(t, plain)
	files := corpus(t, "anthropic", "openai-chat", "claude-code")
	every := 8
	if testing.Short() {
		every = 24
	}
	for i, path := range files {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		if i%every != 0 || len(data) > 1_500_000 {
			continue
		}
		text, err := json.Marshal(string(data))
		require.NoError(t, err)
		body := `{"preset":"regions","force":true,"conversation":` + string(text) + `}`
		for _, op := range []string{"plan", "check", "inspect"} {
			got := r.send(t, "POST", "/v1/"+op, body)
			require.True(t, string(engineAnswer(op, []byte(body))) == readAll(t, got), "%s of %s", op, path)
		}
		if strings.Contains(string(engineAnswer("plan", []byte(body))), `{"error":`) {
			continue
		}
		got := r.send(t, "POST", "/v1/compact", body)
		extracted(t, body).is(t, reply{got.StatusCode, got.Header, readAll(t, got)})
	}
}

// The platform counts from zero when the clock's minute changes, so requests in the middle of this test can pass.
func testRateLimit(t *testing.T, p *place) {
	r := p.on(t, limited)
	for _, path := range []string{"/v1/check", "/v1/compact"} {
		passed := 0
		got := r.ask(t, "POST", path, small)
		for ; got.status == 200 && passed < 2*limited.limit; got = r.ask(t, "POST", path, small) {
			passed++
		}
		if path == "/v1/check" {
			require.GreaterOrEqual(t, passed, limited.limit)
		}
		require.Equal(t, 429, got.status)
		code, _ := got.failure(t)
		require.Equal(t, rateLimited, code)
		require.Equal(t, "60", got.header.Get("Retry-After"))
	}
	require.Equal(t, 204, r.ask(t, "OPTIONS", "/v1/check", "").status, "preflights are not counted")
	require.Equal(t, 200, r.ask(t, "GET", "/healthz", "").status, "checkers are not counted")
}
