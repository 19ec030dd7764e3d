//go:build !js

package worker

import "testing"

// everything runs all cases on one platform, and checks the logs at the end.
func everything(t *testing.T, p *place) {
	groups := []struct {
		name string
		run  func(*testing.T, *place)
	}{
		{"failing models", testFailingModels}, // first, since it waits for retries for a long time
		{"routes", testRoutes}, {"sizes", testSizes}, {"ops", testOps}, {"corpus", testCorpus}, {"rate limit", testRateLimit},
		{"exact counters", testExactCounters}, {"replay", testReplay}, {"others during a replay", testOthersDuringReplay},
		{"extractive", testExtractive}, {"models", testModels}, {"set aside", testSetAside}, {"stream", testStream},
		{"two rounds", testTwoRounds},
		{"reuse", testReuse}, {"no reuse", testNoReuse}, {"keys", testKeys}, {"failing AI", testFailingAI},
		{"permanent failures", testPermanentFailures}, {"permanent failures of one region", testPermanentFailureOfOne},
		{"no binding", testNoBinding},
		{"one of many", testOneOfMany}, {"store down", testStoreDown}, {"no store", testNoStore}, {"gone", testGone},
		{"gone, streaming", testGoneStreaming}, {"log line", testLogLine},
		{"together", testTogether}, {"fifty", testFifty}, {"huge", testHuge},
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
