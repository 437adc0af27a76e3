// The Go SDK through its high-level client: CallTool for each call.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	slots = 64
	ready = "ready version=1.8.0"
)

var (
	options = map[string]string{}
	runner  = bufio.NewReader(os.Stdin)
)

func wait() {
	if _, err := runner.ReadString('\n'); err != nil {
		log.Fatal("the runner is gone")
	}
}

func call(session *mcp.ClientSession, slot int) {
	text := fmt.Sprintf("call %02d of the benchmark, with enough words to be sixty-four now", slot)
	params := &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": text}}
	result, err := session.CallTool(context.Background(), params)
	if err != nil {
		log.Fatal(err)
	}
	if content, ok := result.Content[0].(*mcp.TextContent); !ok || content.Text != text {
		log.Fatalf("wrong answer: %v", result)
	}
}

// work calls one after another, beginning with a slot and going on by step.
func work(session *mcp.ClientSession, first, step, calls int, timed bool) []time.Duration {
	var samples []time.Duration
	for i := range calls {
		start := time.Now()
		call(session, (first+i*step)%slots)
		if timed {
			samples = append(samples, time.Since(start))
		}
	}
	return samples
}

func callBig(session *mcp.ClientSession, bytes int, block string) {
	arguments := map[string]any{"bytes": bytes, "escapes": options["workload"] == "big-escapes"}
	result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "big", Arguments: arguments})
	if err != nil {
		log.Fatal(err)
	}
	content, ok := result.Content[0].(*mcp.TextContent)
	if !ok || len(content.Text) != bytes {
		log.Fatal("wrong big answer")
	}
	for text := content.Text; text != ""; {
		part := text[:min(len(text), len(block))]
		if !strings.HasPrefix(block, part) {
			log.Fatal("wrong big answer")
		}
		text = text[len(part):]
	}
}

func runBig(session *mcp.ClientSession, calls int, timed bool) []time.Duration {
	block, err := os.ReadFile(options["block"])
	if err != nil {
		log.Fatal(err)
	}
	var samples []time.Duration
	for range calls {
		start := time.Now()
		callBig(session, number("bytes"), string(block))
		if timed {
			samples = append(samples, time.Since(start))
		}
	}
	return samples
}

func run(session *mcp.ClientSession, calls int, timed bool) []time.Duration {
	if strings.HasPrefix(options["workload"], "big") {
		return runBig(session, calls, timed)
	}
	if !strings.HasSuffix(options["workload"], "pipe") {
		return work(session, 0, 1, calls, timed)
	}
	var group sync.WaitGroup
	var shares [slots][]time.Duration
	for slot := range slots {
		group.Add(1)
		go func() {
			defer group.Done()
			share := calls*(slot+1)/slots - calls*slot/slots
			shares[slot] = work(session, slot, 0, share, timed)
		}()
	}
	group.Wait()
	return slices.Concat(shares[:]...)
}

func number(key string) int {
	value, err := strconv.Atoi(options[key])
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func connect() *mcp.ClientSession {
	var transport mcp.Transport
	if url := options["url"]; url != "" {
		transport = &mcp.StreamableClientTransport{Endpoint: url}
	} else {
		transport = &mcp.CommandTransport{Command: exec.Command(options["server"], "--era", options["era"])}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "mcp-bench", Version: "1.0.0"}, nil)
	session, err := client.Connect(context.Background(), transport, nil)
	if err != nil {
		log.Fatal(err)
	}
	return session
}

// idle has many servers that wait.
func idle() {
	for range number("clients") {
		session := connect()
		defer session.Close()
		call(session, 0)
	}
	fmt.Println(ready)
	wait()
}

func main() {
	for _, word := range os.Args[1:] {
		key, value, _ := strings.Cut(word, "=")
		options[key] = value
	}
	if options["workload"] == "rss" {
		idle()
		return
	}
	session := connect()
	defer session.Close()
	if options["workload"] == "start" {
		call(session, 0)
		fmt.Println("first")
		return
	}
	calls := number("calls")
	run(session, calls/20+1, false)
	fmt.Println(ready)
	wait()
	start := time.Now()
	run(session, calls, false)
	fmt.Printf("done calls=%d ns=%d\n", calls, time.Since(start).Nanoseconds())
	wait()
	timed := calls / 10
	if timed < 100 {
		timed = calls
	}
	samples := run(session, timed, true)
	slices.Sort(samples)
	fmt.Printf("latency p50=%d p99=%d\n", samples[len(samples)/2], samples[len(samples)*99/100])
}
