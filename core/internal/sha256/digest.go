// Package sha256 names content by its SHA-256; it is not used for security.
package sha256

// Hex returns the first n hexadecimal digits of a sum.
func Hex(sum [32]byte, n int) string {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 64)
	for _, b := range sum {
		out = append(out, digits[b>>4], digits[b&15])
	}
	return string(out[:n])
}
