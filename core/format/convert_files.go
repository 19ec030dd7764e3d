package format

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Images and files in Convert.

// media is an image or a file: its base64 data, or a URL that any provider can read.
type media struct{ kind, data, url, name string }

const pdf = "application/pdf"

// forms has the parts of the targets for images and files. In a part, $m is the media type, $d the data, $D a URL with
// them inside, $u the URL and $n the name. The first row whose target and types fit counts.
var forms = [...]struct {
	to    Name
	types string // the media types; "image" for all images, "" for everything
	isURL bool
	part  string
	name  string // the member for the name of the file
}{
	{msg.Anthropic, "image", false, `{"type":"image","source":{"type":"base64","media_type":$m,"data":$d}}`, ""},
	{msg.Anthropic, "image", true, `{"type":"image","source":{"type":"url","url":$u}}`, ""},
	{msg.Anthropic, pdf, false, `{"type":"document","source":{"type":"base64","media_type":$m,"data":$d}}`, "title"},
	{msg.Anthropic, pdf, true, `{"type":"document","source":{"type":"url","url":$u}}`, "title"},
	{msg.OpenAIChat, "image", false, `{"type":"image_url","image_url":{"url":$D}}`, ""},
	{msg.OpenAIChat, "image", true, `{"type":"image_url","image_url":{"url":$u}}`, ""},
	{msg.OpenAIChat, pdf, false, `{"type":"file","file":{"filename":$n,"file_data":$D}}`, "file"},
	{msg.OpenAIChat, "audio/wav", false, `{"type":"input_audio","input_audio":{"data":$d,"format":"wav"}}`, ""},
	{msg.OpenAIChat, "audio/mp3|audio/mpeg", false, `{"type":"input_audio","input_audio":{"data":$d,"format":"mp3"}}`, ""},
	{msg.OpenAIResponses, "image", false, `{"type":"input_image","image_url":$D}`, ""},
	{msg.OpenAIResponses, "image", true, `{"type":"input_image","image_url":$u}`, ""},
	{msg.OpenAIResponses, pdf, false, `{"type":"input_file","file_data":$D}`, "filename"},
	{msg.OpenAIResponses, "", true, `{"type":"input_file","file_url":$u}`, ""},
	{msg.Gemini, "", false, `{"inlineData":{"mimeType":$m,"data":$d}}`, ""},
	{msg.Gemini, "", true, `{"fileData":{"mimeType":$m,"fileUri":$u}}`, ""},
	{msg.AISDK, "image", false, `{"type":"image","image":$D}`, ""},
	{msg.AISDK, "image", true, `{"type":"image","image":$u}`, ""},
	{sdkAnswer, "", false, `{"type":"file","data":$d,"mediaType":$m}`, "filename"},
	{sdkAnswer, "", true, `{"type":"file","data":$u,"mediaType":$m}`, "filename"},
	{sdkResult, "image", false, `{"type":"image-data","data":$d,"mediaType":$m}`, ""},
	{sdkResult, "image", true, `{"type":"image-url","url":$u}`, ""},
	{sdkResult, "", false, `{"type":"file-data","data":$d,"mediaType":$m}`, "filename"},
	{sdkResult, "", true, `{"type":"file-url","url":$u,"mediaType":$m}`, ""},
}

// The AI SDK has other parts in answers, also for the files in messages of the user, and others in tool results.
const sdkAnswer, sdkResult = "answer", "result"

// mediaPart returns an image or a file as a part of the target, nil if it has no form there.
func (v *converter) mediaPart(b *msg.Block, inAnswer, inResult bool) rawjson.Value {
	isImage, to := b.Kind == msg.KindImage, v.to.name
	switch {
	case !isImage && !isFile(b), inResult && to == msg.OpenAIChat:
		return nil
	case to == msg.AISDK && inResult:
		to = sdkResult
	case to == msg.AISDK && (inAnswer || !isImage):
		to = sdkAnswer
	case inAnswer && to != msg.Gemini:
		return nil
	}
	f := mediaOf(b.Raw)
	if isImage && b.Image != nil && b.Image.Media != "" {
		f.kind = b.Image.Media // some clients say image/jpg, or name each image a PNG
	}
	if b.Type == "document" && f.url != "" {
		f.kind = pdf // which Anthropic's URLs always are
	}
	if f.data+f.url == "" {
		return nil
	}
	for i := range forms {
		row := &forms[i]
		if row.to == to && row.isURL == (f.data == "") && (row.types == "" || oneOf(row.types, f.kind) ||
			isImage && row.types == "image") && (f.kind != "" || row.isURL && !strings.Contains(row.part, "$m")) {
			return v.detail(b, v.filled(b, f, row.part, row.name))
		}
	}
	if text := f.text(); text != "" {
		v.lose(b.Path, "document", "text")
		return v.textPart(text)
	}
	return nil
}

// filled returns a part with its values.
func (v *converter) filled(b *msg.Block, f media, part, member string) rawjson.Value {
	isKept := strings.Contains(part, "$m") || f.data != "" || f.kind == typeOf(f.url) || f.kind == pdf && member == "title"
	if !isKept {
		v.lose(b.Path, "the media type", "dropped")
	}
	if member == "file" && f.name == "" {
		f.name = "document.pdf"
		v.lose(b.Path, "a file without a name", f.name)
	}
	var made rawjson.Value
	before, rest, more := strings.Cut(part, "$")
	for made = append(made, before...); more; made = append(made, before...) {
		value := f.kind
		switch rest[0] {
		case 'd':
			value = f.data
		case 'D':
			value = "data:" + f.kind + ";base64," + f.data
		case 'u':
			value = f.url
		case 'n':
			value = f.name
		}
		made = append(made, rawjson.Quote(value)...)
		before, rest, more = strings.Cut(rest[1:], "$")
	}
	switch {
	case f.name == "" || member == "file":
	case member == "":
		v.lose(b.Path, "the name of the file", "dropped")
	default:
		made = made.With(member, rawjson.Quote(f.name))
	}
	return made
}

// detail gives an image of OpenAI the resolution at which the model reads it.
func (v *converter) detail(b *msg.Block, made rawjson.Value) rawjson.Value {
	detail := b.Raw.Member("detail")
	if detail.IsNull() {
		detail = b.Raw.Member("image_url").Member("detail")
	}
	switch text := detail.Text(); {
	case text == "" || text == "auto":
	case v.to.name == msg.OpenAIResponses:
		return made.With("detail", detail)
	case v.to.name == msg.OpenAIChat && oneOf("low|high", text):
		return made.With("image_url", made.Member("image_url").With("detail", detail))
	default:
		v.lose(b.Path, "detail", "dropped")
	}
	return made
}

// isFile reports a document that is a file, whose text is at most its name.
func isFile(b *msg.Block) bool {
	f := mediaOf(b.Raw)
	return (f.data != "" || f.url != "") && b.Raw.Member("source").Member("type").Text() != "text"
}

// text returns the text of a file, "" if it is none.
func (f *media) text() string {
	text, err := base64.StdEncoding.DecodeString(f.data)
	if err != nil || !utf8.Valid(text) || !strings.HasPrefix(f.kind, "text/") {
		return ""
	}
	return string(text)
}

// typeOf returns the media type of a file by the last letters of its name, "" if they do not say it.
func typeOf(name string) string {
	at := strings.LastIndexByte(name, '.') + 1
	switch kind := strings.ToLower(name[at:]); kind {
	case "pdf":
		return pdf
	case "png", "webp", "jpeg":
		return "image/" + kind
	case "jpg":
		return "image/jpeg"
	}
	return ""
}

// mediaOf reads an image or a file of any format. An address that only its own provider or the client can read is none.
func mediaOf(raw rawjson.Value) (f media) {
	for _, place := range [...]rawjson.Value{raw, raw.Member("source"), raw.Member("inlineData"),
		raw.Member("inline_data"), raw.Member("image_url"), raw.Member("data"), raw.Member("image"), raw.Member("file"),
		raw.Member("input_audio"), raw.Member("fileData"), raw.Member("file_data")} {
		for it := place.Walk(); it.Next(); {
			switch it.Name {
			case "media_type", "mimeType", "mime_type", "mediaType", "mime":
				f.kind = it.Value.Text()
			case "format":
				f.kind = "audio/" + it.Value.Text()
			case "data", "image", "image_url", "url", "file_data", "file_url", "fileUri", "file_uri":
				if it.Value.Kind() == '"' {
					f.data = it.Value.Text()
				}
			case "filename", "title", "displayName":
				f.name = it.Value.Text()
			}
		}
	}
	if rest, ok := strings.CutPrefix(f.data, "data:"); ok {
		if kind, inner, ok := strings.Cut(rest, ";base64,"); ok {
			kind, _, _ = strings.Cut(kind, ";")
			f.kind, f.data = kind, inner
			return f
		}
	}
	if strings.Contains(f.data, ":") { // which base64 has not
		if strings.HasPrefix(f.data, "http") && !strings.Contains(f.data, "generativelanguage.googleapis.com/") {
			f.url = f.data
		}
		f.data = ""
	}
	if f.kind == "" {
		f.kind = typeOf(f.name + f.url)
	}
	return f
}
