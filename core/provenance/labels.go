package provenance

// The words of labels and wrappers of pasted text, in lower case between spaces.

// ownTags are elements in which a user writes, or which format a part of a sentence.
const ownTags = " task user_query userrequest user_request prompt request rules constraints requirements " +
	"instructions goal " +
	"goals b i u s em strong mark code kbd small sub sup del ins span a br p "

const (
	articles = " the a an last new der die das ein eine le la les l' un une el los las una und and "
	// sources are files of programs, runners and services run them, products are their output.
	sources = " original observation observations stdout stderr traceback stacktrace forwarded weitergeleitete " +
		"transféré reenviado " +
		"beobachtung наблюдение "
	runners = " tool tools command code function execution terminal shell console subprocess bash werkzeug " +
		"befehl outil commande " +
		"herramienta comando инструмент инструмента команда команды "
	services = " program script api server search query web http agent suche recherche búsqueda поиск поиска "
	products = " output outputs result results response responses log logs ausgabe ergebnis ergebnisse " +
		"résultat résultats " +
		"sortie salida resultado resultados вывод результат результаты лог логи журнал protokoll journal registro "
	origins = " of from by von aus de des du del от из "

	// texts are read as text, things are not always.
	texts = " email e-mail emails mail message messages text article paragraph page webpage website letter " +
		"sentence snippet post " +
		"tweet chat conversation transcript thread blog story excerpt quote readme document doc docs paper abstract " +
		"content contents spam phishing nachricht artikel seite webseite brief dokument absatz courriel texte lettre " +
		"correo mensaje texto artículo página carta documento письмо сообщение текст статья статью страница " +
		"страницу документ "
	things = " file error ticket comment comments trace dump diff source attachment body datei fehler fichier erreur " +
		"archivo error файл ошибка ошибку readme.md "
	adjectives = " original source full raw entire whole page file web pasted body issue "

	deixis = " this these following below dies diese diesen dieser dieses folgende folgenden folgender ce cet " +
		"cette ces suivant " +
		"suivante ci-dessous este esta estos siguiente этот эту это эти следующий следующую следующее "
	intros = " here here's below attached hier voici aquí вот "

	strongVerbs = " translate summarize summarise proofread paraphrase rephrase tl;dr übersetze übersetz " +
		"übersetzen fasse traduis " +
		"traduisez résume résumez resume resuma traduce traduzca переведи переведите перескажи "
	weakVerbs = " review check analyze analyse explain classify read rewrite correct edit improve shorten " +
		"simplify critique " +
		"interpret prüfe lies erkläre korrigiere analysiere relis vérifie corrige explique lis analyse revisa explica " +
		"lee analiza проверь прочитай объясни исправь проанализируй "
	attributions = " wrote writes said says replied answered posted commented returned printed contains " +
		"schrieb sagte sagt schreibt écrit dit " +
		"répond escribió dijo dice написал написала сказал сказала говорит пишет "
	// ownLabels show that the user lists what he wants.
	ownLabels = " rule rules requirement requirements constraint constraints restriction restrictions " +
		"instruction instructions " +
		"guideline guidelines guide convention conventions step steps task tasks criteria point points condition " +
		"conditions format " +
		"goal goals regel regeln vorgaben anforderungen schritte règle règles consignes contraintes exigences " +
		"étapes reglas " +
		"requisitos instrucciones pasos правило правила требования инструкции шаги "

	subjects = " subject title body betreff objet asunto тема 主题 件名 제목 "
	headers  = " from to cc bcc date sent reply-to author von an datum gesendet de à date envoyé para fecha от " +
		"кому дата 发件人 " +
		"收件人 日期 差出人 宛先 日時 보낸사람 받는사람 날짜 "
)

// The same for Chinese, Japanese and Korean, between bars.
const (
	wideMachine = "工具输出|工具结果|工具返回|命令输出|执行结果|运行结果|观察结果|ツールの出力|ツール出力|ツールの結果|コマンドの出力|実行結果|観察|도구 출력|도구 결과|명령 출력|" +
		"실행 결과|관찰"
	wideTexts = "邮件|日志|文章|网页|页面|文本|文档|内容|输出|结果|报错|错误信息|原文|消息|メール|ログ|記事|ページ|テキスト|文書|出力|結果|エラー|原文|메일|로그|기사|페이지|텍스트|" +
		"문서|출력|결과|오류|원문|메시지"
	wideIntros = "以下|下面|这是|这篇|这封|这个|这段|来自|翻译|总结|概括|摘要|校对|润色|审阅|分析|次の|以下|この|これは|からの|翻訳|要約|校正|다음|아래|이 |여기|에서 온|의 메일|번역|요약|교정"
	wideVerbs  = "翻译成|翻译|总结|概括|校对|润色|翻訳して|要約して|まとめて|校正して|번역|요약|교정"
	wideOwn    = "规则|要求|约束|步骤|任务|ルール|規則|要件|手順|タスク|규칙|요구|제약|단계|작업"
)
