package mcp

import "encoding/json"

// Config is the configuration of a client; docs/configuration.md has every key. Zero values take the library's defaults.
type Config struct {
	Command    string            `json:"command,omitempty"`
	Args       []string          `json:"args,omitempty"`
	Env        map[string]string `json:"env,omitempty"`
	InheritEnv string            `json:"inherit_env,omitempty"` // "default", "all" or "none"
	Cwd        string            `json:"cwd,omitempty"`
	Framing    string            `json:"framing,omitempty"` // "newline" or "content-length"
	Stderr     string            `json:"stderr,omitempty"`  // "log", "message" or "drop"
	Name       string            `json:"name,omitempty"`

	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`

	// Auth says how to log in where the server wants it, as docs/authorization.md has it; see [OnLogin].
	// An empty map is a login with a browser.
	Auth any `json:"auth,omitempty"`

	// Protocol is "auto", "legacy", "modern", a revision, or a []string of revisions.
	Protocol any             `json:"protocol,omitempty"`
	Client   *Implementation `json:"client,omitempty"`
	// Capabilities has a member for each that the program has: "sampling", "elicitation", "roots", …
	Capabilities map[string]any `json:"capabilities,omitempty"`
	Roots        []Root         `json:"roots,omitempty"`
	// Tasks lets calls of tools become tasks: true, or a map with the keys of "tasks" in docs/configuration.md.
	Tasks any `json:"tasks,omitempty"`

	Timeouts *Timeouts `json:"timeouts,omitempty"`
	// Reconnect is true, false or a [Reconnect].
	Reconnect           any      `json:"reconnect,omitempty"`
	Limits              *Limits  `json:"limits,omitempty"`
	WhenUnavailable     string   `json:"when_unavailable,omitempty"` // "fail" or "wait"
	Retry               string   `json:"retry,omitempty"`            // "never" or "safe"
	MaxRetries          *int     `json:"max_retries,omitempty"`
	TelemetrySampleRate *float64 `json:"telemetry_sample_rate,omitempty"`

	// More holds keys that this struct does not have, as those of a newer library. They go before the fields.
	More map[string]any `json:"-"`
}

// Implementation is what the server is told about the program.
type Implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

// Root is a folder that the server may work in.
type Root struct {
	URI  string `json:"uri"`
	Name string `json:"name,omitempty"`
}

// Timeouts are in milliseconds. Zero takes the default.
type Timeouts struct {
	Call       int64            `json:"call_ms,omitempty"`
	Methods    map[string]int64 `json:"methods,omitempty"`
	MaxTotal   int64            `json:"max_total_ms,omitempty"`
	Reset      bool             `json:"reset_on_progress,omitempty"`
	Probe      int64            `json:"probe_ms,omitempty"`
	Start      int64            `json:"start_ms,omitempty"`
	Initialize int64            `json:"initialize_ms,omitempty"`
	Exit       int64            `json:"exit_ms,omitempty"`
	Term       int64            `json:"term_ms,omitempty"`
	Close      int64            `json:"close_ms,omitempty"`
}

// Reconnect says how the connection is made again; times are in milliseconds.
type Reconnect struct {
	Initial     int64    `json:"initial_ms,omitempty"`
	Max         int64    `json:"max_ms,omitempty"`
	Jitter      *float64 `json:"jitter,omitempty"`
	MaxAttempts *int64   `json:"max_attempts,omitempty"`
	Stable      int64    `json:"stable_ms,omitempty"`
}

// Limits bound what may grow. Zero takes the default.
type Limits struct {
	FrameBytes      int64  `json:"frame_bytes,omitempty"`
	DiscardBytes    int64  `json:"discard_bytes,omitempty"`
	OutgoingBytes   int64  `json:"outgoing_bytes,omitempty"`
	InFlight        int64  `json:"in_flight,omitempty"`
	ServerRequests  int64  `json:"server_requests,omitempty"`
	JSONDepth       int64  `json:"json_depth,omitempty"`
	StderrLineBytes int64  `json:"stderr_line_bytes,omitempty"`
	StderrLines     int64  `json:"stderr_lines,omitempty"`
	QueueMessages   int64  `json:"queue_messages,omitempty"`
	QueueBytes      int64  `json:"queue_bytes,omitempty"`
	Overflow        string `json:"overflow,omitempty"` // "drop_oldest", "drop_newest" or "block"
}

// MarshalJSON writes the configuration as the library reads it.
func (c Config) MarshalJSON() ([]byte, error) {
	type plain Config // without this method
	fields, err := json.Marshal(plain(c))
	if err != nil || len(c.More) == 0 {
		return fields, err
	}
	all := make(map[string]json.RawMessage)
	if err := json.Unmarshal(fields, &all); err != nil {
		return nil, err
	}
	for key, value := range c.More {
		if all[key], err = json.Marshal(value); err != nil {
			return nil, err
		}
	}
	return json.Marshal(all)
}
