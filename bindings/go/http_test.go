package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

// web is a running server over HTTP: the one that misbehaves by script, with a port on which it is asked and told.
type web struct {
	process       *exec.Cmd
	port, control int
}

func serve(t testing.TB, arguments ...string) *web {
	t.Helper()
	return serveOn(t, 0, arguments...)
}

func serveOn(t testing.TB, port int, arguments ...string) *web {
	t.Helper()
	program := os.Getenv("MCP_SCRIPTED_HTTP")
	if program == "" {
		t.Skip("MCP_SCRIPTED_HTTP names no server; run `cargo xtask test --only go`")
	}
	words := append([]string{"--life", "300", "--port", strconv.Itoa(port)}, arguments...)
	server := &web{process: exec.Command(program, words...)}
	output, err := server.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.kill)
	if _, err := fmt.Fscan(bufio.NewReader(output), &server.port, &server.control); err != nil {
		t.Fatal("the server says no ports:", err)
	}
	return server
}

func (w *web) kill() {
	// The second time there is nothing left to kill.
	_ = w.process.Process.Kill()
	_ = w.process.Wait()
}

func (w *web) config(protocol ...string) mcp.Config {
	return mcp.Config{URL: fmt.Sprintf("http://127.0.0.1:%d/mcp", w.port), Protocol: protocol}
}

// stats is what the server counted.
func (w *web) stats(t testing.TB) (seen struct {
	RPC        map[string]int `json:"rpc"`
	Methods    map[string]int `json:"methods"`
	InFlight   int            `json:"in_flight"`
	Abandoned  int            `json:"abandoned"`
	Violations []string       `json:"violations"`
}) {
	t.Helper()
	answer, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/stats", w.control))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&seen); err != nil {
		t.Fatal(err)
	}
	return seen
}

// rightly fails when the client did something against the specification.
func (w *web) rightly(t testing.TB) {
	t.Helper()
	if wrong := w.stats(t).Violations; len(wrong) > 0 {
		t.Error(wrong)
	}
}

// inEachEra runs a test with each era, the client on a queue of its own and on a shared one.
func inEachEra(t *testing.T, test func(t *testing.T, protocol string, shared bool)) {
	for _, protocol := range []string{"modern", "legacy"} {
		for _, shared := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, shared %v", protocol, shared), func(t *testing.T) { test(t, protocol, shared) })
		}
	}
}

func TestHTTPCalls(t *testing.T) {
	inEachEra(t, func(t *testing.T, protocol string, shared bool) {
		server := serve(t, "page-size=3")
		client := openOn(t, shared, server.config(protocol))
		tools, err := mcp.All(client.Tools(within(t)))
		if err != nil || len(tools) < 10 {
			t.Fatal(len(tools), err)
		}
		each(50, func(number int) {
			for range 4 {
				result, err := client.CallTool(within(t), "echo", map[string]string{"text": strconv.Itoa(number)})
				if err != nil || result.Text() != strconv.Itoa(number) {
					t.Error(number, result, err)
				}
			}
		})
		var steps atomic.Int64
		_, err = client.CallTool(within(t), "progress", map[string]int{"steps": 3}, mcp.OnProgress(func(mcp.Progress) { steps.Add(1) }))
		if err != nil || steps.Load() != 3 {
			t.Fatal(steps.Load(), err)
		}
		server.rightly(t)
	})
}

func TestHTTPTimeoutAndCancel(t *testing.T) {
	inEachEra(t, func(t *testing.T, protocol string, shared bool) {
		server := serve(t)
		client := openOn(t, shared, server.config(protocol))
		callText(t, client, "echo", map[string]string{"text": "first"})
		ctx, stop := context.WithCancelCause(context.Background())
		why := errors.New("changed my mind")
		ended := make(chan error, 1)
		go func() {
			_, err := client.CallTool(ctx, "slow", map[string]int{"ms": 60000})
			ended <- err
		}()
		until(t, "the call is with the server", func() bool { return server.stats(t).RPC["tools/call"] == 2 })
		stop(why)
		if err := receive(t, ended); !errors.Is(err, mcp.StatusCancelled) || !errors.Is(err, why) {
			t.Fatal(err)
		}
		// By a notification, or by the end of the exchange.
		until(t, "the server has heard of it", func() bool {
			seen := server.stats(t)
			return seen.RPC["notifications/cancelled"]+seen.Abandoned >= 1
		})
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		if _, err := client.CallTool(ctx, "slow", map[string]int{"ms": 60000}); !errors.Is(err, mcp.StatusTimeout) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		callText(t, client, "echo", map[string]string{"text": "on"})
		server.rightly(t)
	})
}

func TestHTTPAKilledServerEndsEachCallOnceAndComesBack(t *testing.T) {
	inEachEra(t, func(t *testing.T, protocol string, shared bool) {
		server := serve(t)
		config := server.config(protocol)
		config.Reconnect = mcp.With(mcp.Reconnect{Initial: 10 * time.Millisecond, Max: 100 * time.Millisecond})
		client := openOn(t, shared, config)
		if err := client.Connect(within(t)); err != nil {
			t.Fatal(err)
		}
		callers := 100
		var lost, fine atomic.Int64
		killed := make(chan bool)
		go func() {
			defer close(killed)
			until(t, "half of the calls are under way", func() bool { return server.stats(t).InFlight >= callers/2 })
			server.kill()
		}()
		each(callers, func(number int) {
			tool := "slow"
			if number%2 == 1 {
				tool = "echo"
			}
			result, err := client.CallTool(within(t), tool, map[string]any{"text": "x", "ms": 60000})
			switch {
			case err == nil && tool == "echo" && result.Text() == "x":
				fine.Add(1)
			case errors.Is(err, mcp.StatusTransport) || errors.Is(err, mcp.StatusUnavailable):
				lost.Add(1)
			default:
				t.Errorf("call %d: %v, %v", number, result, err)
			}
		})
		<-killed
		if fine.Load()+lost.Load() != int64(callers) || lost.Load() < int64(callers/2) {
			t.Fatalf("%d results and %d lost of %d calls", fine.Load(), lost.Load(), callers)
		}
		next := serveOn(t, server.port)
		until(t, "the next server is found", func() bool {
			result, err := client.CallTool(within(t), "echo", map[string]string{"text": "back"}, mcp.WhenUnavailable("wait"))
			return err == nil && result.Text() == "back"
		})
		next.rightly(t)
	})
}

func TestHTTPCloseEndsCallsUnderWay(t *testing.T) {
	inEachEra(t, func(t *testing.T, protocol string, shared bool) {
		server := serve(t)
		client := openOn(t, shared, server.config(protocol))
		ended := make(chan error, 20)
		for range cap(ended) {
			go func() {
				_, err := client.CallTool(context.Background(), "never", nil)
				ended <- err
			}()
		}
		until(t, "all calls are under way", func() bool {
			info, err := client.Info()
			return err == nil && info.PendingCalls == cap(ended)
		})
		var closers sync.WaitGroup
		for range 4 {
			closers.Add(1)
			go func() {
				defer closers.Done()
				if err := client.Close(); err != nil {
					t.Error(err)
				}
			}()
		}
		closers.Wait()
		for range cap(ended) {
			if err := receive(t, ended); !errors.Is(err, mcp.StatusClosed) {
				t.Fatal(err)
			}
		}
		server.rightly(t)
	})
}

func TestHTTPRequestsOfTheServerAreAnswered(t *testing.T) {
	inEachEra(t, func(t *testing.T, protocol string, shared bool) {
		server := serve(t)
		config := server.config(protocol)
		config.Capabilities = able("elicitation")
		client := openOn(t, shared, config, mcp.OnRequest("elicitation/create", func(_ context.Context, r *mcp.ServerRequest) (any, error) {
			return nil, r.Accept(map[string]string{"name": "Ada"})
		}))
		if said := callText(t, client, "ask", map[string]string{"method": "elicitation/create"}); !strings.Contains(said, "Ada") {
			t.Fatal(said)
		}
		server.rightly(t)
	})
}

func TestHTTPTheReferenceServerIsUsed(t *testing.T) {
	port := freePort(t)
	client := open(t, mcp.Config{
		URL:          fmt.Sprintf("http://127.0.0.1:%d/mcp", port),
		Reconnect:    mcp.With(mcp.Reconnect{Initial: 20 * time.Millisecond, Max: 200 * time.Millisecond}),
		Capabilities: able("sampling"),
	}, mcp.OnRequest("sampling/createMessage", func(context.Context, *mcp.ServerRequest) (any, error) {
		return map[string]any{"role": "assistant", "model": "test", "content": map[string]string{"type": "text", "text": "hello Ada"}}, nil
	}))
	startEverything(t, port)
	until(t, "the server listens", func() bool { return client.Connect(within(t)) == nil })
	if tools, err := mcp.All(client.Tools(within(t))); err != nil || len(tools) < 5 {
		t.Fatal(len(tools), err)
	}
	if said := callText(t, client, "echo", map[string]string{"message": "hi"}); said != "Echo: hi" {
		t.Fatal(said)
	}
	if said := callText(t, client, "trigger-sampling-request", map[string]string{"prompt": "Say hello"}); !strings.Contains(said, "hello Ada") {
		t.Fatal(said)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := client.CallTool(ctx, "trigger-long-running-operation", map[string]int{"duration": 30, "steps": 3}); !errors.Is(err, mcp.StatusTimeout) {
		t.Fatal(err)
	}
}

func freePort(t testing.TB) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

func startEverything(t *testing.T, port int) {
	t.Helper()
	words := append(everything(t), "streamableHttp")
	process := exec.Command(words[0], words[1:]...)
	process.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", port))
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	})
}

// A person with a browser, who does what the server's page says.
func browse(url string) error {
	answer, err := http.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		return fmt.Errorf("%s: %s", answer.Status, text)
	}
	return nil
}

// redirected is where a page sends the browser, which does not go there.
func redirected(url string) (string, error) {
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := browser.Get(url)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	return answer.Header.Get("Location"), nil
}

func TestALoginWithABrowserOpensTheServer(t *testing.T) {
	inEachEra(t, func(t *testing.T, protocol string, shared bool) {
		server := serve(t, "login=yes")
		config := server.config(protocol)
		config.Auth = &mcp.AuthConfig{}
		var logins atomic.Int64
		client := openOn(t, shared, config, mcp.OnLogin(func(_ context.Context, login *mcp.Login) error {
			logins.Add(1)
			if login.Kind != mcp.LoginPage || !login.Listens || login.Issuer == "" || login.ExpiresInMS < 1000 {
				return fmt.Errorf("not as expected: %s", login.Raw)
			}
			return browse(login.URL)
		}))
		if err := client.Connect(within(t)); err != nil {
			t.Fatal(err)
		}
		callText(t, client, "echo", map[string]string{"text": "in"})
		if logins.Load() != 1 {
			t.Fatal(logins.Load(), "logins")
		}
		server.rightly(t)
	})
}

func TestALoginMayComeBackToTheProgram(t *testing.T) {
	server := serve(t, "login=yes")
	config := server.config("auto")
	config.Auth = &mcp.AuthConfig{RedirectURI: "com.example.app:/callback"}
	client := open(t, config, mcp.OnLogin(func(_ context.Context, login *mcp.Login) error {
		if login.Listens || login.RedirectURI != "com.example.app:/callback" {
			return fmt.Errorf("not as expected: %s", login.Raw)
		}
		// What is not for this login is refused, and the login goes on.
		if err := login.Complete("com.example.app:/callback?code=x&state=another"); !errors.Is(err, mcp.StatusAuth) {
			return fmt.Errorf("another login's answer: %v", err)
		}
		callback, err := redirected(login.URL)
		if err != nil {
			return err
		}
		return login.Complete(callback)
	}))
	if said := callText(t, client, "echo", map[string]string{"text": "in"}); said != "in" {
		t.Fatal(said)
	}
	server.rightly(t)
}

func TestALoginThatIsNotFinishedEndsItsCalls(t *testing.T) {
	for _, run := range []struct {
		name, person, says string
		options            []mcp.Option
	}{
		{"given up", "yes", "closed the window", []mcp.Option{mcp.OnLogin(func(context.Context, *mcp.Login) error { return errors.New("closed the window") })}},
		{"no handler", "yes", "OnLogin", nil},
		{"the person says no", "no", "access_denied", []mcp.Option{mcp.OnLogin(func(_ context.Context, login *mcp.Login) error {
			_ = browse(login.URL) // The page says that it failed.
			return nil
		})}},
	} {
		t.Run(run.name, func(t *testing.T) {
			server := serve(t, "login="+run.person)
			config := server.config("auto")
			config.Auth = &mcp.AuthConfig{}
			client := open(t, config, run.options...)
			_, err := client.CallTool(within(t), "echo", nil)
			if !errors.Is(err, mcp.StatusAuth) || !strings.Contains(err.Error(), run.says) {
				t.Fatal(err)
			}
		})
	}
}

func TestATokenOfTheProgramsIsGiven(t *testing.T) {
	server := serve(t, "token=sesame")
	config := server.config("auto")
	config.Auth = &mcp.AuthConfig{Type: "bearer"}
	client := open(t, config, mcp.OnLogin(func(_ context.Context, login *mcp.Login) error {
		if login.Kind != mcp.LoginToken {
			return fmt.Errorf("not as expected: %s", login.Raw)
		}
		return login.Give("sesame", time.Hour)
	}))
	if said := callText(t, client, "echo", map[string]string{"text": "in"}); said != "in" {
		t.Fatal(said)
	}
}

func TestAClientWithoutAuthSaysSo(t *testing.T) {
	server := serve(t, "login=yes")
	client := open(t, server.config("auto"))
	if _, err := client.CallTool(within(t), "echo", nil); !errors.Is(err, mcp.StatusAuth) {
		t.Fatal(err)
	}
}
