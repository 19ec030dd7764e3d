package summarize

import (
	"strings"
	"unicode/utf8"
)

// Refusal is the reason why an answer is not used. It is the reason of an Action.
type Refusal string

const (
	Empty    Refusal = "the answer is empty"
	TooLarge Refusal = "the answer is not smaller than the text that it replaces"
)

// Read makes a summary from a model's answer. It trims the answer and cuts it to maxTokens at a sentence end; cut
// reports that. The answer is refused, with the reason in why, if it is empty or if the summary has at least `replaces`
// tokens, the size of the replaced text. count counts tokens.
func Read(answer string, maxTokens, replaces int, count func(string) int) (summary string, cut bool, why Refusal) {
	summary = strings.TrimSpace(strings.ToValidUTF8(answer, "\uFFFD"))
	if count(summary) > maxTokens {
		summary, cut = ShortenToTokens(summary, maxTokens, count), true
	}
	if summary == "" {
		return "", cut, Empty
	}
	if count(summary) >= replaces {
		return "", cut, TooLarge
	}
	return summary, cut, ""
}

// ShortenToTokens cuts text to at most maxTokens: after the last sentence that fits if that keeps at least half of the
// bytes that fit, else after the last word under the same condition, else after any code point.
func ShortenToTokens(text string, maxTokens int, count func(string) int) string {
	if count(text) <= maxTokens {
		return text
	}
	low, high := 0, len(text) // binary search for the longest prefix that fits: low fits, high may not
	for low < high {
		mid := boundary(text, (low+high+1)/2)
		if mid <= low {
			mid = next(text, low)
		}
		if mid > high {
			break
		}
		if count(text[:mid]) <= maxTokens {
			low = mid
		} else {
			high = boundary(text, mid-1)
		}
	}
	head := text[:low]
	if end := sentenceEnd(head); end >= len(head)/2 {
		return strings.TrimSpace(head[:end])
	}
	if space := strings.LastIndexAny(head, " \n\t"); space >= len(head)/2 {
		return strings.TrimSpace(head[:space])
	}
	return strings.TrimSpace(head)
}

// boundary moves an offset back to the start of a code point.
func boundary(text string, i int) int {
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// next returns the offset after the code point at i.
func next(text string, i int) int {
	_, size := utf8.DecodeRuneInString(text[i:])
	return i + size
}

// sentenceEnd returns the offset after the last sentence of head, 0 if there is none.
func sentenceEnd(head string) int {
	end := strings.LastIndexByte(head, '\n')
	for i, r := range head {
		switch r {
		case '。', '！', '？':
			end = max(end, i+utf8.RuneLen(r))
		case '.', '!', '?':
			if rest := head[i+1:]; rest == "" || rest[0] == ' ' || rest[0] == '\n' {
				end = max(end, i+1)
			}
		}
	}
	return max(end, 0)
}
