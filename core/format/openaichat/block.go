package openaichat

import (
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/pixel"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// part reads one part of a content array. The text of a part of an unknown type is its whole JSON.
func part(raw rawjson.Value, path string) (b msg.Block, err error) {
	if raw.Kind() == '"' { // some servers take bare strings as parts
		return msg.Block{Kind: msg.KindText, Type: "text", Raw: raw, Path: path, Text: raw.Text()}, nil
	}
	if raw.Kind() != '{' {
		return b, msg.NewError(msg.BadMessage, path, "cannot read the part: it is "+document.What(raw)+
			`, it must be an object such as {"type":"text","text":"…"}`)
	}
	b = msg.Block{Kind: msg.KindOther, Raw: raw, Path: path, Cache: document.Cache(raw.Member("cache_control"))}
	if b.Type, err = document.Text(raw.Member("type"), path, "type"); err != nil {
		return b, err
	}
	switch b.Type {
	case "text":
		b.Kind = msg.KindText
		b.Text, err = document.Text(raw.Member("text"), path, "text")
	case "refusal":
		b.Kind = msg.KindText
		b.Text, err = document.Text(raw.Member("refusal"), path, "refusal")
	case "image_url":
		url := raw.Member("image_url")
		if url.Kind() == '{' {
			url = url.Member("url")
		}
		b.Kind, b.Image = msg.KindImage, pixel.Read(pixel.Of(url))
	case "file", "input_audio", "audio_url", "video_url": // the last two of Kimi
		b.Kind = msg.KindDocument
	case "think": // Kimi CLI
		b.Kind, b.Sealed = msg.KindThinking, document.Sealed(raw.Member("encrypted"))
		b.Text, err = document.Text(raw.Member("think"), path, "think")
	default:
		b.Text = raw.Plain()
	}
	return b, err
}

// result reads a tool message. The block is the whole message, since its id is a member of the message.
func result(role msg.Role, raw rawjson.Value, f *fields, path string, room *document.Room) (b msg.Block, err error) {
	b = msg.Block{Kind: msg.KindToolResult, Type: string(role), Raw: raw, Path: path}
	if b.Name, err = document.Text(f.name, path, "name"); err != nil {
		return b, err
	}
	if role == msg.Function {
		b.ID = msg.NoID + b.Name
	} else if b.ID, err = document.Text(f.toolCallID, path, "tool_call_id"); err != nil {
		return b, err
	}
	if b.ID == "" {
		for _, id := range f.toolCallIDs.List() {
			b.ID = id.Text()
			break
		}
	}
	if f.content.Kind() == '"' {
		b.Text = f.content.Text()
		return b, nil
	}
	parts, err := content(f.content, path+"/content", room)
	if err != nil {
		return b, err
	}
	b.Parts, b.Text = parts, document.Joined(parts)
	return b, nil
}

// toolCalls reads the calls of an assistant message. arguments is a JSON text by the model: it is kept
// unchanged, even if it is invalid.
func toolCalls(raw rawjson.Value, path string, room *document.Room) ([]msg.Block, error) {
	if raw.IsNull() {
		return nil, nil
	}
	if raw.Kind() != '[' {
		return nil, msg.NewError(msg.BadMessage, path, "cannot read the message: tool_calls is "+document.What(raw)+
			", it must be an array of calls")
	}
	var calls []msg.Block
	for i, call := range raw.List() {
		at := document.At(path, i)
		if err := room.Take(at); err != nil {
			return nil, err
		}
		if call.Kind() != '{' {
			return nil, msg.NewError(msg.BadMessage, at, "cannot read the call: it is "+document.What(call)+
				", it must be an object with id, type and function")
		}
		inner, text := "function", "arguments"
		kind, err := document.Text(call.Member("type"), at, "type")
		if err != nil {
			return nil, err
		}
		if kind == "custom" {
			inner, text = "custom", "input"
		}
		b, err := named(call.Member(inner), at+"/"+inner, text)
		if err != nil {
			return nil, err
		}
		b.Type, b.Raw, b.Path = kind, call, at
		b.Sealed = document.Sealed(call.Member("extra_content")) // Gemini's thoughtSignature
		if kind == "" || kind == "function_call" {               // the latter names the deprecated member, not an element
			b.Type = "function"
		}
		if b.ID, err = document.Text(call.Member("id"), at, "id"); err != nil {
			return nil, err
		}
		calls = append(calls, b)
	}
	return calls, nil
}

// functionCall reads the deprecated single call.
func functionCall(raw rawjson.Value, path string) (msg.Block, error) {
	b, err := named(raw, path, "arguments")
	b.Type, b.Raw, b.Path, b.ID = "function_call", raw, path, msg.NoID+b.Name
	return b, err
}

// named reads the object that names the tool and has its input in the given member.
func named(raw rawjson.Value, path, input string) (b msg.Block, err error) {
	b.Kind = msg.KindToolUse
	if k := raw.Kind(); k != '{' && k != 0 && k != 'n' {
		return b, msg.NewError(msg.BadMessage, path, "cannot read the call: it is "+document.What(raw)+
			", it must be an object with name and "+input)
	}
	if b.Name, err = document.Text(raw.Member("name"), path, "name"); err != nil {
		return b, err
	}
	if value := raw.Member(input); value.Kind() == '{' { // Ollama and others send the object itself
		b.Text = value.Plain()
	} else {
		b.Text, err = document.Text(value, path, input)
	}
	return b, err
}
