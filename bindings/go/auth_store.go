//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"sync"
)

// LoginStore stores logins for a program that has a place of its own for them: a database, or the keychain of the person. Each
// function runs on a goroutine of its own and may take as long as a person does ("auth.patience_ms"). An error or a panic fails
// what waits for the store, as StatusAuth, and is a [HandlerFailure]. What is stored has tokens: do not log it.
type LoginStore interface {
	// Load gives the text that is stored under a key; "" if nothing is. With lock it waits until no other Load with lock holds the
	// key, in this process or in another one, and from then on only this client may change the text, until Unlock. The context
	// ends when the client is closed.
	Load(ctx context.Context, key string, lock bool) (text string, err error)
	// Save stores a text in place of the current one, completely or not at all.
	Save(ctx context.Context, key, text string) error
	// Unlock ends the lock of a key. It is called once for each Load with lock that returned no error, also if Save failed or the
	// client was closed meanwhile, and maybe on another goroutine than Load. The contexts of Save and Unlock do not end with the client.
	Unlock(ctx context.Context, key string) error
}

// StoreLogins has the client store its logins in a store of the program, and sets "auth.store" of the configuration, which must
// have Auth.
func StoreLogins(store LoginStore) Option {
	return func(h *handlers) { h.store = store }
}

// Kinds of messages that are answered one by one: by the store, and by the signer.
const (
	askedLoad   = "load"
	askedSave   = "save"
	askedUnlock = "unlock"
	askedSign   = "sign"
)

// asked is one of these messages. It owns the library's message, which is freed when the function of the program has ended.
type asked struct {
	Kind string `json:"kind"`
	Key  string `json:"key"`
	Lock bool   `json:"lock"`
	Text string `json:"text"`
	SignRequest

	core     *core
	ctx      context.Context
	message  messageHandle
	releases bool // the lock of the key, at the end
}

// authorize is called by the poller, and never waits.
func (c *core) authorize(t *taken) {
	this := &asked{core: c, ctx: c.ctx}
	if json.Unmarshal(t.json, this) != nil {
		c.logIn(t.json) // Which says what is wrong with it.
		return
	}
	switch this.Kind {
	case askedSave, askedUnlock:
		this.ctx = context.WithoutCancel(c.ctx)
		this.releases = c.locks.take(this.Key)
	case askedLoad, askedSign:
	default:
		c.logIn(t.json)
		return
	}
	this.message, t.message = t.message, 0
	go this.run()
}

// run asks the program. Whatever its function does, the library gets an answer.
func (a *asked) run() {
	defer freeMessage(a.message)
	finally(a.ask, a.settle)
}

func (a *asked) ask() (said string, err error) {
	h := &a.core.handlers
	switch {
	case a.Kind == askedUnlock:
		return "", nil
	case a.Kind == askedSign && h.sign == nil:
		return "", invalid(a.Kind, "the program has no function that signs: give the client OnSign")
	case a.Kind == askedSign:
		return h.sign(a.ctx, &a.SignRequest)
	case h.store == nil:
		return "", invalid(a.Kind, "the program has no store for logins: give the client StoreLogins")
	case a.Kind == askedLoad:
		return h.store.Load(a.ctx, a.Key, a.Lock)
	default:
		return "", h.store.Save(a.ctx, a.Key, a.Text)
	}
}

// settle answers as the program's function ended, and releases the lock when its time has come: after a save, and when the
// library no longer waits for it.
func (a *asked) settle(said string, err error) {
	locks := a.Kind == askedLoad && a.Lock && err == nil
	if locks {
		a.core.locks.put(a.Key) // An "unlock" may come as soon as the library has the answer.
	}
	if a.Kind != askedUnlock && !a.answer(said, err) && locks {
		a.releases = a.core.locks.take(a.Key)
	}
	if a.releases {
		a.core.unlock(a.Key)
	}
}

// answer gives the library a text or an error. It says whether the library took the text.
func (a *asked) answer(said string, err error) bool {
	var text []byte // Nothing is stored, or it was a save.
	if err == nil && said != "" {
		text, err = ended(a.Kind, said)
	}
	if err == nil {
		if err = a.tell(text, nil); err == nil {
			return true
		}
		if isOver(err) {
			return false
		}
	}
	if a.ctx.Err() == nil {
		a.core.handlers.failed(HandlerFailure{Method: a.Kind, Err: err})
	}
	// After a text that cannot be sent the library still waits. That it no longer does is no fault.
	why, _ := ended(a.Kind, sendable(err.Error()))
	_ = a.tell(nil, why)
	return false
}

func (a *asked) tell(text, why []byte) error {
	if !a.core.acquire() {
		return closed("auth_answer")
	}
	defer a.core.release()
	return a.core.authAnswer(a.message, text, why)
}

// unlock ends a lock that was taken from the locks.
func (c *core) unlock(key string) {
	finally(func() (struct{}, error) {
		return struct{}{}, c.handlers.store.Unlock(context.WithoutCancel(c.ctx), key)
	}, func(_ struct{}, err error) {
		if err != nil {
			c.handlers.failed(HandlerFailure{Method: askedUnlock, Err: err})
		}
	})
}

// unlockAll ends the locks that a client held when it was closed: the library asks for nothing more.
func (c *core) unlockAll() {
	for _, key := range c.locks.all() {
		if c.locks.take(key) {
			go c.unlock(key)
		}
	}
}

// loginLocks are the keys that the program's store has locked for a client.
type loginLocks struct {
	mu   sync.Mutex
	keys map[string]struct{}
}

func (l *loginLocks) put(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.keys == nil {
		l.keys = make(map[string]struct{})
	}
	l.keys[key] = struct{}{}
}

// take says whether the key was locked, to one goroutine only.
func (l *loginLocks) take(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, held := l.keys[key]
	delete(l.keys, key)
	return held
}

func (l *loginLocks) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make([]string, 0, len(l.keys))
	for key := range l.keys {
		all = append(all, key)
	}
	return all
}

// enableAuth has the library ask the program's store, and says whether the configuration changed. A store or a signer that would
// never be asked, and none where the library would ask, would only be found out in a login: they are errors here. Of the
// defaults of a file the entries may have what is missing.
func (h *handlers) enableAuth(config map[string]json.RawMessage, whole bool) (changed bool, err error) {
	var auth map[string]json.RawMessage
	if isSet(config["auth"]) && json.Unmarshal(config["auth"], &auth) != nil {
		return false, nil
	}
	const application = `"application"`
	if auth == nil {
		switch {
		case whole && h.store != nil:
			return false, invalid("new", "the store of StoreLogins is never asked, because the configuration has no auth; give it Auth")
		case whole && h.sign != nil:
			return false, invalid("new", "the function of OnSign never runs, because the configuration has no auth; give it Auth")
		}
		return false, nil
	}
	switch stored := string(auth["store"]); {
	case h.store == nil && stored == application:
		return false, invalid("new", "auth.store: the program has no store for logins; give the client one (StoreLogins)")
	case h.store != nil && (isSet(auth["store_directory"]) || isSet(auth["store"]) && stored != application):
		return false, invalid("new", "the store of StoreLogins is never asked, because auth has another one: leave out store and store_directory")
	case h.store != nil && stored != application:
		auth["store"] = json.RawMessage(application)
		changed = true
	}
	switch asks := string(auth["signer"]) == application || isSet(auth["dpop_key"]); {
	case h.sign == nil && asks:
		return false, invalid("new", "auth.signer, auth.dpop_key: the program has no function that signs; give the client one (OnSign)")
	case h.sign != nil && !asks && whole:
		return false, invalid("new", `the function of OnSign never runs; set auth.signer to "application" (client assertions) or auth.dpop_key (proofs)`)
	}
	if changed {
		config["auth"], err = json.Marshal(auth)
	}
	return changed, err
}
