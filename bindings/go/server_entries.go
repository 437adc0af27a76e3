//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
)

// ToolHandler answers a call of a tool whose arguments stay JSON: [Request.Arguments].
type ToolHandler func(ctx context.Context, request *Request) (*CallToolResult, error)

// ResourceHandler reads a resource, [Request.URI]. Contents without a URI get that one.
type ResourceHandler func(ctx context.Context, request *Request) (*ReadResourceResult, error)

// PromptHandler fills in a prompt.
type PromptHandler func(ctx context.Context, request *Request, arguments map[string]string) (*GetPromptResult, error)

// CompletionHandler gives how an argument may go on. settled are arguments that have their value already.
type CompletionHandler func(ctx context.Context, request *Request, typed string, settled map[string]string) (*Completion, error)

// MethodHandler answers a method of an extension with anything that marshals to a JSON object.
type MethodHandler func(ctx context.Context, request *Request) (any, error)

// add has the library add an entry whose requests go to run.
func (s *Server) add(name entryName, run entryHandler, add func(*serverCore, uint64) error) error {
	err := s.use("add", func(core *serverCore) error {
		core.mu.Lock()
		core.lastEntry++
		number := core.lastEntry
		core.entries[number] = entry{run, name}
		core.mu.Unlock()
		err := add(core, number)
		core.mu.Lock()
		defer core.mu.Unlock()
		if err != nil {
			delete(core.entries, number)
		} else if name.kind != "" {
			core.numbers[name] = number
		}
		return err
	})
	return s.remember(err)
}

// remember keeps the first error of an entry for Serve.
func (s *Server) remember(err error) error {
	if err != nil && s.core != nil {
		s.core.mu.Lock()
		defer s.core.mu.Unlock()
		if s.core.addFailed == nil {
			s.core.addFailed = err
		}
	}
	return err
}

// given refuses a definition or a handler that is nil: an entry without them would fail when it is called for.
func (s *Server) given(what string, definition, handle any) error {
	for _, part := range []struct {
		name  string
		value any
	}{{"the definition of " + what, definition}, {"the handler of " + what, handle}} {
		if of := reflect.ValueOf(part.value); of.IsNil() {
			return s.remember(invalid("add", part.name+" is nil"))
		}
	}
	return nil
}

// define adds an entry with a definition of the specification.
func (s *Server) define(kind int32, name entryName, definition any, run entryHandler) error {
	text, err := encode("add", definition)
	if err != nil {
		return s.remember(err)
	}
	return s.add(name, run, func(core *serverCore, number uint64) error { return core.addEntry(kind, text, number) })
}

// AddTool adds a tool with the schemas of its definition; [AddTool] makes them from types. The library has checked the arguments
// before the handler runs, and checks the result. What this returns [Server.Serve] returns too, until the server serves.
func (s *Server) AddTool(tool *Tool, handle ToolHandler) error {
	if err := s.given("a tool", tool, handle); err != nil {
		return err
	}
	return s.addTool(tool, func(ctx context.Context, request *Request) (any, error) {
		result, err := handle(ctx, request)
		return ifAny(result, err)
	})
}

func (s *Server) addTool(tool *Tool, run entryHandler) error {
	definition := *tool
	if definition.InputSchema == nil {
		definition.InputSchema = json.RawMessage(`{"type":"object"}`)
	}
	return s.define(entryTool, entryName{"tool", tool.Name}, definition, run)
}

// ifAny makes a nil interface of a nil pointer.
func ifAny[T any](result *T, err error) (any, error) {
	if err != nil || result == nil {
		if err == nil {
			err = fmt.Errorf("the handler returned neither a %T nor an error", result)
		}
		return nil, err
	}
	return result, nil
}

// AddResource adds a resource that a handler reads.
func (s *Server) AddResource(resource *Resource, handle ResourceHandler) error {
	if err := s.given("a resource", resource, handle); err != nil {
		return err
	}
	return s.define(entryResource, entryName{"resource", resource.URI}, resource, reading(handle))
}

// AddResourceTemplate adds a resource template. [Request.Info] has the variables that the URI gave it.
func (s *Server) AddResourceTemplate(template *ResourceTemplate, handle ResourceHandler) error {
	if err := s.given("a resource template", template, handle); err != nil {
		return err
	}
	return s.define(entryTemplate, entryName{"template", template.URITemplate}, template, reading(handle))
}

func reading(handle ResourceHandler) entryHandler {
	return func(ctx context.Context, request *Request) (any, error) {
		result, err := handle(ctx, request)
		if result != nil {
			for i := range result.Contents {
				if result.Contents[i].URI == "" {
					result.Contents[i].URI = request.URI()
				}
			}
		}
		return ifAny(result, err)
	}
}

// AddText adds a resource whose text is always the same; the library answers for it.
func (s *Server) AddText(resource *Resource, content string) error {
	definition, err := encode("add", resource)
	if err != nil {
		return s.remember(err)
	}
	text, err := ended("add", content)
	if err != nil {
		return s.remember(err)
	}
	return s.remember(s.use("add", func(core *serverCore) error { return core.addText(definition, text) }))
}

// AddBlob adds a resource whose bytes are always the same; the library answers for it.
func (s *Server) AddBlob(resource *Resource, content []byte) error {
	definition, err := encode("add", resource)
	if err != nil {
		return s.remember(err)
	}
	return s.remember(s.use("add", func(core *serverCore) error { return core.addBlob(definition, content) }))
}

// AddFolder adds a template whose resources are the files below a folder; its URITemplate needs the variable "path", for example
// "docs:///{+path}". No symbolic link is followed.
func (s *Server) AddFolder(template *ResourceTemplate, folder string) error {
	definition, err := encode("folder", template)
	if err != nil {
		return s.remember(err)
	}
	path, err := ended("folder", folder)
	if err != nil {
		return s.remember(err)
	}
	return s.remember(s.use("folder", func(core *serverCore) error { return core.addFolder(definition, path) }))
}

// AddSkills publishes the skills below a folder, and again after files have changed (docs/guide/skills.md). prefix is what their URIs
// begin with; "" for "skill://".
func (s *Server) AddSkills(folder, prefix string) error {
	path, err := ended("skills", folder)
	if err != nil {
		return s.remember(err)
	}
	var options []byte
	if prefix != "" {
		if options, err = encode("skills", map[string]string{"uri_prefix": prefix}); err != nil {
			return s.remember(err)
		}
	}
	return s.remember(s.use("skills", func(core *serverCore) error { return core.addSkills(path, options) }))
}

// AddPrompt adds a prompt.
func (s *Server) AddPrompt(prompt *Prompt, handle PromptHandler) error {
	if err := s.given("a prompt", prompt, handle); err != nil {
		return err
	}
	run := func(ctx context.Context, request *Request) (any, error) {
		arguments := map[string]string{}
		if request.Arguments != nil {
			if err := json.Unmarshal(request.Arguments, &arguments); err != nil {
				return nil, &RPCError{Code: CodeInvalidParams, Message: "the arguments of a prompt are texts"}
			}
		}
		result, err := handle(ctx, request, arguments)
		return ifAny(result, err)
	}
	return s.define(entryPrompt, entryName{"prompt", prompt.Name}, prompt, run)
}

// AddCompletion lets an argument of a prompt (by its name) or of a resource template (by its URI template) be completed.
func (s *Server) AddCompletion(reference, argument string, handle CompletionHandler) error {
	if err := s.given("a completion", s, handle); err != nil {
		return err
	}
	run := func(ctx context.Context, request *Request) (any, error) {
		var params CompleteRequestParams
		if err := json.Unmarshal(request.Params, &params); err != nil {
			return nil, &RPCError{Code: CodeInvalidParams, Message: "the parameters cannot be read"}
		}
		var settled map[string]string
		if params.Context != nil {
			settled = params.Context.Arguments
		}
		completion, err := handle(ctx, request, params.Argument.Value, settled)
		if err != nil || completion == nil {
			return ifAny(completion, err)
		}
		return &CompleteResult{Completion: *completion}, nil
	}
	return s.addCompletion(reference, argument, nil, run)
}

// AddCompletionValues is AddCompletion from a list; the library answers.
func (s *Server) AddCompletionValues(reference, argument string, values ...string) error {
	if values == nil {
		values = []string{}
	}
	return s.addCompletion(reference, argument, values, nil)
}

func (s *Server) addCompletion(reference, argument string, values []string, run entryHandler) error {
	of, err := ended("completion", reference)
	if err != nil {
		return s.remember(err)
	}
	name, err := ended("completion", argument)
	if err != nil {
		return s.remember(err)
	}
	var list []byte
	if values != nil {
		if list, err = encode("completion", values); err != nil {
			return s.remember(err)
		}
	}
	return s.add(entryName{}, run, func(core *serverCore, number uint64) error { return core.addCompletion(of, name, list, number) })
}

// AddMethod adds a method of an extension, such as "com.example/render". extension is what the server announces with it, with
// settings that marshal to a JSON object; "" announces none.
func (s *Server) AddMethod(method, extension string, settings any, handle MethodHandler) error {
	if err := s.given("a method", s, handle); err != nil {
		return err
	}
	name, err := ended("method", method)
	if err != nil {
		return s.remember(err)
	}
	capability, err := optional("method", extension)
	if err != nil {
		return s.remember(err)
	}
	with, err := encode("method", settings)
	if err != nil {
		return s.remember(err)
	}
	return s.add(entryName{}, entryHandler(handle), func(core *serverCore, number uint64) error {
		return core.addMethod(name, capability, with, number)
	})
}

// RemoveTool removes a tool, and says whether there was one. Calls under way go on.
func (s *Server) RemoveTool(name string) (bool, error) { return s.remove("tool", name) }

// RemoveResource removes a resource by its URI.
func (s *Server) RemoveResource(uri string) (bool, error) { return s.remove("resource", uri) }

// RemoveResourceTemplate removes a resource template, or a folder, by its URI template.
func (s *Server) RemoveResourceTemplate(template string) (bool, error) {
	return s.remove("template", template)
}

// RemovePrompt removes a prompt.
func (s *Server) RemovePrompt(name string) (bool, error) { return s.remove("prompt", name) }

// RemoveSkills removes the skills of a folder.
func (s *Server) RemoveSkills(folder string) (bool, error) { return s.remove("skills", folder) }

func (s *Server) remove(kind, name string) (was bool, err error) {
	what, err := ended("remove", kind)
	if err != nil {
		return false, err
	}
	which, err := ended("remove", name)
	if err != nil {
		return false, err
	}
	err = s.use("remove", func(core *serverCore) error {
		was, err = core.removeEntry(what, which)
		if was {
			core.mu.Lock()
			defer core.mu.Unlock()
			number := core.numbers[entryName{kind, name}]
			delete(core.entries, number)
			delete(core.numbers, entryName{kind, name})
		}
		return err
	})
	return was, err
}

// ResourceUpdated tells the clients that subscribed to a resource that it has changed, in the way of their revision.
func (s *Server) ResourceUpdated(uri string) error {
	text, err := ended("updated", uri)
	if err != nil {
		return err
	}
	return s.use("updated", func(core *serverCore) error { return core.resourceUpdated(text) })
}

// Log sends a log message that belongs to no request, to clients of the legacy era that want messages of that level. data is
// anything that can be written as JSON. The configuration must announce "logging". It leaves the program: no secrets.
//
// Deprecated: 2026-07-28 deprecates log messages (SEP-2577). It works in every revision that has it.
func (s *Server) Log(level LoggingLevel, logger string, data any) error {
	name, err := ended("log", string(level))
	if err != nil {
		return err
	}
	from, err := optional("log", logger)
	if err != nil {
		return err
	}
	body, err := encode("log", json_(data))
	if err != nil {
		return err
	}
	return s.use("log", func(core *serverCore) error { return core.log(name, from, body) })
}

// Notify sends a notification of an extension to a client of the legacy era, or to all of them with session 0.
func (s *Server) Notify(session uint64, method string, params any) error {
	name, err := ended("method", method)
	if err != nil {
		return err
	}
	body, err := encode(method, params)
	if err != nil {
		return err
	}
	return s.use(method, func(core *serverCore) error { return core.notify(session, name, body) })
}

// ServerInfo is what there is to know about a server.
type ServerInfo struct {
	State         string           `json:"state"`
	Sessions      int64            `json:"sessions"`
	Requests      int64            `json:"requests"`
	Questions     int64            `json:"questions"`
	Subscriptions int64            `json:"subscriptions"`
	Tasks         int64            `json:"tasks"`
	Counters      map[string]int64 `json:"counters"`
	// Raw is all of it as it came.
	Raw json.RawMessage `json:"-"`
}

// Info tells about the server. It never waits.
func (s *Server) Info() (*ServerInfo, error) {
	var info ServerInfo
	err := s.use("info", func(core *serverCore) (err error) {
		if info.Raw, err = core.info(); err != nil {
			return err
		}
		return decode("info", info.Raw, &info)
	})
	if err != nil {
		return nil, err
	}
	return &info, nil
}
