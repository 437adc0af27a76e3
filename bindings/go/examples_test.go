package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

// everything is the command of the reference server.
func everything(t *testing.T) []string {
	t.Helper()
	return commandIn(t, "MCP_EVERYTHING_SERVER")
}

// python is the command of a server on the Python SDK.
func python(t *testing.T) []string {
	t.Helper()
	return commandIn(t, "MCP_PYTHON_SERVER")
}

// commandIn is a command that a variable has as a JSON array.
func commandIn(t *testing.T, variable string) []string {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		t.Skip(variable + " names no server; run `cargo xtask test --only go`")
	}
	var command []string
	if err := json.Unmarshal([]byte(text), &command); err != nil || len(command) == 0 {
		t.Fatalf("%s is no JSON array of words: %s", variable, text)
	}
	return command
}

func TestTheReadmesProgramWorksAsPrinted(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```go\n")
	block, _, ended := strings.Cut(rest, "```")
	command := everything(t)
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = fmt.Sprintf("%q", word)
	}
	printed := `Command: "npx", Args: []string{"-y", "@modelcontextprotocol/server-everything"}`
	started := "Command: " + words[0] + ", Args: []string{" + strings.Join(words[1:], ", ") + "}"
	if !ended || !strings.Contains(block, printed) {
		t.Fatalf("README.md shows another program: %s", block)
	}
	program := "package main\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\n\tmcp \"github.com/libmcp/libmcp-go\"\n)\n\n" +
		"func run(ctx context.Context) error {\n" + strings.Replace(block, printed, started, 1) + "\treturn nil\n}\n\n" +
		"func main() {\n\tif err := run(context.Background()); err != nil {\n\t\tpanic(err)\n\t}\n}\n"
	place := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(place, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command("go", "run", place).CombinedOutput()
	if err != nil || !strings.Contains(string(output), "echo ") || !strings.HasSuffix(string(output), "Echo: Hello\n") {
		t.Fatalf("%v\n%s", err, output)
	}
}

func TestTheReadmesServerWorksAsPrinted(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "## A server\n\n```go\n")
	block, _, ended := strings.Cut(rest, "```")
	if !ended {
		t.Fatal("README.md shows no server")
	}
	program := "package main\n\nimport (\n\t\"context\"\n\n\tmcp \"github.com/libmcp/libmcp-go\"\n)\n\n" +
		"func run(ctx context.Context) error {\n" + block + "}\n\n" +
		"func main() {\n\tif err := run(context.Background()); err != nil {\n\t\tpanic(err)\n\t}\n}\n"
	folder := t.TempDir()
	place := filepath.Join(folder, "main.go")
	if err := os.WriteFile(place, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	built := filepath.Join(folder, "adder")
	if output, err := exec.Command("go", "build", "-o", built, place).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	client := open(t, mcp.Config{Command: built, Env: map[string]string{"MCP_LIBRARY": os.Getenv("MCP_LIBRARY")}})
	if got, err := mcp.CallToolAs[total](within(t), client, "add", sum{2, 3}); err != nil || got.Sum != 5 {
		t.Fatal(got, err)
	}
}

func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	programs := t.TempDir()
	if output, err := exec.Command("go", "build", "-o", programs, "./examples/...").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	ours := func(*testing.T) []string { return []string{exampleServer} }
	legacy := func(*testing.T) []string { return []string{exampleServer, "--era", "legacy"} }
	faulty := func(*testing.T) []string { return []string{scriptedServer} }
	for _, run := range []struct {
		example string
		on      string
		options []string
		server  func(*testing.T) []string
		says    []string
	}{
		{"quickstart", "ours", nil, ours, []string{"connected to mcp-example-server", "revision 2026-07-28", "Hello from Go"}},
		{"quickstart", "everything", nil, everything, []string{"connected to mcp-servers/everything", "Echo: Hello from Go"}},
		{"tools", "ours", []string{"-call", "add", "-arguments", `{"a":2,"b":3}`}, ours, []string{"echo  ", "Adds two numbers", "add says: 5", `as data: {"sum":5}`}},
		{"tools", "everything", []string{"-call", "get-sum", "-arguments", `{"a":2,"b":3}`}, everything, []string{"get-tiny-image", "The sum of 2 and 3 is 5."}},
		{"resources-watch", "ours", []string{"-uri", "demo://greeting", "-touch", "notify", "-arguments", `{"count":1}`}, ours,
			[]string{"Hello, world!", `changed: {`, `"uri":"demo://greeting"`}},
		{"resources-watch", "ours, legacy", []string{"-uri", "demo://greeting", "-touch", "notify", "-arguments", `{"count":1}`}, legacy,
			[]string{"Hello, world!", `changed: {"uri":"demo://greeting"`}},
		{"resources-watch", "everything", []string{"-uri", "demo://resource/static/document/features.md", "-touch", "toggle-subscriber-updates"}, everything,
			[]string{"features.md (text/markdown)", "changed: "}},
		{"elicitation", "ours", nil, ours, []string{"asks: What is your favourite colour?", "ask says: blue"}},
		{"elicitation", "ours, legacy", []string{"-decline"}, legacy, []string{"No answer: decline"}},
		{"elicitation", "everything", []string{"-call", "trigger-elicitation-request", "-arguments", "{}", "-answer", "Ada"}, everything, []string{"Please provide inputs", "Ada"}},
		{"sampling", "scripted", []string{"-call", "ask_forever", "-arguments", `{"method":"sampling/createMessage"}`}, faulty,
			[]string{"at most 10 tokens: Say something", "You said: Say something"}},
		{"sampling", "everything", []string{"-call", "trigger-sampling-request", "-arguments", `{"prompt":"a rhyme","maxTokens":20}`}, everything,
			[]string{"at most 20 tokens", "You said: ", "a rhyme"}},
		{"progress", "ours", []string{"-arguments", `{"ms":50,"steps":5}`}, ours, []string{"1 of 5 step 1 of 5", "5 of 5 step 5 of 5", "waited 50 ms"}},
		{"progress", "ours, stopped", []string{"-arguments", `{"ms":60000}`, "-stop-after", "50ms"}, ours, []string{"stopped, and the server was told"}},
		{"compare", "everything", nil, everything, []string{"call: ", "structured: map[", "progress: 4 reports", "cancelled: the call ended", "notification: {\"uri\":\"demo:", "sampling: ", "elicitation: ", "roots: ", "resource: ", "two clients: 100 calls", "crash: the server was started again"}},
		{"compare", "python", nil, python, []string{"call: ", "structured: map[", "progress: 4 reports", "cancelled: the server says: slow was stopped", "notification: {\"level\":\"info\"", "sampling: ", "elicitation: ", "roots: ", "resource: ", "two clients: 100 calls", "crash: the server was started again"}},
		{"progress", "everything", []string{"-call", "trigger-long-running-operation", "-arguments", `{"duration":0.2,"steps":4}`}, everything,
			[]string{"4 of 4", "Long running operation completed."}},
	} {
		t.Run(run.example+" with "+run.on, func(t *testing.T) {
			example(t)
			check(t, filepath.Join(programs, run.example), append(run.options, run.server(t)...), run.says)
		})
	}
	t.Run("multi-server", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "mcp.json")
		reference := everything(t)
		text, err := json.Marshal(map[string]any{"mcpServers": map[string]mcpServer{
			"ours":       {Command: example(t).Command},
			"everything": {Command: reference[0], Args: reference[1:]},
			"scripted":   {Command: scripted(t).Command},
			"missing":    {Command: "/no/such/server"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		check(t, filepath.Join(programs, "multi-server"), []string{file},
			[]string{"ours: echo, add", "everything: echo, ", "scripted: echo", "missing: not usable: "})
	})
}

func TestTheLoginExample(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	program := filepath.Join(t.TempDir(), "login")
	if output, err := exec.Command("go", "build", "-o", program, "./examples/login").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	stored, out := t.TempDir(), t.TempDir()
	for _, run := range []struct {
		name, person string
		options      []string
		answer       func(url string) (string, error)
		says         string
	}{
		{"with a browser", "login=yes", nil, func(url string) (string, error) { return "", browse(url) }, "logged in; the server has "},
		{"back to the program", "login=yes", []string{"-redirect", "com.example.app:/callback"}, redirected, "logged in; the server has "},
		{"given up", "login=yes", []string{"-redirect", "com.example.app:/callback"}, func(string) (string, error) { return "", nil }, "the person gave up"},
		{"refused", "login=no", []string{"-redirect", "com.example.app:/callback"}, redirected, "access_denied"},
		{"with a token", "token=sesame", []string{"-token"}, nil, "logged in; the server has "},
		{"with a wrong token", "login=yes", []string{"-token"}, nil, "refuses the token"},
		{"stored by the program", "login=yes", []string{"-store", stored}, func(url string) (string, error) { return "", browse(url) }, "logged in; the server has "},
		{"stored and logged out", "login=yes", []string{"-store", out, "-logout"}, func(url string) (string, error) { return "", browse(url) }, "logged out"},
	} {
		t.Run(run.name, func(t *testing.T) {
			server := serve(t, run.person)
			process := exec.Command(program, append(run.options, fmt.Sprintf("http://127.0.0.1:%d/mcp", server.port))...)
			process.Env = append(os.Environ(), "MCP_TOKEN=sesame")
			input, err := process.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			output, err := process.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			process.Stderr = process.Stdout
			if err := process.Start(); err != nil {
				t.Fatal(err)
			}
			stop := time.AfterFunc(2*patience, func() { _ = process.Process.Kill() })
			defer stop.Stop()
			var said strings.Builder
			for lines := bufio.NewScanner(output); lines.Scan(); {
				fmt.Fprintln(&said, lines.Text())
				if run.answer == nil || !strings.HasPrefix(lines.Text(), "http://") {
					continue
				}
				line, err := run.answer(lines.Text())
				if err != nil {
					t.Error(err)
				}
				if _, err := fmt.Fprintln(input, line); err != nil {
					t.Error(err)
				}
			}
			_ = process.Wait() // What it said tells how it went.
			if !strings.Contains(said.String(), run.says) {
				t.Errorf("%q is not in\n%s", run.says, said.String())
			}
		})
	}
	if all := tokensIn(t, stored); all == 0 {
		t.Error("the program has stored no token")
	}
	if all := tokensIn(t, out); all != 0 {
		t.Error("the program has stored a token after its logout")
	}
}

// tokensIn is how many tokens the files of a folder have.
func tokensIn(t *testing.T, folder string) (all int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	must(t, err)
	if len(files) < 2 {
		t.Fatal("not a text and its lock:", files)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		all += strings.Count(string(text), "token-")
	}
	return all
}

type mcpServer struct {
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"`
}

func check(t *testing.T, program string, arguments, says []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	output, err := exec.CommandContext(ctx, program, arguments...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	for _, part := range says {
		if !strings.Contains(string(output), part) {
			t.Errorf("%q is not in\n%s", part, output)
		}
	}
}
