package main

import (
	"errors"
	"fmt"
	"go/version"
	"strings"
)

// The Go releases whose output this command was tested with: from the oldest one to all of the newest minor version.
// The order is that of go/version: 1.26rc1 is before 1.26.0.
const (
	oldestGo = "go1.26.0"
	newestGo = "go1.27"
)

// errUntested is the error for a module of another Go release. main prints it as a warning, and the file is unchanged.
var errUntested = errors.New("the file stays as Go linked it, larger and slower")

// checkGoVersion returns an errUntested unless the module was built by a Go release in the tested range.
func checkGoVersion(sections []section) error {
	built, err := goVersion(sections)
	if err != nil {
		return err
	}
	release, _, _ := strings.Cut(built, " ") // GOEXPERIMENT settings follow after a space
	if version.IsValid(release) && version.Compare(release, oldestGo) >= 0 &&
		version.Compare(version.Lang(release), newestGo) <= 0 {
		return nil
	}
	return fmt.Errorf("%w: it was built by %q, and this command was tested with %s to %s only; to add a release, "+
		"extend the range in version.go, then run this package's tests and those of the program", errUntested, built,
		oldestGo, newestGo)
}

// goVersion returns the version in the producers section, which the Go linker writes into every module.
func goVersion(sections []section) (string, error) {
	for _, s := range sections {
		r := reader{rest: s.body}
		if s.id != customSection || r.string() != "producers" {
			continue
		}
		for range r.count() {
			field := r.string()
			for range r.count() {
				name, text := r.string(), r.string()
				if r.failed {
					return "", errModule
				}
				if field == "language" && name == "Go" {
					return text, nil
				}
			}
		}
	}
	return "", fmt.Errorf("%w: no producers section names a Go version", errModule)
}
