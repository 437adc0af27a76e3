// Package mcptest has MCP servers for tests, as net/http/httptest has web servers: written in Go beside the test, and talked to
// as a real server is, as a child process. The process is the test's own program, started again:
//
//	var weather = mcptest.NewServer("weather", mcptest.Tools{
//		"forecast": func(call *mcptest.Call) (any, error) { return "rain", nil },
//	})
//
//	func TestMain(m *testing.M) { mcptest.Main(m) }
//
//	func TestForecast(t *testing.T) {
//		client := weather.Client(t)
//		…
//	}
package mcptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"

	mcp "github.com/libmcp/libmcp-go"
)

// The variable that makes a test program one of its servers.
const role = "MCPTEST_SERVER"

// Tool answers a call: with a string or an *mcp.CallToolResult, or anything else that can be written as JSON, which becomes
// structured content. An error becomes a result with "isError".
type Tool func(call *Call) (any, error)

// Tools are the tools of a server by their names.
type Tools map[string]Tool

// Call is one call of a tool.
type Call struct {
	Name      string
	Arguments json.RawMessage

	session *session
}

// Notify sends the client a notification.
func (c *Call) Notify(method string, params any) error {
	return c.session.send(message{Method: method, Params: marshal(params)})
}

// Server is a server for tests. It speaks the legacy era, and has tools.
type Server struct {
	name  string
	tools Tools
}

var (
	mu      sync.Mutex
	servers = make(map[string]*Server)
)

// NewServer makes a server. Call it where every start of the program passes, before [Main]: in the declaration of a variable
// of the package.
func NewServer(name string, tools Tools) *Server {
	mu.Lock()
	defer mu.Unlock()
	if servers[name] != nil {
		panic("mcptest: there are two servers named " + name)
	}
	server := &Server{name, tools}
	servers[name] = server
	return server
}

// Main runs the tests, or serves, if this process was started as a server. TestMain must call it first.
func Main(m *testing.M) {
	name, isServer := os.LookupEnv(role)
	if !isServer {
		os.Exit(m.Run())
	}
	mu.Lock()
	server := servers[name]
	mu.Unlock()
	if server == nil {
		fmt.Fprintf(os.Stderr, "mcptest: this program has no server named %q\n", name)
		os.Exit(2)
	}
	if err := server.serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mcptest:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Config is the configuration of a client of this server.
func (s *Server) Config(tb testing.TB) mcp.Config {
	tb.Helper()
	program, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	return mcp.Config{Command: program, Env: map[string]string{role: s.name}, Name: s.name}
}

// Client is a client of this server that is closed at the end of the test.
func (s *Server) Client(tb testing.TB, options ...mcp.Option) *mcp.Client {
	tb.Helper()
	client, err := mcp.New(s.Config(tb), options...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := client.Close(); err != nil {
			tb.Error(err)
		}
	})
	return client
}

type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   any             `json:"error,omitempty"`
}

// session is one client's time with a server.
type session struct {
	server *Server
	mu     sync.Mutex
	out    *bufio.Writer
	calls  sync.WaitGroup
}

func (s *Server) serve(in io.Reader, out io.Writer) error {
	session := &session{server: s, out: bufio.NewWriter(out)}
	defer session.calls.Wait()
	frames := json.NewDecoder(in)
	for {
		var frame message
		if err := frames.Decode(&frame); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if frame.ID == nil || frame.Method == "" {
			continue // A notification, or an answer to what was never asked.
		}
		session.calls.Add(1)
		go func() {
			defer session.calls.Done()
			answer := session.answer(&frame)
			answer.ID = frame.ID
			if err := session.send(answer); err != nil {
				fmt.Fprintln(os.Stderr, "mcptest:", err)
			}
		}()
	}
}

func (s *session) send(m message) error {
	m.Version = "2.0"
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.out.Write(append(text, '\n')); err != nil {
		return err
	}
	return s.out.Flush()
}

func (s *session) answer(request *message) message {
	switch request.Method {
	case "initialize":
		var params struct {
			Revision string `json:"protocolVersion"`
		}
		if json.Unmarshal(request.Params, &params) != nil {
			return refusal(-32602, "params.protocolVersion must be a string")
		}
		return message{Result: marshal(map[string]any{
			"protocolVersion": params.Revision,
			"capabilities":    map[string]any{"tools": struct{}{}},
			"serverInfo":      map[string]string{"name": s.server.name, "version": "0"},
		})}
	case "ping":
		return message{Result: marshal(struct{}{})}
	case "tools/list":
		var list []map[string]any
		for _, name := range slices.Sorted(maps.Keys(s.server.tools)) {
			list = append(list, map[string]any{"name": name, "inputSchema": map[string]string{"type": "object"}})
		}
		return message{Result: marshal(map[string]any{"tools": list})}
	case "tools/call":
		return s.call(request.Params)
	default:
		return refusal(-32601, "Method not found: "+request.Method)
	}
}

func (s *session) call(params json.RawMessage) message {
	call := Call{session: s}
	if err := json.Unmarshal(params, &call); err != nil {
		return refusal(-32602, err.Error())
	}
	tool := s.server.tools[call.Name]
	if tool == nil {
		return refusal(-32602, "Unknown tool: "+call.Name)
	}
	value, err := tool(&call)
	result := new(mcp.CallToolResult)
	switch value := value.(type) {
	case *mcp.CallToolResult:
		if value != nil {
			result = value
		}
	case string:
		result = mcp.TextResult(value)
	case nil:
	default:
		structured := marshal(value)
		result = mcp.TextResult(string(structured))
		result.StructuredContent = structured
	}
	if err != nil {
		result = mcp.TextResult(err.Error())
		result.IsError = true
	}
	return message{Result: marshal(result)}
}

func refusal(code int, text string) message {
	return message{Error: map[string]any{"code": code, "message": text}}
}

// marshal is for what is known to marshal, and for what a test has written: there a fault is the test's.
func marshal(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic("mcptest: cannot be written as JSON: " + err.Error())
	}
	return text
}
