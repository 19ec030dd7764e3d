package main

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShadows(t *testing.T) {
	source := `package p
import ("a/plan"; names "a/words"; "fmt"; _ "a/hidden")
type steps struct{ plan func(fmt int) }              // a field and a type hide nothing
func f(plan *plan.Plan) (words int) { return 0 }     // plan
func g() {
	plan, err := plan.New()                          // plan
	for names, _ := range names.All() { _ = names }  // names
	var fmt = err                                    // fmt
	_ = func(plan int) {}                            // plan
	p := plan
	_, p = p, fmt
}`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.SkipObjectResolution)
	require.NoError(t, err)
	var found []string
	for _, at := range shadows(file) {
		found = append(found, at.Name)
	}
	require.Equal(t, []string{"plan", "plan", "names", "fmt", "plan"}, found)
}
