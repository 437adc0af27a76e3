//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"time"
)

// What a [Login] needs.
const (
	// LoginPage wants a person to open a page in a browser.
	LoginPage = "authorize"
	// LoginToken wants a token for the server.
	LoginToken = "token"
	// LoginAssertion wants a signed statement about the workload.
	LoginAssertion = "assertion"
	// LoginSubject wants what shows at the identity provider who the person is.
	LoginSubject = "subject"
)

// Login is what the client needs of the program to be let in by its server.
type Login struct {
	// Kind is LoginPage, LoginToken, LoginAssertion or LoginSubject.
	Kind string `json:"kind"`

	// URL is the page to open (LoginPage). Give it only to the browser: do not log it, and do not pass it through a shell.
	URL string `json:"url"`
	// UserCode is what the person enters at VerificationURI, in a browser of any device, or what URL has in it already. Only
	// with the flow "device".
	UserCode        string `json:"user_code"`
	VerificationURI string `json:"verification_uri"`
	// RedirectURI is where the browser is sent afterwards.
	RedirectURI string `json:"redirect_uri"`
	// Listens says that the library waits there itself. If not, the program hands what the browser was sent to to Complete.
	Listens bool   `json:"listens"`
	Issuer  string `json:"issuer"`
	// Scopes are what the login is for, separated by spaces.
	Scopes string `json:"scopes"`
	// ExpiresInMS is how long the login waits for the person.
	ExpiresInMS int64 `json:"expires_in_ms"`

	// Audience is whom an assertion must be for (LoginAssertion).
	Audience string `json:"audience"`
	// Refused says that the last credential was refused.
	Refused bool `json:"refused"`

	// Raw is all of it as it came.
	Raw json.RawMessage `json:"-"`

	core *core
}

// LoginHandler does the program's part of a login: it shows the page, or gives the credential. An error gives the login up: what
// waits for it ends with StatusAuth. The context ends when the client is closed.
type LoginHandler func(ctx context.Context, login *Login) error

// OnLogin does what logins need of the program, each on a goroutine of its own. The configuration must have Auth. Without a
// handler a login is given up.
func OnLogin(handle LoginHandler) Option {
	return func(h *handlers) { h.login = handle }
}

// logIn is called by the poller, and never waits.
func (c *core) logIn(body json.RawMessage) {
	login := &Login{Raw: body, core: c}
	// Without a handler, calls would wait for the login as long as a person may take.
	if c.handlers.login == nil {
		login.abandon("the program has no handler for logins: give the client OnLogin")
		return
	}
	if err := json.Unmarshal(body, login); err != nil {
		login.abandon("what it needs cannot be read: " + err.Error())
		return
	}
	go func() {
		finally(func() (struct{}, error) { return struct{}{}, c.handlers.login(c.ctx, login) }, func(_ struct{}, err error) {
			if err == nil {
				return
			}
			if c.ctx.Err() == nil {
				c.handlers.failed(HandlerFailure{Method: "login", Err: err})
			}
			login.abandon(err.Error())
		})
	}()
}

// abandon gives up for a reason that may be anything. That the client was closed meanwhile is no fault.
func (l *Login) abandon(reason string) {
	if l.GiveUp(sendable(reason)) != nil {
		_ = l.GiveUp("")
	}
}

// Complete hands over where the browser came back to: the whole URL exactly as it was sent there, with its errors too. Only for
// a LoginPage that does not listen. An answer that is not for this login, or fails a check, is StatusAuth.
func (l *Login) Complete(callback string) error {
	return l.tell("auth_complete", callback, l.core.authComplete)
}

// Give gives the credential that was asked for. lasts is how long it is good; 0 if that is not known.
func (l *Login) Give(credential string, lasts time.Duration) error {
	milliseconds_ := int32(-1)
	if lasts > 0 {
		milliseconds_ = int32(min(milliseconds(lasts), 1<<31-1))
	}
	return l.tell("auth_give", credential, func(text []byte) error { return l.core.authGive(text, milliseconds_) })
}

// GiveUp says that the login will not be finished: what waits for it ends with StatusAuth.
func (l *Login) GiveUp(reason string) error {
	return l.tell("auth_give_up", reason, l.core.authGiveUp)
}

func (l *Login) tell(operation, said string, tell func([]byte) error) error {
	if l.core == nil {
		return unmade(operation, "Login", "the function of mcp.OnLogin gets one from the library")
	}
	text, err := ended(operation, said)
	if err != nil {
		return err
	}
	if !l.core.acquire() {
		return closed(operation)
	}
	defer l.core.release()
	return tell(text)
}
