package summarize

// rankOf packs a gain and the index of a unit into a number: the highest gain is the lowest number, and of equal gains
// the lowest index.
func rankOf(gain int, unit int32) uint64 {
	return uint64(^uint32(min(gain, 1<<32-1)))<<32 | uint64(unit)
}

// ofRank is the inverse of rankOf.
func ofRank(rank uint64) (gain int, unit int32) { return int(^uint32(rank >> 32)), int32(rank) }

const (
	taken    = 255
	maxTries = 6 // how often a unit is put back because others covered some of its atoms: keeps the choice linear
)
