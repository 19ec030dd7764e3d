package convtest

import "pgregory.net/rapid"

// Dice draws a number from 0 up to, not including, n. The generators of sessions take 0 for the plainest choice, so
// that a failing case shrinks to a plain one.
type Dice func(n int) int

// Drawn rolls through rapid: a failing case shrinks.
func Drawn(t *rapid.T) Dice {
	return func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "d") }
}

// Seeded rolls a fixed sequence for each seed (SplitMix64), for a fuzzer, which has bytes and no rapid.
func Seeded(seed uint64) Dice {
	return func(n int) int {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return int((z ^ z>>31) % uint64(n))
	}
}

// One reports one case in n. It is never the plain one.
func (d Dice) One(n int) bool { return d(n) == n-1 }

// Of draws an element.
func Of[T any](d Dice, from ...T) T { return from[d(len(from))] }
