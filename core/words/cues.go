package words

import (
	"strings"
	"unicode/utf8"
)

// cues are words with which a user binds or decides, in eight languages. A sentence that has one leaves after those
// that have none; they decide nothing else. (Without them the rank is right where words are repeated, but not where
// small talk is said once: make suites, CompactBench at three tenths.)
const (
	// whole words
	cueWords = "must mustn't never always don't only instead without rule rules decide decided decision final prefer " +
		"let's should shouldn't use avoid goal forbidden required deadline " +
		"muss musst müssen darf dürfen nie niemals immer nicht nur kein keine statt stattdessen ohne regel regeln soll " +
		"sollen sollte entschieden entscheidung ziel verwende " +
		"doit dois devez jamais toujours seulement uniquement interdit plutôt sans règle règles décidé décision utilise " +
		"utilisez faut objectif " +
		"debe debes deben nunca siempre jamás solo sólo únicamente prohibido lugar sin regla reglas decidido decisión usa " +
		"utiliza objetivo " +
		"должен должна должны нужно никогда всегда только нельзя вместо без не правило правила решили решено запрещено " +
		"используй используйте цель"
	// parts of words, between bars
	cueParts = "必须|不要|不能|不得|禁止|只|务必|一定|应该|改用|决定|规则|目标|绝不|" +
		"必ず|絶対|だけ|ないで|てはいけ|なければ|決め|ルール|代わり|使って|目標|" +
		"반드시|절대|항상|마세요|말고|금지|대신|규칙|결정|해야|목표"
)

// isCue has the cueWords.
var isCue = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(cueWords) {
		set[w] = true
	}
	return set
}()

// hasCue reports whether a text has a cue. words are those of the text.
func hasCue(text string, words []string) bool {
	for _, w := range words {
		if isCue[w] {
			return true
		}
	}
	if utf8.RuneCountInString(text) == len(text) { // no script that has the parts
		return false
	}
	for _, part := range strings.Split(cueParts, "|") {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}
