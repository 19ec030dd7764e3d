package bpe

// Formed is formed, with each change as the four offsets that it is.
func (v *Vocabulary) Formed(text string) (form string, changes [][4]int) {
	form, list := v.formed(text)
	for _, c := range list {
		changes = append(changes, [4]int{c.text, c.textEnd, c.form, c.formEnd})
	}
	return form, changes
}

// Work returns how many steps merging has taken.
func (c *Counter) Work() int { return c.merger.work }

// Checksum is checksum, for tests that alter what it covers.
func Checksum(data []byte) uint64 { return checksum(string(data)) }
