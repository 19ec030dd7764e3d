package document

import (
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// What returns the type of a value for an error: "a number". It never quotes the value.
func What(r rawjson.Value) string {
	switch r.Kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	case 0:
		return "missing"
	}
	return "a number"
}

// At returns the JSON Pointer of element n under prefix.
func At(prefix string, n int) string { return prefix + "/" + strconv.Itoa(n) }

// Int reads a count of at most nine digits; it returns 0 for any other value. No token count is larger.
func Int(r rawjson.Value) int {
	if len(r) > 9 {
		return 0
	}
	n, _ := strconv.Atoi(string(r)) // 0 if it is no whole number
	return n
}

// Millionths returns a number times a million, rounded; 0 if it is no positive number below a million.
func Millionths(r rawjson.Value) (n int) {
	text, exponent, _ := strings.Cut(strings.ToLower(string(r)), "e")
	whole, fraction, _ := strings.Cut(text, ".")
	power, _ := strconv.Atoi(exponent)
	digits, point := whole+fraction, len(whole)+power+6
	if r.Kind() != '0' || whole[0] == '-' || point < 0 || point > 99 {
		return 0
	}
	for i := range point {
		n *= 10
		if i < len(digits) {
			n += int(digits[i] - '0')
		}
		if n >= 1e12 {
			return 0
		}
	}
	if point < len(digits) && digits[point] >= '5' {
		n++
	}
	return n
}

// Text reads a string that may be absent or null. Anything else is an error at path.
func Text(r rawjson.Value, path, name string) (string, error) {
	if r.IsNull() {
		return "", nil
	}
	if r.Kind() != '"' {
		return "", msg.NewError(msg.BadMessage, path+"/"+name, "cannot read the message: "+name+" is "+What(r)+
			", it must be a string")
	}
	return r.Text(), nil
}

// Role reads a message's role, the member of that name, which it must have.
func Role(message, role rawjson.Value, path string) (msg.Role, error) {
	if message.Kind() != '{' {
		return "", msg.NewError(msg.BadMessage, path, "cannot read the message: it is "+What(message)+
			", it must be an object with role and content")
	}
	switch role.Kind() {
	case '"':
		return msg.Role(role.Text()), nil
	case 0:
		return "", msg.NewError(msg.BadMessage, path, "cannot read the message: it has no role; say whose it is, "+
			`for example "role":"user"`)
	default:
		return "", msg.NewError(msg.BadMessage, path+"/role", "cannot read the message: role is "+What(role)+
			", it must be a string")
	}
}

// Tools reads the list of tool definitions, from the named member of a request body; it must be an array of objects.
func Tools(list rawjson.Value, member string) ([]msg.Block, error) {
	if list.IsNull() {
		return nil, nil
	}
	path := "/" + member
	if list.Kind() != '[' {
		return nil, msg.NewError(msg.BadMessage, path, "cannot read the tools: they are "+What(list)+
			", they must be an array of objects")
	}
	var tools []msg.Block
	for i, tool := range list.List() {
		if i == msg.MaxBlocks {
			return nil, TooMany("tools", msg.MaxBlocks, At(path, i))
		}
		if tool.Kind() != '{' {
			return nil, msg.NewError(msg.BadMessage, At(path, i), "cannot read the tool: it is "+What(tool)+
				", it must be an object")
		}
		b := msg.Block{Kind: msg.KindOther, Type: tool.Member("type").Text(), Raw: tool, Path: At(path, i),
			Name: tool.Member("name").Text(), Text: tool.Plain(), Cache: Cache(tool.Member("cache_control"))}
		if b.Type == "" {
			b.Type = "tool"
		}
		for _, inner := range [...]string{"function", "custom"} {
			if b.Name == "" {
				b.Name = tool.Member(inner).Member("name").Text()
			}
		}
		tools = append(tools, b)
	}
	return tools, nil
}

// Cache reads a cache_control value; nil if there is none.
func Cache(r rawjson.Value) *msg.Cache {
	if r.Kind() != '{' {
		return nil
	}
	return &msg.Cache{Type: r.Member("type").Text(), TTL: r.Member("ttl").Text()}
}

// WithCache returns the block with the given cache_control, or without one if cache is nil.
func WithCache(block rawjson.Value, cache *msg.Cache) rawjson.Value {
	if cache == nil {
		return block.Without("cache_control")
	}
	value := rawjson.Value("{}").With("type", rawjson.Quote(cache.Type))
	if cache.TTL != "" {
		value = value.With("ttl", rawjson.Quote(cache.TTL))
	}
	return block.With("cache_control", value)
}

// Tier returns the service of a call by what its usage says, "" for the standard one.
func Tier(names ...rawjson.Value) string {
	for _, name := range names {
		switch tier := name.Text(); tier {
		case "fast", "priority", "flex", "batch":
			return tier
		}
	}
	return ""
}

// Usage reads Anthropic's usage object; nil if there is none.
func Usage(r rawjson.Value) *msg.Usage {
	if r.Kind() != '{' {
		return nil
	}
	u := &msg.Usage{}
	var speed, tier, created rawjson.Value
	for it := r.Walk(); it.Step(); {
		switch value := it.Value; string(it.Key()) {
		case "input_tokens":
			u.Input = Int(value)
		case "cache_read_input_tokens":
			u.CacheRead = Int(value)
		case "cache_creation_input_tokens":
			u.CacheWrite = Int(value)
		case "output_tokens":
			u.Output = Int(value)
		case "speed":
			speed = value
		case "service_tier":
			tier = value
		case "cache_creation":
			created = value
		}
	}
	u.Tier = Tier(speed, tier)
	u.CacheWrite1h = min(Int(created.Member("ephemeral_1h_input_tokens")), u.CacheWrite)
	return u
}

// ReadMiss adds what a response says about a cache miss to its usage (diagnostics.cache_miss_reason of Anthropic,
// @anthropic-ai/sdk 1.14.0). A reason that is no short name is left out.
func ReadMiss(u *msg.Usage, diagnostics rawjson.Value) {
	miss := diagnostics.Member("cache_miss_reason")
	if reason := miss.Member("type").Text(); u != nil && msg.IsReason(reason) {
		u.MissReason, u.Missed = reason, Int(miss.Member("cache_missed_input_tokens"))
	}
}
