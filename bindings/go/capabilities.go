//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// What an elicitation is: a form to fill in, or a page to visit.
const (
	ElicitForm = "form"
	ElicitURL  = "url"
)

// OnSampling answers requests for the answer of a model, and enables the capability "sampling".
//
// Deprecated: 2026-07-28 deprecates sampling (SEP-2577). It works in every revision that has it.
func OnSampling(handle func(ctx context.Context, params *CreateMessageRequestParams) (*CreateMessageResult, error)) Option {
	if handle == nil {
		return nilHandler(MethodSampling)
	}
	return typed("sampling", json.RawMessage("{}"), MethodSampling, func(ctx context.Context, request *ServerRequest) (any, error) {
		var params CreateMessageRequestParams
		if err := decode(MethodSampling, request.Params, &params); err != nil {
			return nil, err
		}
		result, err := handle(ctx, &params)
		return ifAny(result, err)
	})
}

// OnElicitation answers requests for input of a person, and enables the capability "elicitation" for the modes that are named;
// for [ElicitForm] if none is. The Content of a form that was accepted is checked, and what is left out is filled in with its
// defaults.
func OnElicitation(handle func(ctx context.Context, params *ElicitRequestParams) (*ElicitResult, error), modes ...string) Option {
	if handle == nil {
		return nilHandler(MethodElicitation)
	}
	if len(modes) == 0 {
		modes = []string{ElicitForm}
	}
	enabled := make(map[string]struct{})
	for _, mode := range modes {
		enabled[mode] = struct{}{}
	}
	capability, _ := json.Marshal(enabled) // A map of texts to empty objects.
	return typed("elicitation", capability, MethodElicitation, func(ctx context.Context, request *ServerRequest) (any, error) {
		var params ElicitRequestParams
		if err := decode(MethodElicitation, request.Params, &params); err != nil {
			return nil, err
		}
		result, err := handle(ctx, &params)
		if err != nil || result == nil {
			return ifAny(result, err)
		}
		switch {
		case result.Action == "accept" && result.Content != nil:
			return nil, request.Accept(result.Content)
		case result.Action == "accept":
			return nil, request.Accept(nil)
		case result.Action == "decline":
			return nil, request.Decline()
		case result.Action == "cancel":
			return nil, request.Cancel()
		}
		return nil, invalid("elicitation", fmt.Sprintf("there is no action %q: accept, decline and cancel are", result.Action))
	})
}

// OnRoots answers requests for the folders in which the server may work, and enables the capability "roots". Roots that do not
// change need no handler: see [Config] and [Client.SetRoots].
//
// Deprecated: 2026-07-28 deprecates roots (SEP-2577). It works in every revision that has it.
func OnRoots(handle func(ctx context.Context) ([]Root, error)) Option {
	if handle == nil {
		return nilHandler(MethodRoots)
	}
	return typed("roots", json.RawMessage("{}"), MethodRoots, func(ctx context.Context, _ *ServerRequest) (any, error) {
		roots, err := handle(ctx)
		if err != nil {
			return nil, err
		}
		return &ListRootsResult{Roots: roots}, nil
	})
}

// typed registers a handler and the capability that goes with it.
func typed(capability string, as json.RawMessage, method string, handle RequestHandler) Option {
	return func(h *handlers) {
		OnRequest(method, handle)(h)
		if h.enables == nil {
			h.enables = make(map[string]json.RawMessage)
		}
		h.enables[capability] = as
	}
}

// methodsOf are the methods that need a capability.
var methodsOf = map[string]string{"sampling": MethodSampling, "elicitation": MethodElicitation, "roots": MethodRoots}

// configure gives the configuration as text for C, with what handlers enable. A capability without a handler, and a handler without
// its capability, would only be found out when a server asks: they are errors here. whole says that no file has more of it.
func (h *handlers) configure(config any, whole bool) ([]byte, error) {
	if h.fault != nil {
		return nil, h.fault
	}
	text, err := encode("config", config)
	if err != nil {
		return nil, err
	}
	if text == nil {
		return nil, invalid("new", "there is no configuration")
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(text[:len(text)-1], &all) != nil {
		return text, nil // The library says what is wrong with it.
	}
	changed, err := h.enable(all, isSet(all["roots"]))
	if err != nil {
		return nil, err
	}
	if all != nil && h.line != nil && !isSet(all["stderr"]) {
		all["stderr"], changed = json.RawMessage(`"message"`), true // Else it would never run.
	}
	asks, err := h.enableAuth(all, whole)
	if err != nil || !(changed || asks) {
		return text, err
	}
	return encode("config", all)
}

func isSet(value json.RawMessage) bool { return value != nil && string(value) != "null" }

// enable puts capabilities into a configuration, and says whether it changed.
func (h *handlers) enable(config map[string]json.RawMessage, fixedRoots bool) (changed bool, err error) {
	var capabilities map[string]json.RawMessage
	if isSet(config["capabilities"]) && json.Unmarshal(config["capabilities"], &capabilities) != nil {
		return false, nil
	}
	for capability, as := range h.enables {
		if !isSet(capabilities[capability]) {
			if capabilities == nil {
				capabilities = make(map[string]json.RawMessage)
			}
			capabilities[capability] = as
			changed = true
		}
	}
	for _, capability := range slices.Sorted(maps.Keys(methodsOf)) {
		method := methodsOf[capability]
		_, handled := h.requests[method]
		switch enabled := isSet(capabilities[capability]); {
		case capability == "roots" && fixedRoots:
			if handled {
				return false, invalid("new", "roots: the configuration has a list, so the library answers, and a handler would never run; give one of the two")
			}
		case enabled && h.request(method) == nil:
			return false, invalid("new", fmt.Sprintf("capabilities.%s: the program has no handler for %s; give the client one (%s)", capability, method, optionFor(capability)))
		case handled && !enabled:
			return false, invalid("new", fmt.Sprintf("the handler for %s never runs, because capabilities.%s is not enabled; %s enables it", method, capability, optionFor(capability)))
		}
	}
	if changed {
		config["capabilities"], err = json.Marshal(capabilities)
	}
	return changed, err
}

func optionFor(capability string) string {
	return "On" + string(capability[0]-'a'+'A') + capability[1:]
}
