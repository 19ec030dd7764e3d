package fake

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Step describes the response to one request. Its short form is a word and settings: "429:retry-after=2",
// "ok:delay=200ms".
type Step struct {
	// Do is one of:
	//
	//	ok          a text, by default Answer of the prompt
	//	refusal     the model refuses
	//	empty       an answer without text
	//	tool        a call of Tool, and the text
	//	agent       the next answer of an agent: Thinking, Text and Calls; without Calls it is done. In a script with one, a
	//	            request without tools, or with a tool_choice that names one, asks for a summary or a title: it gets the
	//	            response of ok, and uses no step
	//	length      a text cut at the limit
	//	malformed   half of the JSON, with the length of the half
	//	huge        a text of 2 MiB
	//	cut         the connection breaks in the middle of the answer
	//	drop        the connection breaks before the answer
	//	error       status 200, and the error in the body (streaming: in the middle of the events)
	//	redirect    to another path of the same server
	//	status      an error with Status; a bare number in the short form
	Do         string `json:"do"`
	Status     int    `json:"status,omitempty"`
	RetryAfter string `json:"retryAfter,omitempty"`   // header retry-after, as it is
	RetryMS    string `json:"retryAfterMs,omitempty"` // header retry-after-ms
	DelayMS    int    `json:"delayMs,omitempty"`      // before the answer
	// of ok, length, tool and agent; the message of status. Of tool and agent, {after some words} is replaced by the word
	// that follows these words in the prompt
	Text  string          `json:"text,omitempty"`
	Tool  string          `json:"tool,omitempty"`  // name of the tool; default "search"
	Input json.RawMessage `json:"input,omitempty"` // of the call; default {}
	Calls []ToolCall      `json:"calls,omitempty"` // of agent, all in one message
	// of agent; only in the Messages API, if the request enables it
	Thinking string `json:"thinking,omitempty"`
}

// ToolCall is one call of a model. In its input, {ref} is replaced by the newest ref in the conversation, 16
// hexadecimal digits, as a model would read it in a placeholder.
type ToolCall struct {
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input,omitempty"` // default {}; a string calls a custom tool of the Responses API
}

var stepKinds = map[string]bool{"ok": true, "refusal": true, "empty": true, "tool": true, "agent": true, "length": true,
	"malformed": true,
	"huge":      true, "cut": true, "drop": true, "error": true, "redirect": true, "status": true}

// Parse reads steps in their short form, separated by commas: "429:retry-after=1,500,ok".
func Parse(script string) ([]Step, error) {
	var steps []Step
	for word := range strings.SplitSeq(script, ",") {
		step, err := parseStep(strings.TrimLeft(word, " "))
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, nil
}

func parseStep(text string) (Step, error) {
	parts := strings.Split(text, ":")
	step := Step{Do: parts[0]}
	if status, err := strconv.Atoi(step.Do); err == nil {
		step.Do, step.Status = "status", status
	}
	for _, setting := range parts[1:] {
		name, value, _ := strings.Cut(setting, "=")
		switch name {
		case "retry-after":
			step.RetryAfter = value
		case "retry-after-ms":
			step.RetryMS = value
		case "text":
			step.Text = value
		case "tool":
			step.Tool = value
		case "delay":
			d, err := time.ParseDuration(value)
			if err != nil {
				return step, fmt.Errorf("cannot read step %q: delay is no duration", text)
			}
			step.DelayMS = int(d.Milliseconds())
		default:
			return step, fmt.Errorf("cannot read step %q: there is no setting %q", text, name)
		}
	}
	return step, step.check()
}

func (s *Step) check() error {
	if !stepKinds[s.Do] {
		return fmt.Errorf("cannot read step %q: there is no such step", s.Do)
	}
	if s.Do == "status" && (s.Status < 400 || s.Status > 599) {
		return fmt.Errorf("cannot read step: %d is no status of an error", s.Status)
	}
	return nil
}
