//go:build !js

package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A mutant is one change to the source that the instrumented package can switch on.
type mutant struct {
	id     int    // from 1, in order of the source
	file   string // relative to the root of the module
	line   int
	in     string // the function that is changed
	change string // the change in one line
}

// key names the mutant in equivalent.txt. It survives that lines are moved.
func (m mutant) key() string { return m.file + ": " + m.in + ": " + m.change }

// An edit inserts text at an offset of the source in place of skip bytes.
type edit struct {
	at, skip int
	text     string
}

// source is one file while its mutants are collected.
type source struct {
	name    string // relative to the root of the module
	fset    *token.FileSet
	file    *ast.File
	text    []byte
	info    *types.Info
	next    *int // the id of the next mutant, shared by the files of a package
	skip    map[int]bool
	mutants []mutant
	edits   []edit
	opens   map[ast.Node]string
	closes  map[ast.Node]string
	names   map[string]int // how often a key was used
	in      string
}

// instrument returns the source with its mutants compiled in, and the mutants. Those whose line is in skip are left
// out.
func (s *source) instrument() ([]byte, []mutant) {
	s.opens, s.closes, s.names = map[ast.Node]string{}, map[ast.Node]string{}, map[string]int{}
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			s.in = f.Name.Name
			if f.Recv != nil {
				s.in = strings.TrimLeft(s.show(f.Recv.List[0].Type), "*") + "." + s.in
			}
			s.walk(f.Body, f.Type)
		}
	}
	return s.apply(), s.mutants
}

// walk collects the mutants below a node. results is the type of the function that holds it.
func (s *source) walk(root ast.Node, f *ast.FuncType) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			s.walk(n.Body, n.Type)
			return false
		case *ast.CallExpr:
			return !s.onlyReserves(n)
		case *ast.IfStmt:
			s.condition(n.Cond, n.Body, true)
		case *ast.ForStmt:
			if n.Cond != nil {
				s.condition(n.Cond, n.Body, false)
			}
		case *ast.SwitchStmt:
			if n.Tag == nil {
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						s.condition(e, &ast.BlockStmt{List: c.(*ast.CaseClause).Body}, true)
					}
				}
			}
		case *ast.BinaryExpr:
			s.binary(n)
		case *ast.ReturnStmt:
			s.results(n, f)
		case *ast.BlockStmt:
			s.statements(n.List)
		case *ast.CaseClause:
			s.statements(n.Body)
		case *ast.CommClause:
			s.statements(n.Body)
		}
		return true
	})
}

// add makes a mutant of a node: around it goes open, with %d for the mutant's id, and end. It reports whether it did.
func (s *source) add(n ast.Node, open, end, change string) bool {
	line := s.fset.Position(n.Pos()).Line
	if s.skip[line] {
		return false
	}
	name := s.in + change
	s.names[name]++
	if k := s.names[name]; k > 1 {
		change += fmt.Sprintf(" (%d)", k)
	}
	*s.next++
	s.mutants = append(s.mutants, mutant{id: *s.next, file: s.name, line: line, in: s.in, change: change})
	// The mutant that was added first lies closest to the node.
	s.opens[n] = strings.ReplaceAll(open, "%d", fmt.Sprint(*s.next)) + s.opens[n]
	s.closes[n] += strings.ReplaceAll(end, "%d", fmt.Sprint(*s.next))
	return true
}

// condition of a branch: the other way round, or never.
func (s *source) condition(e ast.Expr, body *ast.BlockStmt, negate bool) {
	if !s.isBool(e) {
		return
	}
	if negate {
		s.negate(e)
	}
	if !onlyPanics(body) {
		s.add(e, "((", ") && !mutantOn(%d))", s.show(e)+" → false")
	}
}

func (s *source) negate(e ast.Expr) {
	s.add(e, "((", ") != mutantOn(%d))", "negate "+s.show(e))
}

// The operator that takes the place of another, and the helper that does it.
var operators = map[token.Token]struct{ other, helper string }{
	token.LSS: {"<=", "mutantLess"},
	token.LEQ: {"<", "mutantLessEqual"},
	token.GTR: {">=", "mutantGreater"},
	token.GEQ: {">", "mutantGreaterEqual"},
	token.ADD: {"-", "mutantAdd"},
	token.SUB: {"+", "mutantSub"},
	token.MUL: {"/", "mutantMul"},
	token.QUO: {"*", "mutantQuo"},
}

func (s *source) binary(n *ast.BinaryExpr) {
	if t, ok := s.info.Types[n]; !ok || t.Value != nil {
		return // a constant
	}
	change := func(other string) string { return s.show(n) + " → " + s.show(n.X) + " " + other + " " + s.show(n.Y) }
	switch n.Op {
	case token.LAND, token.LOR:
		if !s.isBool(n.X) || !s.isBool(n.Y) {
			return
		}
		// a || b is !(!a && !b), so the operator changes where both operands and the result are negated.
		other, open, end := "||", "((", ") || mutantOn(%d))" // the operand is always true: it does not count
		if n.Op == token.LOR {
			other, open, end = "&&", "((", ") && !mutantOn(%d))"
		}
		for _, operand := range []ast.Expr{n.X, n.Y} {
			s.add(operand, open, end, s.show(n)+" without "+s.show(operand))
		}
		if s.add(n, "((", ") != mutantOn(%d))", change(other)) {
			id := fmt.Sprint(*s.next)
			for _, operand := range []ast.Expr{n.X, n.Y} {
				s.opens[operand] = "((" + s.opens[operand]
				s.closes[operand] += ") != mutantOn(" + id + "))"
			}
		}
	case token.EQL, token.NEQ:
		if _, taken := s.opens[n]; !taken && s.isBool(n) {
			s.negate(n)
		}
	default:
		op, ok := operators[n.Op]
		basic, isBasic := s.info.TypeOf(n.X).Underlying().(*types.Basic)
		if !ok || !isBasic || isTypeParam(s.info.TypeOf(n.X)) {
			return
		}
		arithmetic := n.Op == token.ADD || n.Op == token.SUB || n.Op == token.MUL || n.Op == token.QUO
		if arithmetic && basic.Info()&types.IsInteger == 0 || basic.Info()&types.IsOrdered == 0 {
			return
		}
		// A helper in place of the operator evaluates both operands once. It lies inside of what a condition added before.
		if before, after := s.opens[n], s.closes[n]; s.swap(n, op.helper, change(op.other)) {
			s.opens[n] = before + s.opens[n]
			s.closes[n] += after
			s.edits = append(s.edits, edit{at: s.offset(n.OpPos), skip: len(n.Op.String()), text: ","})
		}
	}
}

func (s *source) swap(n *ast.BinaryExpr, helper, change string) bool {
	before, after := s.opens[n], s.closes[n]
	s.opens[n], s.closes[n] = "", ""
	if s.add(n, helper+"(%d, ", ")", change) {
		return true
	}
	s.opens[n], s.closes[n] = before, after
	return false
}

// results of a function: a truth negated, a number one more, the zero value in place of anything else.
func (s *source) results(n *ast.ReturnStmt, f *ast.FuncType) {
	if f.Results == nil || len(n.Results) == 0 {
		return
	}
	var wanted []ast.Expr
	for _, field := range f.Results.List {
		for range max(1, len(field.Names)) {
			wanted = append(wanted, field.Type)
		}
	}
	if len(wanted) != len(n.Results) {
		return // return f(), where f has more than one result
	}
	for i, e := range n.Results {
		value := s.info.Types[e]
		kind := string(s.text[s.offset(wanted[i].Pos()):s.offset(wanted[i].End())])
		if value.IsNil() || strings.Contains(kind, "\n") || isZero(value.Value) && !isNumber(value.Type) && !s.isBool(e) {
			continue
		}
		if c, ok := ast.Unparen(e).(*ast.CompositeLit); ok && len(c.Elts) == 0 {
			continue
		}
		switch {
		case s.isBool(e):
			s.negate(e)
		case isNumber(s.info.TypeOf(wanted[i])):
			s.add(e, "mutantMore["+kind+"](%d, ", ")", "return "+s.show(e)+" + 1")
		default:
			s.add(e, "mutantZero["+kind+"](%d, ", ")", "return the zero value, not "+s.show(e))
		}
	}
}

// statements that can be left out.
func (s *source) statements(list []ast.Stmt) {
	for _, stmt := range list {
		switch n := stmt.(type) {
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); !ok || isPanic(call) || s.onlyReserves(call) {
				continue
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE || blank(n) {
				continue
			}
		case *ast.BranchStmt:
			if n.Tok != token.BREAK && n.Tok != token.CONTINUE {
				continue
			}
		case *ast.IncDecStmt, *ast.DeferStmt:
		default:
			continue
		}
		s.add(stmt, "if !mutantOn(%d) { ", " }", "remove "+s.show(stmt))
	}
}

// onlyReserves tells a call whose numbers say only how much memory to reserve.
func (s *source) onlyReserves(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name == "Grow"
	case *ast.Ident:
		if f.Name == "make" && len(call.Args) == 2 {
			_, isMap := s.info.TypeOf(call.Args[0]).Underlying().(*types.Map)
			return isMap
		}
		return f.Name == "make" && len(call.Args) == 3
	}
	return false
}

func onlyPanics(body *ast.BlockStmt) bool {
	if len(body.List) != 1 {
		return false
	}
	e, ok := body.List[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	return ok && isPanic(call)
}

func isPanic(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.Ident)
	return ok && f.Name == "panic"
}

func blank(n *ast.AssignStmt) bool {
	return !slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool {
		name, ok := e.(*ast.Ident)
		return !ok || name.Name != "_"
	})
}

func (s *source) isBool(e ast.Expr) bool {
	t := s.info.TypeOf(e)
	return t != nil && (types.Identical(t, types.Typ[types.Bool]) || types.Identical(t, types.Typ[types.UntypedBool]))
}

func isTypeParam(t types.Type) bool {
	_, ok := t.(*types.TypeParam)
	return ok
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && !isTypeParam(t) && b.Info()&types.IsInteger != 0
}

func isZero(v constant.Value) bool {
	if v == nil {
		return false
	}
	return v.Kind() == constant.String && constant.StringVal(v) == ""
}

// show is the source of a node in one line of bounded length.
func (s *source) show(n ast.Node) string {
	text := []rune(strings.Join(strings.Fields(string(s.text[s.offset(n.Pos()):s.offset(n.End())])), " "))
	if len(text) > 80 {
		text = append(text[:79:79], '…')
	}
	return string(text)
}

func (s *source) offset(p token.Pos) int { return s.fset.Position(p).Offset }

// apply writes the edits into the source: around a node that lies in another, inside of what goes around the other.
func (s *source) apply() []byte {
	var edits []edit
	var stack []ast.Node
	ast.Inspect(s.file, func(n ast.Node) bool {
		if n != nil {
			stack = append(stack, n)
			if text := s.opens[n]; text != "" {
				edits = append(edits, edit{at: s.offset(n.Pos()), text: text})
			}
			return true
		}
		n = stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if text := s.closes[n]; text != "" {
			edits = append(edits, edit{at: s.offset(n.End()), text: text})
		}
		return true
	})
	edits = append(edits, s.edits...) // an operator follows what closes its left operand
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, s.text[at:e.at]...), e.text...)
		at = e.at + e.skip
	}
	return append(out, s.text[at:]...)
}
