package rawjson_test

import (
	"strings"

	"pgregory.net/rapid"
)

// drawJSON writes a random JSON value with white space, escapes, repeated keys and odd numbers in it.
func drawJSON(t *rapid.T, depth int) string {
	space := rapid.SampledFrom([]string{"", "", " ", "\n\t", "\r\n  "})
	gap := func() string { return space.Draw(t, "space") }
	kind := rapid.IntRange(0, 7).Draw(t, "kind")
	if depth <= 0 && kind > 4 {
		kind = 0
	}
	switch kind {
	case 1:
		return rapid.SampledFrom([]string{"true", "false", "null"}).Draw(t, "word")
	case 2, 3:
		return rapid.SampledFrom([]string{"0", "-0", "1", "12.50", "1e400", "-3E-7", "9007199254740993", "0.1e+5"}).Draw(t,
			"number")
	case 5, 6:
		var members []string
		for range rapid.IntRange(0, 4).Draw(t, "members") {
			members = append(members, gap()+drawKey(t)+gap()+":"+gap()+drawJSON(t, depth-1)+gap())
		}
		if len(members) == 0 {
			return "{" + gap() + "}"
		}
		return "{" + strings.Join(members, ",") + "}"
	case 7:
		var elements []string
		for range rapid.IntRange(0, 4).Draw(t, "elements") {
			elements = append(elements, gap()+drawJSON(t, depth-1)+gap())
		}
		if len(elements) == 0 {
			return "[" + gap() + "]"
		}
		return "[" + strings.Join(elements, ",") + "]"
	}
	return drawString(t)
}

func drawKey(t *rapid.T) string {
	return rapid.SampledFrom([]string{`"a"`, `"b"`, `"\u0061"`, `"__proto__"`, `""`, `"a b"`, `"c\"d"`}).Draw(t, "key")
}

func drawString(t *rapid.T) string {
	pieces := rapid.SliceOfN(rapid.SampledFrom([]string{
		"a", " ", "text", `\n`, `\"`, `\\`, `\\\"`, `\/`, `\u00e9`, `\uD83D\uDE00`, `\ud800`, `\udc00`, `\ud800\u0041`,
		`\ud800\ud800\udc00`, "é", "漢", "😀",
		"\xff", "\xc3", "<", "\u2028", `\b`, `\f`, `\r`, `\t`, `\u0000`, "{", "[", "]", "}", ",", ":"}), 0, 8).Draw(t,
		"pieces")
	return `"` + strings.Join(pieces, "") + `"`
}

// drawBroken writes JSON and then damages it, or does not.
func drawBroken(t *rapid.T) string {
	text := []byte(drawJSON(t, 4))
	for range rapid.IntRange(0, 2).Draw(t, "damages") {
		if len(text) == 0 {
			break
		}
		i := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		switch rapid.IntRange(0, 2).Draw(t, "damage") {
		case 0:
			text = append(text[:i:i], text[i+1:]...)
		case 1:
			text = text[:i]
		default:
			c := rapid.SampledFrom([]byte("{}[],:\"\\u0-.eEtrfn \x00\x1f\x80")).Draw(t, "byte")
			text = append(append(text[:i:i], c), text[i:]...)
		}
	}
	return string(text)
}
