// Bench is this binding as benches/languages.py measures it beside the official Go SDK: a client, a server, or one that is only made.
//
//	bench workload=seq|pipe era=legacy server=PROGRAM calls=N
//	bench stdio|http|load
//
// As a client it speaks the lines of benches/contenders; as a server over HTTP it says its URL, and ends with its input.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

const slots = 64

var input = bufio.NewReader(os.Stdin)

func main() {
	log.SetFlags(0)
	if err := run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(words []string) error {
	if len(words) > 0 && (words[0] == "stdio" || words[0] == "http" || words[0] == "load") {
		return serve(words[0])
	}
	options := make(map[string]string)
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		options[name] = value
	}
	calls, err := strconv.Atoi(options["calls"])
	if err != nil || options["server"] == "" {
		return errors.New("usage: bench workload=seq|pipe era=legacy server=PROGRAM calls=N, or bench stdio|http|load")
	}
	return measure(options, calls)
}

func measure(options map[string]string, calls int) error {
	client, err := mcp.New(mcp.Config{Command: options["server"], Args: []string{"--era", options["era"]}})
	if err != nil {
		return err
	}
	at := 1
	if options["workload"] == "pipe" {
		at = slots
	}
	if err := work(client, at, calls/10+at); err != nil {
		return err
	}
	fmt.Println("ready version=libmcp")
	if _, err := input.ReadString('\n'); err != nil {
		return err
	}
	begun := time.Now()
	if err := work(client, at, calls); err != nil {
		return err
	}
	fmt.Printf("done calls=%d ns=%d\n", calls/at*at, time.Since(begun).Nanoseconds())
	if _, err := input.ReadString('\n'); err != nil {
		return err
	}
	return client.Close()
}

// work calls the tool from so many goroutines, and looks at each answer.
func work(client *mcp.Client, at, calls int) error {
	failures := make(chan error, at)
	var all sync.WaitGroup
	for slot := range at {
		text := fmt.Sprintf("call %02d of the benchmark, with enough words to be sixty-four now", slot)
		all.Go(func() {
			for range calls / at {
				result, err := client.CallTool(context.Background(), "echo", map[string]any{"text": text})
				if err == nil && result.Text() != text {
					err = fmt.Errorf("echo says %q", result.Text())
				}
				if err != nil {
					failures <- err
					return
				}
			}
		})
	}
	all.Wait()
	close(failures)
	return <-failures
}

type text struct {
	Text string `json:"text"`
}

type name struct {
	Name string `json:"name"`
}

type number struct {
	N int `json:"n"`
}

type data struct {
	Data map[string]any `json:"data"`
}

type query struct {
	Query string `json:"query"`
	Delay int    `json:"delay_ms"`
}

func fibonacci(n int) int {
	if n < 2 {
		return n
	}
	return fibonacci(n-1) + fibonacci(n-2)
}

func serve(how string) error {
	server, err := mcp.NewServer(mcp.ServerConfig{Name: "bench", Version: "1"})
	if err != nil {
		return err
	}
	mcp.AddTool(server, &mcp.Tool{Name: "echo"}, func(_ context.Context, _ *mcp.Request, in text) (string, error) { return in.Text, nil })
	mcp.AddTool(server, &mcp.Tool{Name: "hello"}, func(_ context.Context, _ *mcp.Request, in name) (string, error) {
		return "Hello, " + in.Name + "!", nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "calculate_fibonacci"}, func(_ context.Context, _ *mcp.Request, in number) (string, error) {
		return strconv.Itoa(fibonacci(in.N)), nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "process_json_data"}, func(_ context.Context, _ *mcp.Request, in data) (map[string]any, error) {
		for key, value := range in.Data {
			if said, ok := value.(string); ok {
				in.Data[key] = strings.ToUpper(said)
			}
		}
		return in.Data, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "simulate_database_query"}, func(ctx context.Context, _ *mcp.Request, in query) (string, error) {
		select {
		case <-time.After(time.Duration(in.Delay) * time.Millisecond):
		case <-ctx.Done():
		}
		return in.Query, ctx.Err()
	})
	switch how {
	case "load":
		return server.Close()
	case "stdio":
		return server.ServeStdio(context.Background())
	}
	served, err := server.Serve(mcp.Endpoint{URL: "http://127.0.0.1:0/mcp"})
	if err != nil {
		return err
	}
	fmt.Println(served.URL)
	if _, err := io.Copy(io.Discard, input); err != nil {
		return err
	}
	return server.Close()
}
