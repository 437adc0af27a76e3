package mcp

import (
	"context"
	"errors"
	"testing"
)

// unlocks tells of each Unlock; the rest is not asked.
type unlocks struct {
	LoginStore
	keys chan string
}

func (u unlocks) Unlock(_ context.Context, key string) error {
	u.keys <- key
	return errors.New("too late")
}

// The library holds a lock while it renews a token. A client that is closed then releases it once.
func TestLocksThatAreLeftAtTheEndAreReleasedOnce(t *testing.T) {
	store := unlocks{keys: make(chan string, 4)}
	failures := make(chan HandlerFailure, 4)
	core := newCore(nil, []Option{StoreLogins(store), OnFailure(func(failure HandlerFailure) { failures <- failure })})
	core.stop()
	core.locks.put("a")
	core.locks.put("b")
	if !core.locks.take("a") || core.locks.take("a") {
		t.Fatal("a lock is taken once")
	}
	core.unlockAll()
	core.unlockAll()
	if key := <-store.keys; key != "b" {
		t.Error(key)
	}
	if failure := <-failures; failure.Method != "unlock" || failure.Err.Error() != "too late" {
		t.Error(failure)
	}
	if len(store.keys) != 0 || len(failures) != 0 {
		t.Error("released again")
	}
}
