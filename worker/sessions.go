package worker

import (
	"net/http"
	"strings"
)

// sessions serves the sessions of the gateway: the list, as events if the client accepts them, one of them, or its last
// request. Only a native server has them.
func (s *server) sessions(a *answer, r *http.Request) error {
	list := s.host.Sessions
	if list == nil {
		return newError(notFound, "", "cannot list the sessions: only a native server keeps a list")
	}
	if !s.mayStore(r) {
		return newError(unauthorized, "", "cannot list the sessions: send the token of this server")
	}
	id, part, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(r.URL.EscapedPath(), "/v1/sessions"), "/"), "/")
	var body []byte
	switch {
	case id == "" && acceptsEvents(r.Header):
		a.status = http.StatusOK
		list.Events(a.w, r)
		return nil
	case id == "":
		body = list.List()
	case part == "":
		body = list.One(id)
	case part == "request":
		body = list.Request(id)
	}
	if body == nil {
		return newError(notFound, "", "cannot find the session: it is unknown, or its request is not kept")
	}
	a.json(http.StatusOK, body)
	return nil
}
