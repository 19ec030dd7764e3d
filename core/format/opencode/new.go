package opencode

import (
	"strconv"
	"strings"

	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
)

// finish completes a new message after another one as `opencode import` wants it (1.18): it orders messages and parts
// by their ids, and needs the session and message of each part, and the provider and place of each message.
func finish(raw, near rawjson.Value) rawjson.Value {
	info, was := raw.Member("info"), near.Member("info")
	if id := idAfter(was.Member("id").Text(), info.Member("id").Text()); id != "" {
		info = info.With("id", rawjson.Quote(id))
	}
	member := func(paths ...string) rawjson.Value {
		for _, path := range paths {
			if value := record.At(was, path); value != nil {
				return value
			}
		}
		return nil
	}
	set := func(path string, value rawjson.Value) {
		if value != nil && record.At(info, path) == nil {
			info = record.Set(info, path, value)
		}
	}
	if info.Member("role").Text() == "user" {
		set("model/providerID", member("model/providerID", "providerID"))
	} else {
		set("modelID", member("modelID", "model/modelID"))
		set("providerID", member("providerID", "model/providerID"))
		set("parentID", member("parentID", "id"))
		set("mode", member("mode", "agent"))
		set("path", member("path"))
		info = info.Without("model")
	}
	raw = raw.With("info", info)
	if some := near.Member("parts").List(); len(some) == 0 || some[0].Member("messageID") == nil {
		return raw // nor do the others have it
	}
	id := info.Member("id").Text()
	parts := []byte("[")
	for i, part := range raw.Member("parts").List() {
		if i > 0 {
			parts = append(parts, ',')
		}
		if part.Member("id") == nil {
			at := strings.TrimPrefix(id, "msg_")
			number := strconv.Itoa(100 + i) // before the rest, which a copy of the session may change
			part = part.With("id", rawjson.Quote("prt_"+at[:min(len(at), timeDigits)]+number+at[min(len(at), timeDigits):]))
		}
		part = part.With("sessionID", info.Member("sessionID")).With("messageID", info.Member("id"))
		parts = append(parts, part...)
	}
	return raw.With("parts", append(parts, ']'))
}

const timeDigits = 12 // of an id

// idAfter returns an id that is after the id of a message, and before those of later times; "" if that is no id of
// opencode: a word, 12 hexadecimal digits of time, and letters and digits. own makes it another than others.
func idAfter(id, own string) string {
	const time = len("msg_") + timeDigits
	if len(id) <= time || strings.Trim(id[4:time], "0123456789abcdef") != "" {
		return ""
	}
	last := len(id[time:]) - len(strings.TrimLeft(id[time:], "z"))
	return id[:time] + strings.Repeat("z", last+2) + strings.TrimPrefix(own, "msg_")[:12]
}
