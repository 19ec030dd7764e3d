package core_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
)

// BenchmarkTurn is what a host pays for one turn: parse, plan, apply, render, by the size of the session in MB.
// BenchmarkPlanApply is the middle of it, for a host that keeps the parsed conversation.
func BenchmarkTurn(b *testing.B) {
	for _, mb := range []int{1, 4, 16} {
		b.Run(strconv.Itoa(mb)+"MB", func(b *testing.B) {
			data := convtest.Big(mb << 20)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				c, err := format.Parse(data, "")
				require.NoError(b, err)
				p, _ := policy.Preset("harness")
				_, out := step(b, c, p, core.Env{})
				_, err = format.Render(out.Conversation)
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkPlanApply(b *testing.B) {
	eachPreset(b, func(c *msg.Conversation, p policy.Policy) { step(b, c, p, core.Env{Force: true}) })
}

func BenchmarkPlan(b *testing.B) {
	eachPreset(b, func(c *msg.Conversation, p policy.Policy) {
		_, err := core.NewPlan(c, "", p, core.Env{Force: true})
		require.NoError(b, err)
	})
}

func eachPreset(b *testing.B, run func(*msg.Conversation, policy.Policy)) {
	for _, preset := range policy.Names() {
		b.Run(preset+"/4MB", func(b *testing.B) {
			data := convtest.Big(4 << 20)
			c, err := format.Parse(data, "")
			require.NoError(b, err)
			p, err := policy.Preset(preset)
			require.NoError(b, err)
			p.Trigger.Window = 2_000_000 // 4 MB fit into it: some presets cannot make them much smaller
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				run(c, p)
			}
		})
	}
}

// BenchmarkCompact is the whole loop with the extractive summarizer, by the size of the session: its cost grows
// linearly.
func BenchmarkCompact(b *testing.B) {
	for _, mb := range []int{1, 4, 16, 40} {
		b.Run(strconv.Itoa(mb)+"MB", func(b *testing.B) {
			data := convtest.Big(mb << 20)
			c, err := format.Parse(data, "")
			require.NoError(b, err)
			p, err := policy.Preset("balanced")
			require.NoError(b, err)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				plan, err := core.NewPlan(c, "", p, core.Env{})
				require.NoError(b, err)
				require.NotEmpty(b, plan.Requests)
				results, err := core.Summarize(c, "", p, core.Env{}, plan, nil)
				require.NoError(b, err)
				_, err = core.Apply(c, "", p, core.Env{}, plan, results)
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	data := convtest.Big(4 << 20)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		_, err := format.Parse(data, "")
		require.NoError(b, err)
	}
}
