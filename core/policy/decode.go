package policy

import (
	"slices"
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Parse decodes a policy, a JSON object. Absent values are those of the preset. If preset is "", the member
// "preset" of the policy names it; without that, it is DefaultPreset. The member "money" is for Policy.SetMoney. All
// unknown keys and bad values are reported in one Error with the code bad_policy.
func Parse(preset string, policy []byte) (Policy, error) {
	raw := rawjson.Value(policy)
	if len(policy) > 0 {
		if err := msg.Validate(policy); err != nil {
			return Policy{}, err
		}
		raw = rawjson.Value(strings.TrimSpace(string(policy)))
	}
	if name := raw.Member("preset"); preset == "" && name.Kind() == '"' {
		preset = name.Text()
	}
	if preset == "" {
		preset = Default
	}
	var bad problems
	p, err := Preset(preset)
	if err != nil { // check the other values too, over the default preset
		bad.preset = err
		p, _ = Preset(Default)
	}
	if raw.IsNull() {
		return p, bad.err()
	}
	if raw.Kind() != '{' {
		bad.addProblem("", "must be an object")
		return p, bad.err()
	}
	if money := raw.Member("money"); money != nil { // before the values, which may change what it sets
		if m := money.Text(); money.Kind() == '"' && (m == "" || m == MoneyTokens || m == MoneyOff) {
			p.SetMoney(m)
		} else {
			bad.addProblem("money", `must be "`+MoneyTokens+`" or "`+MoneyOff+`"`)
		}
	}
	for it := raw.Walk(); it.Next(); {
		part, value := it.Name, it.Value
		switch {
		case part == "preset", part == "money":
		case !isPart(part):
			bad.addProblem(part, "is unknown; "+suggest(part, parts(), "a policy has"))
		case value.Kind() != '{':
			bad.addProblem(part, "must be an object")
		default:
			for it := value.Walk(); it.Next(); {
				key, v := it.Name, it.Value
				decodeField(&p, part, key, v, &bad)
			}
		}
	}
	given := func(key string) bool { return raw.Member("trigger").Member(key) != nil }
	if (given("tokens") || given("softPermille")) && !given("longPrompts") {
		p.Trigger.LongPrompts = false // the host has a limit of its own
	}
	p.validate(&bad)
	return p, bad.err()
}

// Validate reports all values that are out of range, in one Error with the code bad_policy.
func (p Policy) Validate() error {
	var bad problems
	p.validate(&bad)
	return bad.err()
}

func (p *Policy) validate(bad *problems) {
	for i := range fields {
		f := &fields[i]
		switch v := f.at(p).(type) {
		case *int:
			if *v < f.Min || *v > f.Max {
				bad.addProblem(f.Path, "is "+strconv.Itoa(*v)+", must be from "+strconv.Itoa(f.Min)+" to "+strconv.Itoa(f.Max))
			}
		case *string:
			switch {
			case len(*v) > 200:
				bad.addProblem(f.Path, "is longer than 200 bytes")
			case f.Choices != nil && !slices.Contains(f.Choices, *v):
				bad.addProblem(f.Path, "is \""+clip(*v)+"\"; "+suggest(*v, f.Choices, "it can be"))
			}
		}
	}
	p.validateTogether(bad)
}

// validateTogether reports values that are valid alone and invalid in combination.
func (p *Policy) validateTogether(bad *problems) {
	if p.Clear.Enabled && strings.TrimSpace(p.Clear.Placeholder) == "" {
		bad.addProblem("clear.placeholder", "is empty, but providers refuse an empty text")
	}
	t, s := &p.Trigger, &p.Summary
	if t.SoftPermille > 0 && t.TargetPermille > t.SoftPermille {
		bad.addProblem("trigger.targetPermille", "is above softPermille: compaction would end above its trigger")
	}
	if t.HardPermille > 0 && t.SoftPermille > t.HardPermille {
		bad.addProblem("trigger.hardPermille", "is below softPermille")
	}
	switch s.Strategy {
	case "", "none":
		return
	case "whole":
		if s.Shape == "" {
			bad.addProblem("summary.shape", "is missing for strategy whole")
		}
	case "regions":
		if s.Granularity == "" {
			bad.addProblem("summary.granularity", "is missing for strategy regions")
		}
	case "chunks":
		if s.ChunkMessages == 0 {
			bad.addProblem("summary.chunkMessages", "is 0 for strategy chunks")
		}
	}
	if s.MaxTokens == 0 && s.SharePermille == 0 {
		bad.addProblem("summary.maxTokens", "is 0, and so is sharePermille: a summary would have no room")
	}
	if s.Window < 4000 {
		bad.addProblem("summary.window", "is under 4000 tokens, too small for any request")
	}
}

// decodeField sets one value, or adds a problem if the key or the value is invalid.
func decodeField(p *Policy, part, key string, v rawjson.Value, bad *problems) {
	path := part + "." + key
	var f *field
	for i := range fields {
		if fields[i].Path == path {
			f = &fields[i]
		}
	}
	if f == nil {
		bad.addProblem(path, "is unknown; "+suggest(key, keys(part), part+" has"))
		return
	}
	switch to := f.at(p).(type) {
	case *int:
		n, err := strconv.Atoi(string(v))
		if v.Kind() != '0' || err != nil {
			bad.addProblem(path, "must be a whole number")
			return
		}
		*to = n
	case *bool:
		if k := v.Kind(); k != 't' && k != 'f' {
			bad.addProblem(path, "must be true or false")
			return
		}
		*to = v.IsTrue()
	case *string:
		if v.Kind() != '"' {
			bad.addProblem(path, "must be a string")
			return
		}
		*to = v.Text()
	case *[]string:
		decodeStrings(to, path, v, bad)
	}
}

// decodeStrings reads a list of names. true means every name, false no name, as in the provider's clear_tool_inputs.
func decodeStrings(to *[]string, path string, v rawjson.Value, bad *problems) {
	*to = []string{}
	switch v.Kind() {
	case 't':
		*to = []string{"*"}
	case 'f':
	case '[':
		for i, e := range v.List() {
			if e.Kind() != '"' {
				bad.addProblem(path+"."+strconv.Itoa(i), "must be a string")
				continue
			}
			*to = append(*to, e.Text())
		}
	default:
		bad.addProblem(path, "must be a list of strings")
	}
}

// problems collects the defects of a policy. Its error has the path of the first and the texts of all.
type problems struct {
	preset error // error of an unknown preset name; else nil
	path   string
	texts  []string
}

func (b *problems) addProblem(path, text string) {
	if len(b.texts) == 0 && path != "" {
		b.path = "/" + strings.ReplaceAll(clip(path), ".", "/")
	}
	b.texts = append(b.texts, strings.TrimSpace(clip(path)+" "+text))
}

func (b *problems) err() error {
	if len(b.texts) == 0 {
		return b.preset
	}
	text := "cannot use policy: " + strings.Join(b.texts, "; ")
	if b.preset != nil {
		return msg.NewError(msg.BadPolicy, "/preset", b.preset.(*msg.Error).Msg+"; "+text)
	}
	return msg.NewError(msg.BadPolicy, "/policy"+b.path, text)
}

// parts lists the objects of a policy, in the order of the table.
func parts() []string {
	var names []string
	for i := range fields {
		part, _, _ := strings.Cut(fields[i].Path, ".")
		if len(names) == 0 || names[len(names)-1] != part {
			names = append(names, part)
		}
	}
	return names
}

// keys lists the names of the values of one part of a policy.
func keys(part string) []string {
	var names []string
	for i := range fields {
		if key, ok := strings.CutPrefix(fields[i].Path, part+"."); ok {
			names = append(names, key)
		}
	}
	return names
}

func isPart(name string) bool { return len(keys(name)) > 0 }
