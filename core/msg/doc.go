// Package msg holds the neutral conversation that every other package of Tamp works on,
// and the rules that make a conversation valid for a provider's API.
//
// A conversation keeps the bytes it came from: every message and block carries its own JSON as Raw, and a codec
// (see core/format) writes an unchanged message back byte for byte. Whoever changes a block does it through
// the With… methods, which return a changed copy and note what changed, so that the codec replaces
// just that value and leaves every field it does not know where it was.
//
// Start with Conversation. Check reports what a provider would refuse, Repair mends it, and Pair says which
// tool result belongs to which call.
package msg
