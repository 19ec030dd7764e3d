package provenance

import "strings"

// The rules of single languages: Spanish, Russian, Chinese, Japanese and Korean.

// negated reports a Spanish form of a negative imperative.
func negated(w string) bool {
	if listed(usted, w) {
		return true
	}
	return len(w) > 3 && (strings.HasSuffix(w, "es") || strings.HasSuffix(w, "as")) &&
		!listed(" tienes eres sabes ves nosotras ellas puedes debes ", w)
}

// russian reports a Russian imperative or an infinitive.
func russian(w string) bool {
	return len(w) > 4 && hasSuffix(w, "й|йте|и|ите|ь|ьте") &&
		!hasSuffix(w, "ли|ей|ой|ый|ий|ии|ами|ость") && !listed(" очень есть теперь здесь лишь опять ", w)
}

// russianRule reports a Russian rule whose cue, word i, follows its topic: "для базы всегда используй …", "копии нужно
// хранить …".
func (r *recognizer) russianRule(i int) bool {
	prev, next := r.at(i-1), r.at(i+1)
	if i == 0 || r.words[i].start || listed(" я мы он она они мне нам ему ей им не что и ли ", prev) {
		return false
	}
	switch r.at(i) {
	case "всегда":
		return russian(next)
	case "никогда":
		return next == "не" && russian(r.at(i+2))
	case "нужно", "надо", "следует":
		return len(next) > 4 && hasSuffix(next, "ть|ти|чь|ться|тись")
	}
	return false
}

func hasSuffix(s, ends string) bool {
	for end := range strings.SplitSeq(ends, "|") {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return false
}

// containsAny reports whether s contains one of the words, which are separated by bars. A list of arguments would be
// compiled to code that is three times as large.
func containsAny(s, words string) bool {
	for word := range strings.SplitSeq(words, "|") {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// chinese, japanese and korean read sentences without word forms: cues anywhere, except in reports.

func chinese(s string) (Kind, bool) {
	if containsAny(s, "为什么|是否|怎么|是不是|要不要|能不能|什么时候") ||
		containsAny(s, "文档说|他说|她说|据说|写着|提示说|报错|里说|上说|他们说|声称|表示") {
		return 0, false
	}
	t := s
	for _, drop := range [...]string{"不必须", "不是必须", "被禁止", "已禁止", "不要紧", "不能运行", "只能说", "必须的"} {
		t = strings.ReplaceAll(t, drop, "")
	}
	if containsAny(t, "必须|不要|禁止|务必|只能|不得|严禁|切勿|请勿|不许|不准|不可以|千万|一定要|从现在起|从现在开始|今后|以后都|永远不|绝不|绝对不能|你不能|只用|只使用|"+
		"仅使用|只允许|不允许|请确保|请始终|请总是|请保持|应始终") {
		return Rule, true
	}
	for _, clause := range strings.FieldsFunc(t, func(c rune) bool { return strings.ContainsRune("，,；;：:、 （(", c) }) {
		clause = strings.TrimPrefix(clause, "请")
		for _, p := range [...]string{"不能", "确保", "始终", "总是", "别", "只改", "只修改", "避免", "保持", "仅限"} {
			if rest, ok := strings.CutPrefix(clause, p); ok && rest != "" &&
				!(p == "别" && hasPrefix(rest, "的", "人", "名", "处", "样")) {
				return Rule, true
			}
		}
	}
	switch {
	case containsAny(t, "目标是"):
		return Goal, true
	case containsAny(t, "我希望|更喜欢|我喜欢|倾向于|偏好|我想要|最好|我更|我想用"):
		return Preference, true
	}
	return 0, false
}

func hasPrefix(s string, starts ...string) bool {
	for _, p := range starts {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func japanese(s string) (Kind, bool) {
	t := strings.TrimRight(s, "。.！! ")
	if containsAny(t, "と書いて|と書かれて|と言って|と言われ|によると|らしい|そうです|とのこと|でしょうか|なぜ") {
		return 0, false
	}
	if containsAny(t, "てはいけ|ではいけ|てはならな|てはなりません|ではならな|てはだめ|ちゃだめ|ないでください|ないで下さい|しないで|ないでほしい|なければならな|なければなりません|"+
		"ようにしてください|ようにして下さい|べきではな|厳禁|は不可") ||
		strings.Contains(t, "禁止") && !containsAny(t, "禁止されて|禁止され、|禁止した") || strings.HasSuffix(t, "ないこと") {
		return Rule, true
	}
	if containsAny(t, "必ず|絶対|常に|のみ|だけ|今後は|これからは|以降は|決して") &&
		(containsAny(t, "ください|下さい|こと|せよ|しろ|なさい|てくれ|ように|べき") ||
			hasSuffix(t, "て|用|ない|限る|お願いします")) &&
		!containsAny(t, "ことが|ことは|呼ばれな|されない") {
		return Rule, true
	}
	switch {
	case containsAny(t, "目標は"):
		return Goal, true
	case containsAny(t, "できれば|なるべく|ほしい|好みです|が好き|望ましい|希望します|したいです|がいいです"):
		return Preference, true
	}
	return 0, false
}

func korean(s string) (Kind, bool) {
	t := strings.TrimRight(s, ".! ")
	if containsAny(t, "라고 적|라고 써|라고 쓰|라고 말|라고 했|라고 되|라고 한다|다고 합니다|다고 한다|다고 했|왜 ") {
		return 0, false
	}
	if containsAny(t, "지 마|지마|지 말|지말|면 안 |면 안됩|면 안돼|면 안된|서는 안 |서는 안됩|해야만") ||
		strings.Contains(t, "금지") && !containsAny(t, "금지되|금지됐|금지한 ") {
		return Rule, true
	}
	imperative := containsAny(t, "세요|십시오|시오|주세") ||
		hasSuffix(t, "하라|해라|할 것|말 것|마라|줘|야 해|야 한다|야 합니다|야 돼|야 됩니다|야 해요|야 돼요|해|하기|합시다")
	if containsAny(t, "반드시|절대|항상|꼭 |언제나|무조건|이제부터|앞으로|지금부터|만 사용|만 써|만 수정|만 변경|에만 |으로만|로만 ") && imperative &&
		!containsAny(t, "지 않는다|지 않습니다") {
		return Rule, true
	}
	if hasSuffix(t, "야 한다|야 합니다|야 해|야 해요|야 돼|야 됩니다") {
		return Rule, true
	}
	switch {
	case containsAny(t, "목표는"):
		return Goal, true
	case containsAny(t, "선호|원합니다|원해|좋겠|싶|가급적|되도록|더 좋아"):
		return Preference, true
	}
	return 0, false
}
