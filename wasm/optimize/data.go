package main

// mergeData replaces the data segments of a module by few, and removes what the program does not need from the tables
// of the runtime. It returns the body of the start function that computes some of them, or nil.
func mergeData(sections []section, d detail, keep keptFunctions) (start []byte, err error) {
	for i, s := range sections {
		if s.id != dataSection {
			continue
		}
		memory, err := readMemory(s.body)
		if err != nil {
			return nil, err
		}
		if _, err := memory.prune(d, keep); err != nil {
			return nil, err
		}
		if start, err = memory.clearComputed(); err != nil {
			return nil, err
		}
		if d == withoutNames && !keep.floats {
			memory.clearPowers()
		}
		sections[i].body = memory.dataSection()
	}
	return start, nil
}
