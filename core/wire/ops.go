package wire

import (
	"reflect"
	"strings"

	"tamp/core/internal/order"
)

// operations is the table of all operations. A name is the same on every surface.
var operations = [...]*operation{
	define("version", (*call).version),
	define("presets", (*call).presets),
	define("models", (*call).models),
	reusing(define("countText", (*call).countText)),
	reusing(define("tokens", (*call).tokens)),
	define("detect", (*call).detect),
	define("count", (*call).count),
	define("check", (*call).check),
	define("repair", (*call).repair),
	define("convert", (*call).convert),
	define("inspect", (*call).inspect),
	define("plan", (*call).plan),
	define("apply", (*call).apply),
	textOnly(define("archive", (*call).archive)),
	define("summarize", (*call).summarize),
	define("anchors", (*call).anchors),
	define("assemble", (*call).assemble),
	define("observe", (*call).observe),
	define("tools", (*call).tools),
	define("recall", (*call).recall),
	define("checkAppend", (*call).checkAppend),
	define("quality", (*call).quality),
	define("questions", (*call).questions),
	define("gradeAnswers", (*call).gradeAnswers),
	define("scoreAnswers", (*call).scoreAnswers),
	define("replay", (*call).replay),
	define("replayAt", (*call).replayAt),
	define("verdict", (*call).verdict),
	define("audit", (*call).audit),
	reusing(define("usage", (*call).usage)),
	define("resent", (*call).resent),
	define("lost", (*call).lost),
	define("loadVocabulary", (*call).loadVocabulary),
	define("session.open", (*call).openSession),
	onSession("append", (*session).append),
	onSession("turn", (*session).turn),
	onSession("count", (*session).count),
	onSession("plan", (*session).plan),
	onSession("apply", (*session).apply),
	textOnly(onSession("archive", (*session).archive)),
	onSession("summarize", (*session).summarize),
	onSession("observe", (*session).observe),
	onSession("conversation", (*session).conversation),
	onSession("close", (*session).close),
}

// findOperation returns nil for an unknown name.
func findOperation(name string) *operation {
	for _, o := range operations {
		if o.name == name {
			return o
		}
	}
	return nil
}

// Ops lists the names of the operations that need no earlier request to the same Engine, sorted. HTTP offers these.
func Ops() []string {
	var names []string
	for _, o := range operations {
		if !o.stateful() {
			names = append(names, o.name)
		}
	}
	order.Stable(names, strings.Compare)
	return names
}

// Operation describes one row of the table, for generators of declarations.
type Operation struct {
	Name            string
	Request, Answer reflect.Type
	TextOnly        bool // the answer is a text
}

// Operations lists the table.
func Operations() []Operation {
	var all []Operation
	for _, o := range operations {
		all = append(all, Operation{o.name, o.request, o.answer, o.textOnly})
	}
	return all
}
