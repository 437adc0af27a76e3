// Package mcp has both sides of the Model Context Protocol, client and server: the Go binding of libmcp.
//
// A [Client] starts an MCP server as a child process, agrees with it on a revision of the protocol, and calls its methods:
//
//	client, err := mcp.New(mcp.Config{Command: "npx", Args: []string{"-y", "some-server"}})
//	if err != nil { … }
//	defer client.Close()
//	result, err := client.CallTool(ctx, "echo", map[string]any{"text": "Hello"})
//
// A [Server] offers tools, resources and prompts of this program:
//
//	server, err := mcp.NewServer(mcp.ServerConfig{Name: "adder"})
//	if err != nil { … }
//	mcp.AddTool(server, &mcp.Tool{Name: "add"}, func(ctx context.Context, r *mcp.Request, in Numbers) (Sum, error) { … })
//	err = server.ServeStdio(ctx)
//
// Any number of goroutines may use a client at a time. A call that waits holds no thread: one goroutine for each client, or
// for each shared [Queue], waits for all of them in the network poller of Go's runtime.
//
// What the server sends by itself comes to functions or channels that are given to [New]: [OnNotification], [OnRequest] and
// the like. They run on goroutines of their own, and may use the client.
//
// Close a client when it is no longer needed: that ends its server. One that is forgotten is closed when the garbage
// collector finds it, which may be never.
package mcp
