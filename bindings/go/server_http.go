//go:build cgo

package mcp

import (
	"errors"
	"io"
	"net/http"
	"runtime"
	"time"
)

const (
	// The library's own "limits.frame_bytes", where the configuration has none.
	mostBody = 16 << 20
	// How many bodies that are larger than smallBody are read at a time, and how long each may take. They cost memory before it is
	// known who sends them.
	largeBodies = 4
	smallBody   = 64 << 10
	bodyTime    = 60 * time.Second
)

// bodies reads the bodies of requests, within bounds.
type bodies struct {
	most  int64
	large chan struct{}
}

func newBodies(frameBytes int64) *bodies {
	if frameBytes <= 0 {
		frameBytes = mostBody
	}
	return &bodies{most: frameBytes, large: make(chan struct{}, largeBodies)}
}

// read gives the body, or the status of HTTP that refuses it. One byte more than the library takes is left to its own answer.
func (b *bodies) read(w http.ResponseWriter, r *http.Request) ([]byte, int) {
	control := http.NewResponseController(w)
	if control.SetReadDeadline(time.Now().Add(bodyTime)) == nil {
		defer control.SetReadDeadline(time.Time{})
	}
	if r.ContentLength > b.most+1 {
		return nil, http.StatusRequestEntityTooLarge
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, smallBody))
	if err == nil && len(body) == smallBody {
		select {
		case b.large <- struct{}{}:
			defer func() { <-b.large }()
		default:
			return nil, http.StatusServiceUnavailable
		}
		var rest []byte
		rest, err = io.ReadAll(http.MaxBytesReader(w, r.Body, b.most+1-smallBody))
		body = append(body, rest...)
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, http.StatusRequestEntityTooLarge
	case err != nil:
		return nil, http.StatusBadRequest
	}
	return body, 0
}

// ListenHTTP serves Streamable HTTP at a URL such as "http://127.0.0.1:8080/mcp" with a listener of the library, every revision
// that has it, and gives the URL with the port that the system chose for port 0. [Server.Serve] has the other keys of an
// [Endpoint]: hosts, origins, certificates, health, metrics.
func (s *Server) ListenHTTP(url string) (string, error) {
	bound, err := s.Serve(Endpoint{URL: url})
	if err != nil {
		return "", err
	}
	return bound.URL, nil
}

// Handler is the server for an HTTP server of Go's: mount it at the path of the URL. The URL is the one by which clients reach
// the program, such as "https://app.example.com/mcp"; the library checks path, Host, Origin and all other headers, keeps
// sessions and events, and streams its answers. It opens no port.
//
//	handler, err := server.Handler("http://127.0.0.1:8080/mcp")
//	…
//	http.Handle("/mcp", handler)
func (s *Server) Handler(url string) (http.Handler, error) {
	return s.HandlerFor(Endpoint{URL: url})
}

// HandlerFor is Handler with more keys of the endpoint, such as hosts and origins.
func (s *Server) HandlerFor(endpoint Endpoint) (http.Handler, error) {
	endpoint.Listen = Ptr(false)
	if _, err := s.Serve(endpoint); err != nil {
		return nil, err
	}
	return &httpHandler{s}, nil
}

type httpHandler struct{ server *Server }

func (h *httpHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer runtime.KeepAlive(h)
	body, refused := h.server.core.bodies.read(w, r)
	if refused != 0 {
		http.Error(w, "the body cannot be read", refused)
		return
	}
	headers := make([]string, 0, 2+2*len(r.Header))
	headers = append(headers, "Host", r.Host)
	for name, values := range r.Header {
		for _, value := range values {
			headers = append(headers, name, value)
		}
	}
	target := r.RequestURI
	if target == "" { // A request that did not come from a connection, as in tests.
		target = r.URL.RequestURI()
	}
	core := h.server.core
	if !core.acquire() {
		http.Error(w, "the server is closed", http.StatusServiceUnavailable)
		return
	}
	visit, err := core.exchange(r.Method, target, headers, body)
	core.release() // An exchange outlives its server.
	switch {
	case errors.Is(err, StatusClosed):
		http.Error(w, "the server is closed", http.StatusServiceUnavailable)
		return
	case err != nil:
		http.Error(w, "the request cannot be read", http.StatusBadRequest)
		return
	}
	// When the client is gone, this cancels its request (2026-07-28).
	defer visit.free()
	if !visit.answer(w, r) {
		panic(http.ErrAbortHandler) // Cuts the connection, so that the client sees that something is missing.
	}
}

// answer writes the answer as it comes, and says whether it was written whole.
func (e *exchange) answer(w http.ResponseWriter, r *http.Request) bool {
	gone := r.Context().Done()
	for {
		status, code, _ := e.head()
		if status == StatusOK {
			e.writeHead(w, code)
			break
		}
		if status != StatusEmpty || !e.wait(gone) {
			return false
		}
	}
	control := http.NewResponseController(w)
	flush := func() bool {
		err := control.Flush()
		return err == nil || errors.Is(err, http.ErrNotSupported)
	}
	part := make([]byte, 16<<10)
	unflushed := true // An event stream may stay quiet for long: its head goes out first.
	for {
		status, length := e.read(part)
		switch {
		case status == StatusOK && length == 0:
			return true
		case status == StatusOK:
			if _, err := w.Write(part[:length]); err != nil {
				return false
			}
			unflushed = true
		case status == StatusEmpty:
			if unflushed && !flush() || !e.wait(gone) {
				return false
			}
			unflushed = false
		default:
			return false
		}
	}
}

func (e *exchange) writeHead(w http.ResponseWriter, code int) {
	header := w.Header()
	for index := 0; ; index++ {
		name, value := e.header(index)
		if name == "" {
			break
		}
		header.Add(name, value)
	}
	w.WriteHeader(code)
}

// wait waits until the exchange should be looked at again; false if its client is gone.
func (e *exchange) wait(gone <-chan struct{}) bool {
	select {
	case <-e.ready:
		return true
	case <-gone:
		return false
	}
}
