package mcp

/*
#include <mcp.h>
#include <stdint.h>

int32_t mcp_go_set_logger(int32_t level, uintptr_t user);
*/
import "C"

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"runtime/cgo"
	"slices"
	"sync/atomic"
)

// LevelTrace is the level of records of single frames, below slog.LevelDebug.
const LevelTrace = slog.LevelDebug - 4

// logging is the logger that [SetLogger] was given, for the records of this package.
var logging atomic.Pointer[struct {
	to    *slog.Logger
	level slog.Level
}]

// SetLogger sends the log records of all clients, up to a level, to a logger; nil takes it away. The record's message is the
// event, such as "connection.transition"; docs/design/c-api.md lists them, and "handler.failed" is of this package (see [OnFailure]). Records are made only while there is a client.
func SetLogger(logger *slog.Logger, level slog.Level) error {
	if err := checkABI(); err != nil {
		return err
	}
	var user cgo.Handle
	var number C.int32_t
	if logger != nil {
		user, number = cgo.NewHandle(logger), levelOut(level)
	}
	status := C.mcp_go_set_logger(number, C.uintptr_t(user))
	if status == C.MCP_OK {
		setLogging(logger, level)
	}
	return failure(C.mcp_status_t(status), "logger", nil)
}

func setLogging(logger *slog.Logger, level slog.Level) {
	if logger == nil {
		logging.Store(nil)
		return
	}
	logging.Store(&struct {
		to    *slog.Logger
		level slog.Level
	}{logger, level})
}

func levelOut(level slog.Level) C.int32_t {
	switch {
	case level >= slog.LevelError:
		return C.MCP_LOG_ERROR
	case level >= slog.LevelWarn:
		return C.MCP_LOG_WARN
	case level >= slog.LevelInfo:
		return C.MCP_LOG_INFO
	case level >= slog.LevelDebug:
		return C.MCP_LOG_DEBUG
	default:
		return C.MCP_LOG_TRACE
	}
}

func levelIn(level int32) slog.Level {
	switch level {
	case C.MCP_LOG_ERROR:
		return slog.LevelError
	case C.MCP_LOG_WARN:
		return slog.LevelWarn
	case C.MCP_LOG_INFO:
		return slog.LevelInfo
	case C.MCP_LOG_DEBUG:
		return slog.LevelDebug
	default:
		return LevelTrace
	}
}

//export mcp_go_log
func mcp_go_log(user C.uintptr_t, level C.int32_t, record *C.char) {
	logger, ok := cgo.Handle(user).Value().(*slog.Logger)
	if !ok || !logger.Enabled(context.Background(), levelIn(int32(level))) {
		return
	}
	var values map[string]json.RawMessage
	event := C.GoString(record)
	if json.Unmarshal([]byte(event), &values) == nil {
		event = plain(values["event"])
	}
	var attributes []slog.Attr
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if name != "event" && name != "level" {
			attributes = append(attributes, slog.String(name, plain(values[name])))
		}
	}
	logger.LogAttrs(context.Background(), levelIn(int32(level)), event, attributes...)
}

// plain is the text of a JSON string, and of anything else its JSON.
func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

//export mcp_go_forget
func mcp_go_forget(user C.uintptr_t) { cgo.Handle(user).Delete() }
