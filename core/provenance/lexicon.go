package provenance

// This file lists the words of constraints in languages with an alphabet. All lists are words in lower case between
// spaces, so that membership is one search.

// place is where a cue counts in its sentence.
type place uint8

const (
	anywhere place = iota
	clause         // at the start of a clause, or after a word of leads
)

// cue is a phrase that makes its sentence a statement of a kind, unless the word before it is in notPrev or the word
// after it in notNext.
type cue struct {
	phrase           string
	kind             Kind
	at               place
	notPrev, notNext string
}

// polite are words that may precede an imperative: the clause starts after them.
const polite = " please alright yes sure well just also then and but so or ok okay btw kindly simply again " +
	"however therefore important " +
	"note " +
	"reminder warning attention hinweis wichtig bitte und aber oder auch dann also svp et mais ou donc aussi alors " +
	"important " +
	"por favor y pero o también además importante пожалуйста и но или также потом важно "

// leads are words after which an adverb such as "never" still binds the agent.
const leads = " you should must shall agent assistant everyone "

// reports are words after which "never" and "always" describe something.
const reports = " is are was were has have had been being i he she it they we that which who gets got it's i've " +
	"there's he's she's be does did "

var cues = [...]cue{
	// English
	{"absolutely no", Rule, clause, "", " idea problem way "},
	{"always", Rule, clause, reports, " been was had wanted thought worked works fails failed "},
	{"at no point", Rule, anywhere, "", " did was is were "},
	{"avoid", Rule, clause, " to can could ", ""},
	{"be careful", Rule, clause, "", ""},
	{"be sure to", Rule, clause, "", ""},
	{"do not", Rule, clause, " to i we they ",
		" know think see have mind care worry understand remember believe work need have like "},
	{"don't", Rule, clause, " to i we they ",
		" know think see have mind care worry understand remember believe work hesitate get feel want need like "},
	{"don't want", Rule, anywhere, " you they if why ", ""},
	{"do not want", Rule, anywhere, " you they if why ", ""},
	{"dont", Rule, clause, " to i we they ",
		" know think see have mind care worry understand remember believe work get feel want need like "},
	{"ensure", Rule, clause, " to can could will would ", ""},
	{"forbidden", Rule, anywhere, " 403 error http status ", ""},
	{"from now on", Rule, anywhere, "", ""},
	{"going forward", Rule, anywhere, "", ""},
	{"has to", Rule, anywhere, " what it he she who that nobody anything something ", " do with "},
	{"keep", Rule, clause, " to i we they can could will would ", " going in trying working getting seeing it up on at "},
	{"limit yourself", Rule, anywhere, "", ""},
	{"make sure", Rule, clause, " to i we they can could will would ", ""},
	{"mandatory", Rule, anywhere, " not if ", ""},
	{"may not", Rule, anywhere, " it this that they there i we ", " be have work "},
	{"must", Rule, anywhere, " there a ", " have've "},
	{"must not", Rule, anywhere, " ", ""},
	{"mustn't", Rule, anywhere, "", ""},
	{"needs to", Rule, anywhere, " what it he she who that nobody anything something ", " know "},
	{"never", Rule, clause, reports,
		" mind seen been heard had got again ever happen happened worked was works came did "},
	{"no longer use", Rule, clause, "", ""},
	{"not allowed", Rule, anywhere, " method operation if ", ""},
	{"off limits", Rule, anywhere, "", ""},
	{"off-limits", Rule, anywhere, "", ""},
	{"prohibited", Rule, anywhere, "", ""},
	{"refrain from", Rule, clause, "", ""},
	{"remember to", Rule, clause, " to i ", ""},
	{"required to", Rule, anywhere, " not what if ", ""},
	{"should always", Rule, anywhere, "", ""},
	{"should never", Rule, anywhere, "", " happen have "},
	{"should not", Rule, anywhere, " it this that change ", " happen have matter be possible "},
	{"should only", Rule, anywhere, "", ""},
	{"shouldn't", Rule, anywhere, " it this that ", " happen have matter we i you it they this that "},
	{"strictly", Rule, clause, "", " speaking "},
	{"under no circumstances", Rule, anywhere, "", ""},
	{"you can't", Rule, clause, "", " see tell know "},
	{"you cannot", Rule, clause, "", " see tell know "},
	{"you have to", Rule, anywhere, " do ", ""},
	{"you need to", Rule, clause, " do if ", " and or be "},
	{"you should", Rule, anywhere, " do if what ", " be see have know find get "},
	{"goal is", Goal, anywhere, "", ""},
	{"ideally", Preference, clause, "", ""},
	{"prefer", Preference, anywhere, " you they do ", ""},
	{"preferably", Preference, anywhere, "", ""},
	{"prefers", Preference, anywhere, "", ""},
	{"i want", Preference, anywhere, "", " to know see understand ask "},
	{"we want", Preference, anywhere, "", " to know see understand "},
	{"i'd like", Preference, anywhere, "", " to know see understand ask "},
	{"i'd rather", Preference, anywhere, "", ""},
	{"i would like", Preference, anywhere, "", " to know see understand ask "},
	{"i would rather", Preference, anywhere, "", ""},
	{"wants", Preference, anywhere, " it that ", ""},
	{"budget is", Fact, anywhere, "", ""},
	{"deadline is", Fact, anywhere, "", ""},
	{"for reference", Fact, clause, "", ""},
	{"fyi", Fact, clause, "", ""},
	{"i am allergic", Fact, anywhere, "", ""},
	{"i'm allergic", Fact, anywhere, "", ""},
	{"keep in mind", Fact, clause, "", ""},
	{"my name is", Fact, anywhere, "", ""},
	{"note that", Fact, clause, "", ""},
	// German
	{"ab jetzt", Rule, anywhere, "", ""},
	{"ab sofort", Rule, anywhere, "", ""},
	{"achte darauf", Rule, clause, "", ""},
	{"achten sie darauf", Rule, clause, "", ""},
	{"auf keinen fall", Rule, anywhere, "", ""},
	{"ausschließlich", Rule, anywhere, " ist sind wird werden ", ""},
	{"bitte nicht", Rule, anywhere, "", ""},
	{"darf keine", Rule, anywhere, "", ""},
	{"darf nicht", Rule, anywhere, "", ""},
	{"darf nie", Rule, anywhere, "", ""},
	{"darf niemals", Rule, anywhere, "", ""},
	{"darf nur", Rule, anywhere, "", ""},
	{"darfst keine", Rule, anywhere, "", ""},
	{"darfst nicht", Rule, anywhere, "", ""},
	{"darfst nie", Rule, anywhere, "", ""},
	{"darfst nur", Rule, anywhere, "", ""},
	{"dürfen keine", Rule, anywhere, "", ""},
	{"dürfen nicht", Rule, anywhere, "", ""},
	{"dürfen nur", Rule, anywhere, "", ""},
	{"keinesfalls", Rule, anywhere, "", ""},
	{"muss", Rule, anywhere, " ich es das ", " ich wohl "},
	{"musst", Rule, anywhere, "", " nicht "},
	{"müssen", Rule, anywhere, " wir ", " wir nicht "},
	{"stell sicher", Rule, clause, "", ""},
	{"stelle sicher", Rule, clause, "", ""},
	{"stellen sie sicher", Rule, clause, "", ""},
	{"unbedingt", Rule, anywhere, " nicht ", ""},
	{"vermeide", Rule, clause, "", ""},
	{"vermeiden sie", Rule, clause, "", ""},
	{"verboten", Rule, anywhere, " wurde ", ""},
	{"von nun an", Rule, anywhere, "", ""},
	{"am liebsten", Preference, anywhere, "", ""},
	{"bevorzuge", Preference, anywhere, "", ""},
	{"bevorzugen", Preference, anywhere, "", ""},
	{"ich hätte gern", Preference, anywhere, "", ""},
	{"ich möchte", Preference, anywhere, "", " wissen "},
	{"ich will", Preference, anywhere, "", " wissen "},
	{"lieber", Preference, anywhere, "", ""},
	{"wir möchten", Preference, anywhere, "", ""},
	{"wir wollen", Preference, anywhere, "", ""},
	// French
	{"à partir de maintenant", Rule, anywhere, "", ""},
	{"assure-toi", Rule, clause, "", ""},
	{"assurez-vous", Rule, clause, "", ""},
	{"désormais", Rule, clause, "", ""},
	{"doit", Rule, anywhere, " on que il ", " avoir "},
	{"doivent", Rule, anywhere, " qui ils ", " avoir "},
	{"dorénavant", Rule, anywhere, "", ""},
	{"évite", Rule, clause, "", ""},
	{"évitez", Rule, clause, "", ""},
	{"il faut", Rule, anywhere, "", ""},
	{"il ne faut", Rule, anywhere, "", ""},
	{"interdit", Rule, anywhere, "", ""},
	{"interdiction", Rule, anywhere, "", ""},
	{"surtout pas", Rule, anywhere, "", ""},
	{"tu dois", Rule, anywhere, "", ""},
	{"veille à", Rule, clause, "", ""},
	{"veillez à", Rule, clause, "", ""},
	{"vous devez", Rule, anywhere, "", ""},
	{"de préférence", Preference, anywhere, "", ""},
	{"idéalement", Preference, anywhere, "", ""},
	{"j'aimerais", Preference, anywhere, "", " savoir comprendre "},
	{"je préfère", Preference, anywhere, "", ""},
	{"je préférerais", Preference, anywhere, "", ""},
	{"je veux", Preference, anywhere, "", " savoir comprendre "},
	{"je voudrais", Preference, anywhere, "", " savoir comprendre "},
	{"nous voulons", Preference, anywhere, "", ""},
	// Spanish
	{"a partir de ahora", Rule, anywhere, "", ""},
	{"asegúrate", Rule, clause, "", ""},
	{"asegúrese", Rule, clause, "", ""},
	{"de ahora en adelante", Rule, anywhere, "", ""},
	{"debe", Rule, anywhere, " se que ", " haber de "},
	{"deben", Rule, anywhere, " se que ", " haber de "},
	{"debes", Rule, anywhere, "", ""},
	{"evita", Rule, clause, "", ""},
	{"evite", Rule, clause, "", ""},
	{"hay que", Rule, anywhere, " no ", ""},
	{"no puedes", Rule, anywhere, "", " ver saber "},
	{"no se debe", Rule, anywhere, "", ""},
	{"obligatorio", Rule, anywhere, " no ", ""},
	{"prohibido", Rule, anywhere, "", ""},
	{"tienes que", Rule, anywhere, " no ", ""},
	{"me gustaría", Preference, anywhere, "", " saber "},
	{"preferiblemente", Preference, anywhere, "", ""},
	{"prefiero", Preference, anywhere, "", ""},
	{"queremos", Preference, anywhere, "", " saber "},
	{"quiero", Preference, anywhere, "", " saber "},
	{"quisiera", Preference, anywhere, "", " saber "},
	// Russian
	{"избегай", Rule, clause, "", ""},
	{"избегайте", Rule, clause, "", ""},
	{"впредь", Rule, anywhere, "", ""},
	{"должен", Rule, anywhere, " я ", " быть "},
	{"должна", Rule, anywhere, " я ", " быть "},
	{"должно", Rule, anywhere, "", " быть "},
	{"должны", Rule, anywhere, " мы ", ""},
	{"запрещено", Rule, anywhere, "", ""},
	{"запрещается", Rule, anywhere, "", ""},
	{"необходимо", Rule, anywhere, " не ", ""},
	{"нельзя", Rule, anywhere, "", ""},
	{"ни в коем случае", Rule, anywhere, "", ""},
	{"обязательно", Rule, anywhere, " не ", ""},
	{"отныне", Rule, anywhere, "", ""},
	{"с этого момента", Rule, anywhere, "", ""},
	{"убедись", Rule, clause, "", ""},
	{"убедитесь", Rule, clause, "", ""},
	{"желательно", Preference, anywhere, "", ""},
	{"предпочитаю", Preference, anywhere, "", ""},
	{"хотелось бы", Preference, anywhere, "", " знать понять "},
	{"хотим", Preference, anywhere, "", " знать понять "},
	{"хочу", Preference, anywhere, "", " знать понять "},
}

// imperatives are verbs that start an instruction: with "only", "without", "instead of" and ", not" they bind.
const imperatives = " use edit change touch write read run modify commit push add fix test work include reply " +
	"answer respond " +
	"return install deploy update make create delete show print call do support allow apply look list translate quote " +
	"cite " +
	"consider generate output mention send book pay buy schedule contact ask speak import ship suggest recommend give " +
	"merge " +
	"implement build refactor rename remove rewrite put set store load start stop open close name format document " +
	"explain " +
	"describe summarize review let leave go take move copy log keep stay restart query fetch cancel order invite plan " +
	"verwende nutze benutze nimm mach mache schreibe ändere lösche antworte füge teste committe pushe lass lies gib " +
	"halte " +
	"führe bearbeite setze starte erstelle installiere importiere sende buche " +
	"utilise utilisez écris écrivez modifie modifiez réponds répondez ajoute ajoutez garde gardez fais faites lance " +
	"lancez " +
	"crée créez touche touchez teste testez pousse poussez envoie envoyez mets mettez laisse laissez " +
	"usa usad utiliza haz escribe responde ejecuta comprueba mantén pon añade crea verifica modifica cambia envía deja " +
	"toca prueba reserva use utilice escriba responda ejecute mantenga modifique "

// usted are Spanish imperatives that "no" and "nunca" negate, besides the forms in -es and -as.
const usted = " use utilice modifique cambie borre elimine toque haga escriba ejecute suba envíe añada agregue cree " +
	"publique " +
	"incluya ponga olvide despliegue instale reserve usen modifiquen cambien borren toquen hagan escriban suban envíen "

// spanish are words that show a Spanish sentence.
const spanish = " el la los las de en que un una con por del al sin este esta mi tu su nada ningún ninguna archivo " +
	"nunca más "

// aux are German words of a report; with one of them before it, an adverb does not bind.
const (
	auxVerbs = " wird wurde werden wurden ist sind war waren hat haben hatte worden ich habe es er "
	aux      = auxVerbs + "sie wir das die der den ein eine diese alle viele manche meine "
)

// labels name the kind of a statement before a colon.
var labels = [...]struct {
	words string
	kind  Kind
}{
	{" constraint constraints rule rules requirement requirements must policy restriction regel vorgabe einschränkung " +
		"règle " +
		"contrainte exigence regla restricción requisito правило ограничение требование 约束 规则 要求 限制 制約 ルール 規則 要件 규칙 제약 요구사항 ",
		Rule},
	{" goal goals objective aim target ziel objectif but objetivo meta цель 目标 目的 目標 목표 ", Goal},
	{" preference preferences pref präferenz wunsch préférence preferencia предпочтение 偏好 喜好 好み 希望 선호 ", Preference},
	{" fact facts info fakt tatsache fait hecho dato факт 事实 事実 情報 사실 정보 ", Fact},
}

// Words without a topic, which are not in a subject.
const stopWords = " a an the is are was were be been being am do does did not no never always only must should " +
	"shall will would " +
	"can could may might need needs have has had to of in on at by for with from into and or but so if then than that " +
	"this " +
	"these those it its i me my we our us you your they them their he she please just also now instead actually ever " +
	"any " +
	"all every each again anymore longer don't dont doesn't mustn't shouldn't can't cannot make sure ensure remember " +
	"keep " +
	"use using used want wants prefer prefers like i'd rather rule rules constraint requirement goal fact preference " +
	"update " +
	"updated correction changed change let's there as under over below above most least more less exactly about around " +
	"up " +
	"within at-most max maximum min minimum going forward strictly " +
	"der die das ein eine einen dem den des und oder aber ist sind nicht nie niemals immer nur muss müssen darf dürfen " +
	"soll " +
	"als höchstens mindestens maximal über unter mehr weniger " +
	"moins au menos máximo mínimo " +
	"больше меньше более менее чем свыше максимум минимум " +
	"bitte auf in im an am zu zum für mit von ich du sie wir jetzt ab kein keine keinen wieder stattdessen " +
	"le la les un une des du de et ou mais est sont ne n' pas jamais toujours doit doivent il faut je tu vous nous sur " +
	"dans à " +
	"pour avec que qui plus s'il te plaît maintenant " +
	"el los las uno una del y o pero es son no nunca siempre debe deben debes hay que en con por para yo tú se lo más " +
	"ahora " +
	"и или но не никогда всегда должен должна должно должны нельзя только в на с по для что это я ты вы мы теперь же " +
	"бы ни " +
	"what habe against regarding concerning pro zum zur gegen faire fais faites fasse contre sobre contra " +
	"hacer haz haga hagas hagan " +
	"про об о против "

// Words before an identifying number: with another number it is another thing, not an update.
const numbered = " room ticket issue pr order step phase item line page chapter section table task user customer " +
	"account " +
	"invoice flight gate seat server node day week case bug zimmer schritt seite salle étape página sala paso шаг " +
	"страница "

// negations turn a phrase into its opposite, except in the description of a rule ("the rule never to …").
const negations = " not no never none nobody nothing nowhere neither nor without cannot dont cant hardly " +
	"nicht nie niemals " +
	"kein keine keinen keiner keinem nichts niemand ohne weder ne n pas jamais rien aucun aucune personne sans nunca " +
	"jamás nada nadie ningún ninguna sin ni tampoco не ни нет никогда никто ничего нельзя без non " +
	"against gegen contre contra против "
