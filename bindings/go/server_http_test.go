package mcp_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

// counter is a tool that reports progress until its answer is not wanted, or the test ends it.
func counter(t testing.TB, server *mcp.Server, letGo <-chan struct{}, ends chan<- error) {
	t.Helper()
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "count"}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		if err := r.Progress(1, 0, "one"); err != nil {
			return "", err
		}
		select {
		case <-letGo:
			return "counted", nil
		case <-ctx.Done():
			ends <- context.Cause(ctx)
			return "", ctx.Err()
		}
	}))
}

// mount makes an HTTP server of Go's with an MCP server at one of its paths.
func mount(t testing.TB, server *mcp.Server) string {
	t.Helper()
	mux := http.NewServeMux()
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	handler, err := server.Handler(web.URL + "/mcp")
	must(t, err)
	mux.Handle("/mcp", handler)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "a page of the program") })
	return web.URL
}

func TestServerInsideNetHTTPStreams(t *testing.T) {
	server := offer(t, mcp.ServerConfig{})
	letGo, ends := make(chan struct{}), make(chan error, 10)
	counter(t, server, letGo, ends)
	url := mount(t, server)
	if answer, err := http.Get(url + "/"); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	for _, era := range eras {
		client := open(t, mcp.Config{URL: url + "/mcp", Protocol: []string{era}})
		// The report arrives while the handler waits, so the answer is streamed.
		reported := make(chan mcp.Progress, 10)
		done := make(chan string, 1)
		go func() {
			result, err := client.CallTool(within(t), "count", nil, mcp.OnProgress(func(p mcp.Progress) { reported <- p }))
			if err != nil {
				done <- err.Error()
				return
			}
			done <- result.Text()
		}()
		if p := receive(t, reported); p.Message != "one" {
			t.Errorf("%s: %+v", era, p)
		}
		letGo <- struct{}{}
		if said := receive(t, done); said != "counted" {
			t.Errorf("%s: %s", era, said)
		}
		// A client that goes away takes its request with it.
		ctx, cancel := context.WithCancel(within(t))
		failed := make(chan error, 1)
		go func() {
			_, err := client.CallTool(ctx, "count", nil, mcp.OnProgress(func(mcp.Progress) { cancel() }))
			failed <- err
		}()
		if err := receive(t, failed); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", era, err)
		}
		if err := receive(t, ends); err == nil {
			t.Errorf("%s: the handler's context has no cause", era)
		}
	}
}

// A browser's page of another origin, another host, a wrong path and a body without an end get an answer, and nothing of the server.
func TestServerInsideNetHTTPRefuses(t *testing.T) {
	server := offer(t, mcp.ServerConfig{})
	url := mount(t, server)
	body := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, wrong := range map[string]struct {
		change func(*http.Request)
		status int
	}{
		"an origin":  {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, http.StatusForbidden},
		"a host":     {func(r *http.Request) { r.Host = "evil.example" }, http.StatusForbidden},
		"a method":   {func(r *http.Request) { r.Method = http.MethodPut }, http.StatusMethodNotAllowed},
		"no JSON":    {func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader("{")); r.ContentLength = 1 }, http.StatusBadRequest},
		"no session": {func(r *http.Request) { r.Header.Set("Mcp-Session-Id", "guessed") }, http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(within(t), http.MethodPost, url+"/mcp", strings.NewReader(body))
			must(t, err)
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Accept", "application/json, text/event-stream")
			wrong.change(request)
			answer, err := http.DefaultClient.Do(request)
			must(t, err)
			defer answer.Body.Close()
			if answer.StatusCode != wrong.status {
				text, _ := io.ReadAll(answer.Body)
				t.Errorf("%s: %s", answer.Status, text)
			}
		})
	}
	// Nothing is read of a body whose head is refused: its sender need not send it.
	t.Run("a foreign host, and a body that does not come", func(t *testing.T) {
		endless, writer := io.Pipe()
		defer writer.Close()
		request, err := http.NewRequestWithContext(within(t), http.MethodPost, url+"/mcp", endless)
		must(t, err)
		request.Host = "evil.example"
		request.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(request)
		must(t, err)
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusForbidden || !answer.Close {
			t.Error(answer.Status, answer.Close)
		}
	})
	t.Run("a body without an end", func(t *testing.T) {
		endless, _ := io.Pipe()
		answer, err := http.Post(url+"/mcp", "application/json", io.MultiReader(strings.NewReader(strings.Repeat(" ", 17<<20)), endless))
		if err == nil && answer.StatusCode != http.StatusRequestEntityTooLarge {
			t.Error(answer.Status)
		}
	})
	must(t, server.Close())
	answer, err := http.Post(url+"/mcp", "application/json", strings.NewReader(body))
	if err != nil || answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("after the close: %v, %v", answer, err)
	}
}

func TestServerListensOverHTTP(t *testing.T) {
	server := offer(t, mcp.ServerConfig{})
	letGo, ends := make(chan struct{}), make(chan error, 1)
	counter(t, server, letGo, ends)
	close(letGo)
	url, err := server.ListenHTTP("http://127.0.0.1:0/mcp")
	must(t, err)
	for _, era := range eras {
		if said := callText(t, open(t, mcp.Config{URL: url, Protocol: []string{era}}), "count", nil); said != "counted" {
			t.Errorf("%s: %q", era, said)
		}
	}
}

// The head of an event stream goes out before its first event, and each event as soon as it is there.
func TestServerInsideNetHTTPSendsEventsAtOnce(t *testing.T) {
	server := offer(t, mcp.ServerConfig{Timeouts: &mcp.ServerTimeouts{KeepAlive: 20 * time.Millisecond}})
	letGo, ends := make(chan struct{}), make(chan error, 1)
	counter(t, server, letGo, ends)
	url := mount(t, server)
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{},"_meta":{"progressToken":"p",` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	request, err := http.NewRequestWithContext(within(t), http.MethodPost, url+"/mcp", strings.NewReader(body))
	must(t, err)
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "count",
	} {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	must(t, err)
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatal(answer.Status, answer.Header)
	}
	lines := bufio.NewScanner(answer.Body)
	find := func(what string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), what) {
				return
			}
		}
		t.Fatalf("the stream ended without %q: %v", what, lines.Err())
	}
	find("notifications/progress")
	find(":") // A comment, of a stream that is quiet.
	letGo <- struct{}{}
	find("counted")
}

// A body that stops ends in its time, although the goroutine that reads it waits for the client; others are served meanwhile.
func TestServerInsideNetHTTPEndsBodiesThatStop(t *testing.T) {
	server := offer(t, mcp.ServerConfig{Timeouts: &mcp.ServerTimeouts{Body: 200 * time.Millisecond}})
	letGo, ends := make(chan struct{}), make(chan error, 1)
	counter(t, server, letGo, ends)
	close(letGo)
	url := mount(t, server)
	connection, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	must(t, err)
	defer connection.Close()
	must(t, connection.SetDeadline(time.Now().Add(patience)))
	_, err = io.WriteString(connection, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{")
	must(t, err)
	client := open(t, mcp.Config{URL: url + "/mcp"})
	if said := callText(t, client, "count", nil); said != "counted" {
		t.Error(said)
	}
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	must(t, err)
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusRequestTimeout || !answer.Close {
		t.Error(answer.Status, answer.Header)
	}
}

// flood is a connection from an address of its own that has sent the head of a POST of so many bytes and a part of its body.
func flood(t testing.TB, url string, size, part int) net.Conn {
	t.Helper()
	address := strings.TrimPrefix(url, "http://")
	// Not every system has all of 127.0.0.0/8. Then all clients have one address.
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	connection, err := dialer.Dial("tcp", address)
	if err != nil {
		connection, err = net.Dial("tcp", address)
	}
	must(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	must(t, connection.SetDeadline(time.Now().Add(patience)))
	// It may be refused while it is sent.
	_, _ = io.WriteString(connection, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: "+
		strconv.Itoa(size)+"\r\n\r\n"+strings.Repeat(" ", part))
	return connection
}

// Large bodies that stop before their end take nothing from others: the slowest of them gives way.
func TestServerInsideNetHTTPLetsSlowBodiesGiveWay(t *testing.T) {
	const size = 4 << 20
	server := offer(t, mcp.ServerConfig{Limits: &mcp.ServerLimits{SharedBytes: 2 * size, FrameBytes: size}})
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "length"}, func(_ context.Context, _ *mcp.Request, in struct {
		Text string `json:"text"`
	}) (string, error) {
		return strconv.Itoa(len(in.Text)), nil
	}))
	url := mount(t, server)
	client := open(t, mcp.Config{URL: url + "/mcp"})
	const floods = 6
	over := make(chan error, floods)
	for i := range floods {
		link := flood(t, url, size, size-64)
		go func() {
			_, err := link.Read(make([]byte, 1))
			over <- err
		}()
		for _, length := range []int{1, 100_000, 1 << 20} {
			if said := callText(t, client, "length", map[string]any{"text": strings.Repeat("x", length)}); said != strconv.Itoa(length) {
				t.Fatalf("beside %d bodies, a text of %d bytes: %s", i+1, length, said)
			}
		}
	}
	// There is room for two of them.
	for range floods - 2 {
		if err := receive(t, over); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Error("a body that stopped goes on")
		}
	}
}

// A large body has a least rate after its grace, and a small one has none.
func TestServerInsideNetHTTPRefusesLargeBodiesThatCrawl(t *testing.T) {
	server := offer(t, mcp.ServerConfig{Limits: &mcp.ServerLimits{BodyBytesPerSecond: mcp.Ptr[int64](1_000_000)},
		Timeouts: &mcp.ServerTimeouts{BodyGrace: 100 * time.Millisecond}})
	url := mount(t, server)
	body := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	small := flood(t, url, 1000, 1000-len(body))
	large := flood(t, url, 1_000_000, 100_000)
	status := func(connection net.Conn) int {
		t.Helper()
		answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
		must(t, err)
		defer answer.Body.Close()
		return answer.StatusCode
	}
	if code := status(large); code != http.StatusRequestTimeout {
		t.Errorf("a large body: %d", code)
	}
	_, err := io.WriteString(small, body)
	must(t, err)
	if code := status(small); code != http.StatusOK {
		t.Errorf("a small body that was open for longer: %d", code)
	}
}

// A large body arrives whole, announced and in chunks.
func TestServerInsideNetHTTPTakesLargeBodies(t *testing.T) {
	server := offer(t, mcp.ServerConfig{})
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "length"}, func(_ context.Context, _ *mcp.Request, in struct {
		Text string `json:"text"`
	}) (string, error) {
		return strconv.Itoa(len(in.Text)), nil
	}))
	url := mount(t, server)
	client := open(t, mcp.Config{URL: url + "/mcp"})
	text := strings.Repeat("x", 3<<20)
	if said := callText(t, client, "length", map[string]any{"text": text}); said != "3145728" {
		t.Error(said)
	}
	request, err := http.NewRequestWithContext(within(t), http.MethodPost, url+"/mcp", io.MultiReader(strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"length","arguments":{"text":"`), strings.NewReader(text), strings.NewReader(
		`"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)))
	must(t, err)
	for name, value := range map[string]string{
		"Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "length",
	} {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	must(t, err)
	defer answer.Body.Close()
	if said, err := io.ReadAll(answer.Body); err != nil || !strings.Contains(string(said), "3145728") {
		t.Errorf("%.300s, %v", said, err)
	}
}

// Shutdown waits for the requests under way, but not for streams that only their client ends.
func TestStreamsEndWhenTheirHostShutsDown(t *testing.T) {
	for _, protocol := range []string{"legacy", "modern"} {
		letGo, ends := make(chan struct{}), make(chan error, 1)
		server := offer(t, mcp.ServerConfig{})
		counter(t, server, letGo, ends)
		must(t, server.AddText(&mcp.Resource{URI: "a://b", Name: "b"}, "text"))
		handler, err := server.Handler("")
		must(t, err)
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		streams := make(chan struct{}, 8)
		web := &http.Server{ReadHeaderTimeout: patience, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet || r.Header.Get("Mcp-Method") == mcp.MethodListen {
				streams <- struct{}{}
			}
			handler.ServeHTTP(w, r)
		})}
		go func() { _ = web.Serve(listener) }()
		client, err := mcp.New(mcp.Config{URL: "http://" + listener.Addr().String() + "/mcp", Protocol: []string{protocol}})
		must(t, err)
		defer client.Close()
		must(t, client.Subscribe(within(t), "a://b"))
		receive(t, streams)
		began, answered := make(chan struct{}, 1), make(chan error, 1)
		go func() {
			_, err := client.CallTool(context.Background(), "count", nil, mcp.OnProgress(func(mcp.Progress) { began <- struct{}{} }))
			answered <- err
		}()
		receive(t, began)
		web.RegisterOnShutdown(func() { close(letGo) })
		must(t, web.Shutdown(within(t)))
		must(t, receive(t, answered))
	}
}

// A request whose body ends after the shutdown has begun may ask for a stream.
func TestStreamsThatBeginWhileTheirHostShutsDownEnd(t *testing.T) {
	server := offer(t, mcp.ServerConfig{})
	must(t, server.AddText(&mcp.Resource{URI: "a://b", Name: "b"}, "text"))
	handler, err := server.Handler("")
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	taken := make(chan struct{}, 1)
	web := &http.Server{ReadHeaderTimeout: patience, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = watched{r.Body, taken}
		handler.ServeHTTP(w, r)
	})}
	go func() { _ = web.Serve(listener) }()
	connection, err := net.Dial("tcp", listener.Addr().String())
	must(t, err)
	defer connection.Close()
	must(t, connection.SetDeadline(time.Now().Add(patience)))
	body := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["a://b"]},"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	_, err = io.WriteString(connection, "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"+
		"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\nContent-Length: "+strconv.Itoa(len(body))+"\r\n\r\n")
	must(t, err)
	receive(t, taken)
	begun, over := make(chan struct{}), make(chan error, 1)
	web.RegisterOnShutdown(func() { close(begun) })
	go func() { over <- web.Shutdown(within(t)) }()
	receive(t, begun)
	_, err = io.WriteString(connection, body)
	must(t, err)
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	must(t, err)
	defer answer.Body.Close()
	if _, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		t.Error(answer.Status, err)
	}
	must(t, receive(t, over))
}

// watched is a body that says when it is read.
type watched struct {
	io.ReadCloser
	taken chan<- struct{}
}

func (w watched) Read(into []byte) (int, error) {
	select {
	case w.taken <- struct{}{}:
	default:
	}
	return w.ReadCloser.Read(into)
}

// The URL is that which net/http hands over, and the endpoint's may be the one with the prefix.
func TestServerBehindHandlersThatChangeThePath(t *testing.T) {
	server := offer(t, mcp.ServerConfig{})
	inner, err := server.Handler("https://app.example.com/mcp")
	must(t, err)
	outer, err := offer(t, mcp.ServerConfig{}).Handler("https://app.example.com/api/mcp")
	must(t, err)
	anywhere, err := offer(t, mcp.ServerConfig{}).HandlerFor(mcp.Endpoint{Hosts: []string{"app.example.com"}})
	must(t, err)
	local, err := offer(t, mcp.ServerConfig{}).Handler("")
	must(t, err)
	rewrites := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next := r.Clone(r.Context())
		next.URL.Path, next.URL.RawPath = "/mcp", ""
		inner.ServeHTTP(w, next)
	})
	hides := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next := r.Clone(r.Context())
		next.URL.Path, next.URL.RawPath = "/other", ""
		inner.ServeHTTP(w, next)
	})
	for what, at := range map[string]struct {
		path    string
		handler http.Handler
		status  int
	}{
		"itself":                 {"/mcp", inner, http.StatusOK},
		"a prefix":               {"/api/mcp", http.StripPrefix("/api", inner), http.StatusOK},
		"a prefix with a slash":  {"/api/mcp", http.StripPrefix("/api/", inner), http.StatusOK},
		"a URL with the prefix":  {"/api/mcp", http.StripPrefix("/api", outer), http.StatusOK},
		"another path":           {"/v2/tools", rewrites, http.StatusOK},
		"any path without a URL": {"/v2/tools?a=b", anywhere, http.StatusOK},
		"a Host without a URL":   {"/v2/tools", local, http.StatusForbidden},
		"a query":                {"/mcp?a=b", inner, http.StatusOK},
		"an unknown path":        {"/api/other", http.StripPrefix("/api", inner), http.StatusNotFound},
		"one that is hidden":     {"/x", hides, http.StatusNotFound},
	} {
		request := httptest.NewRequest(http.MethodPost, at.path, strings.NewReader(
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`))
		request.Host = "app.example.com"
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		answer := httptest.NewRecorder()
		at.handler.ServeHTTP(answer, request)
		if answer.Code != at.status {
			t.Errorf("%s: %d %s", what, answer.Code, answer.Body)
		}
	}
}
