package main

import "encoding/binary"

// rewriteCode writes the functions of a module anew.
func rewriteCode(sections []section) error {
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
		for i := range count {
			body := r.take(r.number())
			if twin, ok := twins[names.of[names.imported+i]]; ok {
				body = twin
			} else {
				body = names.structure(body)
			}
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
	if f == nil || n.defers(f) || !f.enter() {
		return body
	}
	return newWriter(f, newGraph(f.nodes)).write()
}
