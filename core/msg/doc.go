// Package msg holds the neutral conversation that every other package of Tamp works on.
//
//	for _, m := range c.Messages { // c is a *msg.Conversation, from format.Parse
//		for _, b := range m.Blocks {
//			fmt.Println(m.Role, b.Kind, b.Text)
//		}
//	}
//
// It is a part of the API (see package core).
//
// A conversation keeps its input bytes: every message and block carries its own JSON as Raw, and a codec
// (see core/format) writes an unchanged message back byte for byte. Change a block with the
// With… methods. They return a changed copy and record the change, so that the codec replaces only
// that value and keeps all other fields, including unknown ones.
//
// Start with Conversation. Pair matches tool results with their calls; package validity checks and repairs a
// conversation.
package msg
