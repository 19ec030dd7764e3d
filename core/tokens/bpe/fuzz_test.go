//go:build !js

package bpe_test

import "testing"

// These targets compare with the reference, token by token.

func FuzzO200k(f *testing.F)  { fuzz(f, "o200k_base") }
func FuzzCl100k(f *testing.F) { fuzz(f, "cl100k_base") }

func fuzz(f *testing.F, name string) {
	for _, c := range cases {
		f.Add(c.text)
	}
	for _, h := range hostile {
		f.Add(h.make(100))
	}
	for _, b := range load() {
		if b.name == name {
			f.Fuzz(func(t *testing.T, text string) {
				if len(text) < 1<<14 { // the reference takes the square of the length
					b.agree(t, text)
				}
			})
		}
	}
}
