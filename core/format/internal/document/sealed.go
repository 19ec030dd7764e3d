package document

import (
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// What a ciphertext has in addition to the thinking, in bytes. OpenAI's begin with "gAAAA" (a Fernet token); the number
// is the one that Codex subtracts. The signature of the shortest thinking of Claude has 175 bytes more than the text.
const (
	openAIEnvelope = 650 // estimate_reasoning_length in codex-rs/core/src/context_manager/history.rs
	envelope       = 175 // on 300 signatures of session logs with the whole thinking
)

// Sealed returns the length in bytes of the thinking in a ciphertext (encrypted_content, a signature, the data of
// redacted thinking): base64 has four characters for three bytes. Of an object, such as providerMetadata, it is the
// longest in its members; of an array the sum. A nested value is not read below a provider's own object.
func Sealed(v rawjson.Value) int { return sealed(v, 3) }

// Other reads a block of a type without rules of its own: its text is its JSON, without what no text is.
func Other(b *msg.Block) { b.Text, b.Sealed = Legible(b.Raw) }

// fileSize is what a file adds to Sealed: as many tokens as the count of a document whose text is not known (3,000).
const fileSize = 3000 * 48 / 10

// cipherLength is the length in bytes of the shortest string that Legible takes for a ciphertext or for base64, if it
// has no white space, bracket, quote or other sign that these have not.
const cipherLength = 200

// Legible returns the JSON of a value for the model, without ciphertexts and base64, and the length of what these hold
// as Sealed measures it.
func Legible(v rawjson.Value) (text string, sealed int) {
	text = v.Plain()
	var out []byte
	from, start, isCipher := 0, -1, false // start of the string around text[i], -1 outside of strings
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case start < 0:
			if c == '"' {
				start, isCipher = i, true
			}
		case c == '\\':
			i++
			isCipher = false
		case c == '"':
			if isCipher && i-start > cipherLength {
				out = append(out, text[from:start+1]...)
				from = i
				if strings.HasSuffix(text[:start+1], `"data":"`) || strings.HasPrefix(text[start:], `"data:`) {
					sealed += fileSize
				} else {
					sealed += Sealed(rawjson.Value(text[start : i+1]))
				}
			}
			start = -1
		case c < '+' || c > 'z' || c == '?':
			isCipher = false
		}
	}
	return string(append(out, text[from:]...)), sealed
}

func sealed(v rawjson.Value, depth int) (bytes int) {
	switch kind := v.Kind(); {
	case kind == '"':
		rest := envelope
		if strings.Contains(string(v), "gAAAA") {
			rest = openAIEnvelope
		}
		return max(0, (len(v)-len(`""`))*3/4-rest)
	case depth == 0:
	case kind == '{':
		for it := v.Walk(); it.Next(); {
			bytes = max(bytes, sealed(it.Value, depth-1))
		}
	case kind == '[':
		for it := v.Items(); it.Next(); {
			bytes += sealed(it.Value, depth-1)
		}
	}
	return bytes
}
