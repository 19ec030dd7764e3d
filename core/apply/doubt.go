package apply

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/summarize"
)

// A call that returns a text has not necessarily returned a summary: clients return the text of an error, proxies their
// page, models a refusal, a question or what they were sent. Such a text would replace the conversation for good. The
// rules need no language: a summary of a text that has names has some of them.

const (
	minNames   = 10  // names, or words, of a text from which its summary is expected to have some
	minShared  = 3   // words that a short answer shares with a text without names
	shortReply = 400 // code points: errors, refusals and questions have fewer
	minSample  = 100 // bytes of an answer that are searched in the request
)

// doubt returns the reason why an answer is no summary of texts, which its request has; "" if it may be one.
func doubt(answer string, q *plan.SummaryRequest, texts func(visit func(string) (more bool))) string {
	answer = strings.TrimSpace(answer)
	switch {
	case answer == "":
		return string(summarize.Empty)
	case isError(answer):
		return "the answer is an error"
	case isPage(answer):
		return "the answer is a page of HTML or XML"
	case isEcho(answer, q):
		return "the answer repeats the request"
	}
	said, named, shares := map[string]bool{}, map[string]bool{}, false
	eachName(answer, func(name string) { said[name] = true })
	texts(func(text string) bool {
		eachName(text, func(name string) {
			shares = shares || said[name]
			if len(named) < minNames {
				named[name] = true
			}
		})
		return !shares
	})
	switch {
	case shares:
		return ""
	case len(named) >= minNames:
		return "the answer has none of the names of the text"
	case q.Level == 1 && utf8.RuneCountInString(answer) < shortReply && isForeign(answer, q, texts):
		return "the answer has too few words of the text"
	}
	return ""
}

// isError reports a JSON object of an error, which may be in a list, and after the words or the line of a client:
// `API Error: 401 {"type":"error",…}`.
func isError(answer string) bool {
	answer = strings.TrimSpace(strings.Trim(answer, "`")) // a fence, whose language comes before the object
	start := strings.IndexByte(answer, '{')
	if start < 0 || start > minSample {
		return false
	}
	object := rawjson.Value(strings.TrimRight(answer[start:], "] \r\n\t"))
	if msg.Validate(object) != nil {
		return false
	}
	if object.Member("type").Text() == "error" {
		return true
	}
	value := object.Member("error")
	return value.Kind() == '{' || value.Kind() == '"' && value.Text() != ""
}

// isPage reports a whole document of HTML or XML.
func isPage(answer string) bool {
	head := strings.ToLower(answer[:min(len(answer), len("<!doctype"))])
	return strings.HasPrefix(head, "<!doctype") || strings.HasPrefix(head, "<html") || strings.HasPrefix(head, "<?xml")
}

// isEcho reports an answer that is a part of the prompts, or of which three samples are. Only letters and digits count:
// an echo may be quoted, or a JSON string.
func isEcho(answer string, q *plan.SummaryRequest) bool {
	said := letters(answer)
	for _, part := range summarize.Frame(q.System, q.User) {
		if bytes.Contains(letters(part), said) {
			return true
		}
	}
	n := len(said)
	if n < minSample {
		return false
	}
	user, system := letters(q.User), letters(q.System)
	if n < 4*minSample {
		return bytes.Contains(user, said) || bytes.Contains(system, said)
	}
	for i := 1; i <= 3; i++ {
		sample := said[n*i/4-minSample/2 : n*i/4+minSample/2]
		if !bytes.Contains(user, sample) && !bytes.Contains(system, sample) {
			return false
		}
	}
	return true
}

// letters returns the letters and digits of a text, and the bytes of its other scripts. Escapes of JSON are left out.
func letters(text string) []byte {
	out, n := make([]byte, len(text)), 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && strings.IndexByte("nrtbf", text[i+1]) >= 0:
			i++
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', c >= utf8.RuneSelf:
			out[n] = c
			n++
		}
	}
	return out[:n]
}

// eachName visits the names of a text: paths by their last part, which a summary may shorten them to, identifiers,
// hashes and URLs. A short number is none: an error has its status, and a text of numbers has every status.
func eachName(text string, visit func(string)) {
	summarize.Atoms(text, func(kind summarize.FactKind, name string) {
		switch kind {
		case summarize.Number:
			if len(name) < 5 {
				return
			}
		case summarize.Path:
			name = strings.TrimRight(name, "/")
			name = name[strings.LastIndexByte(name, '/')+1:]
		}
		visit(name)
	})
}

// isForeign reports whether a text has hardly any of the answer's words: under a third, or, if it has ten long words,
// under half of the long ones, or fewer than minShared if the answer has no more. Those of the prompts do not count.
func isForeign(answer string, q *plan.SummaryRequest, texts func(visit func(string) (more bool))) bool {
	said, known := map[string]bool{}, map[string]bool{} // said: whether it is a long word that the prompts do not have
	eachWord(answer, func(word string) { said[word] = len(word) >= longWord })
	for _, part := range summarize.Frame(q.System, q.User) {
		eachWord(part, func(word string) {
			if said[word] {
				said[word] = false
			}
		})
	}
	own, shared, long, common := 0, 0, 0, 0
	for _, isOwn := range said {
		if isOwn {
			own++
		}
	}
	texts(func(text string) bool {
		eachWord(text, func(word string) {
			if known[word] {
				return
			}
			known[word] = true
			if len(word) >= longWord {
				long++
			}
			isOwn, found := said[word]
			if found {
				common++
			}
			if isOwn {
				shared++
			}
		})
		return true
	})
	if long < minNames {
		return len(known) > 0 && common*3 < max(len(said), 1)
	}
	return shared < minShared && (own < minShared || shared*2 < own)
}

// eachWord visits the words of a text with at least four letters, in lower case; each two neighbors of a script that
// has no spaces between words; and the first two syllables of a Korean word. Hiragana is grammar, as its end is.
func eachWord(text string, visit func(string)) {
	start, letters, before := 0, 0, -1 // before is the rune before, if its script has no spaces
	hangul := 0                        // syllables of this word
	for i, r := range text + " " {
		syllable := r >= '가' && r <= '힣'
		wide := r >= firstWide && unicode.IsLetter(r) && !syllable && (r < 'ぁ' || r > 'ゟ')
		if wide && before >= 0 {
			visit(text[before : i+utf8.RuneLen(r)])
		}
		if before = -1; wide {
			before = i
		}
		if hangul++; !syllable {
			hangul = 0
		}
		if hangul == 2 {
			visit(text[i-utf8.RuneLen(r) : i+utf8.RuneLen(r)])
		}
		if r < firstWide && unicode.IsLetter(r) {
			if letters == 0 {
				start = i
			}
			letters++
			continue
		}
		if letters >= 4 && letters <= longestWord {
			visit(strings.ToLower(text[start:i]))
		}
		letters = 0
	}
}

const longWord = 5 // bytes; a pair of neighbors has more

const longestWord = 40 // letters; longer runs are data

const firstWide = 0x2E80 // CJK radicals, from which on scripts have no spaces between words, Hangul aside

// textsOf calls visit for the texts of a region that its request has, as long as it returns true.
func (a *source) textsOf(r *plan.Region, visit func(string) (more bool)) {
	more := true
	add := func(b *msg.Block) {
		switch b.Kind {
		case msg.KindToolUse:
			summarize.Inputs(b.Text, func(text string) { more = more && visit(text) })
		case msg.KindText, msg.KindToolResult, msg.KindDocument:
			more = visit(b.Text)
		}
	}
	for i := 0; more && i < len(r.Blocks); i++ {
		add(a.c.At(r.Blocks[i]))
	}
	for _, s := range r.Spans {
		for it := a.c.WalkIn(s); more && r.Blocks == nil && it.Next(); {
			add(it.Block)
		}
	}
}
