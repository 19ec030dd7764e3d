// Command shadow lists the variables that hide a package which their file imports, such as plan in
// "plan, err := plan.New(c)": below that line the package cannot be used. `make lint` runs it.
//
//	go -C tools run ./shadow ../FOLDER…     # exit code 1 if there is one
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

func main() {
	found := 0
	set := token.NewFileSet()
	for _, folder := range os.Args[1:] {
		err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
				return err
			}
			file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, at := range shadows(file) {
				fmt.Printf("%s: %s hides the package of that name\n", set.Position(at.Pos()), at.Name)
				found++
			}
			return nil
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if found > 0 {
		os.Exit(1)
	}
}

// shadows returns the parameters, results and variables of the functions of a file that have the name of a package that
// it imports.
func shadows(file *ast.File) (found []*ast.Ident) {
	imported := map[string]bool{}
	for _, i := range file.Imports {
		if i.Name != nil {
			imported[i.Name.Name] = true
		} else {
			imported[path.Base(strings.Trim(i.Path.Value, `"`))] = true
		}
	}
	add := func(e ast.Expr) {
		if name, ok := e.(*ast.Ident); ok && name.Name != "_" && imported[name.Name] {
			found = append(found, name)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, e := range n.Lhs {
					add(e)
				}
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				add(n.Key)
				add(n.Value)
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				add(name)
			}
		case *ast.FuncDecl:
			addFields(n.Recv, add)
			addFields(n.Type.Params, add)
			addFields(n.Type.Results, add)
		case *ast.FuncLit:
			addFields(n.Type.Params, add)
			addFields(n.Type.Results, add)
		}
		return true
	})
	return found
}

func addFields(list *ast.FieldList, add func(ast.Expr)) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, name := range f.Names {
			add(name)
		}
	}
}
