package main

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"
)

// The twin writes the fields of a window in their order, and takes the arguments that the function in Go has.
func TestWindowIsWhatItsTwinWrites(t *testing.T) {
	file, err := goparser.ParseFile(token.NewFileSet(), "../../core/tokens/estimate_window.go", nil, 0)
	require.NoError(t, err)
	var fields, arguments []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if n.Name.Name == "window" {
				fields = namesOf(t, n.Type.(*ast.StructType).Fields, "uint64")
			}
		case *ast.FuncDecl:
			if n.Name.Name == "read" {
				require.Nil(t, n.Type.Results)
				require.Equal(t, "window", n.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name)
				arguments = namesOf(t, n.Type.Params, "string", "int")
			}
		}
		return true
	})
	var kinds []string
	for _, kind := range windowKinds {
		kinds = append(kinds, kind.name)
	}
	require.Equal(t, kinds, fields)
	require.Equal(t, []string{"s", "i"}, arguments)
}

// namesOf returns the names of a list, which are of these types, or all of the last.
func namesOf(t *testing.T, list *ast.FieldList, types ...string) []string {
	var names []string
	for i, field := range list.List {
		require.Equal(t, types[min(i, len(types)-1)], field.Type.(*ast.Ident).Name)
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	return names
}
