// Progress calls a tool that takes its time, shows how far it is, and can be stopped with Ctrl-C or after a while.
//
//	progress [-call TOOL [-arguments JSON]] [-stop-after DURATION] COMMAND [ARGUMENT…]
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

func main() {
	log.SetFlags(0)
	call := flag.String("call", "slow", "the tool to call")
	arguments := flag.String("arguments", `{"ms":500,"steps":5}`, "its arguments, a JSON object")
	stopAfter := flag.Duration("stop-after", 0, "cancel the call after this time")
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("usage: progress [-call TOOL [-arguments JSON]] [-stop-after DURATION] COMMAND [ARGUMENT…]")
	}
	client, err := mcp.New(mcp.Config{Command: flag.Arg(0), Args: flag.Args()[1:]})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *stopAfter > 0 {
		time.AfterFunc(*stopAfter, stop)
	}
	// Ten seconds without a sign of life are too many; with progress it may take a minute.
	result, err := client.CallTool(ctx, *call, json.RawMessage(*arguments),
		mcp.Timeout(10*time.Second), mcp.ResetOnProgress(true), mcp.MaxTotal(time.Minute),
		mcp.OnProgress(func(p mcp.Progress) { fmt.Printf("%g of %g %s\n", p.Progress, p.Total, p.Message) }))
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Println("stopped, and the server was told")
	case errors.Is(err, mcp.StatusTimeout):
		log.Fatal("the tool took too long: ", err)
	case err != nil:
		log.Fatal(err)
	default:
		fmt.Println(result.Text())
	}
}
