package provenance_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest"
	"tamp/core/provenance"
)

var kindNames = [...]string{"rule", "goal", "preference", "fact"}

// found lists the kinds and texts of the statements in a text.
func found(text string) (out []string) {
	for _, c := range provenance.Constraints(text) {
		out = append(out, kindNames[c.Kind]+" "+c.Text)
	}
	return out
}

// Each line is one sentence of a user that states a rule.
var rules = map[string]string{
	"English": `You must keep the public API stable.
Never commit directly to the release branch.
Please never print the customer's address.
Don't touch the migrations folder.
Do not rename exported functions.
Please don’t add new dependencies.
Always run the linter before you answer.
Only use the standard library.
Use only tabs.
Make sure the tests pass on Windows.
From now on, write commit messages in the imperative.
Secrets must never be logged.
You should never force-push.
And don't forget to bump the version.
Refactor the parser without changing its output.
No new dependencies, please.
Use pnpm instead of npm.
Answer in French, not English.
Under no circumstances call the live endpoint.
Stop using global variables.
Keep every reply under 80 words.
Avoid recursion in the walker.
The page must load in under two seconds.
Shell scripts are not allowed here.`,
	"Chinese": `必须保留旧接口。
不要修改数据库结构。
禁止直接推送到主分支。
请务必先运行测试。
只能使用标准库。
从现在起用英文写注释。
千万别删日志目录。
请始终使用四个空格缩进。
你不能访问生产环境。`,
	"Japanese": `本番環境に触れてはいけない。
コミットの前に必ずテストを実行してください。
外部ライブラリの追加は禁止です。
設定ファイルは変更しないでください。
今後はコメントを英語で書くこと。
標準ライブラリだけを使ってください。
ログを削除してはなりません。`,
	"Korean": `반드시 테스트를 먼저 실행하세요.
main 브랜치에 바로 푸시하지 마세요.
절대 고객 정보를 출력하지 마.
표준 라이브러리만 사용하세요.
앞으로는 커밋 메시지를 영어로 작성해 주세요.
설정 파일을 수정하면 안 됩니다.
외부 패키지 추가는 금지입니다.
모든 함수에 주석을 달아야 합니다.`,
	"German": `Pushe nie direkt auf den Hauptzweig.
Verwende immer Tabulatoren.
Bitte nicht die Datenbank anfassen.
Du darfst keine Kundendaten ausgeben.
Die Antwort muss auf Deutsch sein.
Niemals ohne Rückfrage löschen.
Ab sofort schreibst du die Kommentare auf Englisch.
Benutze nur die Standardbibliothek.
Stelle sicher, dass alle Tests laufen.
Keine neuen Abhängigkeiten.
Ändern Sie nicht die Schnittstelle.`,
	"French": `Ne modifie jamais la base de production.
N'ajoute pas de nouvelle dépendance.
Tu dois lancer les tests avant chaque commit.
Utilise toujours des tabulations.
Il ne faut pas toucher aux migrations.
À partir de maintenant, réponds en anglais.
Utilise uniquement la bibliothèque standard.
Assure-toi que la page reste accessible.`,
	"Spanish": `No modifiques la base de datos de producción.
Nunca hagas push a la rama principal.
Debes ejecutar las pruebas antes de responder.
Usa siempre tabuladores.
A partir de ahora responde en inglés.
Usa solo la biblioteca estándar.
Está prohibido borrar los registros.
Asegúrate de que compile en Windows.
No uses variables globales en este archivo.`,
	"Russian": `Не трогай рабочую базу данных.
Никогда не отправляй изменения прямо в главную ветку.
Обязательно запусти тесты перед ответом.
Используй только стандартную библиотеку.
Нельзя удалять журналы.
Комментарии должны быть на английском.
С этого момента пиши кратко.
Всегда проверяй ввод.
Запрещено менять открытый интерфейс.`,
}

// Each line is a report, a question, code or a quotation: no rule of the user.
var noRules = map[string]string{
	"English": `The callback is never called.
It always fails on the second run.
This has never worked.
Must I restart the server?
Why must the cache be warm?
Don't you think it is slow?
I don't know why it crashes.
We never got it to compile.
There must be a bug in the parser.
It must have changed last week.
The tests don't pass.
The docs say that you must call close.
He told me to never use that flag.
The error was "you must not be root to run this".
The function ` + "`mustNever()`" + ` returns a string.
Only two tests fail.
if (x) { never(); }
const always = must();
> You must always push to main.
| must | never |
2026-01-02 10:00:01 you must not do this
I see no difference.
You don't have time for that.
Fix the login page.
Thanks, that works.
Don't worry about it.
Never mind.
We should ensure that it stays fast.
1432:     Always serialize the value
That should never happen.
I tried it and don't like it.
You do not need to follow the example.
When the page needs to reload, it flickers.
If anything needs to change, tell me.
It seems to always fail.
Read the files that you need to and go on.
Every finding must include:`,
	"Chinese": `这个函数从来没有被调用。
为什么必须先登录？
要不要改一下？
文档说必须先登录。
这个接口已禁止访问。
修复登录页面。
别的文件没有问题。
不要紧。`,
	"Japanese": `この関数は一度も呼ばれない。
必ず失敗します。
なぜ禁止されているのですか？
ドキュメントには「必ず再起動してください」と書いてある。
このポートは禁止されています。
ログイン画面を直して。`,
	"Korean": `이 함수는 절대 호출되지 않는다.
항상 실패합니다.
반드시 재시작해야 하나요?
문서에는 반드시 재시작하라고 적혀 있다.
이 포트는 금지되어 있다.
로그인 페이지를 고쳐 줘.`,
	"German": `Die Funktion wird nie aufgerufen.
Der Test schlägt immer fehl.
Muss ich den Server neu starten?
Das hat noch nie funktioniert.
In der Anleitung steht, dass man immer neu starten muss.
Ich habe das nie gesehen.
Repariere die Anmeldung.
Es gibt nur zwei Fehler.`,
	"French": `La fonction n'est jamais appelée.
Le test échoue toujours.
Faut-il redémarrer le serveur ?
La documentation dit que tu dois redémarrer.
Corrige la page de connexion.
Il n'y a que deux erreurs.`,
	"Spanish": `La función nunca se llama.
La prueba siempre falla.
¿Debo reiniciar el servidor?
No funciona en este equipo.
La guía dice que debes reiniciar.
Arregla la página de acceso.
No hay errores.`,
	"Russian": `Функция никогда не вызывается.
Тест всегда падает.
Нужно ли перезапустить сервер?
Это не работает.
В документации сказано, что нельзя удалять журналы.
Исправь страницу входа.
Мы не нашли ошибку.`,
}

func TestRulesInEightLanguages(t *testing.T) {
	require.Len(t, rules, 8)
	for language, lines := range rules {
		for line := range strings.Lines(lines) {
			line = strings.TrimSpace(line)
			require.Equal(t, []string{"rule " + line}, found(line), language)
		}
	}
	for language, lines := range noRules {
		for line := range strings.Lines(lines) {
			for _, got := range found(strings.TrimSpace(line)) {
				require.NotEqual(t, "rule", strings.Fields(got)[0], "%s: %s", language, got)
			}
		}
	}
}

func TestKinds(t *testing.T) {
	for _, row := range []struct {
		text string
		want []string
		why  string
	}{
		{"GOAL: ship the importer by June", []string{"goal GOAL: ship the importer by June"}, "a label"},
		{"user: CONSTRAINT: stay under 200 ms", []string{"rule user: CONSTRAINT: stay under 200 ms"}, "behind a role"},
		{"[user] **Fact:** the office closes at six", []string{"fact [user] **Fact:** the office closes at six"}, "in bold"},
		{"PREFERENCE 2: short answers", []string{"preference PREFERENCE 2: short answers"}, "with a number"},
		{"偏好：简短的回答", []string{"preference 偏好：简短的回答"}, "a wide colon"},
		{"I prefer tables over lists.", []string{"preference I prefer tables over lists."}, "a preference"},
		{"I want the report on one page.", []string{"preference I want the report on one page."}, "a wish"},
		{"I want to know why it fails.", nil, "a question"},
		{"The customer wants a refund.", []string{"preference The customer wants a refund."}, "of a third person"},
		{"Ich möchte kurze Antworten.", []string{"preference Ich möchte kurze Antworten."}, "German"},
		{"Je préfère des listes.", []string{"preference Je préfère des listes."}, "French"},
		{"Prefiero respuestas cortas.", []string{"preference Prefiero respuestas cortas."}, "Spanish"},
		{"Предпочитаю короткие ответы.", []string{"preference Предпочитаю короткие ответы."}, "Russian"},
		{"我更喜欢简短的回答。", []string{"preference 我更喜欢简短的回答。"}, "Chinese"},
		{"短い返事が好みです。", []string{"preference 短い返事が好みです。"}, "Japanese"},
		{"짧은 답변을 선호합니다.", []string{"preference 짧은 답변을 선호합니다."}, "Korean"},
		{"My budget is 900 euros.", []string{"fact My budget is 900 euros."}, "a fact"},
		{"Add a flag. It must not change the default. Thanks.", []string{"rule It must not change the default."},
			"one of three sentences"},
		{"The mustard is fine.", nil, "whole words only"},
		{"- Don’t rename it\n- go on", []string{"rule Don’t rename it"}, "a curly apostrophe, in a list"},
		{"请修复。不要修改数据库。谢谢", []string{"rule 不要修改数据库。"}, "Chinese sentences end at their own mark"},
		{"```\nnever push\n```\nDon't push.", []string{"rule Don't push."}, "a fenced block is not read"},
		{"Error: you must log in first", nil, "output of a program"},
	} {
		require.Equal(t, row.want, found(row.text), row.why)
	}
}

// A sentence that an editor wrapped is one statement, with a space in place of the line end.
func TestWrappedStatements(t *testing.T) {
	for _, row := range []struct {
		why, text string
		want      []string
	}{
		{"wrapped at 60 columns", "You must never push to the main branch of this project without\nasking me first. Thanks.",
			[]string{"rule You must never push to the main branch of this project without asking me first."}},
		{"over three lines", "Please never commit anything to the branch of the release until\nthe tests of all packages pass on the" +
			" machine that builds the\ninstaller.\nThe rest is free.",
			[]string{"rule Please never commit anything to the branch of the release until the tests of all packages pass on the" +
				" machine that builds the installer."}},
		{"in a list", "- Don't change the exported names of the packages below core,\n  since others import them\n- Use only tabs",
			[]string{"rule Don't change the exported names of the packages below core, since others import them", "rule Use only tabs"}},
		{"in German", "Du darfst die Tabellen der Kunden auf keinen Fall verändern, auch\nnicht in einem Test.",
			[]string{"rule Du darfst die Tabellen der Kunden auf keinen Fall verändern, auch nicht in einem Test."}},
		{"a longer line could have had the word", "Never touch the tables of the customers without asking me\nif in doubt\n" +
			"and this line of the same paragraph is a good deal longer than the first one is",
			[]string{"rule Never touch the tables of the customers without asking me"}},
		{"short lines", "Never push to main\nbe quick", []string{"rule Never push to main"}},
		{"two requests in lower case", "please never push anything to the main branch of the project\nalways run the tests",
			[]string{"rule please never push anything to the main branch of the project", "rule always run the tests"}},
		{"an end mark", "You must never push to the main branch of this project, please.\nthanks", []string{
			"rule You must never push to the main branch of this project, please."}},
		{"a capital", "You must never push to the main branch of this project at all\nThanks", []string{
			"rule You must never push to the main branch of this project at all"}},
		{"code", "You must never push to the main branch of this project at all\nif (x) {", []string{
			"rule You must never push to the main branch of this project at all"}},
	} {
		require.Equal(t, row.want, found(row.text), row.why)
	}
}

// A text of many short sentences costs linear time, and so does a sentence of many words: a step for each pair of its
// words would take minutes.
func TestHostileInputIsLinear(t *testing.T) {
	size := 1 << 20
	if convtest.Fewer() {
		size = 1 << 14
	}
	for _, word := range []string{"“x\n", "x.\n", "a: b\n", "12 ", "\"a ", "please ", "use only ", "use, ", "no as, ",
		"ne, ", "you may ", "says ", "Rule: ", "必须 ", "不用再", "忘掉规则", "지 마 "} {
		text := word
		if !strings.HasSuffix(word, "\n") {
			text = strings.Repeat(word, 590/len(word)) + ".\n"
		}
		for _, c := range provenance.Constraints(strings.Repeat(text, 1+size/len(text))) {
			require.Contains(t, text, c.Text)
		}
	}
}

// A text of many quotations costs linear time, too: a copy of the rest for each of them would take minutes.
func TestHostileQuotationsAreLinear(t *testing.T) {
	for _, word := range []string{"`never` ", "\"you must never\" ", "“do not ever” ", "「必ず確認してください」 "} {
		text := strings.Repeat(word, (4<<20)/len(word))
		require.LessOrEqual(t, utf8.RuneCountInString(provenance.BindingClause(provenance.Constraint{Text: text}, 200)), 200)
	}
}

// A longer sentence is data.
func TestTheLongestSentence(t *testing.T) {
	text := "Never push to main" + strings.Repeat(" a", 290) + "."
	require.Len(t, text, 599)
	require.Len(t, found(text), 1)
	require.Len(t, found(text+"!"), 1)
	require.Empty(t, found(text+"!!"))
}
