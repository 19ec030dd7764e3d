//go:build !js

// Command mutate measures what the tests check: it makes one small wrong change to the code at a time, a mutant, and
// looks whether a test fails. A mutant that fails a test, panics or does not end is killed. One that passes every test
// survives, and shows a line that could be wrong without any test failing.
//
//	go run ./core/internal/mutate                                    every target of targets.go
//	go run ./core/internal/mutate -package core/msg -files pair.go   one file
//	go run ./core/internal/mutate -package core/format -short        one package, with less input
//
// # How it works
//
// One build holds all mutants of a package: each change is compiled in behind a switch that an environment variable
// sets, so a mutant costs one run of the tests and no build. The changed source goes to the compiler by -overlay, and
// the tree is never touched. A first run of each test alone records which mutants it reaches; later only these tests
// run for a mutant, the cheap ones first. rapid's properties run with a fixed seed and few checks, and the sample of
// mutants is drawn by a fixed seed, so that a run can be repeated.
//
// # What it does not do
//
// It does not change constants, types or declarations, and at most one place at a time. Sizes that only reserve memory
// are left alone, and so are branches that only panic. Only code of the platform it runs on is changed.
//
// A mutant that no test can kill, since the changed program does the same for every valid
// conversation, is listed in equivalent.txt with the reason, and
// not counted. An entry that fits no mutant anymore is an error.
package main
