//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// The most that the library asks for at one time.
	largestPart = 64 << 10
	// How long what a client still sends is thrown away when its request was refused before its end.
	refusedTime = 500 * time.Millisecond
)

// parts are buffers for large bodies; a body that fits into smallPart has one of its own.
var parts = sync.Pool{New: func() any { return new([largestPart]byte) }}

const smallPart = 4 << 10

// takeBody reads the body as far as the library asks for it, and says how that went: nothing is read of a request that is refused
// by its head. Reading ends, too, when the library has refused it meanwhile.
func (e *exchange) takeBody(w http.ResponseWriter, r *http.Request) (isWhole, goesOn bool) {
	control, gone := http.NewResponseController(w), r.Context().Done()
	var room []byte
	isWhole = r.ContentLength == 0
	interrupt := func() { _ = control.SetReadDeadline(time.Unix(1, 0)) }
	for {
		status, most := e.permit()
		switch {
		case status == StatusEmpty:
			if !e.wait(gone) {
				return isWhole, false
			}
			continue
		case status != StatusOK:
			return isWhole, false
		case most == 0:
			return isWhole, true
		case room == nil && most <= smallPart:
			room = make([]byte, most)
		case len(room) < most && len(room) < largestPart:
			whole, _ := parts.Get().(*[largestPart]byte)
			defer parts.Put(whole)
			room = whole[:]
		}
		e.interruptible(interrupt)
		select {
		case <-e.ready: // It came before the library was asked, or the answer changed since.
			e.interruptible(nil)
			continue
		default:
		}
		length, err := r.Body.Read(room[:min(most, len(room))])
		e.interruptible(nil)
		isWhole = err == io.EOF
		if err != nil && !isWhole {
			// Either the library wants no more of it, or its client sends no more.
			status, most := e.permit()
			return false, status == StatusOK && most == 0
		}
		if status := e.write(room[:length], isWhole); status != StatusOK {
			return isWhole, false
		}
	}
}

// ListenHTTP serves Streamable HTTP at a URL such as "http://127.0.0.1:8080/mcp" with a listener of the library, every revision
// that has it, and gives the URL with the port that the system chose for port 0. [Server.Serve] has the other keys of an
// [Endpoint]: hosts, origins, certificates, health, metrics.
func (s *Server) ListenHTTP(address string) (string, error) {
	bound, err := s.Serve(Endpoint{URL: address})
	if err != nil {
		return "", err
	}
	return bound.URL, nil
}

// Handler is the server for an HTTP server of Go's: mount it at the path of the URL. The URL is the one by which clients reach
// the program, such as "https://app.example.com/mcp"; the library checks path, Host, Origin and all other headers, keeps
// sessions and events, and streams its answers. It opens no port. Behind [http.StripPrefix] the path of the URL is that with the
// prefix or that without. Without a URL, "", it answers at each path that the program gives it, to clients of this machine: its names
// are what Host may be then, and the Hosts of [Server.HandlerFor].
//
//	handler, err := server.Handler("http://127.0.0.1:8080/mcp")
//	…
//	http.Handle("/mcp", handler)
func (s *Server) Handler(address string) (http.Handler, error) {
	return s.HandlerFor(Endpoint{URL: address})
}

// HandlerFor is Handler with more keys of the endpoint, such as hosts and origins.
func (s *Server) HandlerFor(endpoint Endpoint) (http.Handler, error) {
	endpoint.Listen = Ptr(false)
	anywhere := endpoint.URL == ""
	if anywhere {
		endpoint.URL = "http://127.0.0.1/"
	}
	if _, err := s.Serve(endpoint); err != nil {
		return nil, err
	}
	path := "/"
	if at, err := url.Parse(endpoint.URL); err == nil && at.Path != "" {
		path = at.Path
	}
	return &httpHandler{server: s, path: path, anywhere: anywhere}, nil
}

type httpHandler struct {
	server   *Server
	path     string // that of the endpoint's URL
	anywhere bool   // The program alone decides about the path.

	mu    sync.Mutex
	hosts map[*http.Server]chan struct{} // Closed when the host shuts down, and kept: a stream may begin after that.
}

// ending is closed when the HTTP server that has taken a request shuts down, for streams that only their client ends, which Shutdown
// would wait for. Others have no such end.
func (h *httpHandler) ending(r *http.Request) <-chan struct{} {
	host, _ := r.Context().Value(http.ServerContextKey).(*http.Server)
	if host == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	ending, known := h.hosts[host]
	if !known {
		ending = make(chan struct{})
		if h.hosts == nil {
			h.hosts = make(map[*http.Server]chan struct{})
		}
		h.hosts[host] = ending
		host.RegisterOnShutdown(sync.OnceFunc(func() {
			close(ending)
		}))
	}
	if r.Method != http.MethodGet && r.Header.Get("Mcp-Method") != MethodListen {
		return nil
	}
	return ending
}

// target is what a request is for: its URL as [net/http] hands it over, so that [http.StripPrefix] and handlers that rewrite it work.
// Where they have changed the path, one that the client sent counts, too, if it is that of the endpoint, whose URL may be the one
// by which clients reach the program.
func (h *httpHandler) target(r *http.Request) string {
	if h.anywhere {
		at := url.URL{Path: h.path, RawQuery: r.URL.RawQuery}
		return at.RequestURI()
	}
	if r.URL.Path != h.path && r.RequestURI != "" {
		if sent, err := url.ParseRequestURI(r.RequestURI); err == nil && sent.Path == h.path {
			return sent.RequestURI()
		}
	}
	target := r.URL.RequestURI()
	if strings.HasPrefix(target, "/") || target == "*" {
		return target
	}
	return "/" + target // As of http.StripPrefix with a slash at the end.
}

func (h *httpHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer runtime.KeepAlive(h)
	headers := make([]string, 0, 4+2*len(r.Header))
	headers = append(headers, "Host", r.Host)
	if r.ContentLength >= 0 {
		headers = append(headers, "Content-Length", strconv.FormatInt(r.ContentLength, 10))
	}
	for name, values := range r.Header {
		if name == "Content-Length" {
			continue
		}
		for _, value := range values {
			headers = append(headers, name, value)
		}
	}
	core := h.server.core
	if !core.acquire() {
		refuseRest(w, r)
		http.Error(w, "the server is closed", http.StatusServiceUnavailable)
		return
	}
	visit, err := core.exchange(r.Method, h.target(r), headers, r.RemoteAddr)
	core.release() // An exchange outlives its server.
	if err != nil {
		refuseRest(w, r)
	}
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
	// Each request makes its host known, before its body comes: what is registered when the shutdown has begun is not called.
	ending := h.ending(r)
	isWhole, goesOn := visit.takeBody(w, r)
	if !isWhole {
		refuseRest(w, r)
	}
	if !goesOn || !visit.answer(w, r, ending) {
		panic(http.ErrAbortHandler) // Cuts the connection, so that the client sees that something is missing.
	}
}

// refuseRest bounds the time in which Go throws away the rest of a body that is not wanted, so that its sender reads why and can ask
// again on its connection. Of a larger rest, or a slower one, Go ends the connection.
func refuseRest(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 {
		// Where it is not supported, the host's own limit holds.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(refusedTime))
	}
}

// answer writes the answer as it comes, and says whether it was written whole, or as much of it as there was when its host ended.
func (e *exchange) answer(w http.ResponseWriter, r *http.Request, ending <-chan struct{}) bool {
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
			if unflushed && !flush() {
				return false
			}
			unflushed = false
			select {
			case <-e.ready:
			case <-ending:
				return true
			case <-gone:
				return false
			}
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
