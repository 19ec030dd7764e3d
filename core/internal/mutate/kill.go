//go:build !js

package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// What a run of tests may use before it counts as one that does not end. Time is of the processor, so that a machine
// with other work on it gives the same answer: five times of what the tests cost, and two seconds. Memory because a
// loop that appends forever would take all of it first.
const (
	maxKB   = 6 << 20
	maxWait = 2 * time.Minute
)

// Tests up to this time run in one process, the others one by one, as a process costs about as much.
const cheap = 150 * time.Millisecond

// execute runs some tests of a program with a mutant switched on, and reports whether all pass, which one did not, and
// the time of the processor that it took.
func (p program) execute(tests []string, limit time.Duration, env ...string) (bool, string, time.Duration) {
	ctx, stop := context.WithTimeout(context.Background(), maxWait)
	defer stop()
	limits := fmt.Sprintf("ulimit -t %d; ulimit -v %d 2>/dev/null; exec \"$@\"", int(limit.Seconds()+1), maxKB)
	args := []string{"-c", limits, "sh", p.path, "-test.failfast", "-test.run", "^(" + strings.Join(tests, "|") + ")$"}
	c := exec.CommandContext(ctx, "sh", append(args, p.flags...)...)
	c.Dir, c.Env = p.dir, append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	cost := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	if err == nil {
		return true, "", cost
	}
	if m := regexp.MustCompile(`(?m)^\s*--- FAIL: (\w+)`).FindSubmatch(out); m != nil {
		return false, string(m[1]), cost
	}
	if strings.Contains(string(out), "panic: ") {
		return false, "a panic", cost
	}
	return false, "the limits of time and memory", cost
}

// measure runs each test alone with no mutant switched on, and notes its time and the mutants that it reaches.
func (p *program) measure(work string, workers int) error {
	p.cost, p.reach = map[string]time.Duration{}, map[string]map[int]bool{}
	var mu sync.Mutex
	var failure error
	each(p.all, workers, func(test string) {
		file := filepath.Join(work, filepath.Base(p.path)+"."+test)
		err := os.WriteFile(file, nil, 0o644)
		ok, _, cost := p.execute([]string{test}, time.Minute, "MUTANT_REACHED="+file)
		text, readErr := os.ReadFile(file)
		mu.Lock()
		defer mu.Unlock()
		if err = cmp.Or(err, readErr); err != nil {
			failure = err
			return
		}
		if !ok {
			p.failed = append(p.failed, test)
			return
		}
		p.cost[test], p.reach[test] = cost, map[int]bool{}
		for _, id := range strings.Fields(string(text)) {
			n, _ := strconv.Atoi(id)
			p.reach[test][n] = true
		}
	})
	slices.Sort(p.failed)
	return failure
}

// A fate is what became of a mutant.
type fate struct {
	mutant
	reached bool
	by      string // the package and the test that killed it, "" for a survivor
}

// A hunt tries the tests on the mutants, those first that killed often at a low cost.
type hunt struct {
	programs []program
	slowest  time.Duration // a test that costs more is not used
	mu       sync.Mutex
	kills    map[string]int
}

func (h *hunt) try(m mutant) fate {
	f := fate{mutant: m}
	type slow struct {
		p    program
		test string
	}
	var last []slow
	for _, p := range h.programs {
		var quick []string
		for _, test := range p.all {
			cost, ok := p.cost[test]
			switch {
			case !ok || !p.reach[test][m.id] || cost > h.slowest:
			case cost <= cheap:
				quick = append(quick, test)
			default:
				last = append(last, slow{p, test})
			}
		}
		if len(quick) > 0 {
			f.reached = true
			if h.kill(&f, p, quick) {
				return f
			}
		}
	}
	f.reached = f.reached || len(last) > 0
	h.mu.Lock()
	slices.SortStableFunc(last, func(a, b slow) int {
		weight := func(s slow) int64 { return int64(s.p.cost[s.test]) / int64(1+h.kills[s.p.pkg+" "+s.test]) }
		return cmp.Compare(weight(a), weight(b))
	})
	h.mu.Unlock()
	for _, s := range last {
		if h.kill(&f, s.p, []string{s.test}) {
			return f
		}
	}
	return f
}

func (h *hunt) kill(f *fate, p program, tests []string) bool {
	limit := 2 * time.Second
	for _, test := range tests {
		limit += 5 * p.cost[test]
	}
	ok, by, _ := p.execute(tests, limit, "MUTANT="+strconv.Itoa(f.id))
	if ok {
		return false
	}
	f.by = p.pkg + " " + by
	h.mu.Lock()
	h.kills[f.by]++
	h.mu.Unlock()
	return true
}

// each calls do for all items, some at a time.
func each[T any](items []T, workers int, do func(T)) {
	queue := make(chan T)
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for item := range queue {
				do(item)
			}
		})
	}
	for _, item := range items {
		queue <- item
	}
	close(queue)
	running.Wait()
}
