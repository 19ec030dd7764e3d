//go:build !js

package worker

import "testing"

// group is a part of the cases.
type group struct {
	name string
	run  func(*testing.T, *place)
}

// The groups whose cases depend on the platform: its bindings and settings, bodies and their limits, streams, broken
// connections, the store and the caches, several requests at a time.
var platformGroups = []group{
	{"failing models", testFailingModels}, // first, since it waits for retries for a long time
	{"routes", testRoutes}, {"sizes", testSizes}, {"ops", testOps}, {"rate limit", testRateLimit},
	{"exact counters", testExactCounters}, {"others during a replay", testOthersDuringReplay},
	{"models", testModels}, {"stream", testStream}, {"reuse", testReuse}, {"keys", testKeys},
	{"failing AI", testFailingAI}, {"permanent failures", testPermanentFailures}, {"no binding", testNoBinding},
	{"store down", testStoreDown}, {"gone", testGone}, {"gone, streaming", testGoneStreaming}, {"log line", testLogLine},
	{"together", testTogether}, {"huge", testHuge},
}

// The groups whose cases do the same on all platforms, by what they are about: the engine's answers, and what the
// handler makes of the answers of models.
var handlerGroups = []group{
	{"corpus", testCorpus}, {"replay", testReplay}, {"extractive", testExtractive}, {"set aside", testSetAside},
	{"two rounds", testTwoRounds}, {"no reuse", testNoReuse},
	{"permanent failures of one region", testPermanentFailureOfOne}, {"one of many", testOneOfMany},
	{"no store", testNoStore}, {"fifty", testFifty},
}

// everything runs all cases on one platform, and checks the logs at the end. With -short another platform than this
// process runs only the cases that depend on it.
func everything(t *testing.T, p *place) {
	groups := platformGroups
	if !p.few {
		groups = append(groups[:len(groups):len(groups)], handlerGroups...)
	}
	t.Run("all", func(t *testing.T) {
		for _, group := range groups {
			t.Run(group.name, func(t *testing.T) {
				t.Parallel()
				group.run(t, p)
			})
		}
	})
	t.Run("logs", func(t *testing.T) { checkLogs(t, p) })
}

func TestNatively(t *testing.T) {
	p := newPlace(t)
	p.launch = func(s setup) (*running, error) { return natively(t, p.models, s) }
	everything(t, p)
}
