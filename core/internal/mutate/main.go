//go:build !js

package main

import (
	_ "embed"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed equivalent.txt
var equivalent string

func main() {
	pkg := flag.String("package", "", "the one package to change, relative to the module (all targets)")
	files := flag.String("files", "", "patterns of the files to change, with commas between (those of the target)")
	tests := flag.String("tests", "",
		"the packages whose tests may kill, with commas between (those of the target, or its own)")
	sample := flag.Int("sample", 200, "how many mutants of a package to try, 0 for all")
	seed := flag.Uint64("seed", 1, "draws the sample")
	slowest := flag.Duration("slowest", 3*time.Second, "do not use tests that take longer than this")
	checks := flag.Int("checks", 100, "how often rapid tries each property")
	short := flag.Bool("short", false, "run the tests with -short")
	workers := flag.Int("workers", runtime.NumCPU(), "how many mutants are tried at a time")
	verbose := flag.Bool("v", false, "print each mutant as soon as it was tried, and which test killed it")
	flag.Parse()

	root, err := os.Getwd()
	if err == nil {
		_, err = os.Stat("go.mod")
	}
	known, problems := readEquivalent(equivalent)
	if err == nil && len(problems) > 0 {
		err = fmt.Errorf("cannot read equivalent.txt: %s", strings.Join(problems, "; "))
	}
	if err != nil {
		fail(err)
	}
	chosen := targets
	if *pkg != "" {
		chosen = []target{{pkg: *pkg, tests: []string{*pkg}}}
		if i := slices.IndexFunc(targets, func(t target) bool { return t.pkg == *pkg }); i >= 0 {
			chosen[0] = targets[i]
		}
	}
	var rows []string
	for _, t := range chosen {
		if *files != "" {
			t.files = strings.Split(*files, ",")
		}
		if *tests != "" {
			t.tests = strings.Split(*tests, ",")
		}
		row, err := try(root, t, known, options{*sample, *seed, *slowest, *checks, *short, *workers, *verbose})
		if err != nil {
			fail(err)
		}
		rows = append(rows, row)
	}
	fmt.Printf("\n%-22s %8s %8s %8s %9s %8s\n", "package", "mutants", "tried", "killed", "survived", "killed %")
	fmt.Println(strings.Join(rows, "\n"))
	if *pkg == "" && *files == "" {
		for key := range known {
			if !known[key].used {
				fail(fmt.Errorf("cannot find the mutant of an entry in equivalent.txt, remove it: %s", key))
			}
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

type options struct {
	sample  int
	seed    uint64
	slowest time.Duration
	checks  int
	short   bool
	workers int
	verbose bool
}

// try measures one target, prints its survivors and returns its row of the table.
func try(root string, t target, known map[string]*entry, o options) (string, error) {
	fmt.Printf("→ %s: building …\n", t.pkg)
	fates, all, err := measure(root, t, known, o)
	if err != nil {
		return "", err
	}
	killed := 0
	for _, f := range fates {
		if f.by != "" {
			killed++
		} else {
			fmt.Println(f)
		}
	}
	permille := killed * 1000 / max(1, len(fates))
	return fmt.Sprintf("%-22s %8d %8d %8d %9d %6d.%d", t.pkg, all, len(fates), killed, len(fates)-killed, permille/10,
		permille%10), nil
}

// String is the line of the report.
func (f fate) String() string {
	name := "survived "
	switch {
	case f.by != "":
		name = "killed   "
	case !f.reached:
		name = "unreached"
	}
	by := f.by
	if by != "" {
		by = "  (" + by + ")"
	}
	return fmt.Sprintf("  %s %s:%d  %s: %s%s", name, f.file, f.line, f.in, f.change, by)
}

// measure returns the fates of the sample, in order of the source, and how many mutants there are.
func measure(root string, t target, known map[string]*entry, o options) ([]fate, int, error) {
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(work)
	mutants, programs, err := build(root, work, t, o)
	if err != nil {
		return nil, 0, err
	}
	for i := range programs {
		p := &programs[i]
		p.all = slices.DeleteFunc(p.all, func(test string) bool { return slices.Contains(t.without, test) })
		if err := p.measure(work, o.workers); err != nil {
			return nil, 0, err
		}
		if len(p.cost) == 0 { // all mutants would count as survivors
			return nil, 0, fmt.Errorf("cannot use the tests of %s: none passes without a mutant", p.pkg)
		}
		if len(p.failed) > 0 {
			fmt.Printf("  not used, they fail in the instrumented build of %s: %s\n", p.pkg, strings.Join(p.failed, ", "))
		}
		for _, test := range p.all {
			if p.cost[test] > o.slowest {
				fmt.Printf("  not used, it takes %.1f s: %s\n", p.cost[test].Seconds(), p.pkg+" "+test)
			}
		}
	}
	mutants = slices.DeleteFunc(mutants, func(m mutant) bool {
		e, ok := known[m.key()]
		if ok {
			e.used = true
		}
		return ok
	})
	all := len(mutants)
	if o.sample > 0 && o.sample < len(mutants) {
		random := rand.New(rand.NewPCG(o.seed, 0))
		random.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
		mutants = mutants[:o.sample]
	}
	h := &hunt{programs: programs, slowest: o.slowest, kills: map[string]int{}}
	var mu sync.Mutex
	var fates []fate
	start := time.Now()
	each(mutants, o.workers, func(m mutant) {
		f := h.try(m)
		mu.Lock()
		defer mu.Unlock()
		fates = append(fates, f)
		if o.verbose {
			fmt.Fprintln(os.Stderr, f)
		}
		if len(fates)%50 == 0 {
			fmt.Fprintf(os.Stderr, "  %d of %d mutants of %s, %.0f s\n", len(fates), len(mutants), filepath.ToSlash(t.pkg),
				time.Since(start).Seconds())
		}
	})
	slices.SortFunc(fates, func(a, b fate) int { return a.id - b.id })
	return fates, all, nil
}
