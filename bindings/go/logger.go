//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"sync/atomic"
)

// LevelTrace is the level of records of single frames, below slog.LevelDebug.
const LevelTrace = slog.LevelDebug - 4

// The library's levels.
const (
	logError = iota + 1
	logWarn
	logInfo
	logDebug
	logTrace
)

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
	var log, user, destroy uintptr
	var number int32
	if logger != nil {
		log, user, destroy, number = addressOfLog(), numberOf(logger), addressOfForget(), levelOut(level)
	}
	status := mcp_log_set_logger(log, number, user, destroy)
	if status == int32(StatusOK) {
		setLogging(logger, level)
	}
	return failure(status, "logger", 0)
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

func levelOut(level slog.Level) int32 {
	switch {
	case level >= slog.LevelError:
		return logError
	case level >= slog.LevelWarn:
		return logWarn
	case level >= slog.LevelInfo:
		return logInfo
	case level >= slog.LevelDebug:
		return logDebug
	default:
		return logTrace
	}
}

func levelIn(level int32) slog.Level {
	switch level {
	case logError:
		return slog.LevelError
	case logWarn:
		return slog.LevelWarn
	case logInfo:
		return slog.LevelInfo
	case logDebug:
		return slog.LevelDebug
	default:
		return LevelTrace
	}
}

// logRecord takes a record from the library, on any thread.
func logRecord(user uintptr, level int32, record cText) {
	logger, ok := valueOf(user).(*slog.Logger)
	if !ok || !logger.Enabled(context.Background(), levelIn(level)) {
		return
	}
	var values map[string]json.RawMessage
	event := goString(record)
	if json.Unmarshal([]byte(event), &values) == nil {
		event = plain(values["event"])
	}
	var attributes []slog.Attr
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if name != "event" && name != "level" {
			attributes = append(attributes, slog.String(name, plain(values[name])))
		}
	}
	logger.LogAttrs(context.Background(), levelIn(level), event, attributes...)
}

// plain is the text of a JSON string, and of anything else its JSON.
func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}
