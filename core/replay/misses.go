package replay

// Misses sums up what the answers of the session use, and what of it the compacted requests do not have (core/misses).
// A name counts once for each call that uses it.
type Misses struct {
	Names    int `json:"names"`    // that a call uses, and that the session had before
	Missed   int `json:"missed"`   // of these, those that the request does not have
	Permille int `json:"permille"` // of the names that the requests have, rounded down; 1000 if there are none
	Calls    int `json:"calls"`    // with a missed name or a lost edit
	Edits    int `json:"edits"`    // changes of files whose old text the session had before
	Lost     int `json:"lost"`     // of these, those whose old text the request does not have
	// Calls of tools that repeat an earlier read, search or command. The session itself does so: they are part of its cost
	// without compaction, and of no other number here.
	Repeats int `json:"repeats"`
	LeftOut int `json:"leftOut"` // of these, those whose earlier result the request does not have
	// Model calls to read missing blocks again: one for each call that misses a block that was not read again before.
	Reads    int `json:"reads"`
	Tokens   int `json:"tokens"`   // of the texts read again, each once
	ReadCost int `json:"readCost"` // of these calls: the request once more, the texts, and the calls of the tools
	Cost     int `json:"cost"`     // Totals.Cost and ReadCost
	// The numbers in a sentence for people, which may change; "" if no call uses a name or an edit.
	Text string `json:"text"`
}
