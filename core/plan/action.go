package plan

// Action is one decision. A decision to change nothing is an Action too.
type Action struct {
	Kind   string `json:"kind"` // an edit's kind, "keep", "summarize", "condense", "truncate", "thinking_dropped", "none"
	Path   string `json:"path"` // JSON Pointer into the input
	Tool   string `json:"tool,omitempty"`
	Region *int   `json:"region,omitempty"` // index in Plan.Regions; absent if the action is not about a region
	Level  int    `json:"level,omitempty"`  // of a summary: that of its region
	Before int    `json:"before"`           // tokens of the block or region
	After  int    `json:"after"`
	Reason string `json:"reason"`
	// Of "condense": the lines of the earlier summaries that the new one does not have. At most 100 are in the list.
	Dropped      []string `json:"dropped,omitempty"`
	DroppedLines int      `json:"droppedLines,omitempty"` // the number of all of them
}
