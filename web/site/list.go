package site

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
)

// listing is the file that names all others with their digests: from it the service worker (sw.js) keeps one version of the site, whole.
const listing = "files.json"

// list makes it. Pictures in it would be those of the manuals, which the page does not show, and browsers keep sw.js by themselves.
func (s *Site) list() ([]byte, error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	version := sha256.New()
	for _, name := range names {
		if name == "sw.js" || path.Ext(name) == ".png" {
			continue
		}
		content, err := s.read(name)
		if err != nil {
			return nil, err
		}
		digest := sha256.Sum256(content)
		files[name] = hex.EncodeToString(digest[:])
		fmt.Fprintln(version, name, files[name]) // a hash never fails, and WalkDir is in order
	}
	return json.Marshal(map[string]any{"version": hex.EncodeToString(version.Sum(nil)[:8]), "files": files})
}
