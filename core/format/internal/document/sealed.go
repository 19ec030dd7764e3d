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

// Other reads a block of a type without rules of its own: its text is its JSON, without the ciphertext.
func Other(b *msg.Block) {
	encrypted := b.Raw.Member("encrypted_content")
	if b.Sealed = Sealed(encrypted); encrypted != nil {
		b.Text = b.Raw.Without("encrypted_content").Plain()
	} else {
		b.Text = b.Raw.Plain()
	}
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
		for _, element := range v.Elements() {
			bytes += sealed(element, depth-1)
		}
	}
	return bytes
}
