package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
)

func main() {
	verbose := flag.Bool("v", false, "print which functions were left unchanged")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: optimize [-v] FILE.wasm")
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	report, err := optimizeFile(flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if *verbose {
		fmt.Print(report)
	}
}

// optimizeFile rewrites a file. On failure the file is unchanged.
func optimizeFile(path string) (*report, error) {
	module, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	module, report, err := optimize(module)
	if err != nil {
		return nil, fmt.Errorf("cannot optimize %s: %w", path, err)
	}
	return report, os.WriteFile(path, module, 0o755)
}

func optimize(module []byte) ([]byte, *report, error) {
	sections, err := splitSections(module)
	if err != nil {
		return nil, nil, err
	}
	if err := checkGoVersion(sections); err != nil {
		return nil, nil, err
	}
	report, err := rewriteCode(sections)
	if err != nil {
		return nil, nil, err
	}
	if err := mergeData(sections); err != nil {
		return nil, nil, err
	}
	sections = slices.DeleteFunc(sections, func(s section) bool { return s.id == customSection })
	return joinSections(sections), report, nil
}
