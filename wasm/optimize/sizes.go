package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A part is a share of a module, for the table that -sizes prints.
type part struct {
	name    string
	bytes   []byte
	smaller int // size of bytes if they are compressed alone (gzip -9)
}

// sizeTable lists the parts of an optimized module. before is the module before its names were removed.
func sizeTable(before, after []byte) (string, error) {
	named, err := splitSections(before)
	if err != nil {
		return "", err
	}
	symbols, err := readSymbols(named)
	if err != nil {
		return "", err
	}
	sections, err := splitSections(after)
	if err != nil {
		return "", err
	}
	parts, err := sizes(sections, symbols)
	if err != nil {
		return "", err
	}
	return table(parts), nil
}

// sizes returns the parts of a module, the largest first: the code by package, the data by the linker's tables, and the
// other sections.
func sizes(sections []section, symbols *symbols) ([]part, error) {
	var parts, other []part
	for _, s := range sections {
		switch s.id {
		case codeSection:
			code, err := codeByPackage(s.body, symbols)
			if err != nil {
				return nil, err
			}
			parts = append(parts, code...)
		case dataSection:
			memory, err := readMemory(s.body)
			if err != nil {
				return nil, err
			}
			parts = append(parts, memory.byTable()...)
		default:
			other = append(other, part{name: "other sections", bytes: s.body})
		}
	}
	if len(other) > 0 {
		for _, p := range other[1:] {
			other[0].bytes = append(slices.Clone(other[0].bytes), p.bytes...)
		}
		parts = append(parts, other[0])
	}
	for i, p := range parts {
		parts[i].smaller = compressed(p.bytes)
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.smaller, a.smaller) })
	return parts, nil
}

func codeByPackage(body []byte, symbols *symbols) ([]part, error) {
	packages := map[string]*part{}
	r := reader{rest: body}
	for k := range r.count() {
		name := "code " + packageOf(symbols.name(symbols.imported+k))
		if packages[name] == nil {
			packages[name] = &part{name: name}
		}
		packages[name].bytes = append(packages[name].bytes, r.take(r.uleb())...)
		if r.failed {
			return nil, errModule
		}
	}
	var parts []part
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		parts = append(parts, *packages[name])
	}
	return parts, nil
}

// packageOf returns the package of a function's name, in which the linker has replaced each slash by _. A name without
// a package is one of the runtime's assembly.
func packageOf(function string) string {
	host := ""
	for _, h := range []string{"github.com_", "golang.org_", "pgregory.net_"} {
		if strings.HasPrefix(function, h) {
			host, function = h, function[len(h):]
		}
	}
	name, _, found := strings.Cut(function, ".")
	if !found {
		return "runtime"
	}
	if name == "type_" { // equality and hash functions that the compiler generates
		return "of types"
	}
	return strings.ReplaceAll(host+name, "_", "/")
}

// byTable splits the data at the addresses in the runtime's moduledata: see runtime/symtab.go for their meaning.
// Without a moduledata the data is one part.
func (m memory) byTable() []part {
	d, found := m.moduleData()
	if !found {
		return []part{{name: "data", bytes: m.bytes[m.start:]}}
	}
	word := func(k int) int { return int(d.word(k)) }
	variables := "data variables"
	if d.records == recordsGo127 { // where the types moved, too
		variables = "data types and variables"
	}
	bounds := []struct {
		name string
		to   int
	}{
		{"data types, strings, constants", word(headerWord)},
		{"data names of functions", word(unitsWord)},
		{"data names of files", word(tablesWord)},
		{"data lines by instruction", word(functionsWord)},
		{"data functions", word(d.records)},
		{"data stack maps", word(indexWord)},
		{"data function by instruction", word(d.end())},
		{variables, len(m.bytes)},
	}
	var parts []part
	from := m.start
	for _, b := range bounds {
		if b.to < from || b.to > len(m.bytes) {
			return []part{{name: "data", bytes: m.bytes[m.start:]}}
		}
		parts = append(parts, part{name: b.name, bytes: m.bytes[from:b.to]})
		from = b.to
	}
	return parts
}

func compressed(raw []byte) int {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	_, _ = w.Write(raw) // a bytes.Buffer does not fail
	_ = w.Close()
	return out.Len()
}

// table lists the parts; those that have less than a permille of the bytes are summed.
func table(parts []part) string {
	var b strings.Builder
	line := func(name string, size, smaller int) { fmt.Fprintf(&b, "%-40s %10d %10d\n", name, size, smaller) }
	fmt.Fprintf(&b, "%-40s %10s %10s\n", "part", "bytes", "gzip alone")
	all, allSmaller, few, fewSmaller := 0, 0, 0, 0
	for _, p := range parts {
		all += len(p.bytes)
		allSmaller += p.smaller
	}
	for _, p := range parts {
		if len(p.bytes) < all/1000 {
			few += len(p.bytes)
			fewSmaller += p.smaller
			continue
		}
		line(p.name, len(p.bytes), p.smaller)
	}
	line("parts under 0.1 %", few, fewSmaller)
	line("sum", all, allSmaller)
	return b.String()
}
