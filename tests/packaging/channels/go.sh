# the Go module, as `go get` has it of its repository: the binding's first example, with the library inside
mkdir module && tar -xzf /release/libmcp-go-*.tar.gz --strip-components=1 -C module
(cd module && git init --quiet && git add . && git -c user.name=it -c user.email=it@example.com commit --quiet --message it && git tag v0.1.0)
git config --global url.file:///root/module.insteadOf https://github.com/libmcp/libmcp-go
export GOPROXY=file:///index/go/cache/download,direct GOSUMDB=off GOTOOLCHAIN=local
mkdir program && cd program
go mod init example.com/program
go get github.com/libmcp/libmcp-go
cat >main.go <<'END'
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	mcp "github.com/libmcp/libmcp-go"
)

func main() {
	client, err := mcp.New(mcp.Config{Command: os.Args[1]})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	said, err := mcp.CallToolAs[string](context.Background(), client, "echo", map[string]string{"text": "Hello from Go"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(said)
}
END
go run . "$SERVER"
