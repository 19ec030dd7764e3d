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
type media struct{ kind, data, url, name, detail string }

const pdf = "application/pdf"

// form is a part of a target for images or files. In part, $0 is the media type, $1 the data, $2 a URL with them
// inside, $3 the URL and $4 the name.
type form struct {
	to    Name
	types string // the media types; "image" for all images, "" for everything
	isURL bool
	part  string
	name  string // the member for the name of the file
}

// forms are the parts of the targets. The first row whose target and types fit counts.
var forms = [...]form{
	{msg.Anthropic, "image", false, `{"type":"image","source":{"type":"base64","media_type":$0,"data":$1}}`, ""},
	{msg.Anthropic, "image", true, `{"type":"image","source":{"type":"url","url":$3}}`, ""},
	{msg.Anthropic, pdf, false, `{"type":"document","source":{"type":"base64","media_type":$0,"data":$1}}`, "title"},
	{msg.Anthropic, pdf, true, `{"type":"document","source":{"type":"url","url":$3}}`, "title"},
	{msg.OpenAIChat, "image", false, `{"type":"image_url","image_url":{"url":$2}}`, ""},
	{msg.OpenAIChat, "image", true, `{"type":"image_url","image_url":{"url":$3}}`, ""},
	{msg.OpenAIChat, pdf, false, `{"type":"file","file":{"filename":$4,"file_data":$2}}`, "file"},
	{msg.OpenAIChat, "audio/wav", false, `{"type":"input_audio","input_audio":{"data":$1,"format":"wav"}}`, ""},
	{msg.OpenAIChat, "audio/mp3|audio/mpeg", false, `{"type":"input_audio","input_audio":{"data":$1,"format":"mp3"}}`, ""},
	{msg.OpenAIResponses, "image", false, `{"type":"input_image","image_url":$2}`, ""},
	{msg.OpenAIResponses, "image", true, `{"type":"input_image","image_url":$3}`, ""},
	{msg.OpenAIResponses, pdf, false, `{"type":"input_file","file_data":$2}`, "filename"},
	{msg.OpenAIResponses, "", true, `{"type":"input_file","file_url":$3}`, ""},
	{msg.Gemini, "", false, `{"inlineData":{"mimeType":$0,"data":$1}}`, ""},
	{msg.Gemini, "", true, `{"fileData":{"mimeType":$0,"fileUri":$3}}`, ""},
	{msg.AISDK, "image", false, `{"type":"image","image":$2}`, ""},
	{msg.AISDK, "image", true, `{"type":"image","image":$3}`, ""},
	{sdkAnswer, "", false, `{"type":"file","data":$1,"mediaType":$0}`, "filename"},
	{sdkAnswer, "", true, `{"type":"file","data":$3,"mediaType":$0}`, "filename"},
	{sdkResult, "image", false, `{"type":"image-data","data":$1,"mediaType":$0}`, ""},
	{sdkResult, "image", true, `{"type":"image-url","url":$3}`, ""},
	{sdkResult, "", false, `{"type":"file-data","data":$1,"mediaType":$0}`, "filename"},
	{sdkResult, "", true, `{"type":"file-url","url":$3,"mediaType":$0}`, ""},
}

// The AI SDK has other parts in answers, also for the files in messages of the user, and others in tool results.
const sdkAnswer, sdkResult = "answer", "result"

// mediaPart returns an image or a file as a part of the target, nil if it has no form there.
func (v *converter) mediaPart(b *msg.Block, inAnswer, inResult bool) rawjson.Value {
	isImage := b.Kind == msg.KindImage
	if !isImage && !isFile(b) {
		return nil
	}
	f := mediaOf(b.Raw)
	if isImage && b.Image != nil && b.Image.Media != "" {
		f.kind = b.Image.Media // some clients say image/jpg, or name each image a PNG
	}
	if b.Type == "document" && f.url != "" {
		f.kind = pdf // which Anthropic's URLs always are
	}
	to := v.place(isImage, inAnswer, inResult)
	if to == "" || f.data+f.url == "" {
		return nil
	}
	for i := range forms {
		if row := &forms[i]; row.to == to && row.fits(&f, isImage) {
			return v.filled(b, f, row.part, row.name)
		}
	}
	if text := f.text(); text != "" {
		v.lose(b.Path, "document", "text")
		return v.textPart(text)
	}
	return nil
}

// place returns the name that forms has for the place of an image or a file, "" if the target has none there.
func (v *converter) place(isImage, inAnswer, inResult bool) Name {
	switch to := v.to.name; {
	case inResult && to == msg.OpenAIChat:
		return ""
	case to == msg.AISDK && inResult:
		return sdkResult
	case to == msg.AISDK && (inAnswer || !isImage):
		return sdkAnswer
	case inAnswer && to != msg.Gemini:
		return ""
	default:
		return to
	}
}

// fits reports whether a row has the form of a file.
func (r *form) fits(f *media, isImage bool) bool {
	if r.isURL != (f.data == "") || r.types != "" && !oneOf(r.types, f.kind) && !(isImage && r.types == "image") {
		return false
	}
	return f.kind != "" || r.isURL && !strings.Contains(r.part, "$0")
}

// filled returns a part with its values.
func (v *converter) filled(b *msg.Block, f media, part, member string) rawjson.Value {
	isKept := strings.Contains(part, "$0") || f.data != "" || f.kind == typeOf(f.url) || f.kind == pdf && member == "title"
	if !isKept {
		v.lose(b.Path, "the media type", "dropped")
	}
	if member == "file" && f.name == "" {
		f.name = "document.pdf"
		v.lose(b.Path, "a file without a name", f.name)
	}
	made := fill(part, f.kind, f.data, "data:"+f.kind+";base64,"+f.data, f.url, f.name)
	switch {
	case f.name == "" || member == "file":
	case member == "":
		v.lose(b.Path, "the name of the file", "dropped")
	default:
		made = made.With(member, rawjson.Quote(f.name))
	}
	switch to := v.to.name; { // the resolution at which OpenAI's models read an image
	case f.detail == "" || f.detail == "auto":
	case to == msg.OpenAIResponses:
		made = made.With("detail", rawjson.Quote(f.detail))
	case to == msg.OpenAIChat && oneOf("low|high", f.detail):
		made = made.With("image_url", made.Member("image_url").With("detail", rawjson.Quote(f.detail)))
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
	for _, name := range [...]string{"", "source", "inlineData", "inline_data", "image_url", "data", "image", "file",
		"input_audio", "fileData", "file_data"} {
		place := raw
		if name != "" {
			place = raw.Member(name)
		}
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
			case "detail":
				f.detail = it.Value.Text()
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
