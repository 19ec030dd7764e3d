package forward

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkFold is what the gateway adds to a call, without the network: read the body, fold, write the result. The
// checkpoint is that of the call before, as the gateway finds it.
func BenchmarkFold(b *testing.B) {
	for _, row := range []struct {
		name   string
		rounds int
	}{{"400KB", 66}, {"4MB", 660}} {
		s, p := rounds(row.rounds, 1500), small(b, 200_000)
		before, data := s.body(b, len(s.list)-3), s.body(b, len(s.list)-1)
		checkpoint := foldOf(b, before, s.format, Options{Policy: p}).Checkpoint
		run := func(name string, from *Checkpoint) {
			b.Run(row.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					r := foldOf(b, data, s.format, Options{Policy: p, From: from})
					require.NotEmpty(b, r.Body)
				}
			})
		}
		run("checkpoint", checkpoint)
		run("no checkpoint", nil)
	}
}
