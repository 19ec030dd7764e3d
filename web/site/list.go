package site

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"slices"
)

// listing is the file that names all others with their digests: from it the service worker (sw.js) keeps one version of the site, whole.
const listing = "files.json"

// unlisted are kinds of file that nobody is to be made to download: pictures and texts are those of the manuals, which the page does not
// show.
var unlisted = []string{".md", ".png"}

// later are kinds that are kept once they were wanted: a vocabulary is fetched when somebody counts with it.
var later = []string{".bin"}

// list makes it. Browsers keep sw.js by themselves.
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
		if slices.Contains(later, path.Ext(name)) {
			onDemand[name] = sum
		} else {
			files[name] = sum
		}
		fmt.Fprintln(version, name, sum) // a hash never fails, and WalkDir is in order
	}
	return json.Marshal(map[string]any{"version": hex.EncodeToString(version.Sum(nil)[:8]), "files": files, "later": onDemand})
}
