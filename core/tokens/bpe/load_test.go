package bpe_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/tokens/bpe"
)

// alphabet returns the tokens that every vocabulary has, the single bytes, and more tokens.
func alphabet(more ...string) (tokens []string) {
	for b := range 256 {
		tokens = append(tokens, string([]byte{byte(b)}))
	}
	return append(tokens, more...)
}

func TestSmallVocabulary(t *testing.T) {
	v, err := bpe.Load(bpe.Pack("cl100k_base", 5,
		alphabet("ab", "bc", "abc", "cab", "hijklmno", "!?.,:;-\x03", "hijklmnop")))
	require.NoError(t, err)
	require.Equal(t, "cl100k_base", v.Name())
	require.Equal(t, 263, v.Len())
	token, ok := v.Token(5 + 256)
	require.True(t, ok)
	require.Equal(t, "ab", token)
	for _, id := range []int{-1, 4, 5 + 263} {
		_, ok := v.Token(id)
		require.False(t, ok)
	}
	for _, c := range []struct {
		text string
		want []string
		why  string
	}{
		{"abc", []string{"abc"}, "the piece is a token"},
		{"cabc", []string{"c", "abc"}, "ab first, then the pair of the lower rank, abc before cab"},
		{"abcab", []string{"abc", "ab"}, "the leftmost of equals"},
		{"bcab", []string{"bc", "ab"}, "bc and ab together are not a token"},
		{"hijklmno", []string{"hijklmno"}, "eight bytes"},
		{"!?.,:;-\x03", []string{"!?.,:;-\x03"}, "eight bytes, of which the last reads as a length"},
		{"!?.,:;-\x04", strings.Split("!?.,:;-\x04", ""), "eight other bytes"},
		{"hijklmnop", []string{"hijklmnop"}, "nine bytes"},
		{"hijklmnopq", strings.Split("hijklmnopq", ""), "no two of these letters merge"},
	} {
		var got []string
		counter := v.Counter()
		for id := range counter.Split(c.text) {
			token, _ := v.Token(id)
			got = append(got, token)
		}
		require.Equal(t, c.want, got, "%s: %s", c.text, c.why)
		require.Equal(t, len(got), counter.Count(c.text), c.why)
	}
}

// sealed corrects the size and checksum of a file, so that Load finds its other errors.
func sealed(file []byte) []byte {
	file = slices.Clone(file)
	if len(file) >= 32 {
		binary.LittleEndian.PutUint32(file[16:], uint32(len(file)))
		binary.LittleEndian.PutUint64(file[8:], bpe.Checksum(file[16:]))
	}
	return file
}

func TestLoadErrors(t *testing.T) {
	good := bpe.Pack("o200k_base", 0, alphabet("ab"))
	with := func(at int, b ...byte) []byte {
		file := slices.Clone(good)
		copy(file[at:], b)
		return file
	}
	lengths := 33 + len("o200k_base")
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"nothing", nil, "this is not a packed vocabulary"},
		{"another file", []byte(strings.Repeat("<!doctype html>", 9)), "this is not a packed vocabulary"},
		{"gzip", append([]byte{0x1f, 0x8b, 8}, good...), "this is not a packed vocabulary"},
		{"another version", with(7, 2), "the file has version 2, this engine reads 1"},
		{"cut short", good[:len(good)-1], "the file should have 558 bytes, it has 557"},
		{"too long", append(slices.Clone(good), 0), "the file should have 558 bytes, it has 559"},
		{"an altered byte", with(400, 'x'), "the checksum does not match"},
		{"an unknown vocabulary", bpe.Pack("p50k", 0, alphabet()), `unknown name "p50k"`},
		{"no name", bpe.Pack("", 0, alphabet()), `unknown name ""`},
		{"a name past the end", sealed(with(32, 127)[:100]), "a vocabulary cannot have 257 tokens from id 0"},
		{"too many tokens", sealed(with(24, 0, 0, 0, 9)), "a vocabulary cannot have "},
		{"more tokens than bytes", sealed(with(24, 0, 4, 0, 0)), "a vocabulary cannot have "},
		{"a token of no length", sealed(with(lengths, 0)), "token 0 has no possible length"},
		{"a token that is too long", sealed(with(lengths+256, 0xff, 0xff, 0x7f)), "token 256 has no possible length"},
		{"lengths with another sum", sealed(with(lengths+256, 3)), "the sizes in the file contradict each other"},
		{"a reserved field in use", sealed(with(28, 0xff, 0xff)), "the sizes in the file contradict each other"},
		{"a missing byte", bpe.Pack("cl100k_base", 0, alphabet()[1:]), "byte 0 is no token"},
		{"a byte twice", bpe.Pack("cl100k_base", 0, alphabet("a")), "token 256 is a duplicate"},
		{"a short token twice", bpe.Pack("cl100k_base", 0, alphabet("ab", "ab")), "token 257 is a duplicate"},
		{"a long token twice", bpe.Pack("cl100k_base", 0, alphabet("long enough", "long enough")),
			"token 257 is a duplicate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := bpe.Load(c.file)
			require.ErrorContains(t, err, "cannot load vocabulary: ")
			require.ErrorContains(t, err, c.want)
			require.Nil(t, v)
		})
	}
	_, err := bpe.Load(good)
	require.NoError(t, err)
}

// Load returns an error for a real file with one altered byte or a missing end.
func TestDamage(t *testing.T) {
	file, err := os.ReadFile("../vocab/cl100k_base.bin")
	require.NoError(t, err)
	for at := 0; at < len(file); at += 1 + at/20 {
		file[at] ^= 1 << (at % 8)
		_, err := bpe.Load(file)
		require.Error(t, err, at)
		file[at] ^= 1 << (at % 8)
		_, err = bpe.Load(file[:at])
		require.Error(t, err, at)
	}
	v, err := bpe.Load(file)
	require.NoError(t, err)
	clear(file)
	require.Equal(t, 4, v.Counter().Count("Hello, world!"), "a vocabulary has a copy of the file")
}

// A hostile file gives an error or a vocabulary that counts; Load never panics.
func FuzzLoad(f *testing.F) {
	f.Add(bpe.Pack("o200k_base", 0, alphabet("ab", "abc", "long enough", "中文")))
	f.Add(bpe.Pack("cl100k_base", 0, alphabet("1234567\x03")))
	f.Add([]byte("tampbpe\x01"))
	text := "abc long enough '中文' 12345678 e\u0301 \u00a0 \xff" + strings.Repeat("ab", 100)
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, file := range [][]byte{file, sealed(file)} {
			v, err := bpe.Load(bytes.Clone(file))
			if err != nil {
				require.Nil(t, v)
				continue
			}
			c := v.Counter()
			n, last := 0, 0
			for _, end := range c.Split(text) {
				require.LessOrEqual(t, last, end)
				last = end
				n++
			}
			require.Equal(t, n, c.Count(text))
		}
	})
}
