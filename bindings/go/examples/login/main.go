// Login uses a server over HTTP that wants to know who is there.
//
//	login [-redirect URI | -token] URL
//
// It says which page to open, and goes on when the person has logged in there. With -redirect the browser comes back to the
// program instead of the library: what it was sent to is read from the standard input, and an empty line gives up. With -token
// there is no page: the program has a token for the server, in the variable MCP_TOKEN.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

func main() {
	log.SetFlags(0)
	redirect := flag.String("redirect", "", "where the browser is to come back to, as a URI of the program's own")
	token := flag.Bool("token", false, "log in with the token in MCP_TOKEN")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: login [-redirect URI | -token] URL")
	}
	auth := &mcp.AuthConfig{} // A person with a browser; StoreDirectory would keep the login.
	if *redirect != "" {
		auth.RedirectURI = *redirect
	}
	if *token {
		auth.Type = "bearer"
	}
	client, err := mcp.New(mcp.Config{URL: flag.Arg(0), Auth: auth}, mcp.OnLogin(logIn))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := client.Connect(ctx); err != nil {
		log.Fatal("not logged in: ", err)
	}
	tools, err := mcp.All(client.Tools(ctx))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("logged in; the server has %d tools\n", len(tools))
}

// logIn does the program's part. What it returns as an error gives the login up.
func logIn(_ context.Context, login *mcp.Login) error {
	switch login.Kind {
	case mcp.LoginPage:
		// The whole URL, so that the person sees who asks. A program with windows would open the browser, on a click.
		fmt.Printf("open this page to log in at %s:\n%s\n", login.Issuer, login.URL)
		if login.Listens {
			return nil
		}
		fmt.Println("Then paste the address that the browser was sent to:")
		line, err := bufio.NewReader(os.Stdin).ReadString('\n')
		if err != nil {
			return err
		}
		if line = strings.TrimSpace(line); line == "" {
			return errors.New("the person gave up")
		}
		return login.Complete(line)
	case mcp.LoginToken:
		if login.Refused {
			return errors.New("the server refuses the token in MCP_TOKEN")
		}
		return login.Give(os.Getenv("MCP_TOKEN"), 0)
	default:
		return fmt.Errorf("this program has no %s", login.Kind)
	}
}
