package mcp

/*
#include <mcp.h>

void mcp_go_opened(uintptr_t user, char *name, mcp_client_t *client, int32_t status, char *error);

static void opened(void *user, const char *name, mcp_client_t *client, mcp_status_t status, const char *error) {
	mcp_go_opened((uintptr_t)user, (char *)name, client, status, (char *)error);
}

static mcp_status_t open_config(const char *path, const char *options, uintptr_t user, char **error) {
	return mcp_config_open(path, NULL, options, opened, (void *)user, error);
}
*/
import "C"

import (
	"encoding/json"
	"runtime/cgo"
)

// Opened is a server of a file: its client, or why there is none.
type Opened struct {
	Name   string
	Client *Client
	Err    error
}

// openedHandle is an Opened before Go has made its client.
type openedHandle struct {
	name   string
	handle clientHandle
	err    error
}

//export mcp_go_opened
func mcp_go_opened(user C.uintptr_t, name *C.char, client *C.mcp_client_t, status C.int32_t, object *C.char) {
	all, ok := cgo.Handle(user).Value().(*[]openedHandle)
	if !ok {
		C.mcp_client_free(client)
		return
	}
	this := openedHandle{name: C.GoString(name), handle: client}
	if status != C.MCP_OK {
		this.err = &Error{Status: Status(status), Operation: "config", Message: "config: " + Status(status).name()}
		if object != nil {
			this.err = readError(Status(status), []byte(C.GoString(object)))
		}
	}
	*all = append(*all, this)
}

// OpenConfig makes a client for each server of an "mcpServers" file that the file does not disable, in the order of the file.
// defaults are keys for every server whose entry does not have them; they may be nil. What is wrong with one entry is its Err, and
// the others are opened. The options hold for every client.
func OpenConfig(path string, defaults any, options ...Option) ([]Opened, error) {
	if err := checkABI(); err != nil {
		return nil, err
	}
	file, err := ended("config", path)
	if err != nil {
		return nil, err
	}
	settings, err := openOptions(defaults, options)
	if err != nil {
		return nil, err
	}
	var handles []openedHandle
	user := cgo.NewHandle(&handles)
	defer user.Delete()
	var object *C.char
	status := C.open_config(text(file), text(settings), C.uintptr_t(user), &object)
	if status == C.MCP_EMPTY {
		return nil, nil
	}
	if err := failure(status, "config", object); err != nil {
		return nil, err
	}
	all := make([]Opened, 0, len(handles))
	for _, opened := range handles {
		this := Opened{Name: opened.name, Err: opened.err}
		if opened.handle != nil {
			core := newCore(nil, options)
			this.Client, this.Err = core.client(core.take(opened.handle))
		}
		all = append(all, this)
	}
	return all, nil
}

// openOptions has the defaults of all clients, with the capabilities that handlers enable.
func openOptions(defaults any, options []Option) ([]byte, error) {
	var h handlers
	for _, option := range options {
		option(&h)
	}
	if defaults == nil {
		defaults = struct{}{}
	}
	text, err := h.configure(defaults, false)
	if err != nil {
		return nil, err
	}
	return encode("config", map[string]json.RawMessage{"defaults": json.RawMessage(text[:len(text)-1])})
}
