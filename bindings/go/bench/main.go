// Bench measures this binding beside the official Go SDK, in one run: both clients against the same server, or, without a server,
// both servers with this binding's client.
//
//	go run . [-calls N] [-rounds N] [-goroutines N] [SERVER [ARGUMENT…]]
//
// Each round runs both, one after the other and in turns, and gives a ratio; the table shows medians. Absolute numbers mean
// little on shared machines.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	mcp "github.com/libmcp/libmcp-go"
)

// text is what each call has echoed: 64 bytes.
var text = strings.Repeat("0123456789abcdef", 4)

// role is the variable of the environment that makes this program a server, and names which.
const role = "MCP_BENCH_SERVER"

// contender is what is measured: a client, and the server that it calls.
type contender struct {
	name string
	// open connects, and says how the tool is called once, and how the client is closed.
	open    func(ctx context.Context, command []string) (call func(context.Context) error, end func() error, err error)
	command []string
	// whose is the processor time that counts: this process, or the servers that it has ended.
	whose int
	rates map[string][]float64
	spent map[string][]float64
}

func libmcp(ctx context.Context, command []string) (func(context.Context) error, func() error, error) {
	client, err := mcp.New(mcp.Config{Command: command[0], Args: command[1:], InheritEnv: "all", Protocol: []string{"legacy"}})
	if err != nil {
		return nil, nil, err
	}
	call := func(ctx context.Context) error {
		result, err := client.CallTool(ctx, "echo", map[string]any{"text": text})
		if err == nil && result.Text() != text {
			err = fmt.Errorf("echo says %q", result.Text())
		}
		return err
	}
	return call, client.Close, client.Connect(ctx)
}

func official(ctx context.Context, command []string) (func(context.Context) error, func() error, error) {
	client := sdk.NewClient(&sdk.Implementation{Name: "bench", Version: "0"}, nil)
	session, err := client.Connect(ctx, &sdk.CommandTransport{Command: exec.Command(command[0], command[1:]...)}, nil)
	if err != nil {
		return nil, nil, err
	}
	call := func(ctx context.Context) error {
		result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "echo", Arguments: map[string]any{"text": text}})
		if err != nil {
			return err
		}
		if said, ok := result.Content[0].(*sdk.TextContent); !ok || said.Text != text {
			return fmt.Errorf("echo says %v", result.Content[0])
		}
		return nil
	}
	return call, session.Close, nil
}

func main() {
	log.SetFlags(0)
	calls := flag.Int("calls", 20_000, "calls of one measurement")
	rounds := flag.Int("rounds", 7, "how often each is measured")
	goroutines := flag.Int("goroutines", 64, "how many goroutines call at a time in the second workload")
	flag.Parse()
	if name := os.Getenv(role); name != "" {
		if err := serve(name); err != nil {
			log.Fatal(err)
		}
		return
	}
	workloads := []struct {
		name       string
		goroutines int
	}{{"one goroutine", 1}, {fmt.Sprintf("%d goroutines", *goroutines), *goroutines}}
	contenders := []*contender{{name: "libmcp", open: libmcp}, {name: "go-sdk", open: official}}
	whose := "  of the client"
	for _, c := range contenders {
		c.command, c.whose = flag.Args(), syscall.RUSAGE_SELF
		if flag.NArg() == 0 {
			// This program again, as the server of this name.
			c.command, c.open, c.whose = []string{"env", role + "=" + c.name, os.Args[0]}, libmcp, syscall.RUSAGE_CHILDREN
			whose = "  of the server"
		}
		c.rates, c.spent = make(map[string][]float64), make(map[string][]float64)
	}
	for round := range *rounds {
		for _, workload := range workloads {
			// Who is first changes from round to round.
			for turn := range contenders {
				c := contenders[(turn+round)%len(contenders)]
				if err := c.measure(workload.name, workload.goroutines, *calls); err != nil {
					log.Fatalf("%s, %s: %v", c.name, workload.name, err)
				}
			}
		}
	}
	fmt.Printf("%-16s%22s%22s%10s\n", "", contenders[0].name, contenders[1].name, "ratio")
	for _, workload := range workloads {
		ours, theirs := contenders[0], contenders[1]
		var ratios []float64
		for i := range ours.rates[workload.name] {
			ratios = append(ratios, ours.rates[workload.name][i]/theirs.rates[workload.name][i])
		}
		fmt.Printf("%-16s%15.0f calls/s%15.0f calls/s%10.2f (%.2f – %.2f)\n", workload.name,
			median(ours.rates[workload.name]), median(theirs.rates[workload.name]), median(ratios), slices.Min(ratios), slices.Max(ratios))
		fmt.Printf("%-16s%15.1f µs CPU %15.1f µs CPU \n", whose, median(ours.spent[workload.name]), median(theirs.spent[workload.name]))
	}
}

func (c *contender) measure(workload string, goroutines, calls int) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	call, end, err := c.open(ctx, c.command)
	if err != nil {
		return err
	}
	run := func(calls int) error {
		failures := make(chan error, goroutines)
		var all sync.WaitGroup
		for range goroutines {
			all.Add(1)
			go func() {
				defer all.Done()
				for range calls / goroutines {
					if err := call(ctx); err != nil {
						failures <- err
						return
					}
				}
			}()
		}
		all.Wait()
		close(failures)
		return <-failures
	}
	warmUp := max(calls/10, goroutines)
	if err := run(warmUp); err != nil {
		return err
	}
	start, before := time.Now(), processorTime(c.whose)
	if err := run(calls); err != nil {
		return err
	}
	took, spent, counted := time.Since(start), processorTime(c.whose)-before, calls
	if err := end(); err != nil {
		fmt.Fprintf(os.Stderr, "%s, at its end: %v\n", c.name, err)
	}
	if c.whose == syscall.RUSAGE_CHILDREN {
		// The time of a server is known when it has ended, with all that it has done.
		spent, counted = processorTime(c.whose)-before, calls+warmUp
	}
	c.rates[workload] = append(c.rates[workload], float64(calls)/took.Seconds())
	c.spent[workload] = append(c.spent[workload], float64(spent.Microseconds())/float64(counted))
	return nil
}

// processorTime is what this process has used, its servers not counted, or what the servers have used that it has ended.
func processorTime(whose int) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(whose, &usage); err != nil {
		log.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
