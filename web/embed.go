// Package web has the files of the page, so that a native server can serve them from any folder.
//
// It is not a part of the API (see package core).
package web

import "embed"

// Files has the page without the pictures of the manuals.
//
//go:embed *.html *.css *.js *.svg app how examples/*.json* examples/*.gz
var Files embed.FS
