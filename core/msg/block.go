package msg

import "strings"

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
	Kind    Kind
	Type    string  // the provider's type: "tool_use", "image_url", "server_tool_use"
	Raw     Raw     // its input JSON (of a string content: the string); nil if Tamp made it
	Path    string  // JSON Pointer into the input; "" if Tamp made it
	Text    string  // what the model reads: the text, a call's input as JSON, a result's text parts joined with line breaks
	ID      string  // of a call; for a result, the id of its call
	Name    string  // the tool's name, also for a tool definition
	IsError bool    // a result with is_error
	Server  bool    // a call that the provider runs itself, or its result, within the assistant's own message
	Bare    bool    // the message's content is this string itself, not an array with one text in it
	Signed  bool    // thinking with a signature or encrypted data: kept exactly or dropped whole
	Summary bool    // a summary that Tamp wrote, set by package core from its State, never by codecs
	Parts   []Block // of a result whose content is an array
	Image   *Image  // of an image, if its data gives the size
	Cache   *Cache  // cache_control, or nil
	Changed Change  // the values that differ from Raw
}

// Image is the size of an image in pixels, zero if unknown (a URL, a file id).
type Image struct{ Width, Height int }

// Cache is a breakpoint of the provider's prompt cache.
type Cache struct {
	Type string // "ephemeral"
	TTL  string // "5m", "1h", or "" for the default of five minutes
}

// Change is a set of values that differ from a block's Raw.
type Change uint8

const (
	ChangedText  Change = 1 << iota // Text is the whole content (text block, tool result); Parts is nil
	ChangedInput                    // a call's input is Text, a JSON object
	ChangedID                       // the id is ID
	ChangedCache                    // cache_control is Cache; if Cache is nil, the codec removes the member
)

// WithText returns a copy whose whole content is text, as a plain string. All else stays: id, is_error,
// cache_control and unknown fields.
func (b Block) WithText(text string) Block {
	b.Text, b.Parts, b.Summary = text, nil, false
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

// ResultBlock returns a new tool result for a call. In the OpenAI format it must be the only block of a message of role Tool
// (or Function, if the type of the call is function_call).
func ResultBlock(call *Block, text string, isError bool) Block {
	return Block{Kind: KindToolResult, Type: "tool_result", ID: call.ID, Name: call.Name, Text: text, IsError: isError}
}

// TextBlock returns a new text block.
func TextBlock(text string) Block { return Block{Kind: KindText, Type: "text", Text: text} }

// TextMessage returns a new message with a string as its content.
func TextMessage(role Role, text string) Message {
	b := TextBlock(text)
	b.Bare = true
	return Message{Role: role, Blocks: []Block{b}, Changed: true}
}

// InjectedTags are the tags that agents wrap around text that the user did not type.
var InjectedTags = [...]string{
	"system-reminder", "ide_selection", "ide_opened_file", "user-prompt-submit-hook", "pre-tool-use-hook",
}

// IsInjected reports whether a text is wholly wrapped in one known tag.
func (b *Block) IsInjected() bool {
	if b.Kind != KindText {
		return false
	}
	text := strings.TrimSpace(b.Text)
	if !strings.HasPrefix(text, "<") || !strings.HasSuffix(text, ">") {
		return false
	}
	for _, tag := range InjectedTags {
		inner, opens := strings.CutPrefix(text, "<"+tag+">")
		inner, closes := strings.CutSuffix(inner, "</"+tag+">")
		if opens && closes {
			return !strings.Contains(inner, "</"+tag+">") // else two tags with words between them
		}
	}
	return false
}

// IsSummary reports whether a compaction of Tamp or of the provider wrote the block. It is never summarized again.
func (b *Block) IsSummary() bool { return b.Kind == KindSummary || b.Summary }

// HasMedia reports whether a result has an image or a document, which a character count does not include.
func (b *Block) HasMedia() bool {
	for i := range b.Parts {
		if k := b.Parts[i].Kind; k == KindImage || k == KindDocument {
			return true
		}
	}
	return false
}
