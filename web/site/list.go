package site

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"slices"
)

// listing is the file with the digests of all other files. The service worker (sw.js) uses it to cache one consistent
// version of the site.
const listing = "files.json"

// unlisted are the extensions of files that are not cached: pictures and texts of the manuals, which the page does not
// show.
var unlisted = []string{".md", ".png"}

// onDemandTypes are the extensions of files that are cached at their first use: vocabularies and packed examples.
var onDemandTypes = []string{".bin", ".gz"}

// list returns the content of listing. sw.js is not in it, since browsers cache it themselves.
func (s *Site) list() ([]byte, error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	files, onDemand := map[string]string{}, map[string]string{}
	version := sha256.New()
	for _, name := range names {
		if name == "sw.js" || slices.Contains(unlisted, path.Ext(name)) {
			continue
		}
		content, err := s.read(name)
		if err != nil {
			return nil, err
		}
		digest := sha256.Sum256(content)
		sum := hex.EncodeToString(digest[:])
		if slices.Contains(onDemandTypes, path.Ext(name)) {
			onDemand[name] = sum
		} else {
			files[name] = sum
		}
		fmt.Fprintln(version, name, sum) // a hash never fails, and WalkDir is in order
	}
	return json.Marshal(map[string]any{"version": hex.EncodeToString(version.Sum(nil)[:8]), "files": files,
		"later": onDemand})
}
