package sha256

// Sum returns the SHA-256 of data.
func Sum(data []byte) [32]byte { return sum(data) }
