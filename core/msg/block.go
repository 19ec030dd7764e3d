package msg

import (
	"strings"

	"tamp/core/internal/rawjson"
)

// NoID begins the id of a call that has only a name: a function_call of OpenAI, a Gemini call without an id.
const NoID = "function:"

// Kind is the type of a block, the same for all providers.
type Kind string

const (
	KindText       Kind = "text"
	KindToolUse    Kind = "tool_use"
	KindToolResult Kind = "tool_result"
	KindThinking   Kind = "thinking" // redacted thinking and reasoning_content too
	KindImage      Kind = "image"
	KindDocument   Kind = "document" // documents and files
	KindSummary    Kind = "summary"  // written by a compaction of Tamp or of the provider; never summarized again
	KindOther      Kind = "other"    // an unknown type: kept, never changed, never removed by itself
)

// Block is one part of a message.
type Block struct {
	Kind Kind
	Type string        // the provider's type: "tool_use", "image_url", "server_tool_use"
	Raw  rawjson.Value // its input JSON (of a string content: the string); nil if Tamp made it
	Path string        // JSON Pointer into the input; "" if Tamp made it
	// the text for the model: the text itself, a call's input as JSON, a result's text parts joined with line breaks
	Text    string
	ID      string // of a call; for a result, the id of its call
	Name    string // the tool's name, also for a tool definition
	Caller  string // of a call that code or a program made which the provider runs: the id of the call of that code
	IsError bool   // a result with is_error
	// thinking that is removed only with its message, whose other blocks are refused without it; or a call whose input has
	// a form of its own, so that it cannot become {}
	Bound bool
	// a call that the provider runs itself, or its result, within the assistant's own message; or a result whose form
	// cannot hold a text in place of its content, or that a program of OpenAI reads
	Server bool
	// a call whose result may come in a later request
	Async   bool
	Bare    bool    // the message's content is this string itself, not an array with one text in it
	Signed  bool    // thinking with a signature or encrypted data: kept exactly or dropped whole
	Summary bool    // a summary that Tamp wrote, set by package core from its State, never by codecs
	Sealed  int     // bytes of thinking that only its ciphertext holds; the API counts them too, even with a text
	Parts   []Block // of a result whose content is an array
	Image   *Image  // of an image, if its data gives the size
	Cache   *Cache  // cache_control, or nil
	Changed Change  // the values that differ from Raw
}

// Image is the size of an image in pixels, zero if unknown (a URL, a file id).
type Image struct {
	Width, Height int
	Media         string // "image/png", as the data says; "" if it is not known
	// What is wrong with the base64 data, for people; "" if nothing is. NoImage if only its type is not known.
	Flaw string
	// the data without a flaw, in base64; "" if there is none, and if nothing is wrong
	Repaired string
}

// Flaws of images.
const (
	NoImage   = "is no JPEG, PNG, GIF or WebP image" // some providers have other types
	NotBase64 = "is a data: URL, not base64"
)

// Cache is a breakpoint of the provider's prompt cache.
type Cache struct {
	Type string // "ephemeral"
	TTL  string // "5m", "1h", or "" for the default of five minutes
}

// Change is a set of values that differ from a block's Raw.
type Change uint8

const (
	ChangedText      Change = 1 << iota // Text is the whole content (text block, tool result); Parts is nil
	ChangedInput                        // a call's input is Text, a JSON object
	ChangedID                           // the id is ID
	ChangedCache                        // cache_control is Cache; if Cache is nil, the codec removes the member
	ChangedSignature                    // a call gets the signature that Gemini does not validate
)

// WithText returns a copy whose whole content is text, as a plain string. All else stays: id, is_error,
// cache_control and unknown fields.
func (b Block) WithText(text string) Block {
	b.Text, b.Sealed, b.Parts, b.Summary = text, 0, nil, false
	b.Changed |= ChangedText
	return b
}

// WithInput returns a copy of a call with the given JSON object as its input.
func (b Block) WithInput(object string) Block {
	b.Text = object
	b.Changed |= ChangedInput
	return b
}

// WithID returns a copy of a call or a result with another id.
func (b Block) WithID(id string) Block {
	b.ID = id
	b.Changed |= ChangedID
	return b
}

// WithCache returns a copy with the given breakpoint; nil removes it.
func (b Block) WithCache(cache *Cache) Block {
	b.Cache = cache
	b.Changed |= ChangedCache
	return b
}

// WithoutSignature returns a copy of a Gemini call with the documented signature for calls that have no real one.
func (b Block) WithoutSignature() Block {
	b.Changed |= ChangedSignature
	return b
}

// ResultBlock returns a new tool result for a call. In the OpenAI format it must be the only block of a message of role
// Tool (or Function, if the type of the call is function_call).
func ResultBlock(call *Block, text string, isError bool) Block {
	kind := "tool_result"
	if call.Type != "function_call" && strings.HasSuffix(call.Type, "_call") { // of OpenAI Responses
		kind = call.Type + "_output"
	}
	return Block{Kind: KindToolResult, Type: kind, ID: call.ID, Name: call.Name, Text: text, IsError: isError}
}

// TextBlock returns a new text block.
func TextBlock(text string) Block { return Block{Kind: KindText, Type: "text", Text: text} }

// TextMessage returns a new message with a string as its content.
func TextMessage(role Role, text string) Message {
	b := TextBlock(text)
	b.Bare = true
	return Message{Role: role, Blocks: []Block{b}, Changed: true}
}

// IsInjected reports whether a text is wholly one element that clients add next to tool results, such as a
// system-reminder. It does not end a turn. provenance.IsInjected covers all inserted text.
func (b *Block) IsInjected() bool {
	return b.Kind == KindText && IsReminder(b.Text)
}

// IsSummary reports whether a compaction of Tamp or of the provider wrote the block. It is never summarized again.
func (b *Block) IsSummary() bool { return b.Kind == KindSummary || b.Summary }

// IsDeferred reports the definition of a tool that is not in the prompt: a tool_reference shows it to the model where
// it is (Anthropic's page on the tool search tool), or the output of a search has it (OpenAI).
func (b *Block) IsDeferred() bool {
	return b.Raw.Kind() == '{' && string(b.Raw.Member("defer_loading")) == "true"
}

// References calls visit with the name of each deferred tool that the block shows to the model: of a tool_reference,
// also in a result, of the result of a search that the provider runs, and of a tool_addition.
func (b *Block) References(visit func(name string)) {
	switch b.Type {
	case "tool_reference":
		visit(b.Raw.Member("tool_name").Text())
	case "tool_addition":
		visit(b.Raw.Member("tool").Member("name").Text())
	}
	for i := range b.Parts {
		b.Parts[i].References(visit)
	}
	if b.Server && b.Kind == KindToolResult && b.Parts == nil {
		for _, reference := range b.Raw.Member("content").Member("tool_references").List() {
			reference := Block{Type: "tool_reference", Raw: reference}
			reference.References(visit)
		}
	}
}

// HasMedia reports whether a result has an image or a document, which a character count does not include.
func (b *Block) HasMedia() bool {
	for i := range b.Parts {
		if k := b.Parts[i].Kind; k == KindImage || k == KindDocument {
			return true
		}
	}
	return false
}
