//go:build !js

package gateway

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/forward"
)

// workShape is a request that is expensive to read for its size: a start, elements that repeat, and an end.
type workShape struct {
	path, open string
	elements   []string // # is a number
	close      string
}

const workMessages = `{"model":"claude-sonnet-4-5","max_tokens":10,"messages":[`

var workShapes = map[string]workShape{
	"prompts": {"/v1/messages", workMessages, []string{`{"role":"user","content":"a"}`}, "]}"},
	"calls":   {"/v1/messages", workMessages, []string{`{"role":"user","content":"a"}`, `{"role":"assistant","content":"b"}`}, "]}"},
	"tools": {"/v1/messages", workMessages + `{"role":"user","content":"a"},`, []string{
		`{"role":"assistant","content":[{"type":"tool_use","id":"c#","name":"x","input":{"path":"/a/b#.go"}}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c#","content":"` +
			strings.Repeat("Some text of the file #. ", 12) + `"}]}`}, "]}"},
	"blocks": {"/v1/messages", workMessages + `{"role":"user","content":[`, []string{`{"type":"text","text":"a"}`}, "]}]}"},
	"empty":  {"/v1/messages", workMessages + `{"role":"user","content":[`, []string{`{}`}, "]}]}"},
	"parts": {"/v1/messages", workMessages + `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[`,
		[]string{`{"type":"text","text":"a"}`}, "]}]}]}"},
	"definitions": {"/v1/messages", `{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"a"}],"tools":[`,
		[]string{`{"name":"a#","input_schema":{}}`}, "]}"},
	"rules": {"/v1/messages", workMessages + `{"role":"user","content":"`, []string{`- never do it, part #\n`}, `"}]}`},
	"dialog": {"/v1/messages", workMessages + `{"role":"user","content":"`, []string{`Human: never do #\nAssistant: ok\n`},
		`"}]}`},
	"sentences": {"/v1/messages", workMessages, []string{`{"role":"user","content":"Never do #. Always do the other one!"}`,
		`{"role":"assistant","content":"Done: part #."}`}, "]}"},
	"questions": {"/v1/messages", workMessages, []string{`{"role":"assistant","content":"Should I take # or b?"}`,
		`{"role":"user","content":"The second one."}`}, "]}"},
	"chat": {"/chat/completions", `{"model":"gpt-5","messages":[`, []string{`{"role":"user","content":"a"}`,
		`{"role":"assistant","content":"b"}`}, "]}"},
	"items": {"/responses", `{"model":"gpt-5","input":[`, []string{`{"role":"user","content":"a"}`,
		`{"type":"function_call","call_id":"c#","name":"x","arguments":"{}"}`,
		`{"type":"function_call_output","call_id":"c#","output":"y"}`}, "]}"},
}

// Texts that are expensive for their length, in a prompt and in the result of a call.
func init() {
	for name, text := range map[string]string{
		"words": `word#\n`, "alike": `the same start of a line, then #\n`, "urls": `https://example.com/a/b?c=#&d=e `,
		"paths": `/src/a/b#/c.go `, "diff": `@@ -#,7 +#,7 @@\n-old # line\n+new # line\n`,
		"base64": `aGVsbG8gd29ybGQ#`, "cjk": `的一是在不了有和人这#中大为上个国我以要他`, "table": `| a# | b | c |\n|---|---|---|\n`,
		"json": `{\"a#\":[{\"b\":[1,2,{\"c\":null}]}]}`, "nested": `[[[[[[[[[[#`, "emoji": `👩‍👩‍👧‍👦#`, "quotes": `\"#\" '#' `,
		"numbers": `1#.5e-7 0x# `, "uuids": `00000000-0000-4000-8000-00000000000# `, "tags": `<a#><b>x</b></a#>`,
		"headings": "## Part #\\n\\n- must #\\n", "trace": `  at f# (/a/b#.js:#:7)\nError: part # failed\n`,
		"commands": `$ go test ./a# && make b#\n`, "decisions": `We decided # because of #. `, "space": ` \n\t# \n`,
	} {
		workShapes["prompt of "+name] = workShape{"/v1/messages", workMessages + `{"role":"user","content":"`,
			[]string{text}, `"},{"role":"assistant","content":"ok"},{"role":"user","content":"go on"}]}`}
		workShapes["result of "+name] = workShape{"/v1/messages", workMessages + `{"role":"user","content":"go"},` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"x","input":{}}]},{"role":"user","content":` +
			`[{"type":"tool_result","tool_use_id":"c","content":"`, []string{text}, `"}]},{"role":"assistant","content":"ok"},` +
			`{"role":"user","content":"go on"}]}`}
		workShapes["input of "+name] = workShape{"/v1/messages", workMessages + `{"role":"user","content":"go"},` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"x","input":{"text":"`, []string{text},
			`"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"x"}]}]}`}
		workShapes["answer of "+name] = workShape{"/v1/messages", workMessages + `{"role":"user","content":"go"},` +
			`{"role":"assistant","content":"`, []string{text}, `"},{"role":"user","content":"go on"}]}`}
	}
}

func (s *workShape) body(n int) []byte {
	var list []string
	for i := range n {
		list = append(list, strings.ReplaceAll(s.elements[i%len(s.elements)], "#", strconv.Itoa(i/len(s.elements))))
	}
	return []byte(s.open + strings.Join(list, ",") + s.close)
}

var workPolicies = map[string]string{
	"balanced": `{}`, "s06": `{"preset":"s06"}`, "turns": `{"preset":"turns"}`, "regions": `{"preset":"regions"}`,
	"small":   `{"trigger":{"window":8000}}`,
	"chunks":  `{"summary":{"strategy":"chunks","chunkMessages":1},"trigger":{"window":8000}}`,
	"merged":  `{"summary":{"strategy":"chunks","chunkMessages":1,"mergeAbove":1000000},"trigger":{"window":8000}}`,
	"blocks":  `{"summary":{"strategy":"regions","granularity":"block"},"trigger":{"window":8000}}`,
	"measure": `{"trigger":{"measure":"chars4_json","window":8000}}`,
	"switch":  `{"trigger":{"taskSwitch":true}}`,
	"names":   `{"clear":{"keepTools":[` + strings.Repeat(`"a",`, 1000) + `"z"]}}`,
}

// prepare returns the request to forward, the work that it took, and the bytes that were allocated for it.
func (s *workShape) prepare(t testing.TB, n, limit int, policy string) (p *Prepared, work, allocated int) {
	g := &Gateway{Config: configOf(t, "GATEWAY_WORK", strconv.Itoa(limit))}
	body := s.body(n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p = g.Prepare(t.Context(), &Upstream{}, endpointOf("POST", s.path, false), jsonWith("X-Tamp-Policy: "+policy), body,
		nil, nil)
	runtime.ReadMemStats(&after)
	if p.Reason == "too_much_work" {
		require.True(t, bytes.Equal(body, p.Body))
	}
	if p.Reason != "bad_policy" {
		require.GreaterOrEqual(t, limit-p.budget.left, forward.Work(body))
	}
	return p, limit - p.budget.left, int(after.TotalAlloc - before.TotalAlloc)
}

// The units of work count what is really done: whatever the shape of a request and its policy, the memory that it takes
// is linear in them. So the limit on them bounds it. The largest ratio that was measured is 193 bytes, of an answer
// that is one long line of brackets and numbers, each of them a name of its own.
func TestWorkIsCounted(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		shape := workShapes[rapid.SampledFrom(slices.Sorted(maps.Keys(workShapes))).Draw(rt, "shape")]
		policy := workPolicies[rapid.SampledFrom(slices.Sorted(maps.Keys(workPolicies))).Draw(rt, "policy")]
		n := rapid.SampledFrom([]int{1, 10, 300, 2000}).Draw(rt, "n")
		limit := rapid.SampledFrom([]int{1, 100_000, 500_000, 5_000_000}).Draw(rt, "limit")
		p, work, allocated := shape.prepare(t, n, limit, policy)
		require.NotEqual(t, "bad_policy", p.Reason)
		require.Equal(t, p.Reason == "too_much_work", work > limit)
		require.LessOrEqual(t, allocated, 4<<20+250*work)
	})
}

// A request of tiny values is not even parsed: what that would take is known before.
func TestTooManyValuesAreNotParsed(t *testing.T) {
	for name, shape := range workShapes {
		if forward.Work(shape.body(20_000)) < 1_000_000 {
			continue // one long text
		}
		p, _, allocated := shape.prepare(t, 20_000, 1_000_000, `{}`)
		require.Equal(t, "passed reason=too_much_work", p.Note(), name)
		require.Nil(t, p.body)
		require.Less(t, allocated, 1<<20, name)
	}
	names := Request{Method: "POST", Address: "http://x/up/v1/messages", Header: jsonWith()}
	shape := workShapes["calls"]
	names.Body = shape.body(100)
	g := &Gateway{Config: configOf(t)}
	require.Len(t, g.Names(names), 51)
	g.Work = 1000
	require.Nil(t, g.Names(names))
}

// The policy of a request has a maximum size, since each block is compared with its names.
func TestLengthOfPolicies(t *testing.T) {
	for length, reason := range map[int]string{maxPolicy: "below_limits", maxPolicy + 1: "bad_policy"} {
		shape := workShapes["calls"]
		p, _, _ := shape.prepare(t, 10, DefaultWork, "{"+strings.Repeat(" ", length-2)+"}")
		require.Equal(t, reason, p.Reason)
	}
}

// At most as many requests compute at once as there are places; others wait, and leave with their client.
func TestPlacesOfComputing(t *testing.T) {
	g := &Gateway{Config: configOf(t), places: make(chan struct{}, 2)}
	body, e := []byte(history(2, 10, "")), endpointOf("POST", "/v1/messages", false)
	inside, waiting, release := atomic.Int32{}, make(chan struct{}, 99), make(chan struct{})
	find := func(string) []byte {
		if inside.Add(1) > 2 {
			panic("three at once")
		}
		waiting <- struct{}{}
		<-release
		inside.Add(-1)
		return nil
	}
	ended := make(chan string, 9)
	for range 5 {
		go func() { ended <- g.Prepare(t.Context(), &Upstream{}, e, jsonWith(), body, nil, find).Reason }()
	}
	<-waiting
	<-waiting
	gone, leave := context.WithCancel(t.Context())
	leave()
	p := g.Prepare(gone, &Upstream{}, e, jsonWith(), body, nil, find)
	require.ErrorIs(t, p.budget.ended, context.Canceled)
	require.Nil(t, p.body)
	close(release)
	for range 5 {
		require.Equal(t, "below_limits", <-ended)
	}
	require.Empty(t, g.places)

	p = g.Prepare(t.Context(), &Upstream{}, e, jsonWith(), []byte(history(8, 600, "")), nil, nil)
	require.True(t, g.Force(p, nil, 0, 0))
	require.Empty(t, g.places)
	p.budget.ctx = gone
	require.False(t, g.Force(p, nil, 0, 0))
	g.once.Do(g.start)
	require.Equal(t, max(runtime.GOMAXPROCS(0), minPlaces), cap(g.places))
}

// A request that waits for a model has no place meanwhile.
func TestPlacesWhileAModelWrites(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	asked, answer := make(chan struct{}, 100), make(chan struct{})
	s.withModel(func(context.Context, core.SummaryRequest) (string, error) {
		asked <- struct{}{}
		<-answer
		return "A summary of the work.", nil
	})
	s.g.once.Do(s.g.start)
	s.g.places = make(chan struct{}, 1)
	first := make(chan string)
	go func() {
		response, _ := s.post(t, "/up/v1/messages", prose(39, 1500, ""))
		first <- response.Header.Get("X-Tamp")
	}()
	<-asked
	response, _ := s.post(t, "/up/v1/messages", prose(2, 10, ""))
	require.Contains(t, response.Header.Get("X-Tamp"), "below_limits")
	close(answer)
	require.True(t, strings.HasPrefix(<-first, "before="))
	require.Empty(t, s.g.places)
}

// While the response of a provider arrives, only the bytes of the request are in memory.
func TestParsedMessagesAreDropped(t *testing.T) {
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	shape := workShapes["calls"]
	body, used := shape.body(6000), 0
	before := heap()
	for _, too := range []string{"", "prompt is too long"} { // … also after a second request
		g := &Gateway{Config: configOf(t)}
		calls := 0
		g.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
			response := fine2()
			if calls++; calls == 1 && too != "" {
				response.StatusCode, response.Body = 400, io.NopCloser(strings.NewReader(too))
			}
			used = heap() - before
			return response, nil
		})
		w := httptest.NewRecorder()
		g.ServeHTTP(w, httptest.NewRequest("POST", "http://x/up/v1/messages", bytes.NewReader(body)))
		require.Equal(t, 200, w.Code)
		require.Less(t, used, 8*len(body), too)
	}
}

// BenchmarkWork measures the time of a unit of work. DefaultWork depends on it.
func BenchmarkWork(b *testing.B) {
	for _, name := range slices.Sorted(maps.Keys(workShapes)) {
		for _, policy := range slices.Sorted(maps.Keys(workPolicies)) {
			b.Run(name+"/"+policy, func(b *testing.B) {
				shape, work := workShapes[name], 0
				for b.Loop() {
					_, n, _ := shape.prepare(b, 20_000, DefaultWork, workPolicies[policy])
					work += n
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(work), "ns/unit")
			})
		}
	}
}
