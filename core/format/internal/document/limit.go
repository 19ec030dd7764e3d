package document

import (
	"strconv"

	"tamp/core/msg"
)

// Room is the number of blocks that a conversation can still have. It starts as msg.MaxBlocks.
type Room int

// Take counts one block, the one at path. If there is no room the error is too_large.
func (r *Room) Take(path string) error {
	if *r--; *r >= 0 {
		return nil
	}
	return TooMany("blocks", msg.MaxBlocks, path)
}

// Count returns an error if there are more messages than a conversation can have.
func Count(messages []msg.Message) error {
	if len(messages) <= msg.MaxMessages {
		return nil
	}
	return TooMany("messages", msg.MaxMessages, messages[msg.MaxMessages].Path)
}

// TooMany returns the error for a list longer than limit. path is that of the first element over it.
func TooMany(what string, limit int, path string) error {
	return msg.NewError(msg.TooLarge, path, "cannot read the conversation: it has more than "+strconv.Itoa(limit)+" "+what)
}
