// Package prompt writes the requests for a summarizing model and reads its answers back. Plain string building: no
// templates, no model, no network.
//
// The text to summarize is data. It is enclosed in a tag whose name contains a digest of the text, so no text inside
// can close the tag, and the system prompt says that instructions in it must not be followed. Start with Write and
// Read.
package prompt
