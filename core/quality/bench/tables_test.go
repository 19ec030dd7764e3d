// Package bench measures what compaction keeps, on real conversations and on texts of its own, without a model and
// without a clock. TestTables prints the tables; `make measures` runs it:
//
//	make measures                                    all tables
//	make measures MEASURE=recall ONLY=kimi SET=data  one table, the sessions whose name contains a text, of one set
//	make measures MEASURE=misses HALF=B              one half of the sessions, by a hash of their names
//	make measures SESSIONS=../public                 with the sessions in more folders, separated by colons
//	make measures MEASURE=drift WINDOW=60000         the joined sessions of one window
//	make measures MEASURE=quotes VERBOSE=1           with each case
//	make measures MEASURE=constraints PRESET=harness another preset
//	make measures MEASURE=pages                      no table: the pages from figures.json
//
// The other tests check the measures themselves.
package bench

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// tables are the measures by name, in the order in which they are printed.
var tables = []struct {
	name  string
	print func(t *testing.T)
}{
	{"recall", recallTable}, {"drift", driftTable}, {"constraints", constraintsTable}, {"quotes", quotesTable},
	{"artifacts", artifactsTable}, {"money", moneyTable}, {"bill", billTable}, {"economy", economyTable},
	{"bound", boundTable}, {"misses", missesTable}, {"next", nextTable}, {"pages", func(*testing.T) {}},
}

// TestTables prints the tables that TAMP_MEASURE names, separated by commas; "all" means all of them. With a date in
// TAMP_FIGURES their rows go to figures.json and to the pages.
func TestTables(t *testing.T) {
	asked := os.Getenv("TAMP_MEASURE")
	if asked == "" {
		t.Skip("TAMP_MEASURE names the tables to print, or all")
	}
	names := strings.Split(asked, ",")
	for _, name := range names {
		known := name == "all"
		for _, table := range tables {
			known = known || table.name == name
		}
		if !known {
			t.Fatalf("no measure has the name %q", name)
		}
	}
	for _, table := range tables {
		if slices.Contains(names, "all") || slices.Contains(names, table.name) {
			printHalves(t, table.name, table.print)
		}
	}
	if date := os.Getenv("TAMP_FIGURES"); date != "" && !t.Failed() {
		writeFigures(t, date)
		writePages(t)
	}
}

// printHalves prints a table of all sessions, then of each half of them (halfOf), or of the half that TAMP_HALF names.
// A table that reads no session, or only those of one half, is printed once.
func printHalves(t *testing.T, name string, table func(t *testing.T)) {
	defer func() { onlyHalf = "" }()
	if onlyHalf = os.Getenv("TAMP_HALF"); onlyHalf != "" {
		table(t)
		return
	}
	clear(loaded)
	table(t)
	counts := map[string]int{}
	for session := range loaded {
		counts[halfOf(session)]++
	}
	if min(counts["A"], counts["B"]) == 0 {
		return
	}
	printf("\n→ %s read %d sessions; the same by halves, of %d and %d:", name, len(loaded), counts["A"], counts["B"])
	for _, onlyHalf = range []string{"A", "B"} {
		printf("\n→ half %s:", onlyHalf)
		table(t)
	}
}

func printf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

var verbose = os.Getenv("TAMP_VERBOSE") != ""

// each calls work for the numbers below n, on all processors. Its results must depend on the number only.
func each(n int, work func(i int)) {
	var group sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := range next {
				work(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	group.Wait()
}

// share is a ratio in permille; that of nothing is 0.
func share(part, whole int) int {
	if whole == 0 {
		return 0
	}
	return int(int64(part) * 1000 / int64(whole))
}

func mean(values []int) int {
	sum := 0
	for _, v := range values {
		sum += v
	}
	if len(values) == 0 {
		return 0
	}
	return sum / len(values)
}

// percentile is the smallest value that p percent of the values do not exceed.
func percentile(values []int, p int) int {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min((len(sorted)*p+99)/100, len(sorted))-min(1, len(sorted))]
}

func ratio(permille int) string { return fmt.Sprintf("%.3f", float64(permille)/1000) }
