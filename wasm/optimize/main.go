package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
)

func main() {
	verbose := flag.Bool("v", false, "print which functions were left unchanged")
	lines := flag.Bool("lines", false, "keep the line numbers of tracebacks")
	nameless := flag.Bool("nameless", false, "remove the names of functions and the tracebacks, which print them, too")
	bySize := flag.Bool("sizes", false, "print the size of the result by part: code by package, data by table")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: optimize [-v] [-lines | -nameless] [-sizes] FILE.wasm")
	}
	flag.Parse()
	if flag.NArg() != 1 || *lines && *nameless {
		flag.Usage()
		os.Exit(2)
	}
	d := withNames
	switch {
	case *lines:
		d = withLines
	case *nameless:
		d = withoutNames
	}
	report, before, after, err := optimizeFile(flag.Arg(0), d)
	if errors.Is(err, errUntested) {
		fmt.Fprintln(os.Stderr, "warning:", err)
		return
	}
	var table string
	if err == nil && *bySize {
		table, err = sizeTable(before, after)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if *verbose {
		fmt.Print(report)
	}
	fmt.Print(table)
}

// optimizeFile rewrites a file. It returns its content before and after. On failure the file is unchanged.
func optimizeFile(path string, d detail) (report *report, before, after []byte, err error) {
	before, err = os.ReadFile(path)
	if err != nil {
		return nil, nil, nil, err
	}
	after, report, err = optimize(before, d)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("cannot optimize %s: %w", path, err)
	}
	return report, before, after, os.WriteFile(path, after, 0o755)
}

func optimize(module []byte, d detail) ([]byte, *report, error) {
	sections, err := splitSections(module)
	if err != nil {
		return nil, nil, err
	}
	if err := checkGoVersion(sections); err != nil {
		return nil, nil, err
	}
	keep, err := readKept(sections)
	if err != nil {
		return nil, nil, err
	}
	report, err := rewriteCode(sections, d, keep)
	if err != nil {
		return nil, nil, err
	}
	start, err := mergeData(sections, d, keep)
	if err != nil {
		return nil, nil, err
	}
	if sections, err = addStart(sections, start); err != nil {
		return nil, nil, err
	}
	sections = slices.DeleteFunc(sections, func(s section) bool { return s.id == customSection })
	return joinSections(sections), report, nil
}
