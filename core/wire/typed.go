package wire

import (
	"tamp/core/internal/rawjson"
	"tamp/core/internal/structjson"
)

// Call runs an operation for a host in Go, which needs no JSON. Req and Ans are the types of its row in ops.go, text is
// the conversation; document is that of the answer, nil if it has none. The engine refers to text until it is discarded
// or gets another one, except after the operation usage.
func Call[Ans, Req any](e *Engine, op string, r *Req, text []byte) (answer *Ans, document []byte, err error) {
	c := &call{engine: e, text: text}
	value, err := findOperation(op).run(c, r)
	if err != nil {
		return nil, nil, err
	}
	return value.(*Ans), c.document, nil
}

// JSON writes an answer of Call, or another struct, with its document as a string.
func JSON(answer any, document []byte) []byte {
	c := call{document: document, inline: rawjson.Value(`""`), asText: true}
	out, _ := c.answer(structjson.Marshal(answer))
	return out
}
