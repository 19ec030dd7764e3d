package gateway

import (
	"crypto/sha256"
	"crypto/subtle"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Access rules. They are checked before a body is read and before anything is sent, natively and on Cloudflare.
//   - A page of another origin may call only if Confic.Origins has its origin. Browsers send Origin with each request
//     whose response a page could read and with each POST, and Sec-Fetch-Site with the others.
//   - If a token is configured, the caller needs one of the two.
//   - The path stays below the base URL of the upstream.
//   - A body with a history is JSON, and so is any body that a page posts: a page cannot send this type without asking
//     first (a preflight request of CORS).

// refusal is an error of the gateway itself.
type refusal struct {
	status           int
	reason, sentence string
}

// check returns why a request is refused, nil if it is not. to has the scheme and the host that it was sent to; rest is
// its escaped path without the name of the upstream.
func (c *Config) check(method string, to *url.URL, rest string, h http.Header, plain bool) *refusal {
	switch {
	case !c.allowsOrigin(to, h):
		return &refusal{http.StatusForbidden, "cross_origin",
			"a page of another origin cannot use this gateway; its operator can allow the origin with ALLOWED_ORIGINS"}
	case !c.authorized(h):
		return &refusal{http.StatusUnauthorized, "unauthorized",
			"send the token of this gateway in the header x-tamp-token"}
	case leavesBase(rest):
		return &refusal{http.StatusBadRequest, "bad_path",
			"the path has a segment of two dots, so it could leave the base URL of the provider"}
	case method == http.MethodPost && !allowsType(h, endpointOf(method, rest, plain) != nil):
		return &refusal{http.StatusUnsupportedMediaType, "unsupported_media_type",
			"send the body as Content-Type: application/json"}
	}
	return nil
}

// allowsOrigin reports whether the request may come from where it comes: from a program, from a page of this host, or
// from a page that the operator allows.
func (c *Config) allowsOrigin(to *url.URL, h http.Header) bool {
	origin := strings.Join(h.Values("Origin"), ", ")
	if slices.Contains(c.Origins, "*") || slices.Contains(c.Origins, origin) {
		return true
	}
	if origin == "" {
		site := h.Get("Sec-Fetch-Site")
		return site != "cross-site" && site != "same-site"
	}
	page, err := url.Parse(origin)
	return err == nil && page.Host != "" && page.User == nil && page.Scheme == to.Scheme &&
		strings.EqualFold(page.Host, to.Host)
}

// authorized reports whether the request has a token, if one is configured.
func (c *Config) authorized(h http.Header) bool {
	if c.Token == "" && c.WireToken == "" {
		return true
	}
	got := h.Get("X-Tamp-Token")
	return IsToken(c.Token, got) || IsToken(c.WireToken, got)
}

// IsToken reports whether a caller has given the token, false if it is "". It compares digests: they have equal length,
// so the time does not reveal the length of the token.
func IsToken(token, given string) bool {
	want, got := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(given))
	return token != "" && subtle.ConstantTimeCompare(want[:], got[:]) == 1
}

// leavesBase reports whether a path has the segment ".." in any spelling that some server reads so: escaped once or
// several times, after a backslash, or with parameters (..;a=b).
func leavesBase(path string) bool {
	isSeparator := func(r rune) bool { return r == '/' || r == '\\' }
	for segment := range strings.FieldsFuncSeq(unescaped(path), isSeparator) {
		if name, _, _ := strings.Cut(segment, ";"); name == ".." {
			return true
		}
	}
	return false
}

// unescaped decodes a path until it has no escape. Each step shortens it, so the time is linear.
func unescaped(path string) string {
	out := make([]byte, 0, len(path))
	for i := range len(path) {
		out = append(out, path[i])
		for n := len(out) - 3; n >= 0 && out[n] == '%'; n = len(out) - 3 {
			c, err := url.PathUnescape(string(out[n:]))
			if err != nil {
				break
			}
			out = append(out[:n], c...)
		}
	}
	return string(out)
}

// allowsType reports whether the Content-Type of a posted body is one that is taken. Programs may leave it out.
func allowsType(h http.Header, history bool) bool {
	if h.Get("Origin") == "" && (!history || h.Get("Content-Type") == "") {
		return true
	}
	return IsJSON(h.Get("Content-Type"))
}

// IsJSON reports whether a Content-Type is one of JSON.
func IsJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && (kind == "application/json" || strings.HasPrefix(kind, "application/") &&
		strings.HasSuffix(kind, "+json"))
}
