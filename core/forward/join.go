package forward

import (
	"slices"

	"tamp/core/msg"
)

// joinUsers joins messages of the user next to each other: those of the compacted prefix, and the last one of it with
// the first that was added after it.
func joinUsers(prefix, added []msg.Message) (joined, rest []msg.Message) {
	for len(added) > 0 && len(prefix) > 0 && added[0].Role == msg.User && prefix[len(prefix)-1].Role == msg.User {
		prefix, added = append(slices.Clone(prefix), added[0]), added[1:]
	}
	for i := range prefix {
		if last := len(joined) - 1; last >= 0 && prefix[i].Role == msg.User && joined[last].Role == msg.User {
			joined[last] = joinedUser(&joined[last], &prefix[i])
			continue
		}
		joined = append(joined, prefix[i])
	}
	return joined, added
}

// joinedUser is one message of two. Two texts become one, since some servers take no parts.
func joinedUser(a, b *msg.Message) msg.Message {
	if len(a.Blocks) == 1 && len(b.Blocks) == 1 && a.Blocks[0].Bare && b.Blocks[0].Bare {
		text := a.Blocks[0].WithText(a.Blocks[0].Text + "\n\n" + b.Blocks[0].Text)
		return a.WithBlocks([]msg.Block{text})
	}
	return a.WithBlocks(append(slices.Clone(a.Blocks), b.Blocks...))
}
