package core

import (
	"strconv"

	"tamp/core/msg"
)

// maxLostPairs is the number of calls and results without a partner that a conversation may have, whatever its length:
// a short one with a defect is left to validity.Repair.
const maxLostPairs = 3

// CheckPairs returns unknown_format if more than half of the calls and results of c have no partner, or if half of its
// messages have roles that no provider knows. So many are lost only if c is in another format than the one it was read
// as, and any edit would make it worse. Call it before NewPlan for a conversation whose format is the caller's word;
// wire does.
func CheckPairs(c *msg.Conversation) error {
	if err := checkRoles(c); err != nil {
		return err
	}
	all, lost, open := 0, 0, msg.OpenRound(c)
	pairs := msg.Pair(c)
	for it := c.Walk(); it.Next(); {
		at, block := it.Ref, it.Block
		paired := true
		switch {
		case block.Server:
			continue
		case block.Kind == msg.KindToolUse:
			_, paired = pairs.Result(at)
			paired = paired || at.Message >= open || block.Async
		case block.Kind == msg.KindToolResult:
			_, paired = pairs.Call(at)
		default:
			continue
		}
		if all++; !paired {
			lost++
		}
	}
	if lost <= maxLostPairs || 2*lost <= all {
		return nil
	}
	return msg.NewError(msg.UnknownFormat, "", "cannot compact the conversation: "+strconv.Itoa(lost)+" of "+
		strconv.Itoa(all)+" calls and results have no partner, so this is no "+c.Format+
		" conversation, or it was cut; give the format that it is in, or repair it first")
}

// checkRoles is the part of CheckPairs for roles. One foreign role is left to validity.Check.
func checkRoles(c *msg.Conversation) error {
	foreign, first := 0, msg.Role("")
	for m := range c.Messages {
		switch role := c.Messages[m].Role; role {
		case msg.User, msg.Assistant, msg.System, msg.Developer, msg.Tool, msg.Function:
		default:
			if foreign++; foreign == 1 {
				first = role
			}
		}
	}
	if foreign < 2 || 2*foreign < len(c.Messages) {
		return nil
	}
	return msg.NewError(msg.UnknownFormat, "", "cannot compact the conversation: "+strconv.Itoa(foreign)+" of "+
		strconv.Itoa(len(c.Messages))+" messages have a role such as "+strconv.Quote(msg.Shorten(string(first), 40))+
		", which "+c.Format+" does not define; it has the roles user, assistant and others")
}
