package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

// keeper is the store of a program. One Load with lock holds it until Unlock.
type keeper struct {
	lock chan struct{} // a place that is taken while the lock is held

	mu     sync.Mutex
	kept   map[string]string
	asked  []string
	broken map[string]func() error // by the name of the function
}

func newKeeper() *keeper {
	return &keeper{lock: make(chan struct{}, 1), kept: make(map[string]string), broken: make(map[string]func() error)}
}

func (k *keeper) ask(what string) error {
	k.mu.Lock()
	k.asked = append(k.asked, what)
	fails := k.broken[what]
	k.mu.Unlock()
	if fails == nil {
		return nil
	}
	return fails()
}

func (k *keeper) Load(ctx context.Context, key string, lock bool) (string, error) {
	if err := k.ask("load"); err != nil {
		return "", err
	}
	if lock {
		if err := k.ask("lock"); err != nil {
			return "", err
		}
		select {
		case k.lock <- struct{}{}:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kept[key], nil
}

func (k *keeper) Save(ctx context.Context, key, text string) error {
	if err := k.ask("save"); err != nil {
		return err
	}
	if len(k.lock) == 0 {
		return errors.New("saved without the lock")
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept[key] = text
	return nil
}

func (k *keeper) Unlock(context.Context, string) error {
	select {
	case <-k.lock:
	default:
		return errors.New("unlocked twice")
	}
	return k.ask("unlock")
}

func (k *keeper) isFree() bool { return len(k.lock) == 0 }

func (k *keeper) breaks(what string, fails func() error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.broken[what] = fails
}

// takeAsked is what was asked since the last time.
func (k *keeper) takeAsked() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	asked := k.asked
	k.asked = nil
	return asked
}

// only is the one text that is kept.
func (k *keeper) only(t *testing.T) (key, text string) {
	t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.kept) != 1 {
		t.Fatal("keys:", slices.Collect(maps.Keys(k.kept)))
	}
	for key, text = range k.kept {
	}
	return key, text
}

// agrees is a person who does what the page says, and counts the pages.
func agrees(pages chan<- string) mcp.Option {
	return mcp.OnLogin(func(_ context.Context, login *mcp.Login) error {
		pages <- login.Kind
		return browse(login.URL)
	})
}

// collects tells failures of handlers, which must be few.
func collects(failures chan<- mcp.HandlerFailure) mcp.Option {
	return mcp.OnFailure(func(failure mcp.HandlerFailure) { failures <- failure })
}

func withAuth(server *web, auth mcp.AuthConfig, protocol ...string) mcp.Config {
	config := server.config(protocol...)
	config.Auth = &auth
	return config
}

func TestAProgramStoresLogins(t *testing.T) {
	inEachEra(t, func(t *testing.T, protocol string, shared bool) {
		server, keeper := serve(t, "login=yes"), newKeeper()
		pages, failures := make(chan string, 8), make(chan mcp.HandlerFailure, 8)
		options := []mcp.Option{mcp.StoreLogins(keeper), agrees(pages), collects(failures)}
		first := openOn(t, shared, withAuth(server, mcp.AuthConfig{}, protocol), options...)
		callText(t, first, "echo", map[string]string{"text": "in"})
		must(t, first.Close())
		if len(pages) != 1 || receive(t, pages) != mcp.LoginPage {
			t.Fatal("the person was not asked once")
		}
		key, text := keeper.only(t)
		if !strings.Contains(key, "127.0.0.1") || !strings.Contains(text, "token-") {
			t.Fatalf("%s: %s", key, text)
		}
		keeper.takeAsked()

		second := openOn(t, shared, withAuth(server, mcp.AuthConfig{Store: "application"}, protocol), options...)
		callText(t, second, "echo", map[string]string{"text": "in"})
		if asked := keeper.takeAsked(); len(pages) != 0 || !slices.Contains(asked, "load") {
			t.Fatal("the login was not read from the store:", asked)
		}
		must(t, second.Logout(within(t)))
		if _, text := keeper.only(t); strings.Contains(text, "token-") {
			t.Fatal("the token is stored after the logout")
		}
		callText(t, second, "echo", map[string]string{"text": "in"})
		if len(pages) != 1 {
			t.Fatal("the person was not asked again")
		}
		until(t, "no lock is held", keeper.isFree)
		if len(failures) > 0 {
			t.Error(receive(t, failures))
		}
		server.rightly(t)
	})
}

func TestAStoreThatFailsIsToldAndEndsItsCalls(t *testing.T) {
	for name, run := range map[string]struct {
		fails func() error
		says  string
	}{
		"an error":                   {func() error { return errors.New("the keychain is locked") }, "the keychain is locked"},
		"a text that cannot be sent": {func() error { return errors.New("the \x00keychain\xff is locked") }, "the keychain\ufffd is locked"},
		"a panic":                    {func() error { panic("hunter2") }, "panicked"},
		"a goroutine ended":          {func() error { runtime.Goexit(); return nil }, "ended its goroutine"},
	} {
		t.Run(name, func(t *testing.T) {
			server, keeper := serve(t, "login=yes"), newKeeper()
			failures := make(chan mcp.HandlerFailure, 64)
			keeper.breaks("load", run.fails)
			client := open(t, withAuth(server, mcp.AuthConfig{}), mcp.StoreLogins(keeper), agrees(make(chan string, 8)), collects(failures))
			_, err := client.CallTool(within(t), "echo", nil)
			if !errors.Is(err, mcp.StatusAuth) || !strings.Contains(err.Error(), run.says) || strings.Contains(err.Error(), "hunter2") {
				t.Fatal(err)
			}
			if failure := receive(t, failures); failure.Method != "load" {
				t.Error(failure)
			}
			keeper.breaks("load", nil)
			// The store is asked again by the next attempt to connect.
			if said, err := client.CallTool(within(t), "echo", map[string]string{"text": "in"}, mcp.WhenUnavailable("wait")); err != nil || said.Text() != "in" {
				t.Fatal(said, err)
			}
			until(t, "no lock is held", keeper.isFree)
		})
	}
}

func TestALoginThatCannotBeSavedWorksUntilTheClientEnds(t *testing.T) {
	server, keeper := serve(t, "login=yes"), newKeeper()
	pages, failures := make(chan string, 8), make(chan mcp.HandlerFailure, 64)
	keeper.breaks("save", func() error { panic("no room") })
	keeper.breaks("unlock", func() error { return errors.New("no way back") })
	client := open(t, withAuth(server, mcp.AuthConfig{}), mcp.StoreLogins(keeper), agrees(pages), collects(failures))
	for range 2 {
		callText(t, client, "echo", map[string]string{"text": "in"})
	}
	var panicked *mcp.PanicError
	if failure := receive(t, failures); failure.Method != "save" || !errors.As(failure.Err, &panicked) || panicked.Value != "no room" {
		t.Error(failure)
	}
	if failure := receive(t, failures); failure.Method != "unlock" || failure.Err.Error() != "no way back" {
		t.Error(failure)
	}
	if len(pages) != 1 || !keeper.isFree() {
		t.Error(len(pages), "pages, free:", keeper.isFree())
	}
}

// What is answered too late is told, and the lock that nothing waits for is released.
func TestALockThatCameTooLateIsReleased(t *testing.T) {
	server, keeper := serve(t, "login=yes"), newKeeper()
	failures := make(chan mcp.HandlerFailure, 64)
	client := open(t, withAuth(server, mcp.AuthConfig{Patience: time.Second}), mcp.StoreLogins(keeper), collects(failures))
	keeper.lock <- struct{}{} // Another process has it.
	for asked := []string(nil); !slices.Contains(asked, "lock"); asked = keeper.takeAsked() {
		// A busy machine may be late with what it has to read before.
		if err := client.Logout(within(t)); !errors.Is(err, mcp.StatusAuth) || !strings.Contains(err.Error(), "did not answer") {
			t.Fatal(err)
		}
	}
	<-keeper.lock
	// The library asks for it while it could still take the answer; after that the binding does it, and tells.
	until(t, "the lock was released", func() bool { return slices.Contains(keeper.takeAsked(), "unlock") })
	until(t, "no lock is held", keeper.isFree)
	for len(failures) > 0 {
		if failure := receive(t, failures); failure.Method != "load" || !errors.Is(failure.Err, mcp.StatusAuth) {
			t.Error(failure)
		}
	}
}

func TestStoresAndSignersAreCheckedWhenTheClientIsMade(t *testing.T) {
	keeper := newKeeper()
	sign := func(context.Context, *mcp.SignRequest) (string, error) { return "", nil }
	credentials := mcp.AuthConfig{Type: "client_credentials", Issuer: "https://a.example", ClientID: "c", Signer: "application", SigningAlgorithm: "ES256"}
	for _, run := range []struct {
		auth    *mcp.AuthConfig
		options []mcp.Option
		says    string
	}{
		{nil, []mcp.Option{mcp.StoreLogins(keeper)}, "give it Auth"},
		{nil, []mcp.Option{mcp.OnSign(sign)}, "give it Auth"},
		{&mcp.AuthConfig{Store: "application"}, nil, "StoreLogins"},
		{&mcp.AuthConfig{Store: "memory"}, []mcp.Option{mcp.StoreLogins(keeper)}, "never asked"},
		{&mcp.AuthConfig{StoreDirectory: "/tmp/x"}, []mcp.Option{mcp.StoreLogins(keeper)}, "never asked"},
		{&mcp.AuthConfig{}, []mcp.Option{mcp.OnSign(sign)}, "never runs"},
		{&credentials, nil, "OnSign"},
	} {
		client, err := mcp.New(mcp.Config{URL: "http://127.0.0.1:1/mcp", Auth: run.auth}, run.options...)
		if !errors.Is(err, mcp.StatusInvalidArgument) || !strings.Contains(err.Error(), run.says) {
			t.Errorf("%+v: %v", run.auth, err)
		}
		if client != nil {
			must(t, client.Close())
		}
	}
	client, err := mcp.New(mcp.Config{URL: "http://127.0.0.1:1/mcp", Auth: &credentials}, mcp.OnSign(sign), mcp.StoreLogins(keeper))
	must(t, err)
	must(t, client.Close())
}

// A store that does not answer holds up neither a context, nor a close, and nothing of it is left.
func TestALogoutEndsWhenItIsNotWaitedFor(t *testing.T) {
	before := goroutines()
	for _, shared := range []bool{false, true} {
		t.Run(fmt.Sprint("shared ", shared), func(t *testing.T) {
			server, keeper := serve(t, "login=yes"), newKeeper()
			keeper.lock <- struct{}{} // Another process has it, for ever.
			client := openOn(t, shared, withAuth(server, mcp.AuthConfig{}), mcp.StoreLogins(keeper))
			short, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			defer cancel()
			if err := client.Logout(short); !errors.Is(err, mcp.StatusTimeout) {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancelCause(context.Background())
			ended := make(chan error, 2)
			go func() { ended <- client.Logout(ctx) }()
			until(t, "the store is asked", func() bool { return slices.Contains(keeper.takeAsked(), "load") })
			why := errors.New("changed my mind")
			stop(why)
			if err := receive(t, ended); !errors.Is(err, mcp.StatusCancelled) || !errors.Is(err, why) {
				t.Fatal(err)
			}
			go func() { ended <- client.Logout(context.Background()) }()
			must(t, client.Close())
			if err := receive(t, ended); !errors.Is(err, mcp.StatusClosed) {
				t.Fatal(err)
			}
		})
	}
	until(t, "nothing is left", func() bool { return goroutines() <= before })
}

// What the program's store does when the client is closed is done to its end, and its lock is released.
func TestALockEndsWithItsClient(t *testing.T) {
	for _, what := range []string{"load", "save"} {
		t.Run(what, func(t *testing.T) {
			server, keeper := serve(t, "login=yes"), newKeeper()
			inside, goOn := make(chan struct{}, 8), make(chan struct{})
			var calls atomic.Int32
			keeper.breaks(what, func() error {
				if calls.Add(1) == 1 && what == "save" {
					return nil // The registration, which is saved before the person is asked.
				}
				inside <- struct{}{}
				<-goOn
				return nil
			})
			client := open(t, withAuth(server, mcp.AuthConfig{}), mcp.StoreLogins(keeper), agrees(make(chan string, 8)))
			ended := make(chan error, 1)
			go func() {
				_, err := client.CallTool(context.Background(), "echo", nil)
				ended <- err
			}()
			receive(t, inside)
			must(t, client.Close())
			if err := receive(t, ended); !errors.Is(err, mcp.StatusClosed) {
				t.Error(err)
			}
			close(goOn)
			until(t, "no lock is held", func() bool {
				return keeper.isFree() && (what == "load" || slices.Contains(keeper.takeAsked(), "unlock"))
			})
			if what == "save" {
				if _, text := keeper.only(t); !strings.Contains(text, "token-") {
					t.Error("the login is lost:", text)
				}
			}
		})
	}
}

func TestAForgottenClientLeavesItsStoreToTheCollector(t *testing.T) {
	server := serve(t, "login=yes")
	collected := make(chan struct{})
	func() {
		keeper := newKeeper()
		runtime.AddCleanup(keeper, func(done chan struct{}) { close(done) }, collected)
		client, err := mcp.New(withAuth(server, mcp.AuthConfig{}), mcp.StoreLogins(keeper), agrees(make(chan string, 8)))
		must(t, err)
		callText(t, client, "echo", map[string]string{"text": "in"})
	}()
	until(t, "the collector finds the store", func() bool {
		runtime.GC()
		select {
		case <-collected:
			return true
		default:
			return false
		}
	})
}
