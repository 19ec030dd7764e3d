// Package policy defines what a compaction may do: the Policy, its presets, the table of its fields, and decoding with
// suggestions for mistyped names.
//
//	p, err := policy.Preset("balanced")
//	p.Trigger.Window = 128_000
//
// It is a part of the API (see package core).
package policy

import "tamp/core/internal/pass"

// Policy decides which blocks to keep and which to compact. Every value has a default, the value of its preset. Call
// Preset, change values, and call Validate, or let Parse do all three.
type Policy struct {
	Preset   string   `json:"preset"`          // the preset that gave the defaults
	Money    string   `json:"money,omitempty"` // what a call costs: "tokens", or "off" for the same at any length; "": not said
	Intake   Intake   `json:"intake"`
	Clear    Clear    `json:"clear"`
	Thinking Thinking `json:"thinking"`
	Trigger  Triggers `json:"trigger"`
	Pin      Pin      `json:"pin"`
	Summary  Summary  `json:"summary"`
}

// The values of Policy.Money.
const (
	MoneyTokens = "tokens" // each token has its price
	MoneyOff    = "off"    // a call has the same price at any length: a subscription, a flat rate, a model of one's own
)

// SetMoney sets what a call costs, and with MoneyOff all values that only save money: old results are not cleared
// between compactions, and no price of long prompts is a limit.
func (p *Policy) SetMoney(money string) {
	p.Money = money
	if money == MoneyOff {
		p.Clear.Enabled, p.Clear.When = false, ""
		p.Trigger.LongPrompts = false
	}
}

// Intake limits oversize blocks (layer 0, no model).
type Intake = pass.Intake

// Clear selects the old tool results to replace by placeholders (layer 1, no model).
type Clear = pass.Clear

// Thinking selects the old thinking blocks to drop (layer 1, no model).
type Thinking = pass.Thinking

// Triggers decide when summaries are requested (layer 2). One condition that holds is enough; a zero turns it off.
type Triggers struct {
	Measure string `json:"measure"` // the count: "counter", or a published rule: "chars4_json", "chars3"
	Tokens  int    `json:"tokens"`  // fires above this number of tokens
	Window  int    `json:"window"`  // the context window; 0 = the model's own
	// share of the window above which it fires: compact down to targetPermille
	SoftPermille int `json:"softPermille"`
	// share of the window that the next request and bufferTokens must not exceed
	HardPermille int `json:"hardPermille"`
	// size after compaction, as a share of the window; 0 = just below the trigger
	TargetPermille  int `json:"targetPermille"`
	BufferTokens    int `json:"bufferTokens"`    // room for the next request
	ReserveOutput   int `json:"reserveOutput"`   // room for the answer: fires above window − reserveOutput
	MinGainPermille int `json:"minGainPermille"` // share of the window that a soft compaction must free; 0 = any gain
	// shares are of the window without system and tools; buffer and pinned tokens shrink with it
	Scale bool `json:"scale"`
	// stays below the length of prompt above which the model's vendor charges more for the whole of a request
	LongPrompts bool `json:"longPrompts"`
	// fires when a new prompt shares almost no words with earlier text; a heuristic
	TaskSwitch bool `json:"taskSwitch"`
}

// Pin selects the messages that summaries never replace, in addition to system prompt, tools and the open round.
type Pin struct {
	pass.Window
	pass.Critical
	RecentPermille int `json:"recentPermille"` // share of the target that the newest messages keep, if the target is tight
	KeepTurns      int `json:"keepTurns"`      // strategies tail and critical keep the newest 2 × keepTurns messages
}

// Summary selects the text to summarize and the method (layer 2).
type Summary struct {
	Strategy      string `json:"strategy"`      // "none", "whole", "tail", "critical", "chunks", "regions"
	Shape         string `json:"shape"`         // of whole: "harness", "s06", "question"
	Granularity   string `json:"granularity"`   // of regions: "block", "span"
	Kind          string `json:"kind"`          // of prompt: "general", "coding", "research", "handoff"
	MaxTokens     int    `json:"maxTokens"`     // of one answer; 0 = a share of the replaced text
	SharePermille int    `json:"sharePermille"` // share of the replaced text, if maxTokens is 0
	ShareExtra    int    `json:"shareExtra"`    // tokens on top of the share
	// of regions of spans: share of the target that all summaries may take; 0 = no limit
	SummaryPermille int    `json:"summaryPermille"`
	MaxRequests     int    `json:"maxRequests"`   // of one plan; 0 = no limit
	InputChars      int    `json:"inputChars"`    // of whole: characters of the messages' JSON to send; 0 = all, as text
	InputEnd        string `json:"inputEnd"`      // of whole: send the "first" or "last" characters
	ChunkMessages   int    `json:"chunkMessages"` // of chunks: messages in each
	MergeAbove      int    `json:"mergeAbove"`    // of chunks: more summaries than this are merged by another request
	MergeTokens     int    `json:"mergeTokens"`   // of a merged summary
	CutString       int    `json:"cutString"`     // max characters to send of a string content; 0 = all
	CutText         int    `json:"cutText"`       // … of a text block
	CutResult       int    `json:"cutResult"`     // … of a tool result
	CutInput        int    `json:"cutInput"`      // … of a call's input
	Window          int    `json:"window"`        // the summarizer's own context window, in tokens
}

// Default is the preset if the host names none.
const Default = "balanced"
