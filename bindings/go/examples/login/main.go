// Login uses a server over HTTP that wants to know who is there.
//
//	login [-redirect URI | -token] [-store FOLDER] [-logout] URL
//
// It says which page to open, and goes on when the person has logged in there. With -redirect the browser comes back to the
// program instead of the library: what it was sent to is read from the standard input, and an empty line gives up. With -token
// there is no page: the program has a token for the server, in the variable MCP_TOKEN. With -store the program itself stores the login,
// in files that other processes may use at the same time; -logout deletes it at the end.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

func main() {
	log.SetFlags(0)
	redirect := flag.String("redirect", "", "where the browser is to come back to, as a URI of the program's own")
	token := flag.Bool("token", false, "log in with the token in MCP_TOKEN")
	folder := flag.String("store", "", "a folder in which the program stores the login")
	logout := flag.Bool("logout", false, "log out at the end")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: login [-redirect URI | -token] [-store FOLDER] [-logout] URL")
	}
	auth := &mcp.AuthConfig{} // A person with a browser; StoreDirectory would keep the login.
	if *redirect != "" {
		auth.RedirectURI = *redirect
	}
	if *token {
		auth.Type = "bearer"
	}
	options := []mcp.Option{mcp.OnLogin(logIn)}
	if *folder != "" {
		options = append(options, mcp.StoreLogins(&store{folder: *folder}))
	}
	client, err := mcp.New(mcp.Config{URL: flag.Arg(0), Auth: auth}, options...)
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
	if *logout {
		if err := client.Logout(ctx); err != nil {
			log.Fatal("not logged out: ", err)
		}
		fmt.Println("logged out")
	}
}

// store stores each login in a file. Beside it is a file that processes lock, which the system releases when one of them ends. A
// keychain or a database takes its place in a program; without either, AuthConfig.StoreDirectory does all of this.
type store struct {
	folder string
	locked *os.File
}

func (s *store) place(key string) string { return filepath.Join(s.folder, url.QueryEscape(key)) }

func (s *store) Load(_ context.Context, key string, lock bool) (string, error) {
	if lock {
		file, err := os.OpenFile(s.place(key)+".lock", os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return "", err
		}
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
			return "", errors.Join(err, file.Close())
		}
		s.locked = file
	}
	text, err := os.ReadFile(s.place(key))
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return string(text), nil
	}
	if lock {
		err = errors.Join(err, s.locked.Close())
	}
	return "", err
}

// Save replaces the file as a whole.
func (s *store) Save(_ context.Context, key, text string) error {
	next := s.place(key) + ".new"
	if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(next, s.place(key))
}

func (s *store) Unlock(context.Context, string) error { return s.locked.Close() }

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
