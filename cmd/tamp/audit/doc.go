// Package audit is `tamp usage` and `tamp audit` without their input and output: which files below a folder are session
// logs, the totals of many sessions, and the report as text. It reads no file and replays no session (core/replay).
//
// Start with Choose for the files, with Rank for sessions that were audited, and with SumUp for those whose usage was
// read; Report and UsageReport write the results as text.
package audit

import "tamp/core/replay"

// AuditedFile is a session with the name of its file.
type AuditedFile struct {
	File string `json:"file"`
	replay.Audited
}

// UsedFile is the usage of a session with the name of its file.
type UsedFile struct {
	File string `json:"file"`
	replay.Used
}

// Unread is a file that is in no total.
type Unread struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// Others are the files that are in no total.
type Others struct {
	Unread  []Unread `json:"unread"`  // those that cannot be read, sorted by name
	Skipped []Unread `json:"skipped"` // those that are left out by their names, likewise
}
