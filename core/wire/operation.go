package wire

import (
	"reflect"
	"strings"

	"tamp/core/internal/structjson"
)

// operation is one row of the table: a name, the types of its request and answer, and the function.
type operation struct {
	name            string
	request, answer reflect.Type
	run             func(c *call, request any) (any, error) // request is a pointer to the request type
	reusable        bool                                    // see Answer.Reusable
	textOnly        bool                                    // the answer is the document itself
}

// define makes a row. Req and Ans are pointers to the types of request and answer: the compiler shares one instance of
// a generic function between all pointer types, and one for each type would take 20 KB of gzipped wasm.
func define[Req, Ans any](name string, f func(*call, Req) (Ans, error)) *operation {
	return &operation{name: name, request: reflect.TypeFor[Req]().Elem(), answer: reflect.TypeFor[Ans]().Elem(),
		run: func(c *call, request any) (any, error) { return f(c, request.(Req)) }}
}

func reusing(o *operation) *operation { o.reusable = true; return o }

func textOnly(o *operation) *operation { o.textOnly = true; return o }

// stateful reports an operation on what an Engine keeps for its caller: sessions and vocabularies.
func (o *operation) stateful() bool {
	return o.name == "loadVocabulary" || strings.HasPrefix(o.name, "session.")
}

// members lists the members of an operation's requests.
func (o *operation) members() []string {
	return append([]string{"conversation"}, structjson.Names(o.request)...)
}
