package view

import (
	"slices"
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/summarize"
)

// maxRefs is the number of archives that a condensed summary lists, the newest. Older ones are listed in the summaries
// that those archives hold.
const maxRefs = 8

// ArchivesIn returns the archives of the summaries in a span of a conversation whose summaries are marked.
func ArchivesIn(c *msg.Conversation, span msg.Span) []string {
	var refs []string
	for it := c.WalkIn(span); it.Next(); {
		if it.Block.IsSummary() {
			if l, _ := marker.Parse(it.Block.Text); l.Form == marker.Turns {
				refs = append(refs, ArchivesOf(it.Block.Text, l)...)
			}
		}
	}
	return refs
}

// ArchivesOf returns the archives of a summary: of its label, and those that it lists.
func ArchivesOf(text string, l marker.Label) []string {
	var refs []string
	for _, line := range strings.Split(text, "\n") {
		if list, ok := strings.CutPrefix(line, summarize.OriginalsLine); ok {
			for _, ref := range strings.Split(list, ", ") {
				if marker.IsRef(ref) {
					refs = append(refs, ref)
				}
			}
		}
	}
	if l.Ref != "" {
		refs = append(refs, l.Ref)
	}
	return refs
}

// ArchivesLine is the last line of a condensed summary.
func ArchivesLine(refs []string) string {
	var unique []string
	for _, ref := range slices.Backward(refs) {
		if len(unique) < maxRefs && !slices.Contains(unique, ref) {
			unique = append(unique, ref)
		}
	}
	if len(unique) == 0 {
		return ""
	}
	slices.Reverse(unique)
	return "\n\n" + summarize.OriginalsLine + strings.Join(unique, ", ")
}
