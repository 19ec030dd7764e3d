package msg

import "strings"

// Kind is what a block is to Tamp, whatever the provider calls it.
type Kind string

const (
	KindText       Kind = "text"
	KindToolUse    Kind = "tool_use"
	KindToolResult Kind = "tool_result"
	KindThinking   Kind = "thinking" // redacted thinking and reasoning_content too
	KindImage      Kind = "image"
	KindDocument   Kind = "document" // documents and files
	KindSummary    Kind = "summary"  // written by a compaction, ours or the provider's; never summarized again
	KindOther      Kind = "other"    // a type that we do not know: kept, never changed, never removed by itself
)

// Block is one part of a message.
type Block struct {
	Kind    Kind
	Type    string  // the provider's own word: "tool_use", "image_url", "server_tool_use"
	Raw     Raw     // its JSON as it came in (of a string content: the string); nil where Tamp made it
	Path    string  // JSON Pointer into the input; "" where Tamp made it
	Text    string  // what the model reads: the text, a call's input as JSON, a result's text parts joined with line breaks
	ID      string  // of a call; of a result, the id of the call it answers
	Name    string  // the tool's name; of a tool definition likewise
	IsError bool    // a result that says it failed
	Server  bool    // a call that the provider runs itself, or its result, within the assistant's own message
	Bare    bool    // the message's content is this string itself, not an array with one text in it
	Signed  bool    // thinking with a signature or encrypted data: kept exactly or dropped whole
	Summary bool    // a summary that Tamp wrote, as package core knows from its State; codecs neither set nor read it
	Parts   []Block // of a result whose content is an array
	Image   *Image  // of an image, where its size can be read from its data
	Cache   *Cache  // cache_control, where the block carries it
	Changed Change  // what is no longer as in Raw
}

// Image is the size of an image in pixels, zero where the data does not say (an URL, a file id).
type Image struct{ Width, Height int }

// Cache is a breakpoint of the provider's prompt cache.
type Cache struct {
	Type string // "ephemeral"
	TTL  string // "5m", "1h", or "" for the default of five minutes
}

// Change is a set of values that differ from a block's Raw.
type Change uint8

const (
	ChangedText  Change = 1 << iota // Text stands for the whole content (text block, tool result); Parts are gone
	ChangedInput                    // a call's input is Text, a JSON object
	ChangedID                       // the id is ID
	ChangedCache                    // cache_control is Cache; where Cache is nil the codec removes the member `cache_control`
)

// WithText returns a copy whose whole content is text, as a plain string. Everything else stays: id, is_error,
// cache_control and fields that we do not know.
func (b Block) WithText(text string) Block {
	b.Text, b.Parts, b.Summary = text, nil, false
	b.Changed |= ChangedText
	return b
}

// WithInput returns a copy of a call whose input is the JSON object given.
func (b Block) WithInput(object string) Block {
	b.Text = object
	b.Changed |= ChangedInput
	return b
}

// WithID returns a copy of a call or a result under another id.
func (b Block) WithID(id string) Block {
	b.ID = id
	b.Changed |= ChangedID
	return b
}

// WithCache returns a copy that carries the breakpoint given, or none where it is nil.
func (b Block) WithCache(cache *Cache) Block {
	b.Cache = cache
	b.Changed |= ChangedCache
	return b
}

// ResultBlock makes a tool result that no input holds, for the call of that id and tool. In an OpenAI message it stands alone,
// under the role Tool (or Function, where the call's type is function_call).
func ResultBlock(call *Block, text string, isError bool) Block {
	return Block{Kind: KindToolResult, Type: "tool_result", ID: call.ID, Name: call.Name, Text: text, IsError: isError}
}

// TextBlock makes a text block that no input holds.
func TextBlock(text string) Block { return Block{Kind: KindText, Type: "text", Text: text} }

// TextMessage makes a message of one string that no input holds.
func TextMessage(role Role, text string) Message {
	b := TextBlock(text)
	b.Bare = true
	return Message{Role: role, Blocks: []Block{b}, Changed: true}
}

// InjectedTags are the tags that agents wrap around text which the user did not type.
var InjectedTags = [...]string{
	"system-reminder", "ide_selection", "ide_opened_file", "user-prompt-submit-hook", "pre-tool-use-hook",
}

// IsInjected reports a text that is wholly wrapped in one known tag.
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

// IsSummary reports text that a compaction wrote, ours or the provider's. It is never summarized again.
func (b *Block) IsSummary() bool { return b.Kind == KindSummary || b.Summary }

// HasMedia reports a result that holds an image or a document, which no count of characters sees.
func (b *Block) HasMedia() bool {
	for i := range b.Parts {
		if k := b.Parts[i].Kind; k == KindImage || k == KindDocument {
			return true
		}
	}
	return false
}
