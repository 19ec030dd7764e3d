// Package prompt writes the requests for a summarizing model and reads its answers back. Plain string building: no
// templates, no model, no network.
//
// What is to be summarized is data. It stands between fences that carry a digest of it, so no text inside can close them,
// and both prompts say that nothing in it is to be obeyed. Start with Write and Read.
package prompt
