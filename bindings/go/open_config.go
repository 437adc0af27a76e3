//go:build cgo || (linux && (amd64 || arm64))

package mcp

import "encoding/json"

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

// opened takes a client from the library, or the reason why it has not made one.
func opened(user uintptr, name cText, client clientHandle, status int32, object cText) {
	all, ok := valueOf(user).(*[]openedHandle)
	if !ok {
		mcp_client_free(client)
		return
	}
	this := openedHandle{name: goString(name), handle: client}
	if status != int32(StatusOK) {
		this.err = &Error{Status: Status(status), Operation: "config", Message: "config: " + Status(status).name()}
		if object != 0 {
			this.err = readError(Status(status), []byte(goString(object)))
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
	user := numberOf(&handles)
	defer forget(user)
	var object cText
	status := mcp_config_open(text(file), 0, text(settings), addressOfOpened(), user, &object)
	if status == int32(StatusEmpty) {
		return nil, nil
	}
	if err := failure(status, "config", object); err != nil {
		return nil, err
	}
	all := make([]Opened, 0, len(handles))
	for _, opened := range handles {
		this := Opened{Name: opened.name, Err: opened.err}
		if opened.handle != 0 {
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
		if option != nil {
			option(&h)
		}
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
