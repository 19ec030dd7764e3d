package metrics

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// sample is one line of the text: a name, its labels as they are written, and a value.
var sample = regexp.MustCompile(`^([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\n"])*",?)+)\})? (\S+)$`)

// read reads the text of a registry as the format describes it.
func read(t require.TestingT, text string) map[string]float64 {
	all, kinds := map[string]float64{}, map[string]string{}
	require.True(t, strings.HasSuffix(text, "\n"))
	current := ""
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if help, found := strings.CutPrefix(line, "# HELP "); found {
			current, _, _ = strings.Cut(help, " ")
			require.NotContains(t, kinds, current, "a metric is written once")
			continue
		}
		if kind, found := strings.CutPrefix(line, "# TYPE "+current+" "); found {
			kinds[current] = kind
			continue
		}
		parts := sample.FindStringSubmatch(line)
		require.NotNil(t, parts, line)
		require.NotEmpty(t, kinds[current])
		require.True(t, strings.HasPrefix(parts[1], current), "below its TYPE")
		value, err := strconv.ParseFloat(parts[3], 64)
		require.NoError(t, err)
		key := parts[1] + "{" + strings.TrimSuffix(parts[2], ",") + "}"
		require.NotContains(t, all, key, "each series is written once")
		all[key] = value
		require.Equal(t, kinds[current] == "counter", strings.HasSuffix(current, "_total"), current)
	}
	return all
}

// Whatever the values of labels are, the text is valid; counters have the sums, and buckets the observations up to
// their bounds.
func TestRegistry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r Registry
		bounds := []float64{0.5, 1, 10}
		counter, histogram := r.Counter("c_total", "Counts.", "a", "b"), r.Histogram("h_seconds", "Times.", bounds, "a")
		r.Gauge("g", "Is read.", func() float64 { return 7 })
		r.Constant("i", "Says.", "version", "1")
		sum, count, below := 0.0, 0.0, make([]float64, len(bounds))
		values := rapid.OneOf(rapid.SampledFrom([]string{"", `"`, `\`, "\n", "a b", "\xff", "x}y", "x,y=\"z\""}), rapid.String())
		for range rapid.IntRange(1, 20).Draw(t, "adds") {
			counter.Add(2, values.Draw(t, "a"), values.Draw(t, "b"))
			v := rapid.SampledFrom([]float64{0, 0.5, 0.6, 1, 9, 10, 11}).Draw(t, "seconds")
			histogram.Add(v, "x")
			sum, count = sum+v, count+1
			for i, bound := range bounds {
				if v <= bound {
					below[i]++
				}
			}
		}
		all, total := read(t, string(r.Text())), 0.0
		for key, value := range all {
			if strings.HasPrefix(key, "c_total{") {
				total += value
			}
		}
		require.Equal(t, 2*count, total)
		require.Equal(t, sum, all[`h_seconds_sum{a="x"}`])
		require.Equal(t, count, all[`h_seconds_count{a="x"}`])
		require.Equal(t, count, all[`h_seconds_bucket{a="x",le="+Inf"}`])
		for i, bound := range []string{"0.5", "1", "10"} {
			require.Equal(t, below[i], all[`h_seconds_bucket{a="x",le="`+bound+`"}`])
		}
		require.Equal(t, []float64{7, 1}, []float64{all["g{}"], all[`i{version="1"}`]})
	})
}

// Callers that choose the values of labels do not fill the memory.
func TestSeriesAreLimited(t *testing.T) {
	var r Registry
	c := r.Counter("c_total", "Counts.", "a", "b")
	for i := range maxSeries + 50 {
		c.Add(1, fmt.Sprint(i), "x")
	}
	all := read(t, string(r.Text()))
	require.Len(t, all, maxSeries+1)
	require.Equal(t, 50.0, all[`c_total{a="other",b="other"}`])
}
