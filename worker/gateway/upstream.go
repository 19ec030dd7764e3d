package gateway

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Upstream is a provider that requests are forwarded to.
type Upstream struct {
	Name string // the first segment of a path
	Base string // URL of the provider, without a slash at its end
	// the provider has no compaction of its own, so the gateway implements the vendors' (plain.go)
	Plain bool
}

// DefaultUpstreams is the value of the setting UPSTREAMS if it is empty.
const DefaultUpstreams = "anthropic=https://api.anthropic.com,openai=https://api.openai.com," +
	"gemini=https://generativelanguage.googleapis.com"

// ParseUpstreams reads the setting UPSTREAMS: name=URL or name=plain:URL, separated by commas. "" means
// DefaultUpstreams. The error names the entry by its number, since a URL may contain a secret.
func ParseUpstreams(text string) ([]Upstream, error) {
	if strings.TrimSpace(text) == "" {
		text = DefaultUpstreams
	}
	var all []Upstream
	var errs []error
	seen := map[string]bool{}
	for i, entry := range strings.Split(text, ",") {
		if strings.TrimSpace(entry) == "" {
			continue
		}
		u, reason := parseUpstream(strings.TrimSpace(entry))
		if reason == "" && seen[u.Name] {
			reason = "has the name of an entry before it"
		}
		if reason != "" {
			errs = append(errs, fmt.Errorf("cannot use UPSTREAMS: entry %d %s", i+1, reason))
			continue
		}
		seen[u.Name] = true
		all = append(all, u)
	}
	return all, errors.Join(errs...)
}

func parseUpstream(entry string) (u Upstream, reason string) {
	name, base, found := strings.Cut(entry, "=")
	u.Name = strings.TrimSpace(name)
	switch {
	case !found:
		return u, "has no \"=\": want name=URL"
	case u.Name == "" || strings.Trim(u.Name, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "":
		return u, "has a name with other characters than a-z, 0-9, - and _"
	case u.Name == "v1" || u.Name == "healthz" || u.Name == "metrics":
		return u, "has a name that is a path of this server"
	}
	base, u.Plain = strings.CutPrefix(strings.TrimRight(strings.TrimSpace(base), "/"), "plain:")
	parsed, err := url.Parse(base)
	switch {
	case err != nil || parsed.Host == "" || parsed.Scheme != "https" && parsed.Scheme != "http":
		return u, "is not an absolute http or https URL"
	case parsed.User != nil || parsed.RawQuery != "" || parsed.ForceQuery || strings.Contains(base, "#"):
		return u, "has a URL with a user, a query or a fragment"
	}
	u.Base = base
	return u, ""
}

// find returns the upstream that a path names, and the rest of the path, which is empty or starts with a slash. path is
// escaped. Only the setting determines the host: the rest is appended to the base URL.
func find(all []Upstream, path string) (*Upstream, string) {
	name, rest, slash := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if slash {
		rest = "/" + rest
	}
	for i := range all {
		if all[i].Name == name {
			return &all[i], rest
		}
	}
	return nil, ""
}

// target is the URL that a request is forwarded to.
func (u *Upstream) target(rest, query string) string {
	if query != "" {
		rest += "?" + query
	}
	return u.Base + rest
}
