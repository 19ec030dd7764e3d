package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/big"

	"tamp/core/tokens"
)

// A Session is one recorded conversation, independent of a format.
type Session struct {
	Story    *Story
	Messages []Message
}

// Message is one message in Anthropic's sense: results go back in a user message, all of a round together.
type Message struct {
	Role  string // "user" or "assistant"
	Parts []Part
	// Retyped is a prompt that the user gave up for this one before it was answered; only a session log keeps it.
	Retyped string
}

// PartKind is the kind of one part of a message.
type PartKind int

const (
	Text     PartKind = iota
	Reminder          // text that the agent injected, already in its tag
	Thinking
	Picture // a PNG
	Call
	Result
)

// Part is one block of a message.
type Part struct {
	Kind  PartKind
	Text  string // of text, reminder, thinking, result
	PNG   []byte // of a picture
	Seed  string // names a call and its result; the formats derive their ids from it
	Tool  string // of a call and of its result
	Input object // of a call and of its result
	Error bool   // the tool failed
}

func (s *Session) calls() int {
	n := 0
	for _, m := range s.Messages {
		for _, p := range m.Parts {
			if p.Kind == Call {
				n++
			}
		}
	}
	return n
}

// derive returns n letters and digits derived from a seed, like the ids of providers.
func derive(n int, seed string) string {
	const digits = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	sum := sha256.Sum256([]byte(seed))
	x, base, rest := new(big.Int).SetBytes(sum[:]), big.NewInt(int64(len(digits))), new(big.Int)
	out := make([]byte, n)
	for i := range out {
		x.DivMod(x, base, rest)
		out[i] = digits[rest.Int64()]
	}
	return string(out)
}

// deriveUUID returns a well-formed version 4 UUID derived from a seed.
func deriveUUID(seed string) string {
	b := sha256.Sum256([]byte(seed))
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

// exampleSignature takes the place of a provider's signature. No provider issued it and none accepts it; the decoded
// text says so.
func exampleSignature(seed string) string {
	return base64.StdEncoding.EncodeToString([]byte("example signature of Tamp, issued by no provider: " +
		derive(40, seed)))
}

// approxTokens approximates the count of the API, for usage numbers that only have to be plausible.
func approxTokens(texts ...string) int {
	n := 1
	for _, t := range texts {
		n += tokens.Estimate.Count(t) * 6 / 5 // Claude's vocabulary gives more tokens than the estimated one
	}
	return n
}
