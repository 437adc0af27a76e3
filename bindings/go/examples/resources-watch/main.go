// Resources-watch reads a resource, subscribes to it, and reads it again each time the server says that it has changed.
//
//	resources-watch -uri URI [-updates N] [-touch TOOL [-arguments JSON]] COMMAND [ARGUMENT…]
//
// With -touch it calls a tool that makes the resource change, so that there is something to see.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

func main() {
	log.SetFlags(0)
	uri := flag.String("uri", "", "the resource to watch")
	updates := flag.Int("updates", 1, "how many changes to wait for")
	touch := flag.String("touch", "", "a tool that changes the resource")
	arguments := flag.String("arguments", "{}", "its arguments, a JSON object")
	flag.Parse()
	if flag.NArg() == 0 || *uri == "" {
		log.Fatal("usage: resources-watch -uri URI [-updates N] [-touch TOOL [-arguments JSON]] COMMAND [ARGUMENT…]")
	}
	changed := make(chan mcp.Notification, 16)
	client, err := mcp.New(
		mcp.Config{Command: flag.Arg(0), Args: flag.Args()[1:]},
		mcp.NotificationsTo("notifications/resources/updated", changed),
	)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()

	read(ctx, client, *uri)
	if err := client.Subscribe(ctx, *uri); err != nil {
		log.Fatal(err)
	}
	if *touch != "" {
		if _, err := client.CallTool(ctx, *touch, json.RawMessage(*arguments)); err != nil {
			log.Fatal(err)
		}
	}
	for range *updates {
		select {
		case notification := <-changed:
			fmt.Printf("changed: %s\n", notification.Params)
			read(ctx, client, *uri)
		case <-ctx.Done():
			log.Fatal("no change came in time")
		}
	}
	if err := client.Unsubscribe(ctx, *uri); err != nil {
		log.Fatal(err)
	}
}

func read(ctx context.Context, client *mcp.Client, uri string) {
	contents, err := client.ReadResource(ctx, uri)
	if err != nil {
		log.Fatal(err)
	}
	for _, content := range contents {
		body, err := content.Bytes()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s (%s): %.60q\n", content.URI, content.MimeType, body)
	}
}
