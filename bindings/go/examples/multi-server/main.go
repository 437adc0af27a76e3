// Multi-server uses every server of an "mcpServers" file at the same time, on one queue: one goroutine waits for them all.
//
//	multi-server FILE
//
// It lists the tools of each, and tells which server has which.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: multi-server FILE")
	}
	names, err := servers(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	queue, err := mcp.NewQueue(mcp.QueueConfig{})
	if err != nil {
		log.Fatal(err)
	}
	defer queue.Close() // closes its clients as well
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()

	found := make([]string, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Add(1)
		go func() {
			defer all.Done()
			// If one server does not start, the program can still use the others.
			if tools, err := tools(ctx, queue, os.Args[1], name); err != nil {
				found[i] = "not usable: " + err.Error()
			} else {
				found[i] = strings.Join(tools, ", ")
			}
		}()
	}
	all.Wait()
	for i, name := range names {
		fmt.Printf("%s: %s\n", name, found[i])
	}
}

// servers are the names in the file.
func servers(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		Servers map[string]json.RawMessage `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return slices.Sorted(maps.Keys(file.Servers)), nil
}

func tools(ctx context.Context, queue *mcp.Queue, path, name string) ([]string, error) {
	config, err := mcp.LoadConfig(path, name)
	if err != nil {
		return nil, err
	}
	client, err := queue.New(config)
	if err != nil {
		return nil, err
	}
	var names []string
	for tool, err := range client.Tools(ctx) {
		if err != nil {
			return nil, err
		}
		names = append(names, tool.Name)
	}
	return names, nil
}
