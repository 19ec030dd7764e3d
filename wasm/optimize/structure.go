package main

import "encoding/binary"

// structureCode writes the functions of a module anew.
func structureCode(sections []section) error {
	names, err := readNames(sections)
	if err != nil {
		return err
	}
	for i, s := range sections {
		if s.id != codeSection {
			continue
		}
		r := reader{rest: s.body}
		count := r.number()
		code := binary.AppendUvarint(nil, count)
		for range count {
			body := names.structure(r.take(r.number()))
			code = binary.AppendUvarint(code, uint64(len(body)))
			code = append(code, body...)
		}
		if r.short || len(r.rest) > 0 {
			return errModule
		}
		sections[i].body = code
	}
	return nil
}

// structure writes the body of a function with branches that go where they lead, or leaves it as it is where that cannot be done.
func (n *names) structure(body []byte) []byte {
	f := parse(body, n.panics)
	if f == nil || n.defers(f) || !newGraph(f.nodes).reducible() || !f.enter() {
		return body
	}
	return newWriter(f, newGraph(f.nodes)).write()
}
