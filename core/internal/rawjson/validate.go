package rawjson

import "unicode/utf16"

// The grammar of RFC 8259, checked in one pass over the bytes, without recursion or allocation of values. It accepts
// the same input as encoding/json (a property compares the two), with a smaller depth limit. Like encoding/json, it
// accepts invalid UTF-8 inside strings: such bytes are kept.

// SyntaxError says where and why data is not one JSON value.
type SyntaxError struct {
	Offset  int    // of the first invalid byte
	Reason  string // for people: lower case, no full stop
	TooDeep bool   // the value is nested deeper than MaxDepth
}

func (e *SyntaxError) Error() string { return e.Reason }

func syntaxError(offset int, reason string) *SyntaxError {
	return &SyntaxError{Offset: offset, Reason: reason}
}

// Check checks that data is one JSON value with optional white space around it. The error is a *SyntaxError.
func Check(data []byte) error { return validate(data, nil) }

// End returns the offset after the value that begins at i, and true; if there is none, the offset of the first invalid
// byte.
func End(data []byte, i int) (int, bool) {
	end, err := validateValue(data, i, nil)
	return end, err == nil
}

func validate(data []byte, x *Index) error {
	end, err := validateValue(data, skipSpace(data, 0), x)
	if err != nil {
		return err
	}
	if end = skipSpace(data, end); end < len(data) {
		return syntaxError(end, "unexpected "+describe(data, end)+" after the value")
	}
	return nil
}

// validateValue checks the value at offset i and returns the offset after it. If x is not nil, the ends of long values
// are added to it.
func validateValue(b []byte, i int, x *Index) (int, error) {
	var stack [MaxDepth]byte
	var opened [MaxDepth]int32 // the entries of x of the open values, by depth
	depth := 0
	for {
		// A value must begin here.
		if i >= len(b) {
			return i, syntaxError(i, "unexpected end of input, a value is missing")
		}
		switch c := b[i]; c {
		case '{', '[':
			if depth == MaxDepth {
				return i, &SyntaxError{Offset: i, Reason: "nested deeper than 1000 levels", TooDeep: true}
			}
			stack[depth] = c
			if x != nil {
				opened[depth] = x.open(i)
			}
			depth++
			i = skipSpace(b, i+1)
			if i < len(b) && b[i] == c+2 { // '{'+2 is '}' and '['+2 is ']'
				depth--
				i++
				if x != nil {
					x.close(opened[depth], i)
				}
				break
			}
			if c == '{' {
				var err error
				if i, err = validateKey(b, i, x); err != nil {
					return i, err
				}
			}
			continue
		case '"':
			end, err := validateString(b, i, x)
			if err != nil {
				return i, err
			}
			if x != nil && end-i >= longValue {
				x.close(x.open(i), end)
			}
			i = end
		case 't', 'f', 'n':
			word := map[byte]string{'t': "true", 'f': "false", 'n': "null"}[c]
			if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
				return i, syntaxError(i, "unexpected "+describe(b, i))
			}
			i += len(word)
		default:
			end := numberEnd(b, i)
			if end < 0 {
				return i, syntaxError(i, "unexpected "+describe(b, i))
			}
			i = end
		}
		// A value has ended: close each container that ends with it.
		for {
			if depth == 0 {
				return i, nil
			}
			i = skipSpace(b, i)
			if i >= len(b) {
				return i, syntaxError(i, "unexpected end of input inside "+container(stack[depth-1]))
			}
			if b[i] == ',' {
				i = skipSpace(b, i+1)
				break
			}
			if b[i] != stack[depth-1]+2 {
				return i, syntaxError(i, "unexpected "+describe(b, i)+" inside "+container(stack[depth-1]))
			}
			depth--
			i++
			if x != nil {
				x.close(opened[depth], i)
			}
		}
		if stack[depth-1] == '{' {
			var err error
			if i, err = validateKey(b, i, x); err != nil {
				return i, err
			}
		}
	}
}

// validateKey checks `"key" :` at offset i and returns the offset of the member's value.
func validateKey(b []byte, i int, x *Index) (int, error) {
	if i >= len(b) {
		return i, syntaxError(i, "unexpected end of input inside an object")
	}
	if b[i] != '"' {
		return i, syntaxError(i, "unexpected "+describe(b, i)+" where a key should be")
	}
	end, err := validateString(b, i, x)
	if err != nil {
		return i, err
	}
	i = skipSpace(b, end)
	if i >= len(b) || b[i] != ':' {
		return i, syntaxError(i, "unexpected "+describe(b, i)+" after a key, where a colon should be")
	}
	return skipSpace(b, i+1), nil
}

func validateString(b []byte, i int, x *Index) (int, error) {
	start := i
	for i++; i < len(b); i++ {
		if i = plainEnd(b, i); i == len(b) {
			break
		}
		c := b[i]
		if c == '"' {
			return i + 1, nil
		}
		if c < ' ' {
			return i, syntaxError(i, "a raw control character inside a string")
		}
		i++
		if i >= len(b) {
			break
		}
		switch b[i] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		case 'u':
			u, ok := hex4(b, i+1)
			if !ok {
				if len(b)-i < 5 {
					return start, syntaxError(start, "a string that does not end, begun")
				}
				return i, syntaxError(i-1, "a broken \\u escape")
			}
			if x != nil && utf16.IsSurrogate(u) {
				x.Surrogates = true
			}
			i += 4
		default:
			return i, syntaxError(i-1, "an unknown escape")
		}
	}
	return start, syntaxError(start, "a string that does not end, begun")
}

// numberEnd returns the offset after the number at i, or -1 if there is none.
func numberEnd(b []byte, i int) int {
	digits := func() bool {
		from := i
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(b) && b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else if !digits() {
		return -1
	}
	if i < len(b) && b[i] == '.' {
		i++
		if !digits() {
			return -1
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if !digits() {
			return -1
		}
	}
	return i
}

func container(open byte) string {
	if open == '{' {
		return "an object"
	}
	return "an array"
}
