package provenance

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// lift is what a sentence lifts.
type lift uint8

const (
	lifted   lift = iota // nothing
	permits              // a prohibition of its topic: "you may push to main again"
	releases             // a duty: "you no longer need to run the tests"
	names                // any rule about its topic: "forget the rule about main"
)

// liftings are the phrases of languages with an alphabet that lift a rule, without the words of lifted: "you may now"
// and "now you may" are "you may".
var liftings = [...]struct {
	phrases string
	lift    lift
	start   bool // counts at the start of a clause only
	again   bool // and with a word of liftingMarks
	rule    bool // and after a word of ruleNouns
}{
	{"you may|you can|you are allowed|you're allowed|you are free to|you're free to|it's ok to|it is ok to|it's okay to|" +
		"it is okay to|it's fine to|it is fine to|feel free to|i allow you to|you have my permission|you have permission|" +
		"du darfst|du kannst|darfst du|kannst du|ihr dürft|ihr könnt|dürft ihr|könnt ihr|sie dürfen|sie können|dürfen sie|" +
		"können sie|es ist ok|es ist okay|es ist in ordnung|es ist erlaubt|" +
		"tu peux|vous pouvez|tu as le droit|vous avez le droit|il est permis|il est autorisé|" +
		"puedes|podéis|puede|pueden|se puede|se permite|está permitido|tienes permiso|" +
		"можно|можешь|можете|ты можешь|вы можете|тебе можно|вам можно|разрешаю|разрешено|разрешается", permits,
		true, true, false},
	{"is allowed|are allowed|is permitted|are permitted|ist erlaubt|sind erlaubt|ist gestattet|est autorisé|" +
		"est autorisée|" +
		"est permis|sont autorisés|está permitido|están permitidos|está autorizado|можно|разрешено|разрешены|" +
		"разрешён|разрешена",
		permits, false, true, false},
	{"is no longer forbidden|are no longer forbidden|is no longer prohibited|are no longer prohibited|is not " +
		"forbidden anymore|" +
		"ist nicht mehr verboten|sind nicht mehr verboten|n'est plus interdit|ne sont plus interdits|ya no está prohibido|" +
		"ya no están prohibidos|больше не запрещено|больше не запрещены", permits, false, false, false},
	{"you no longer need to|you no longer have to|you don't need to|you don't have to|you do not need to|you " +
		"do not have to|" +
		"you needn't|no need to|du musst nicht mehr|du brauchst nicht mehr|musst du nicht mehr|brauchst du nicht mehr|" +
		"tu n'as plus besoin|tu n'as plus à|tu n'es plus obligé|vous n'avez plus besoin|vous n'avez plus à|plus besoin|" +
		"il n'est plus nécessaire|ya no hace falta|ya no tienes que|ya no necesitas|ya no es necesario|больше не нужно|" +
		"больше не надо|больше не требуется|больше не обязательно|можешь больше не|можно больше не", releases,
		true, false, false},
	{"no longer applies|no longer apply|no longer holds|no longer valid|no longer needed|no longer in force|" +
		"doesn't apply|" +
		"does not apply|is lifted|has been lifted|is revoked|is void|is canceled|is cancelled|" +
		"gilt nicht mehr|gelten nicht mehr|ist aufgehoben|entfällt|ne s'applique plus|ne s'appliquent plus|" +
		"n'est plus valable|n'est plus en vigueur|est levée|est levé|est annulée|ya no se aplica|ya no aplica|ya no vale|" +
		"ya no rige|ya no está vigente|queda anulada|queda sin efecto|больше не действует|больше не применяется|" +
		"больше не актуально|отменяется|отменено|снято", names, false, false, true},
}

// liftingMarks show that a permission is new. The words of a phrase may be on both sides of them.
const liftingMarks = "again|now|anymore|any more|any longer|wieder|jetzt|nun|de nouveau|à nouveau|" +
	"maintenant|désormais|ya|ahora|" +
	"de nuevo|otra vez|nuevamente|volver a|снова|опять|теперь|уже"

// droppingVerbs begin a request to drop a rule.
const droppingVerbs = " forget ignore drop lift disregard scrap cancel revoke retract withdraw remove " +
	"vergiss vergesst " +
	"vergessen ignoriere ignorier streiche streich verwirf hebe oublie oubliez ignorez annule annulez abandonne " +
	"abandonnez lève levez supprime retire olvida olvide olvidad ignora anula anule cancela levanta elimina quita " +
	"descarta забудь забудьте игнорируй игнорируйте отмени отмените сними снимите отбрось "

// ruleNouns name a rule or what the user said.
const ruleNouns = " rule rules requirement requirements restriction restrictions constraint constraints ban " +
	"prohibition " +
	"limit limits limitation instruction instructions policy said told regel regeln vorgabe vorgaben einschränkung " +
	"einschränkungen beschränkung verbot anweisung anweisungen grenze gesagt sagte règle règles contrainte " +
	"consigne consignes " +
	"restriction l'interdiction interdiction l'exigence exigence limite dit regla reglas norma restricción prohibición " +
	"limitación instrucción requisito límite dije dicho правило правила правиле ограничение ограничении ограничения " +
	"запрет запрете требование требования сказал сказала говорил говорила "

// places follow a noun of ruleNouns that is a thing of the work, and not a rule: "the limit in config.go".
const places = " in from file files function class table test tests field in aus dans en из в "

// doubts are words of conditions, exceptions, questions, reports and guesses, and limits in time.
const doubts = " if unless when whenever while once until till before after only except but however though although " +
	"provided assuming whether why who how else other says said say saying tell tells told claims wrote writes write " +
	"thinks think thought believe believes suppose imagine pretend wish hope maybe perhaps probably might would could " +
	"should wonder heard true false wrong mistake according remember remind ask asks asked means mean today tonight " +
	"temporarily time long soon case " +
	"wenn falls sobald solange bis bevor nachdem nur außer aber jedoch ob warum wer wie sagt sagte sagen meint " +
	"denkt glaubt glaube behauptet vielleicht wahrscheinlich könnte würde sollte laut heute diesmal merke merk " +
	"si quand lorsque jusqu'à avant après seulement uniquement sauf mais pourquoi qui dit dis disait dire " +
	"pense croit crois " +
	"peut-être pourrait selon aujourd'hui condition s'il s'ils rappelle-toi " +
	"cuando hasta antes después solo sólo solamente salvo excepto pero quién dice dijo dicen decir " +
	"piensa piensas cree creo quizás quizá podría según hoy siempre recuerda aunque mientras " +
	"если когда пока после до только кроме но однако почему кто говорит сказал сказала говорят думает думаю кажется " +
	"возможно может бы ли сегодня помни "

// revocation returns what a sentence lifts, and its words about the topic. A sentence that could also mean something
// else lifts nothing: with a negation, a condition, an exception, a question, a report or a quotation.
func revocation(s string) (l lift, topic string) {
	if strings.ContainsAny(s, "?？") || strings.HasPrefix(s, "'") || strings.Contains(s, " '") {
		return lifted, ""
	}
	s, again := announced(s)
	if han, kana, hangul := scripts(s); han || kana || hangul {
		return revokesWide(s, again)
	}
	head, tail, colon := cutColon(s)
	if colon = colon && strings.HasPrefix(tail, " "); !colon {
		head, tail = s, ""
	}
	r := recognizer{words: splitWords(nil, head)}
	again = r.dropMarks() || again
	for i := range r.words {
		f := r.liftAt(i, again)
		if f.lift == lifted || colon && f.about < f.end {
			continue
		}
		var rest []string
		for n := range r.words {
			switch w := r.words[n].text; {
			case n >= i && n < f.end, w == "s'il" && listed(" vous te ", r.at(n+1)):
			case listed(doubts, w) && !listed(" i i've ich je j'ai yo я ", r.at(n-1)) &&
				!(f.lift == releases && listed(qualifiers, w)),
				(listed(negations, w) || strings.HasSuffix(w, "n't")) && (n < f.about || n >= f.until ||
					n == len(r.words)-1 || r.hasComma(f.about, n)):
				return lifted, ""
			case !listed(polite, w) && !listed(ruleNouns, w):
				rest = append(rest, w)
			}
		}
		return f.lift, strings.Join(rest, " ") + " " + tail
	}
	return lifted, ""
}

// dropMarks removes the words of liftingMarks and reports whether there are any.
func (r *recognizer) dropMarks() (found bool) {
	var kept []word
	start := false
	for i := 0; i < len(r.words); {
		if n := r.matchesAny(i, liftingMarks); n > 0 && (r.words[i].text != "ya" || r.at(i+1) != "no") {
			found, start = true, start || r.words[i].start
			i += n
			continue
		}
		w := r.words[i]
		w.start, start = w.start || start, false
		kept = append(kept, w)
		i++
	}
	r.words = kept
	return found
}

// matchesAny returns the number of words of the first of the phrases that begins at word i, else 0.
func (r *recognizer) matchesAny(i int, phrases string) int {
	if !strings.Contains(phrases, r.words[i].text) {
		return 0 // of most words, at a tenth of the time
	}
	for phrase := range strings.SplitSeq(phrases, "|") {
		if strings.HasPrefix(phrase, r.words[i].text) {
			if n := r.matches(i, phrase); n > 0 {
				return n
			}
		}
	}
	return 0
}

// lifting is a phrase that lifts a rule: the words before end, and the words [about, until) that describe the rule.
type lifting struct {
	lift              lift
	end, about, until int
}

// liftAt returns the phrase at word i.
func (r *recognizer) liftAt(i int, again bool) lifting {
	if r.words[i].start && (listed(droppingVerbs, r.words[i].text) ||
		listed(" i ich je ", r.words[i].text) && listed(" lift revoke withdraw cancel retract take hebe nehme "+
			"lève retire ", r.at(i+1))) {
		for n := i + 1; n < min(len(r.words), i+7); n++ {
			if listed(negations, r.words[n].text) {
				break
			}
			if listed(ruleNouns, r.words[n].text) && !listed(places, r.at(n+1)) {
				if r.words[n].text == "gesagt" { // follows the topic
					n = i
				}
				return lifting{names, n + 1, n + 1, len(r.words)}
			}
		}
	}
	for k := range liftings {
		p := &liftings[k]
		if p.start && !r.words[i].start || p.again && !again {
			continue
		}
		if n := r.matchesAny(i, p.phrases); n > 0 {
			if noun := r.nounBefore(i); !p.rule || noun < i {
				return lifting{p.lift, i + n, noun, i}
			}
		}
	}
	return lifting{}
}

// nounBefore returns the first word before word i that names a rule, i without one.
func (r *recognizer) nounBefore(i int) int {
	for n := range r.words[:i] {
		if listed(ruleNouns, r.words[n].text) {
			return n
		}
	}
	return i
}

// hasComma reports whether a clause begins at one of the words.
func (r *recognizer) hasComma(from, to int) bool {
	for n := from; n <= to; n++ {
		if r.words[n].comma {
			return true
		}
	}
	return false
}

// wideLiftings are the phrases of languages without word forms or spaces. A phrase of again needs a sign that the
// permission is new; one of rule needs a word of wideRules before it or, in Chinese, after it.
var wideLiftings = [...]struct {
	phrases     string
	lift        lift
	again, rule bool
	request     bool // starts a Chinese clause, or follows its object
}{
	{"不用再|不必再|无需再|不需要再|不再需要|不再要求|没必要再|なくてもいい|なくても良い|なくてもよい|なくていい|なくても大丈夫|なくて大丈夫|なくても構いません|" +
		"必要はもうありません|必要はありません|必要ありません|必要はもうない|必要がなくなりました|必要はなくなりました|지 않아도 됩니다|지 않아도 돼|지 않아도 된다|" +
		"필요가 없습니다|필요 없습니다|필요가 없어|필요 없어|필요는 없습니다|안 해도 됩니다|안 해도 돼", releases, false, false, false},
	{"不再适用|不再生效|不再有效|作废|已取消|取消了|已解除|解除了|失效了|忘れてください|忘れて下さい|忘れてくれ|忘れていい|忘れてよい|忘れて構|忘れてもいい|" +
		"無視してください|無視して下さい|無視していい|取り消します|取り消して|撤回します|撤回して|撤廃します|解除します|解除して|なしにします|なしにして|" +
		"適用されなくな|適用されません|適用しません|無効です|無効になりました|解除されました|撤廃されました|잊어|잊으세요|잊으십시오|무시해|무시하세요|무시하십시오|" +
		"취소합|취소해|철회합|철회해|해제합|해제해|해제되었|해제됐|폐기합|적용되지 않|적용 안 |유효하지 않", names, false, true, false},
	{"忘掉|忘记|忘了|忽略|无视|取消|撤销|撤回|废除|废止|解除|放弃|不用管|不用理会|不必遵守|不用遵守", names, false, true, true},
	{"又可以|现在可以|可以再次|可以重新|重新可以|又允许|重新允许|现在允许|不再禁止|もう禁止ではありません|禁止ではなくなりました|もいいです|もいいよ|もいい|" +
		"も良いです|もよいです|も構いません|もかまいません|も構わない|も大丈夫|許可します|許可されました|도 됩니다|도 돼요|도 돼|도 된다|도 좋습니다|도 괜찮습니다|" +
		"도 괜찮아|다시 허용됩니다|이제 허용됩니다|허용합니다", permits, false, false, false},
	{"可以|允许", permits, true, false, false},
}

// wideRules name a rule or what the user said.
const wideRules = "规则|规定|限制|要求|约束|禁令|我说的|我说过的|说过的|那条|这条|ルール|規則|規定|制限|制約|指示|要件|禁止|決まり|言ったこと|言った件|규칙|제한|제약|지시|" +
	"요구|조건|금지|규정|원칙|말한"

// wideNegations and wideDoubts are negations and doubts.
const (
	wideNegations = "不|没|别|勿|未经|莫|无权|ない|ません|なかった|いけ|だめ|ダメ|禁止|지 마|지마|지 말|지말|않|안 |못|없|아니|라는|다는"
	wideDoubts    = "谁|吗|如果|要是|假如|倘若|除非|只有|只要|只能|除了|以外|之前|之后|以后|的时候|等我|等到|的话|万一|一旦|当我|但|仅|他说|她说|说可以|问|告诉|" +
		"认为|觉得|以为|记住|提醒|是否|怎么|什么|为何|难道|暂时|今天|这次|也许|可能|もし|たら|れば|なら|場合|とき|時は|時だけ|限り|まで|だけ|のみ|以外|次第|前に|後に|" +
		"後で|てから|今日|今回|と言|と書|によると|らしい|そうです|と思|と聞|って|たぶん|かな|なぜ|誰|しかし|ただし|" +
		"면 |으면|다면|려면|경우|때 |때만|때까지|만 |한해|전에|후에|뒤에|까지|제외|외에는|이번|오늘|다고|라고|는지|냐고|왜 |누가|아마|단,"
)

// revokesWide is revocation for a sentence with Chinese, Japanese or Korean characters.
func revokesWide(s string, again bool) (l lift, topic string) {
	s = strings.TrimRight(s, " 。.！!")
	again = again || strings.HasSuffix(s, "了") || containsAny(s, "现在|已经|重新")
	for k := range wideLiftings {
		p := &wideLiftings[k]
		for phrase := range strings.SplitSeq(p.phrases, "|") {
			i := strings.Index(s, phrase)
			if i < 0 || p.again && !again {
				continue
			}
			before, after := s[:i], s[i+len(phrase):]
			described := "" // may have a negation: the rule itself
			if p.rule {
				if start, end := lastOf(before, wideRules); end > 0 && (!p.request || containsAny(before, "把|将")) {
					before, described = before[end:], before[:start]
				} else if start, end := lastOf(after, wideRules); end > 0 && p.request && opensClause(before) {
					after, described = after[end:], after[:start]
				} else {
					continue
				}
			}
			if hasSuffix(before, "“|「|『|\"") {
				return lifted, ""
			}
			if containsAny(before+"\n"+after, wideNegations) || containsAny(s, wideDoubts) {
				return lifted, ""
			}
			if p.rule {
				return p.lift, described
			}
			return p.lift, before + " " + after
		}
	}
	return lifted, ""
}

// opensClause reports whether a Chinese clause begins after a text: there are only words of courtesy in it.
func opensClause(before string) bool {
	i := strings.LastIndexAny(before, "，,；;：:、")
	return strings.Trim(before[i+1:], "，；：、,;: 请你您就把将好的那么现在可以吧都全部") == ""
}

// lastOf returns the last of the words in a text; end is 0 without one.
func lastOf(s, words string) (start, end int) {
	for word := range strings.SplitSeq(words, "|") {
		if i := strings.LastIndex(s, word); i >= 0 && i+len(word) > end {
			start, end = i, i+len(word)
		}
	}
	return start, end
}

// revoked returns the statement that c lifts: the one with all words of c's subject and the fewest others, the latest
// of equal ones; nil if there is none. A permission lifts a prohibition only, and the end of a duty lifts a
// duty. Neither lifts a rule with a condition or of two parts that it does not repeat: "you may commit" is
// no answer to "never commit without tests".
func revoked(earlier []statement, c *statement) (best *statement) {
	if len(c.words) == 0 {
		return nil
	}
	what, _ := revocation(ownWords(c.Text))
	for j := range earlier {
		e := &earlier[j]
		if e.dropped || e.Revokes || e.Kind > Preference || best != nil && len(e.words) > len(best.words) ||
			what != names && (e.prohibits != (what == permits) || e.qualified && !c.qualified) {
			continue
		}
		if !slices.ContainsFunc(c.words, func(w string) bool {
			return !slices.ContainsFunc(e.words, func(o string) bool { return sameStem(w, o) })
		}) {
			best = e
		}
	}
	return best
}

// prohibits reports a rule that forbids something.
func prohibits(rule string) bool {
	for _, w := range splitWords(nil, rule) {
		if listed(negations, w.text) || listed(prohibitions, w.text) || strings.HasSuffix(w.text, "n't") ||
			strings.HasPrefix(w.text, "n'") {
			return true
		}
	}
	return containsAny(rule, wideNegations) || containsAny(rule, "禁|避免|不可|금지|삼가")
}

// prohibitions are words of rules that forbid something, in addition to negations.
const prohibitions = " avoid refrain stop forbidden prohibited off-limits off vermeide vermeiden verboten " +
	"untersagt keinesfalls " +
	"évite évitez interdit interdite interdiction evita evite prohibido prohibida избегай избегайте запрещено запрещается "

// hasQualifier reports a rule with a condition, or about two things.
func hasQualifier(rule string) bool {
	for _, w := range splitWords(nil, rule) {
		if listed(qualifiers, w.text) {
			return true
		}
	}
	return containsAny(rule, "未经|之前|或|和|以及|前に|なしで|なしに|または|전에|없이|또는")
}

const qualifiers = " without unless before until except only or and ohne außer bevor bis nur oder und sans " +
	"sauf avant " +
	"uniquement seulement ou et sin salvo excepto antes hasta solo sólo o y e u без кроме пока до только или и "

// sameStem reports two forms of one word: they begin with the same three letters, two in Korean, and each ends with an
// ending of endings.
func sameStem(a, b string) bool {
	n, letters := 0, 0
	for i, c := range a {
		if !strings.HasPrefix(b[min(i, len(b)):], string(c)) {
			break
		}
		n = i + utf8.RuneLen(c)
		letters++
	}
	if first, _ := utf8.DecodeRuneInString(a); first >= 0xAC00 {
		return letters >= 2 && utf8.RuneCountInString(a[n:]) <= 2 && utf8.RuneCountInString(b[n:]) <= 2 || a == b
	}
	return a == b || letters >= 3 && (n == len(a) || listed(endings, a[n:])) && (n == len(b) || listed(endings, b[n:]))
}

// endings are the endings of word forms.
const endings = " s es ed d ing ning ting ging ming bing e er en n r te ten t st et é ée és ées ez ent ons " +
	"a as o os an ar ir car que ques quen gar gue gues zar ce ces re tre " +
	"ando iendo ó ь и й ть ить ать ять ите йте ьте ай ю ем ет ешь я ы у е а ов ам ами ах ом ой ей его уй уйте " +
	"овать ки ку ка ке "

// ownWords returns the words of a sentence that are its author's own statement: without a label, and masked.
func ownWords(s string) string {
	if _, rest, ok := label(s); ok {
		return rest
	}
	return masked(s)
}
