// Package metrics counts what a server does, and writes it in the text format of Prometheus
// (https://prometheus.io/docs/instrumenting/exposition_formats), by the conventions of its client libraries. It is no
// client library: a registry has counters, histograms and gauges that are read when they are written, and no more. It
// is safe for concurrent use. Start with Registry.
//
// It is not a part of the API (see package core).
package metrics

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ContentType is that of Registry.Text.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// maxSeries is the number of label sets that a metric has at most, since callers choose some of the values, such as the
// model. Further ones are counted together, with the value "other" for each label.
const maxSeries = 500

// Registry has the metrics of a server. Its zero value is ready.
type Registry struct {
	mu  sync.Mutex
	all []*Metric
}

// Metric is a counter or a histogram with a value for each set of labels.
type Metric struct {
	registry         *Registry
	name, help, kind string
	labels           []string
	bounds           []float64      // of a histogram, in increasing order
	read             func() float64 // of a gauge
	series           map[string]*series
}

type series struct {
	values  []string // of the labels
	sum     float64  // the value of a counter
	count   uint64
	buckets []uint64 // of a histogram: the observations up to each bound, above the one before
}

// Counter adds a counter. By convention its name ends in _total.
func (r *Registry) Counter(name, help string, labels ...string) *Metric {
	return r.add(&Metric{name: name, help: help, kind: "counter", labels: labels})
}

// Histogram adds a histogram with these upper bounds of buckets, in increasing order; the last bucket has no bound.
func (r *Registry) Histogram(name, help string, bounds []float64, labels ...string) *Metric {
	return r.add(&Metric{name: name, help: help, kind: "histogram", labels: labels, bounds: bounds})
}

// Gauge adds a gauge that is read when the metrics are written. read must not use the registry.
func (r *Registry) Gauge(name, help string, read func() float64) {
	r.add(&Metric{name: name, help: help, kind: "gauge", read: read})
}

// Constant adds a gauge of value 1 whose labels, as name and value in turn, are the information.
func (r *Registry) Constant(name, help string, labels ...string) {
	m := r.add(&Metric{name: name, help: help, kind: "gauge"})
	var values []string
	for i := 0; i < len(labels); i += 2 {
		m.labels, values = append(m.labels, labels[i]), append(values, labels[i+1])
	}
	m.Add(1, values...)
}

func (r *Registry) add(m *Metric) *Metric {
	r.mu.Lock()
	defer r.mu.Unlock()
	m.registry, m.series = r, map[string]*series{}
	r.all = append(r.all, m)
	return m
}

// Add adds to a counter, or observes a value of a histogram. values are those of the labels, in their order.
func (m *Metric) Add(value float64, values ...string) {
	m.registry.mu.Lock()
	defer m.registry.mu.Unlock()
	s := m.of(values)
	s.sum += value
	s.count++
	if i, _ := slices.BinarySearch(m.bounds, value); i < len(m.bounds) {
		s.buckets[i]++
	}
}

func (m *Metric) of(values []string) *series {
	key := strings.Join(values, "\x00")
	s := m.series[key]
	if s == nil && len(m.series) >= maxSeries {
		values = slices.Repeat([]string{"other"}, len(values))
		key = strings.Join(values, "\x00")
		s = m.series[key]
	}
	if s == nil {
		s = &series{values: slices.Clone(values), buckets: make([]uint64, len(m.bounds))}
		m.series[key] = s
	}
	return s
}

// Text writes all metrics, in the order in which they were added; the series of one are sorted by their labels.
func (r *Registry) Text() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b []byte
	for _, m := range r.all {
		b = append(b, "# HELP "+m.name+" "+m.help+"\n# TYPE "+m.name+" "+m.kind+"\n"...)
		if m.read != nil {
			b = line(b, m.name, nil, nil, m.read())
		}
		for _, key := range slices.Sorted(maps.Keys(m.series)) {
			b = m.write(b, m.series[key])
		}
	}
	return b
}

func (m *Metric) write(b []byte, s *series) []byte {
	if m.kind != "histogram" {
		return line(b, m.name, m.labels, s.values, s.sum)
	}
	labels, below := append(slices.Clone(m.labels), "le"), uint64(0)
	for i, bound := range m.bounds {
		below += s.buckets[i]
		b = line(b, m.name+"_bucket", labels, append(slices.Clone(s.values), number(bound)), float64(below))
	}
	b = line(b, m.name+"_bucket", labels, append(slices.Clone(s.values), "+Inf"), float64(s.count))
	b = line(b, m.name+"_sum", m.labels, s.values, s.sum)
	return line(b, m.name+"_count", m.labels, s.values, float64(s.count))
}

// escape writes the value of a label.
var escape = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func line(b []byte, name string, labels, values []string, value float64) []byte {
	b = append(b, name...)
	for i, label := range labels {
		b = append(b, "{,"[min(i, 1)])
		b = append(b, label+`="`+escape.Replace(strings.ToValidUTF8(values[i], "\uFFFD"))+`"`...)
	}
	if len(labels) > 0 {
		b = append(b, '}')
	}
	return append(b, " "+number(value)+"\n"...)
}

func number(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }
