package core

import "tamp/core/internal/pass"

// Policy says what to keep and what to give up. Every value has a default: that of its preset. Start with Preset, change
// what you mean to change, and call Validate, or let ParsePolicy do all three.
type Policy struct {
	Preset   string   `json:"preset"` // the preset that it began as
	Intake   Intake   `json:"intake"`
	Clear    Clear    `json:"clear"`
	Thinking Thinking `json:"thinking"`
	Trigger  Triggers `json:"trigger"`
	Pin      Pin      `json:"pin"`
	Summary  Summary  `json:"summary"`
}

// Intake cuts what is too large to begin with (layer 0, no model).
type Intake = pass.Intake

// Clear says which old tool results become placeholders (layer 1, no model).
type Clear = pass.Clear

// Thinking says which old thinking blocks go (layer 1, no model).
type Thinking = pass.Thinking

// Triggers say when summaries are asked for (layer 2). Any that holds is enough; a zero turns one off.
type Triggers struct {
	Measure        string `json:"measure"`        // what is counted: "counter", or a published rule: "chars4_json", "chars3"
	Tokens         int    `json:"tokens"`         // more than so many tokens
	Window         int    `json:"window"`         // the context window; 0 = the model's own
	SoftPermille   int    `json:"softPermille"`   // a share of the window: compaction down to targetPermille is due
	HardPermille   int    `json:"hardPermille"`   // a share of the window: the next request and bufferTokens must fit below
	TargetPermille int    `json:"targetPermille"` // how far down; 0 = just below what fired
	BufferTokens   int    `json:"bufferTokens"`   // room for the next request
	ReserveOutput  int    `json:"reserveOutput"`  // room for the answer: fires above window − reserveOutput
	TaskSwitch     bool   `json:"taskSwitch"`     // a new prompt that shares almost no words with what was before; a heuristic
}

// Pin says what summaries never touch, besides system prompt, tools and the open round.
type Pin struct {
	pass.Window
	pass.Critical
	KeepTurns int `json:"keepTurns"` // strategies tail and critical keep the newest 2 × keepTurns messages
}

// Summary says what is summarized and how (layer 2).
type Summary struct {
	Strategy      string `json:"strategy"`      // "none", "whole", "tail", "critical", "chunks", "regions"
	Shape         string `json:"shape"`         // of whole: "harness", "s06", "question"
	Granularity   string `json:"granularity"`   // of regions: "block", "span"
	Kind          string `json:"kind"`          // of prompt: "general", "coding", "research", "handoff"
	MaxTokens     int    `json:"maxTokens"`     // of one answer; 0 = a share of what it replaces
	SharePermille int    `json:"sharePermille"` // of what it replaces, where maxTokens is 0
	ShareExtra    int    `json:"shareExtra"`    // tokens on top of the share
	InputChars    int    `json:"inputChars"`    // of whole: how much of the messages' JSON is sent; 0 = all, as text
	InputEnd      string `json:"inputEnd"`      // of whole: "first", "last" so many characters
	ChunkMessages int    `json:"chunkMessages"` // of chunks: messages in each
	MergeAbove    int    `json:"mergeAbove"`    // of chunks: more summaries than this are merged by one more request
	MergeTokens   int    `json:"mergeTokens"`   // of a merging answer
	CutString     int    `json:"cutString"`     // characters sent of a string content; 0 = all
	CutText       int    `json:"cutText"`       // … of a text block
	CutResult     int    `json:"cutResult"`     // … of a tool result
	CutInput      int    `json:"cutInput"`      // … of a call's input
	Window        int    `json:"window"`        // the summarizer's own context window, in tokens
}

// DefaultPreset is the preset of a host that names none.
const DefaultPreset = "balanced"
