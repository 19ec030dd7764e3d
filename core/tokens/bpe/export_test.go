package bpe

// ReplaceInvalid is replaceInvalid.
func ReplaceInvalid(text string) (valid string, replaced []int) { return replaceInvalid(text) }

// Work returns how many steps merging has taken.
func (c *Counter) Work() int { return c.merger.work }

// Checksum is checksum, for tests that alter a file.
func Checksum(data []byte) uint64 { return checksum(string(data)) }
