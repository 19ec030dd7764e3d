package format

import (
	"slices"

	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// lone returns the places of c that have half of a surrogate pair or invalid UTF-8. A log has more than its agent
// sends; only the blocks count.
func lone(c *msg.Conversation) (places []msg.Place) {
	at, isLog := msg.Ref{Message: -1, Block: -1}, msg.IsLog(c.Format)
	add := func(path string, raws ...rawjson.Value) bool {
		found := slices.ContainsFunc(raws, func(raw rawjson.Value) bool { return !rawjson.IsWhole(raw) })
		if found {
			places = append(places, msg.Place{Ref: at, Path: path})
		}
		return found
	}
	d, _ := c.Origin.(*document.Document)
	if d != nil && !isLog {
		for it := d.Top.Walk(); it.Next(); {
			if "/"+it.Name != d.Prefix {
				add("/"+it.Name, it.Value)
			}
		}
	}
	for m := range c.Messages {
		message, found := &c.Messages[m], false
		for b := range message.Blocks {
			at = msg.Ref{Message: m, Block: b}
			found = add(message.Blocks[b].Path, message.Blocks[b].Raw) || found
		}
		if at.Block = -1; !found && !isLog {
			at.Message = m
			add(message.Path, append(slices.Clip(message.Lines), message.Raw)...)
		}
	}
	if len(places) == 0 && !isLog { // in the name of a member
		places = []msg.Place{{Ref: msg.Ref{Message: -1, Block: -1}}}
	}
	return places
}
