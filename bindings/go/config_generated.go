// Code generated from docs/reference/configuration.json by `cargo xtask bindings`. DO NOT EDIT.

package mcp

import (
	"encoding/json"
	"time"
)

// Config: The configuration of a client; docs/reference/configuration.md has more.
type Config struct {
	// The program: a path, or a name to find in `PATH`. No shell is involved. Default: this or `url`.
	Command string `json:"command,omitzero"`

	// `http://` or `https://`, as the server's documentation has it. Its path and query are sent as they are written.
	// Default: this or `command`.
	URL string `json:"url,omitzero"`

	// `"unix:/path"`, `"unix:@name"` (abstract, Linux), or `"tcp:host:port"` (`"tcp:[::1]:4000"`). The bytes are those of
	// stdio, without HTTP and TLS. For HTTP over a Unix socket use `url` with `unix_socket`. Default: instead of
	// `command`.
	Socket string `json:"socket,omitzero"`

	// As in files of editors: `"stdio"` with `command`, `"socket"` with `socket`, the others with `url`. The library
	// detects the HTTP transport of a server.
	Type string `json:"type,omitzero"`

	// Its arguments, as they are.
	Args []string `json:"args,omitzero"`

	// Variables for the server, over the inherited ones. Names must not be empty or contain `=`.
	Env map[string]string `json:"env,omitzero"`

	// What the server sees of the host's environment: some variables, everything, or nothing. Default: `"default"`.
	InheritEnv string `json:"inherit_env,omitzero"`

	// The directory it is started in. Default: the host's.
	Cwd string `json:"cwd,omitzero"`

	// Headers for every request to this origin, such as `Authorization`. They are never logged and never sent to another
	// origin. Line breaks, and headers that the protocol, HTTP or the library sets (`Mcp-*`, `Accept`, `Content-*`,
	// `Host`, `Connection`, …), are refused.
	Headers map[string]string `json:"headers,omitzero"`

	// Connect to this Unix socket instead of to the URL's host.
	UnixSocket string `json:"unix_socket,omitzero"`

	// `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` are read when the client is made, and apply to each request
	// by its own URL. Without this key this machine (`localhost`, `127.0.0.0/8`, `::1`) is never reached through a proxy;
	// with it every request is: do not set it for `http://localhost` with a token. The URL may have a user name and
	// password. `socks5h`: the proxy looks names up. Default: the environment.
	Proxy any `json:"proxy,omitzero"`

	// What TLS trusts and shows.
	TLS *TLSConfig `json:"tls,omitzero"`

	// Connections.
	HTTP *HTTPConfig `json:"http,omitzero"`

	// How to log in where the server wants it: docs/guide/authorization.md says which keys it needs.
	Auth *AuthConfig `json:"auth,omitzero"`

	// How messages are told apart: one on each line, or a `Content-Length` header before each. Default: `"newline"`.
	Framing string `json:"framing,omitzero"`

	// Where the server's stderr lines go: the logger (`server.stderr`), the queue (`MCP_KIND_STDERR`), or nowhere. The
	// last lines are also kept for errors. Default: `"log"`.
	Stderr string `json:"stderr,omitzero"`

	// What log records call this client. Default: the value of `command` or `socket`, or the origin of `url`.
	Name string `json:"name,omitzero"`

	// The times of a connection and its calls.
	Timeouts *Timeouts `json:"timeouts,omitzero"`

	// The bounds of a client and of its own queue.
	Limits *Limits `json:"limits,omitzero"`

	// `false`: when the connection is lost, or cannot be made, the client is closed. Default: `true`.
	Reconnect Switch[Reconnect] `json:"reconnect,omitzero"`

	// The permitted revisions: `"auto"` (all), `"legacy"` (up to 2025-11-25), `"modern"` (2026-07-28), one revision, or a
	// list. If a modern one is permitted, the server is probed with `server/discover` first. Default: `"auto"`.
	Protocol []string `json:"-"`

	// What the server is told about the program. `name` and `version` are filled in if absent. Default:
	// `{"name":"libmcp","version":…}`.
	Client *ClientInfo `json:"client,omitzero"`

	// What the program can do for a server: `sampling`, `elicitation`, `roots`, … `{}` enables one. `extensions` has an
	// object for each extension, by its full name (`com.example/name`). Requests that are not enabled are refused; of
	// elicitation `{}` and `{"form":{}}` enable forms, `{"url":{}}` pages to visit. Default: `{}`.
	Capabilities *ClientCapabilities `json:"capabilities,omitzero"`

	// The values of `resultType` of declared extensions. Such results are passed on unchecked and not cached; any other
	// unknown type is `MCP_ERROR_PROTOCOL`. `task` belongs to `io.modelcontextprotocol/tasks`.
	ResultTypes map[string][]string `json:"result_types,omitzero"`

	// Pages to visit: `"safe"` permits `https`, and `http` on this machine, without a user name or ambiguous characters;
	// others are refused. `"any"` passes every URL on. No page is ever fetched. Default: `"safe"`.
	ElicitationURLS string `json:"elicitation_urls,omitzero"`

	// Fixed roots: `file://` URIs, or objects with `uri`. The library declares the capability and answers `roots/list`.
	Roots []Root `json:"roots,omitzero"`

	// A call made while the client waits for its next attempt ends as `MCP_ERROR_UNAVAILABLE`, or waits within its time,
	// also during failed attempts. Default: `"fail"`.
	WhenUnavailable string `json:"when_unavailable,omitzero"`

	// A call in progress when the connection is lost ends as `MCP_ERROR_TRANSPORT`, or is sent again if it is safe to
	// repeat. Default: `"never"`.
	Retry string `json:"retry,omitzero"`

	// How often one call is sent again. From 0 to 100. Default: 2.
	MaxRetries *int64 `json:"max_retries,omitzero"`

	// A feature that the server did not declare is `MCP_ERROR_UNSUPPORTED`. Tools, resources and prompts are asked for all
	// the same, and the server's answer tells; else nothing is sent. Calls with the option `raw` are not checked. Default:
	// `true`.
	CapabilityChecks *bool `json:"capability_checks,omitzero"`

	// 2026-07-28: request every kind of change notification that the server declares, also after a loss; `false`: only
	// those of subscribed resources. Default: `true`.
	ChangeNotifications *bool `json:"change_notifications,omitzero"`

	// `structuredContent` is checked against the tool's `outputSchema` of the last `mcp_client_list_tools`. A mismatch is
	// `MCP_ERROR_PROTOCOL` with the result as `data`. From 2025-06-18 on. Default: `true`.
	ValidateResults *bool `json:"validate_results,omitzero"`

	// Arguments of `mcp_client_call_tool` are checked against `inputSchema` before they are sent; a mismatch is
	// `MCP_ERROR_INVALID_ARGUMENT`. Default: `false`.
	ValidateArguments bool `json:"validate_arguments,omitzero"`

	// The tools that may be used, by name; `*` in a name stands for any characters. Lists come without the others, and a
	// call of one of those is `MCP_ERROR_INVALID_ARGUMENT` and not sent. Files of other programs have this under names of
	// their own (`includeTools`, `enabled_tools`, …). Default: all.
	AllowTools []string `json:"allow_tools,omitzero"`

	// Tools that may not be used, also of those in `allow_tools`. With either key, raw calls of `tools/list` are held to
	// it, too, and a call with more than one `name`, in any letters, is refused.
	DenyTools []string `json:"deny_tools,omitzero"`

	// Tools may be stateful: a session in every request, and stateful calls one at a time (docs/reference/tool-modes.md).
	// Default: `"off"`.
	ToolModes string `json:"tool_modes,omitzero"`

	// Results of lists and `mcp_client_read_resource` are kept while they are fresh: `true` with the defaults below.
	// Default: `false`.
	Cache Switch[CacheConfig] `json:"cache,omitzero"`

	// Calls of tools may become tasks: `true` with the defaults below. The library declares the extension
	// `io.modelcontextprotocol/tasks`. Default: `false`.
	Tasks Switch[TasksConfig] `json:"tasks,omitzero"`

	// Texts that are discussed for the next revision (docs/reference/draft.md). They change, and are dropped, without
	// notice. Default: `[]`.
	Draft []json.RawMessage `json:"draft,omitzero"`

	// The language that the user prefers, as the header `Accept-Language` has it (`"fr-CA,fr;q=0.9"`), for every request.
	// Needs the draft `language`; the call option `meta` may have another one under
	// `io.modelcontextprotocol/acceptLanguage`.
	AcceptLanguage string `json:"accept_language,omitzero"`

	// The share of calls whose `request.start`, `request.stop` and `request.error` are logged. From 0 to 1. Default: 1.0.
	TelemetrySampleRate *float64 `json:"telemetry_sample_rate,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var configMembers = []string{"command", "url", "socket", "type", "args", "env", "inherit_env", "cwd", "headers", "unix_socket", "proxy", "tls", "http", "auth", "framing", "stderr", "name", "timeouts", "limits", "reconnect", "protocol", "client", "capabilities", "result_types", "elicitation_urls", "roots", "when_unavailable", "retry", "max_retries", "capability_checks", "change_notifications", "validate_results", "validate_arguments", "allow_tools", "deny_tools", "tool_modes", "cache", "tasks", "draft", "accept_language", "telemetry_sample_rate"}

// MarshalJSON writes the members, and those in Extra.
func (v Config) MarshalJSON() ([]byte, error) {
	type plain Config
	return encodeOpen(struct {
		plain
		Protocol any `json:"protocol,omitzero"`
	}{plain(v), oneOrMany(v.Protocol)}, v.Extra, configMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *Config) UnmarshalJSON(text []byte) (err error) {
	type plain Config
	in := struct {
		*plain
		Protocol json.RawMessage `json:"protocol"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, configMembers); err != nil {
		return err
	}
	if v.Protocol, err = decodeOneOrMany(in.Protocol, decodePlain[string]); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, configMembers)
	return err
}

// AuthConfig: The members of `auth`.
type AuthConfig struct {
	// How tokens are obtained; `"none"`: the library has nothing to do with it. Default: `"interactive"`.
	Type string `json:"type,omitzero"`

	// The id that the authorization server issued in advance.
	ClientID string `json:"client_id,omitzero"`

	// The secret that goes with `auth.client_id`. A secret: it is in no log and no error.
	ClientSecret string `json:"client_secret,omitzero"`

	// A private key in PEM (PKCS#8, or PKCS#1 for RSA), with which the client signs assertions. A secret: it is in no log
	// and no error.
	PrivateKey string `json:"private_key,omitzero"`

	// A file with such a key, instead of `auth.private_key`.
	PrivateKeyFile string `json:"private_key_file,omitzero"`

	// The id of the key at the authorization server.
	KeyID string `json:"key_id,omitzero"`

	// The algorithm that the key must have.
	SigningAlgorithm string `json:"signing_algorithm,omitzero"`

	// The application has the private key and signs on request, with `auth.signing_algorithm`, which is then required.
	Signer string `json:"signer,omitzero"`

	// How the client proves itself at the token endpoint. Default: by the credentials and the server.
	TokenEndpointAuthMethod string `json:"token_endpoint_auth_method,omitzero"`

	// The only authorization server to use, by its exact name. Required with a configured secret, private key, signer,
	// `auth.assertion` or `auth.assertion_file`. Without it, a configured client id belongs to the first authorization
	// server that used it.
	Issuer string `json:"issuer,omitzero"`

	// Instead of `auth.issuer`: configured credentials may be used at every authorization server that an MCP server names.
	// Default: `false`.
	AllowAnyIssuer bool `json:"allow_any_issuer,omitzero"`

	// The name under which the client registers itself. Default: `client.name`.
	ClientName string `json:"client_name,omitzero"`

	// Scopes to request besides those of a challenge, and instead of all that the resource lists. A stored login without
	// one of them is made again.
	Scopes []string `json:"scopes,omitzero"`

	// Whether tokens are bound to a key; `"auto"`: where the MCP server says that it accepts such tokens. Default:
	// `"auto"`.
	DPOP string `json:"dpop,omitzero"`

	// The public half (a JSON Web Key, P-256) of the key with which the application signs proofs. Default: a key of the
	// library.
	DPOPKey json.RawMessage `json:"dpop_key,omitzero"`

	// A server that publishes no metadata as a resource is treated as a server of 2025-03-26. Default: `true`.
	Legacy *bool `json:"legacy,omitzero"`

	// Addresses of private networks are permitted in URLs that servers name. Default: `false`.
	AllowPrivateAddresses bool `json:"allow_private_addresses,omitzero"`

	// Plain `http` is permitted in such URLs. Default: `false`.
	AllowHTTP bool `json:"allow_http,omitzero"`

	// The time limit of a login, without the time of the person and the application. From 1 to 31536000000 ms. Default:
	// 60000 ms.
	Limit time.Duration `json:"-"`

	// The time limit for the person and the application. From 1 to 31536000000 ms. Default: 300000 ms.
	Patience time.Duration `json:"-"`

	// How often one operation may request more scopes. From 0 to 10. Default: 2.
	StepUps *int64 `json:"step_ups,omitzero"`

	// An absolute path: the library stores logins in files there; not with `auth.store`.
	StoreDirectory string `json:"store_directory,omitzero"`

	// `"memory"`: as long as the client exists; `"application"`: the application stores logins (`"load"`, `"save"`,
	// `"unlock"`). Default: `"memory"`.
	Store string `json:"store,omitzero"`

	// `"browser"`: a browser that is redirected to this machine or the application; `"device"`: any browser, with a code
	// (RFC 8628); `"auto"`: with a code where the authorization server supports it. Default: `"browser"`.
	Flow string `json:"flow,omitzero"`

	// The URL to which the browser is redirected. Default: this machine, on a free port.
	RedirectURI string `json:"redirect_uri,omitzero"`

	// Whether the library listens there (this machine only; without a port in the URL it uses a free one). Default: `true`
	// without `auth.redirect_uri`.
	Listen *bool `json:"listen,omitzero"`

	// Why no person can log in: a login that needs a person fails with this text, before a browser is opened or a client
	// registered.
	NoLogin string `json:"no_login,omitzero"`

	// The `https` URL of the client's metadata document, by which it identifies itself.
	ClientMetadataURL string `json:"client_metadata_url,omitzero"`

	// The kind of application with which the client registers itself. Default: by `auth.redirect_uri`.
	ApplicationType string `json:"application_type,omitzero"`

	// The identity provider.
	Enterprise *AuthEnterpriseConfig `json:"enterprise,omitzero"`

	// A signed statement about the workload. Default: the application is asked. A secret: it is in no log and no error.
	Assertion string `json:"assertion,omitzero"`

	// The file from which it is read each time.
	AssertionFile string `json:"assertion_file,omitzero"`

	// The token. Default: the application is asked. A secret: it is in no log and no error.
	Token string `json:"token,omitzero"`

	// The file from which it is read each time.
	TokenFile string `json:"token_file,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var authConfigMembers = []string{"type", "client_id", "client_secret", "private_key", "private_key_file", "key_id", "signing_algorithm", "signer", "token_endpoint_auth_method", "issuer", "allow_any_issuer", "client_name", "scopes", "dpop", "dpop_key", "legacy", "allow_private_addresses", "allow_http", "limit_ms", "patience_ms", "step_ups", "store_directory", "store", "flow", "redirect_uri", "listen", "no_login", "client_metadata_url", "application_type", "enterprise", "assertion", "assertion_file", "token", "token_file"}

// MarshalJSON writes the members, and those in Extra.
func (v AuthConfig) MarshalJSON() ([]byte, error) {
	type plain AuthConfig
	return encodeOpen(struct {
		plain
		Limit    int64 `json:"limit_ms,omitzero"`
		Patience int64 `json:"patience_ms,omitzero"`
	}{plain(v), count(v.Limit, time.Millisecond), count(v.Patience, time.Millisecond)}, v.Extra, authConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *AuthConfig) UnmarshalJSON(text []byte) (err error) {
	type plain AuthConfig
	in := struct {
		*plain
		Limit    int64 `json:"limit_ms"`
		Patience int64 `json:"patience_ms"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, authConfigMembers); err != nil {
		return err
	}
	v.Limit = timeFrom(in.Limit, time.Millisecond)
	v.Patience = timeFrom(in.Patience, time.Millisecond)
	v.Extra, err = extraMembers(text, authConfigMembers)
	return err
}

// AuthEnterpriseConfig: The members of `auth.enterprise`.
type AuthEnterpriseConfig struct {
	// Its token endpoint; required.
	TokenEndpoint string `json:"token_endpoint,omitzero"`

	// The application's id there; required.
	ClientID string `json:"client_id,omitzero"`

	// The application's secret there. A secret: it is in no log and no error.
	ClientSecret string `json:"client_secret,omitzero"`

	// How the application proves itself there. Default: by the secret.
	TokenEndpointAuthMethod string `json:"token_endpoint_auth_method,omitzero"`

	// What shows who the person is. Default: the application is asked. A secret: it is in no log and no error.
	Subject string `json:"subject,omitzero"`

	// The file from which it is read each time.
	SubjectFile string `json:"subject_file,omitzero"`

	// What `subject` is. Default: `"id_token"`.
	SubjectType string `json:"subject_type,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var authEnterpriseConfigMembers = []string{"token_endpoint", "client_id", "client_secret", "token_endpoint_auth_method", "subject", "subject_file", "subject_type"}

// MarshalJSON writes the members, and those in Extra.
func (v AuthEnterpriseConfig) MarshalJSON() ([]byte, error) {
	type plain AuthEnterpriseConfig
	return encodeOpen(plain(v), v.Extra, authEnterpriseConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *AuthEnterpriseConfig) UnmarshalJSON(text []byte) (err error) {
	type plain AuthEnterpriseConfig
	if err = decodeOpen(text, (*plain)(v), authEnterpriseConfigMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, authEnterpriseConfigMembers)
	return err
}

// CacheConfig: The members of `cache`.
type CacheConfig struct {
	// Results kept. From 1 to 1000000. Default: 1000.
	Entries int64 `json:"entries,omitzero"`

	// Their bytes. From 1024 to 68719476736. Default: 16777216.
	Bytes int64 `json:"bytes,omitzero"`

	// How long results of a legacy server are fresh, for `tools/list`, `resources/list`, `resources/templates/list`,
	// `resources/read`, `prompts/list`; later servers send `ttlMs`.
	TTLMs map[string]time.Duration `json:"-"`

	// Calls of these tools drop everything kept.
	InvalidateOnTools []string `json:"invalidate_on_tools,omitzero"`

	// After `MCP_ERROR_TIMEOUT`, `MCP_ERROR_UNAVAILABLE` or `MCP_ERROR_TRANSPORT` a call gets an old result, if there is
	// one. Default: `false`.
	ServeStaleOnError bool `json:"serve_stale_on_error,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var cacheConfigMembers = []string{"entries", "bytes", "ttl_ms", "invalidate_on_tools", "serve_stale_on_error"}

// MarshalJSON writes the members, and those in Extra.
func (v CacheConfig) MarshalJSON() ([]byte, error) {
	type plain CacheConfig
	return encodeOpen(struct {
		plain
		TTLMs map[string]int64 `json:"ttl_ms,omitzero"`
	}{plain(v), countTimes(v.TTLMs)}, v.Extra, cacheConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *CacheConfig) UnmarshalJSON(text []byte) (err error) {
	type plain CacheConfig
	in := struct {
		*plain
		TTLMs map[string]int64 `json:"ttl_ms"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, cacheConfigMembers); err != nil {
		return err
	}
	v.TTLMs = timesOf(in.TTLMs)
	v.Extra, err = extraMembers(text, cacheConfigMembers)
	return err
}

// HTTPConfig: The members of `http`.
type HTTPConfig struct {
	// Whether answers may come compressed (gzip, brotli). Default: `true`.
	Compression *bool `json:"compression,omitzero"`

	// Whether cookies of the server are sent back, to its exact origin, while the client lives and its login stays the
	// same: at most 32 with 6 KiB, never stored. Default: `true`.
	Cookies *bool `json:"cookies,omitzero"`

	// Idle connections kept for the next request. From 0 to 10000. Default: 64.
	IdleConnections *int64 `json:"idle_connections,omitzero"`

	// How long they are kept. The default is less than the time after which servers usually close them. From 1 to
	// 31536000000 ms. Default: 55000 ms.
	Idle time.Duration `json:"-"`

	// HTTP/2: the interval between pings during a request, and the longest time for an answer to one. From 1 to
	// 31536000000 ms. Default: 10000 ms.
	Ping time.Duration `json:"-"`

	// Whether this client uses what others of the process found out about the era of the server at this URL, and tells
	// them. Default: `true`.
	RememberEra *bool `json:"remember_era,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var httpConfigMembers = []string{"compression", "cookies", "idle_connections", "idle_ms", "ping_ms", "remember_era"}

// MarshalJSON writes the members, and those in Extra.
func (v HTTPConfig) MarshalJSON() ([]byte, error) {
	type plain HTTPConfig
	return encodeOpen(struct {
		plain
		Idle int64 `json:"idle_ms,omitzero"`
		Ping int64 `json:"ping_ms,omitzero"`
	}{plain(v), count(v.Idle, time.Millisecond), count(v.Ping, time.Millisecond)}, v.Extra, httpConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *HTTPConfig) UnmarshalJSON(text []byte) (err error) {
	type plain HTTPConfig
	in := struct {
		*plain
		Idle int64 `json:"idle_ms"`
		Ping int64 `json:"ping_ms"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, httpConfigMembers); err != nil {
		return err
	}
	v.Idle = timeFrom(in.Idle, time.Millisecond)
	v.Ping = timeFrom(in.Ping, time.Millisecond)
	v.Extra, err = extraMembers(text, httpConfigMembers)
	return err
}

// Limits: The members of `limits`.
type Limits struct {
	// The headers of an answer, and those of all interim answers before it. From 8192 to 16777216 bytes. Default: 131072
	// bytes.
	HeaderBytes int64 `json:"header_bytes,omitzero"`

	// The largest message of the server. A larger one is thrown away as it comes, and its call ends as
	// `MCP_ERROR_TOO_LARGE`. From 1024 to 2147483648 bytes. Default: 16777216 bytes.
	FrameBytes int64 `json:"frame_bytes,omitzero"`

	// How much of one message is discarded beyond `limits.frame_bytes`, over pipes and sockets. A longer message or line
	// ends the connection, and the server is started again. From 0 to 68719476736 bytes. Default: 536870912 bytes.
	DiscardBytes *int64 `json:"discard_bytes,omitzero"`

	// Bytes that wait for the server to read them; a further call is `MCP_ERROR_BACKPRESSURE`, a blocking one after about
	// 30 ms. From 1024 to 2147483648 bytes. Default: 67108864 bytes.
	OutgoingBytes int64 `json:"outgoing_bytes,omitzero"`

	// Calls without an outcome; one more is `MCP_ERROR_BACKPRESSURE`. From 1 to 1000000. Default: 10000.
	InFlight int64 `json:"in_flight,omitzero"`

	// Requests of the server that the program has not answered; one more is refused. From 1 to 100000. Default: 256.
	ServerRequests int64 `json:"server_requests,omitzero"`

	// How deep JSON may nest, received and given. From 4 to 1000. Default: 128.
	JSONDepth int64 `json:"json_depth,omitzero"`

	// Calls of stateful tools that wait for their turn (`tool_modes`); one more is `MCP_ERROR_BACKPRESSURE`. From 1 to
	// 1000000. Default: 1000.
	StatefulCalls int64 `json:"stateful_calls,omitzero"`

	// Pages of a list that are collected into one result; one more is `MCP_ERROR_TOO_LARGE`. From 1 to 1000000. Default:
	// 1000.
	ListPages int64 `json:"list_pages,omitzero"`

	// Entries of a list. A page that the program requests (`one_page`, `cursor`) is limited by `limits.frame_bytes` only.
	// From 1 to 100000000. Default: 100000.
	ListItems int64 `json:"list_items,omitzero"`

	// Their bytes. From 1024 to 68719476736 bytes. Default: 67108864 bytes.
	ListBytes int64 `json:"list_bytes,omitzero"`

	// Files of a skill; one with more is `MCP_ERROR_TOO_LARGE` and nothing of it is read. From 1 to 1000000. Default: 512.
	SkillFiles int64 `json:"skill_files,omitzero"`

	// Their bytes, as the skill's entry says; of a dynamic skill the bytes of each file. From 1024 to 1073741824 bytes.
	// Default: 16777216 bytes.
	SkillBytes int64 `json:"skill_bytes,omitzero"`

	// Calls that are tasks at a time; one more is `MCP_ERROR_BACKPRESSURE`. From 1 to 100000. Default: 256.
	Tasks int64 `json:"tasks,omitzero"`

	// The longest stderr line kept; the rest of a longer one is dropped. From 16 to 1048576 bytes. Default: 4096 bytes.
	StderrLineBytes int64 `json:"stderr_line_bytes,omitzero"`

	// The last stderr lines kept; an error shows up to 10 of them. From 0 to 100000. Default: 50.
	StderrLines *int64 `json:"stderr_lines,omitzero"`

	// Messages that may wait in the client's own queue. From 1 to 100000000. Default: 10000.
	QueueMessages int64 `json:"queue_messages,omitzero"`

	// Their bytes. From 1024 to 68719476736 bytes. Default: 67108864 bytes.
	QueueBytes int64 `json:"queue_bytes,omitzero"`

	// When the queue is full, of the messages that need no answer (notifications, progress, states, log lines): drop the
	// oldest, drop the new one, or stop reading from the server. With `"block"` a thread that waits for a call still
	// reads, and the oldest are dropped. Default: `"drop_oldest"`.
	Overflow string `json:"overflow,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var limitsMembers = []string{"header_bytes", "frame_bytes", "discard_bytes", "outgoing_bytes", "in_flight", "server_requests", "json_depth", "stateful_calls", "list_pages", "list_items", "list_bytes", "skill_files", "skill_bytes", "tasks", "stderr_line_bytes", "stderr_lines", "queue_messages", "queue_bytes", "overflow"}

// MarshalJSON writes the members, and those in Extra.
func (v Limits) MarshalJSON() ([]byte, error) {
	type plain Limits
	return encodeOpen(plain(v), v.Extra, limitsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *Limits) UnmarshalJSON(text []byte) (err error) {
	type plain Limits
	if err = decodeOpen(text, (*plain)(v), limitsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, limitsMembers)
	return err
}

// Reconnect: The members of `reconnect`.
type Reconnect struct {
	// The first wait; each further one is twice as long. From 1 to 31536000000 ms. Default: 1000 ms.
	Initial time.Duration `json:"-"`

	// The longest wait; not less than `initial_ms`. From 1 to 31536000000 ms. Default: 30000 ms.
	Max time.Duration `json:"-"`

	// Each wait is longer or shorter by up to this share of it. From 0 to 1. Default: 0.2.
	Jitter *float64 `json:"jitter,omitzero"`

	// Attempts in a row to connect again before the client closes, without a bound if absent; the first start does not
	// count. From 0 to 4294967295.
	MaxAttempts *int64 `json:"max_attempts,omitzero"`

	// How long a connection must stay ready before the waits and the number of attempts start again. From 1 to 31536000000
	// ms. Default: 10000 ms.
	Stable time.Duration `json:"-"`

	// Attempts in a row to resume a broken stream that bring nothing new. The waits grow from 1 s to 30 s, or are at least
	// what `retry:` says. From 0 to 1000000. Default: 5.
	StreamAttempts *int64 `json:"stream_attempts,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var reconnectMembers = []string{"initial_ms", "max_ms", "jitter", "max_attempts", "stable_ms", "stream_attempts"}

// MarshalJSON writes the members, and those in Extra.
func (v Reconnect) MarshalJSON() ([]byte, error) {
	type plain Reconnect
	return encodeOpen(struct {
		plain
		Initial int64 `json:"initial_ms,omitzero"`
		Max     int64 `json:"max_ms,omitzero"`
		Stable  int64 `json:"stable_ms,omitzero"`
	}{plain(v), count(v.Initial, time.Millisecond), count(v.Max, time.Millisecond), count(v.Stable, time.Millisecond)}, v.Extra, reconnectMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *Reconnect) UnmarshalJSON(text []byte) (err error) {
	type plain Reconnect
	in := struct {
		*plain
		Initial int64 `json:"initial_ms"`
		Max     int64 `json:"max_ms"`
		Stable  int64 `json:"stable_ms"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, reconnectMembers); err != nil {
		return err
	}
	v.Initial = timeFrom(in.Initial, time.Millisecond)
	v.Max = timeFrom(in.Max, time.Millisecond)
	v.Stable = timeFrom(in.Stable, time.Millisecond)
	v.Extra, err = extraMembers(text, reconnectMembers)
	return err
}

// TasksConfig: The members of `tasks`.
type TasksConfig struct {
	// How often a task is asked for whose server does not say. From 1 to 31536000000 ms. Default: 1000 ms.
	Poll time.Duration `json:"-"`

	// The least such time, whatever the server says. From 1 to 31536000000 ms. Default: 100 ms.
	PollMin time.Duration `json:"-"`

	// The longest such time, whatever the server says; not less than `poll_min_ms`. From 1 to 31536000000 ms. Default:
	// 60000 ms.
	PollMax time.Duration `json:"-"`

	// 2025-11-25: how long the server is asked to keep a task. From 1 to 31536000000 ms.
	TTL time.Duration `json:"-"`

	// The most that a call may take that has become a task, unless it has the option `max_total_ms`. From 1 to 31536000000
	// ms. Default: 3600000 ms.
	Life time.Duration `json:"-"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var tasksConfigMembers = []string{"poll_ms", "poll_min_ms", "poll_max_ms", "ttl_ms", "life_ms"}

// MarshalJSON writes the members, and those in Extra.
func (v TasksConfig) MarshalJSON() ([]byte, error) {
	type plain TasksConfig
	return encodeOpen(struct {
		plain
		Poll    int64 `json:"poll_ms,omitzero"`
		PollMin int64 `json:"poll_min_ms,omitzero"`
		PollMax int64 `json:"poll_max_ms,omitzero"`
		TTL     int64 `json:"ttl_ms,omitzero"`
		Life    int64 `json:"life_ms,omitzero"`
	}{plain(v), count(v.Poll, time.Millisecond), count(v.PollMin, time.Millisecond), count(v.PollMax, time.Millisecond), count(v.TTL, time.Millisecond), count(v.Life, time.Millisecond)}, v.Extra, tasksConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *TasksConfig) UnmarshalJSON(text []byte) (err error) {
	type plain TasksConfig
	in := struct {
		*plain
		Poll    int64 `json:"poll_ms"`
		PollMin int64 `json:"poll_min_ms"`
		PollMax int64 `json:"poll_max_ms"`
		TTL     int64 `json:"ttl_ms"`
		Life    int64 `json:"life_ms"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, tasksConfigMembers); err != nil {
		return err
	}
	v.Poll = timeFrom(in.Poll, time.Millisecond)
	v.PollMin = timeFrom(in.PollMin, time.Millisecond)
	v.PollMax = timeFrom(in.PollMax, time.Millisecond)
	v.TTL = timeFrom(in.TTL, time.Millisecond)
	v.Life = timeFrom(in.Life, time.Millisecond)
	v.Extra, err = extraMembers(text, tasksConfigMembers)
	return err
}

// Timeouts: The members of `timeouts`.
type Timeouts struct {
	// One call. From 1 to 31536000000 ms. Default: 30000 ms.
	Call time.Duration `json:"-"`

	// One call of that method, instead of `call_ms`. For `server/discover` and `initialize` it goes before the two keys
	// below.
	Methods map[string]time.Duration `json:"-"`

	// The answer to `initialize`. From 1 to 31536000000 ms. Default: 20000 ms.
	Initialize time.Duration `json:"-"`

	// The answer to `server/discover`. Then the library sends `initialize`, if `protocol` permits it; a late answer still
	// counts. From 1 to 31536000000 ms. Default: 2000 ms.
	Probe time.Duration `json:"-"`

	// The time in which the process of a server must begin to read or to write; the two timeouts below start then. From 1
	// to 31536000000 ms. Default: 30000 ms.
	Start time.Duration `json:"-"`

	// The most that a call may take, however much progress is reported; at least the call's own time. From 1 to
	// 31536000000 ms. Default: 600000 ms.
	MaxTotal time.Duration `json:"-"`

	// Progress restarts the timeout of a call. Servers report progress only for calls with the option `progress`. Default:
	// `false`.
	ResetOnProgress bool `json:"reset_on_progress,omitzero"`

	// How long a legacy connection waits for the stream of the server's messages before it is ready, and again for
	// restored subscriptions. From 1 to 31536000000 ms. Default: 2000 ms.
	Listen time.Duration `json:"-"`

	// Name look-up, proxy, connecting and TLS. Several addresses of a name share this time. With HTTP+SSE also the first
	// event. From 1 to 31536000000 ms. Default: 10000 ms.
	Connect time.Duration `json:"-"`

	// The time for a server to exit, or to close its side of a socket, after the client has closed its own; then SIGTERM.
	// From 1 to 31536000000 ms. Default: 1000 ms.
	Exit time.Duration `json:"-"`

	// How long it may take after SIGTERM, before SIGKILL. From 1 to 31536000000 ms. Default: 500 ms.
	Term time.Duration `json:"-"`

	// The whole time of `mcp_client_free`, and of `mcp_client_close` with -1. Waiting for a killed process may take 500 ms
	// more. From 1 to 31536000000 ms. Default: 2000 ms.
	Close time.Duration `json:"-"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var timeoutsMembers = []string{"call_ms", "methods", "initialize_ms", "probe_ms", "start_ms", "max_total_ms", "reset_on_progress", "listen_ms", "connect_ms", "exit_ms", "term_ms", "close_ms"}

// MarshalJSON writes the members, and those in Extra.
func (v Timeouts) MarshalJSON() ([]byte, error) {
	type plain Timeouts
	return encodeOpen(struct {
		plain
		Call       int64            `json:"call_ms,omitzero"`
		Methods    map[string]int64 `json:"methods,omitzero"`
		Initialize int64            `json:"initialize_ms,omitzero"`
		Probe      int64            `json:"probe_ms,omitzero"`
		Start      int64            `json:"start_ms,omitzero"`
		MaxTotal   int64            `json:"max_total_ms,omitzero"`
		Listen     int64            `json:"listen_ms,omitzero"`
		Connect    int64            `json:"connect_ms,omitzero"`
		Exit       int64            `json:"exit_ms,omitzero"`
		Term       int64            `json:"term_ms,omitzero"`
		Close      int64            `json:"close_ms,omitzero"`
	}{plain(v), count(v.Call, time.Millisecond), countTimes(v.Methods), count(v.Initialize, time.Millisecond), count(v.Probe, time.Millisecond), count(v.Start, time.Millisecond), count(v.MaxTotal, time.Millisecond), count(v.Listen, time.Millisecond), count(v.Connect, time.Millisecond), count(v.Exit, time.Millisecond), count(v.Term, time.Millisecond), count(v.Close, time.Millisecond)}, v.Extra, timeoutsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *Timeouts) UnmarshalJSON(text []byte) (err error) {
	type plain Timeouts
	in := struct {
		*plain
		Call       int64            `json:"call_ms"`
		Methods    map[string]int64 `json:"methods"`
		Initialize int64            `json:"initialize_ms"`
		Probe      int64            `json:"probe_ms"`
		Start      int64            `json:"start_ms"`
		MaxTotal   int64            `json:"max_total_ms"`
		Listen     int64            `json:"listen_ms"`
		Connect    int64            `json:"connect_ms"`
		Exit       int64            `json:"exit_ms"`
		Term       int64            `json:"term_ms"`
		Close      int64            `json:"close_ms"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, timeoutsMembers); err != nil {
		return err
	}
	v.Call = timeFrom(in.Call, time.Millisecond)
	v.Methods = timesOf(in.Methods)
	v.Initialize = timeFrom(in.Initialize, time.Millisecond)
	v.Probe = timeFrom(in.Probe, time.Millisecond)
	v.Start = timeFrom(in.Start, time.Millisecond)
	v.MaxTotal = timeFrom(in.MaxTotal, time.Millisecond)
	v.Listen = timeFrom(in.Listen, time.Millisecond)
	v.Connect = timeFrom(in.Connect, time.Millisecond)
	v.Exit = timeFrom(in.Exit, time.Millisecond)
	v.Term = timeFrom(in.Term, time.Millisecond)
	v.Close = timeFrom(in.Close, time.Millisecond)
	v.Extra, err = extraMembers(text, timeoutsMembers)
	return err
}

// TLSConfig: The members of `tls`.
type TLSConfig struct {
	// A PEM file of certificate authorities to trust. They are trusted for the authorization servers of a login too.
	CAFile string `json:"ca_file,omitzero"`

	// Whether authorities of the system are trusted. They are located (`SSL_CERT_FILE`, `SSL_CERT_DIR`, system folders)
	// when the client is made. Default: `true`.
	SystemRoots *bool `json:"system_roots,omitzero"`

	// A PEM file: the certificate to show to a server that asks for one; with `client_key`.
	ClientCertificate string `json:"client_certificate,omitzero"`

	// A PEM file: the key of `client_certificate`.
	ClientKey string `json:"client_key,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var tlsConfigMembers = []string{"ca_file", "system_roots", "client_certificate", "client_key"}

// MarshalJSON writes the members, and those in Extra.
func (v TLSConfig) MarshalJSON() ([]byte, error) {
	type plain TLSConfig
	return encodeOpen(plain(v), v.Extra, tlsConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *TLSConfig) UnmarshalJSON(text []byte) (err error) {
	type plain TLSConfig
	if err = decodeOpen(text, (*plain)(v), tlsConfigMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, tlsConfigMembers)
	return err
}

// QueueConfig: The bounds of a queue that several clients share.
type QueueConfig struct {
	// Messages that may wait in the client's own queue. From 1 to 100000000. Default: 10000.
	QueueMessages int64 `json:"queue_messages,omitzero"`

	// Their bytes. From 1024 to 68719476736 bytes. Default: 67108864 bytes.
	QueueBytes int64 `json:"queue_bytes,omitzero"`

	// When the queue is full, of the messages that need no answer (notifications, progress, states, log lines): drop the
	// oldest, drop the new one, or stop reading from the server. With `"block"` a thread that waits for a call still
	// reads, and the oldest are dropped. Default: `"drop_oldest"`.
	Overflow string `json:"overflow,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var queueConfigMembers = []string{"queue_messages", "queue_bytes", "overflow"}

// MarshalJSON writes the members, and those in Extra.
func (v QueueConfig) MarshalJSON() ([]byte, error) {
	type plain QueueConfig
	return encodeOpen(plain(v), v.Extra, queueConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *QueueConfig) UnmarshalJSON(text []byte) (err error) {
	type plain QueueConfig
	if err = decodeOpen(text, (*plain)(v), queueConfigMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, queueConfigMembers)
	return err
}

// CallOptions: The options of one call.
type CallOptions struct {
	// The time of this call. From 1 to 31536000000 ms. Default: by `timeouts`.
	Timeout time.Duration `json:"-"`

	// The most it may take, progress or not. From 1 to 31536000000 ms. Default: `timeouts.max_total_ms`, or `timeout_ms`
	// if that is larger.
	MaxTotal time.Duration `json:"-"`

	// Progress restarts the timeout of this call. Default: `timeouts.reset_on_progress`.
	ResetOnProgress *bool `json:"reset_on_progress,omitzero"`

	// Asks the server for progress; it comes as `MCP_KIND_PROGRESS` messages. Default: `false`.
	Progress bool `json:"progress,omitzero"`

	// Members of the request's `_meta`. Names have letters, digits, `-`, `_` and `.`, and may have a prefix such as
	// `com.example/`. Names that the library sets (`progressToken`, and some of `io.modelcontextprotocol/`) are refused.
	// Default: `{}`.
	Meta json.RawMessage `json:"meta,omitzero"`

	// The trace of the call (W3C Trace Context), for `_meta`; must be well formed. It overrides the one in `meta`.
	Traceparent string `json:"traceparent,omitzero"`

	// The application's span that makes the call, written as `traceparent`: the call's own span is its child, and goes out
	// if the call is recorded ([OpenTelemetry](../guide/telemetry.md)); else this goes out. A `traceparent` that is given,
	// too, overrides it.
	Parent string `json:"parent,omitzero"`

	// What systems for tracing add to `traceparent` (W3C Trace Context); the same holds.
	Tracestate string `json:"tracestate,omitzero"`

	// Properties of the trace (W3C Baggage); the same holds.
	Baggage string `json:"baggage,omitzero"`

	// 2026-07-28: the lowest level of log messages during this call. Older revisions have one level for all calls
	// (`mcp_client_set_server_log_level`).
	LogLevel string `json:"log_level,omitzero"`

	// As above, for this call. Default: `retry`.
	Retry string `json:"retry,omitzero"`

	// As above, for this call. Default: `when_unavailable`.
	WhenUnavailable string `json:"when_unavailable,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var callOptionsMembers = []string{"timeout_ms", "max_total_ms", "reset_on_progress", "progress", "meta", "traceparent", "parent", "tracestate", "baggage", "log_level", "retry", "when_unavailable"}

// MarshalJSON writes the members, and those in Extra.
func (v CallOptions) MarshalJSON() ([]byte, error) {
	type plain CallOptions
	return encodeOpen(struct {
		plain
		Timeout  int64 `json:"timeout_ms,omitzero"`
		MaxTotal int64 `json:"max_total_ms,omitzero"`
	}{plain(v), count(v.Timeout, time.Millisecond), count(v.MaxTotal, time.Millisecond)}, v.Extra, callOptionsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *CallOptions) UnmarshalJSON(text []byte) (err error) {
	type plain CallOptions
	in := struct {
		*plain
		Timeout  int64 `json:"timeout_ms"`
		MaxTotal int64 `json:"max_total_ms"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, callOptionsMembers); err != nil {
		return err
	}
	v.Timeout = timeFrom(in.Timeout, time.Millisecond)
	v.MaxTotal = timeFrom(in.MaxTotal, time.Millisecond)
	v.Extra, err = extraMembers(text, callOptionsMembers)
	return err
}

// FeatureOptions: What some calls of features have besides.
type FeatureOptions struct {
	// `mcp_call`, `mcp_call_start`: sends the method with its parameters as they are and hands over the result as it is:
	// no check of capabilities, no further pages, nothing kept, no check of the result. Default: `false`.
	Raw bool `json:"raw,omitzero"`

	// Lists: read the page at this cursor and no other.
	Cursor string `json:"cursor,omitzero"`

	// Take a kept result that is fresh; ask the server and keep what it says; leave what is kept alone. Default: `"use"`.
	Cache string `json:"cache,omitzero"`

	// Lists: read the first page only; `nextCursor` in the result is the cursor of the next. Default: `false`.
	OnePage bool `json:"one_page,omitzero"`

	// `mcp_client_load_skill`, `mcp_client_read_skill_file`: also files of a dynamic skill, which cannot be checked.
	// Default: `false`.
	AllowDynamic bool `json:"allow_dynamic,omitzero"`

	// `tools/call`: as a task, or not as one (docs/guide/tasks.md). Default: as the tool says.
	Task *bool `json:"task,omitzero"`

	// `tools/call`, 2025-11-25: how long the server is asked to keep the task. From 1 to 31536000000 ms. Default:
	// `tasks.ttl_ms`.
	TaskTTL time.Duration `json:"-"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var featureOptionsMembers = []string{"raw", "cursor", "cache", "one_page", "allow_dynamic", "task", "task_ttl_ms"}

// MarshalJSON writes the members, and those in Extra.
func (v FeatureOptions) MarshalJSON() ([]byte, error) {
	type plain FeatureOptions
	return encodeOpen(struct {
		plain
		TaskTTL int64 `json:"task_ttl_ms,omitzero"`
	}{plain(v), count(v.TaskTTL, time.Millisecond)}, v.Extra, featureOptionsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *FeatureOptions) UnmarshalJSON(text []byte) (err error) {
	type plain FeatureOptions
	in := struct {
		*plain
		TaskTTL int64 `json:"task_ttl_ms"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, featureOptionsMembers); err != nil {
		return err
	}
	v.TaskTTL = timeFrom(in.TaskTTL, time.Millisecond)
	v.Extra, err = extraMembers(text, featureOptionsMembers)
	return err
}

// ServerConfig: The configuration of a server; docs/reference/server-configuration.md has more.
type ServerConfig struct {
	// What the server is called; necessary.
	Name string `json:"name,omitzero"`

	// Its version. Default: `"0"`.
	Version string `json:"version,omitzero"`

	// A name for people.
	Title string `json:"title,omitzero"`

	// What it is for.
	Description string `json:"description,omitzero"`

	// Its website.
	WebsiteURL string `json:"website_url,omitzero"`

	// Its icons, as the specification has them.
	Icons []Icon `json:"icons,omitzero"`

	// What a model should know to use the server.
	Instructions string `json:"instructions,omitzero"`

	// The permitted revisions: `"auto"` (all), `"legacy"` (up to 2025-11-25), `"modern"` (2026-07-28), one of them, or a
	// list. Default: `"auto"`.
	Protocol []string `json:"-"`

	// Entries of one page of a list. From 1 to 1000000. Default: 100.
	PageSize int64 `json:"page_size,omitzero"`

	// Threads of the library that run handlers. With 0 only threads of the application run them, in `mcp_server_run`,
	// `mcp_server_poll` or `mcp_queue_poll`. From 0 to 256. Default: 0.
	Workers int64 `json:"workers,omitzero"`

	// How messages are told apart over byte streams: one on each line, or a `Content-Length` header before each. Default:
	// `"newline"`.
	Framing string `json:"framing,omitzero"`

	// The least severe log message for a client of the legacy era that has not set a level. Default: `"info"`.
	LogLevel string `json:"log_level,omitzero"`

	// Bounds.
	Limits *ServerLimits `json:"limits,omitzero"`

	// Times.
	Timeouts *ServerTimeouts `json:"timeouts,omitzero"`

	// How long clients may keep results (2026-07-28).
	Cache *ServerCacheConfig `json:"cache,omitzero"`

	// What is checked of what clients and handlers send.
	Checks *ServerChecksConfig `json:"checks,omitzero"`

	// A structured result of a tool that has no text gets its JSON as one, for clients that read text only. Default:
	// `true`.
	StructuredAsText *bool `json:"structured_as_text,omitzero"`

	// What is announced.
	Announce *ServerAnnounceConfig `json:"announce,omitzero"`

	// Who may use the server over HTTP; without it everybody who reaches it. docs/guide/serving-http.md has more.
	Auth *ServerAuthConfig `json:"auth,omitzero"`

	// What names of sessions over HTTP are (legacy era): random, known to the process that made them, and with a store to
	// all; or sealed with `request_state.keys`, so that every process with the same keys goes on with a session. Default:
	// `"random"`.
	SessionNames string `json:"session_names,omitzero"`

	// A store that the processes of the server share.
	Store *ServerStoreConfig `json:"store,omitzero"`

	// Texts that are discussed for the next revision (docs/reference/draft.md). They change, and are dropped, without
	// notice. Default: `[]`.
	Draft []json.RawMessage `json:"draft,omitzero"`

	// The languages in which handlers answer, the default first (`["en","fr-CA"]`). Needs the draft `language`; a handler
	// finds the one of its request in `mcp_request_context` under `language`.
	Languages []string `json:"languages,omitzero"`

	// How request states are sealed (2026-07-28).
	RequestState *ServerRequestStateConfig `json:"request_state,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverConfigMembers = []string{"name", "version", "title", "description", "website_url", "icons", "instructions", "protocol", "page_size", "workers", "framing", "log_level", "limits", "timeouts", "cache", "checks", "structured_as_text", "announce", "auth", "session_names", "store", "draft", "languages", "request_state"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerConfig) MarshalJSON() ([]byte, error) {
	type plain ServerConfig
	return encodeOpen(struct {
		plain
		Protocol any `json:"protocol,omitzero"`
	}{plain(v), oneOrMany(v.Protocol)}, v.Extra, serverConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerConfig) UnmarshalJSON(text []byte) (err error) {
	type plain ServerConfig
	in := struct {
		*plain
		Protocol json.RawMessage `json:"protocol"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, serverConfigMembers); err != nil {
		return err
	}
	if v.Protocol, err = decodeOneOrMany(in.Protocol, decodePlain[string]); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, serverConfigMembers)
	return err
}

// ServerAnnounceConfig: The members of `announce`.
type ServerAnnounceConfig struct {
	// Tools, although there are none yet. Default: `false`.
	Tools bool `json:"tools,omitzero"`

	// Resources, although there are none yet. Default: `false`.
	Resources bool `json:"resources,omitzero"`

	// Prompts, although there are none yet. Default: `false`.
	Prompts bool `json:"prompts,omitzero"`

	// Log messages are sent to clients that want them. Default: `false`.
	Logging bool `json:"logging,omitzero"`

	// Streams of `subscriptions/listen` (2026-07-28). Without them clients of that revision are told of no change.
	// Default: `true`.
	Listen *bool `json:"listen,omitzero"`

	// Notifications of extensions that `mcp_server_notify` also sends to streams of `subscriptions/listen`, by member of
	// the filter: `{"com.example/renderChanged":"notifications/com.example/render_changed"}`; at most 64. Default: `{}`.
	Notifications json.RawMessage `json:"notifications,omitzero"`

	// Results of 2026-07-28 name the server in their `_meta`. Default: `true`.
	NameInResults *bool `json:"name_in_results,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverAnnounceConfigMembers = []string{"tools", "resources", "prompts", "logging", "listen", "notifications", "name_in_results"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerAnnounceConfig) MarshalJSON() ([]byte, error) {
	type plain ServerAnnounceConfig
	return encodeOpen(plain(v), v.Extra, serverAnnounceConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerAnnounceConfig) UnmarshalJSON(text []byte) (err error) {
	type plain ServerAnnounceConfig
	if err = decodeOpen(text, (*plain)(v), serverAnnounceConfigMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, serverAnnounceConfigMembers)
	return err
}

// ServerAuthConfig: The members of `auth`.
type ServerAuthConfig struct {
	// The public URL of the server, which tokens are for; without it the URL that is served.
	Resource string `json:"resource,omitzero"`

	// A name of the server for people who are asked for their consent.
	ResourceName string `json:"resource_name,omitzero"`

	// The issuers of tokens for this server; required without `tokens` and `application`. Default: `[]`.
	AuthorizationServers []string `json:"authorization_servers,omitzero"`

	// What every request needs, and what clients ask for at first. Default: `[]`.
	Scopes []string `json:"scopes,omitzero"`

	// Which scopes include others: object: scope → list of scopes.
	ImpliedScopes map[string][]string `json:"implied_scopes,omitzero"`

	// What tools need besides: object: name → list of scopes.
	Tools map[string][]string `json:"tools,omitzero"`

	// What prompts need besides: object: name → list of scopes.
	Prompts map[string][]string `json:"prompts,omitzero"`

	// What resources and templates need besides: object: URI, or text of a template as it was added → list of scopes.
	Resources map[string][]string `json:"resources,omitzero"`

	// What methods need besides: object: method → list of scopes.
	Methods map[string][]string `json:"methods,omitzero"`

	// What lists have: what their reader's scopes allow, or all, so that a client finds out what more scopes would give.
	// Default: `"allowed"`.
	Lists string `json:"lists,omitzero"`

	// Whose tokens are good: the text in `iss`; without it the authorization servers. Default: `[]`.
	Issuers []string `json:"issuers,omitzero"`

	// Who tokens are for: a text in `aud`; without it the resource. Default: `[]`.
	Audience []string `json:"audience,omitzero"`

	// How tokens may be signed. Default: `["ES256","ES384","EdDSA","RS256","PS256"]`.
	Algorithms []string `json:"algorithms,omitzero"`

	// The `typ` that tokens must have, such as `at+jwt`; without it none, `JWT` or `at+jwt`.
	TokenType string `json:"token_type,omitzero"`

	// How much clocks may differ. From 1 to 31536000000 ms. Default: 60000 ms.
	Leeway time.Duration `json:"-"`

	// Where the keys are that sign tokens.
	JWKSURL string `json:"jwks_url,omitzero"`

	// The keys themselves.
	JWKS json.RawMessage `json:"jwks,omitzero"`

	// Keys that are taken of one set. From 1 to 10000. Default: 100.
	Keys int64 `json:"keys,omitzero"`

	// Bytes of a set of keys. From 256 to 16777216 bytes. Default: 262144 bytes.
	KeysBytes int64 `json:"keys_bytes,omitzero"`

	// How long keys are used before they are fetched again. From 1 to 31536000000 ms. Default: 3600000 ms.
	KeysTime time.Duration `json:"-"`

	// How long they are used when they cannot be fetched. From 1 to 31536000000 ms. Default: 86400000 ms.
	KeysStale time.Duration `json:"-"`

	// The least time between two fetches, whatever tokens come. From 1 to 31536000000 ms. Default: 30000 ms.
	KeysPause time.Duration `json:"-"`

	// The authorization server is asked about tokens.
	Introspection *ServerAuthIntrospectionConfig `json:"introspection,omitzero"`

	// The application is asked about tokens: each is a message of kind `auth` that it answers. Default: `false`.
	Application bool `json:"application,omitzero"`

	// Fixed tokens: objects with `sha256` (the hexadecimal digest), `principal` and `scopes`; at most 1000. Default: `[]`.
	Tokens []json.RawMessage `json:"tokens,omitzero"`

	// A file with more of them, a JSON list like `tokens`; it is read again when it has changed. When it is removed, its
	// tokens are good no longer; when it is wrong, the last ones stay, and the log says why.
	TokensFile string `json:"tokens_file,omitzero"`

	// What the authorization server or the application has for an answer. From 1 to 31536000000 ms. Default: 10000 ms.
	Timeout time.Duration `json:"-"`

	// Tokens of each URL that are being checked elsewhere. One client has at most half of what the others leave; a further
	// request gets status 503. From 1 to 100000. Default: 256.
	Questions int64 `json:"questions,omitzero"`

	// How long their answers are kept. From 0 to 86400000 ms. Default: 60000 ms.
	Remember *time.Duration `json:"-"`

	// Answers that are kept. From 0 to 10000000. Default: 10000.
	Remembered *int64 `json:"remembered,omitzero"`

	// Proofs of possession (RFC 9449): not taken, taken with tokens that are bound to a key, or needed. With a store each
	// must have the nonce that the server gives. Default: `"off"`.
	DPOP string `json:"dpop,omitzero"`

	// How old a proof may be, in seconds. From 1 to 3600 s. Default: 60 s.
	DPOPTime time.Duration `json:"-"`

	// Proofs that are remembered, so that none is accepted twice. At the limit the principal with most loses its oldest,
	// and gets status 503 for equally old ones. With a store they are noted there instead. From 1 to 10000000. Default:
	// 100000.
	DPOPProofs int64 `json:"dpop_proofs,omitzero"`

	// A PEM file with certificates to trust, besides those of the system, where keys are fetched and tokens asked about.
	CAFile string `json:"ca_file,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverAuthConfigMembers = []string{"resource", "resource_name", "authorization_servers", "scopes", "implied_scopes", "tools", "prompts", "resources", "methods", "lists", "issuers", "audience", "algorithms", "token_type", "leeway_ms", "jwks_url", "jwks", "keys", "keys_bytes", "keys_ms", "keys_stale_ms", "keys_pause_ms", "introspection", "application", "tokens", "tokens_file", "timeout_ms", "questions", "remember_ms", "remembered", "dpop", "dpop_seconds", "dpop_proofs", "ca_file"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerAuthConfig) MarshalJSON() ([]byte, error) {
	type plain ServerAuthConfig
	return encodeOpen(struct {
		plain
		Leeway    int64  `json:"leeway_ms,omitzero"`
		KeysTime  int64  `json:"keys_ms,omitzero"`
		KeysStale int64  `json:"keys_stale_ms,omitzero"`
		KeysPause int64  `json:"keys_pause_ms,omitzero"`
		Timeout   int64  `json:"timeout_ms,omitzero"`
		Remember  *int64 `json:"remember_ms,omitzero"`
		DPOPTime  int64  `json:"dpop_seconds,omitzero"`
	}{plain(v), count(v.Leeway, time.Millisecond), count(v.KeysTime, time.Millisecond), count(v.KeysStale, time.Millisecond), count(v.KeysPause, time.Millisecond), count(v.Timeout, time.Millisecond), countTime(v.Remember, time.Millisecond), count(v.DPOPTime, time.Second)}, v.Extra, serverAuthConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerAuthConfig) UnmarshalJSON(text []byte) (err error) {
	type plain ServerAuthConfig
	in := struct {
		*plain
		Leeway    int64  `json:"leeway_ms"`
		KeysTime  int64  `json:"keys_ms"`
		KeysStale int64  `json:"keys_stale_ms"`
		KeysPause int64  `json:"keys_pause_ms"`
		Timeout   int64  `json:"timeout_ms"`
		Remember  *int64 `json:"remember_ms"`
		DPOPTime  int64  `json:"dpop_seconds"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, serverAuthConfigMembers); err != nil {
		return err
	}
	v.Leeway = timeFrom(in.Leeway, time.Millisecond)
	v.KeysTime = timeFrom(in.KeysTime, time.Millisecond)
	v.KeysStale = timeFrom(in.KeysStale, time.Millisecond)
	v.KeysPause = timeFrom(in.KeysPause, time.Millisecond)
	v.Timeout = timeFrom(in.Timeout, time.Millisecond)
	v.Remember = timeOf(in.Remember, time.Millisecond)
	v.DPOPTime = timeFrom(in.DPOPTime, time.Second)
	v.Extra, err = extraMembers(text, serverAuthConfigMembers)
	return err
}

// ServerAuthIntrospectionConfig: The members of `auth.introspection`.
type ServerAuthIntrospectionConfig struct {
	// The endpoint (RFC 7662); necessary.
	URL string `json:"url,omitzero"`

	// Who the server is there.
	ClientID string `json:"client_id,omitzero"`

	// Its secret, sent in the header `Authorization`.
	ClientSecret string `json:"client_secret,omitzero"`

	// Answers must name this server as the audience. Without this a token for another server of the same issuer is good
	// here. Default: `true`.
	CheckAudience *bool `json:"check_audience,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverAuthIntrospectionConfigMembers = []string{"url", "client_id", "client_secret", "check_audience"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerAuthIntrospectionConfig) MarshalJSON() ([]byte, error) {
	type plain ServerAuthIntrospectionConfig
	return encodeOpen(plain(v), v.Extra, serverAuthIntrospectionConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerAuthIntrospectionConfig) UnmarshalJSON(text []byte) (err error) {
	type plain ServerAuthIntrospectionConfig
	if err = decodeOpen(text, (*plain)(v), serverAuthIntrospectionConfigMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, serverAuthIntrospectionConfigMembers)
	return err
}

// ServerCacheConfig: The members of `cache`.
type ServerCacheConfig struct {
	// How long, in milliseconds; 0 for not at all. From 0 to 31536000000 ms. Default: 0 ms.
	TTL time.Duration `json:"-"`

	// Who may keep them: one user's cache, or a cache that several users share. Default: `"private"`.
	Scope string `json:"scope,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverCacheConfigMembers = []string{"ttl_ms", "scope"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerCacheConfig) MarshalJSON() ([]byte, error) {
	type plain ServerCacheConfig
	return encodeOpen(struct {
		plain
		TTL int64 `json:"ttl_ms,omitzero"`
	}{plain(v), count(v.TTL, time.Millisecond)}, v.Extra, serverCacheConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerCacheConfig) UnmarshalJSON(text []byte) (err error) {
	type plain ServerCacheConfig
	in := struct {
		*plain
		TTL int64 `json:"ttl_ms"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, serverCacheConfigMembers); err != nil {
		return err
	}
	v.TTL = timeFrom(in.TTL, time.Millisecond)
	v.Extra, err = extraMembers(text, serverCacheConfigMembers)
	return err
}

// ServerChecksConfig: The members of `checks`.
type ServerChecksConfig struct {
	// Definitions of tools, resources and prompts, when they are added. If off, a schema that cannot be used checks
	// nothing. Default: `true`.
	Definitions *bool `json:"definitions,omitzero"`

	// Arguments against the tool's `inputSchema`, before the handler runs. Default: `true`.
	Arguments *bool `json:"arguments,omitzero"`

	// Results against the tool's `outputSchema`, before they are sent. Default: `true`.
	Results *bool `json:"results,omitzero"`

	// What handlers give: content blocks of tools and prompts, contents of resources. Default: `true`.
	Content *bool `json:"content,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverChecksConfigMembers = []string{"definitions", "arguments", "results", "content"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerChecksConfig) MarshalJSON() ([]byte, error) {
	type plain ServerChecksConfig
	return encodeOpen(plain(v), v.Extra, serverChecksConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerChecksConfig) UnmarshalJSON(text []byte) (err error) {
	type plain ServerChecksConfig
	if err = decodeOpen(text, (*plain)(v), serverChecksConfigMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, serverChecksConfigMembers)
	return err
}

// ServerLimits: The members of `limits`.
type ServerLimits struct {
	// The largest message of a client; a larger one is skipped as it comes and refused. From 1024 to 2147483648 bytes.
	// Default: 16777216 bytes.
	FrameBytes int64 `json:"frame_bytes,omitzero"`

	// How much of one message is skipped beyond `limits.frame_bytes`. A message without an end within both ends the
	// session. From 0 to 68719476736 bytes. Default: 536870912 bytes.
	DiscardBytes *int64 `json:"discard_bytes,omitzero"`

	// When more than this waits for a client to read it, its session ends. From 1024 to 2147483648 bytes. Default:
	// 67108864 bytes.
	OutgoingBytes int64 `json:"outgoing_bytes,omitzero"`

	// Bytes held for all clients: bodies in progress, unread answers and notifications, kept events. At the limit kept
	// events are dropped, then the slowest connections of the largest holder end; the largest holder itself is refused. No
	// message may be larger. From 1048576 to 68719476736 bytes. Default: 268435456 bytes.
	SharedBytes int64 `json:"shared_bytes,omitzero"`

	// The lowest rate of a request body over 64 KiB, after `timeouts.body_grace_ms`; 0 for none. From 0 to 1073741824.
	// Default: 16384.
	BodyBytesPerSecond *int64 `json:"body_bytes_per_second,omitzero"`

	// The largest file that is read below a folder of `mcp_server_add_folder` or `mcp_server_add_skills`. From 0 to
	// 1073741824 bytes. Default: 8388608 bytes.
	FileBytes *int64 `json:"file_bytes,omitzero"`

	// HTTP connections of each URL. At the limit an unused one ends, else an idle one of the address that has most;
	// otherwise the new one is refused. From 1 to 1000000. Default: 10000.
	Connections int64 `json:"connections,omitzero"`

	// The head of an HTTP request. From 8192 to 16777216 bytes. Default: 65536 bytes.
	HeadBytes int64 `json:"head_bytes,omitzero"`

	// Events of one session of HTTP (legacy era) that are kept for a client whose stream broke off. From 0 to 1000000.
	// Default: 1000.
	SessionEvents *int64 `json:"session_events,omitzero"`

	// Their bytes. Those of all sessions count against `limits.shared_bytes`. From 0 to 1073741824 bytes. Default: 4194304
	// bytes.
	SessionEventBytes *int64 `json:"session_event_bytes,omitzero"`

	// Sessions. At the limit an unused one ends, else the least recently used one of the principal or address that has
	// most. From 1 to 1000000. Default: 10000.
	Sessions int64 `json:"sessions,omitzero"`

	// Requests of one session that the application has not answered. A further one waits. From 1 to 1000000. Default:
	// 10000.
	SessionRequests int64 `json:"session_requests,omitzero"`

	// The same for all sessions together. One client has at most half of what the others leave. From 1 to 1000000.
	// Default: 20000.
	Requests int64 `json:"requests,omitzero"`

	// Bytes of unanswered requests over 1 KiB. One client has at most half of what the others leave; a further one waits.
	// A larger one is accepted alone. From 1024 to 68719476736 bytes. Default: 268435456 bytes.
	RequestBytes int64 `json:"request_bytes,omitzero"`

	// Requests of one session that wait, within `timeouts.request_ms`. A further one is not read, or refused with the
	// retryable error -32010. From 0 to 1000000. Default: 1000.
	SessionWaiting *int64 `json:"session_waiting,omitzero"`

	// The bytes of all requests that wait so; one session has a sixteenth of them, one client half of what the others
	// leave. From 1024 to 68719476736 bytes. Default: 16777216 bytes.
	WaitingBytes int64 `json:"waiting_bytes,omitzero"`

	// Resources that one session may subscribe to, each with a URI of at most 8192 bytes. From 0 to 1000000. Default:
	// 1000.
	SessionSubscriptions *int64 `json:"session_subscriptions,omitzero"`

	// Bytes of the URIs that clients of 2026-07-28 listen to, and as many for subscriptions of legacy sessions. One client
	// has at most half of what the others leave; a further subscription is refused. From 0 to 68719476736 bytes. Default:
	// 33554432 bytes.
	SubscriptionBytes *int64 `json:"subscription_bytes,omitzero"`

	// Streams of `subscriptions/listen` in one session, over HTTP on one connection. From 0 to 100000. Default: 16.
	SessionListens *int64 `json:"session_listens,omitzero"`

	// The same for all sessions together. One client has at most half of what the others leave; one more is refused. From
	// 0 to 1000000. Default: 10000.
	Listens *int64 `json:"listens,omitzero"`

	// Messages in one batch (2025-03-26). From 1 to 100000. Default: 100.
	Batch int64 `json:"batch,omitzero"`

	// How deep JSON may nest, received and given. From 4 to 1000. Default: 128.
	JSONDepth int64 `json:"json_depth,omitzero"`

	// Questions of one request that may be open at one time. From 1 to 1000. Default: 16.
	Questions int64 `json:"questions,omitzero"`

	// Bytes of a sealed `requestState`. From 256 to 1048576 bytes. Default: 65536 bytes.
	RequestStateBytes int64 `json:"request_state_bytes,omitzero"`

	// Used request states that are remembered, about 300 bytes each, so that none is accepted twice. At the limit the
	// client with most loses its own, and states that may have been used are refused. From 1 to 10000000. Default: 100000.
	UsedStates int64 `json:"used_states,omitzero"`

	// Progress notifications of one session: this many at once, and each second. Further values wait; the newest is sent
	// before the answer. From 1 to 1000000. Default: 100.
	ProgressPerSecond int64 `json:"progress_per_second,omitzero"`

	// Log messages of one session: this many at once, and each second. Further ones are dropped, counted and logged once a
	// second. From 1 to 1000000. Default: 100.
	LogsPerSecond int64 `json:"logs_per_second,omitzero"`

	// Ids of elicitations by URL (2025-11-25) that are remembered until their session ends. One client has at most half of
	// what the others leave; a further elicitation is refused. From 1 to 10000000. Default: 10000.
	ElicitationIds int64 `json:"elicitation_ids,omitzero"`

	// Tasks, also finished ones. One client has at most half of what the others leave. At the limit its oldest finished
	// task of an ended session is dropped, else the call is refused. From 0 to 1000000. Default: 20000.
	Tasks *int64 `json:"tasks,omitzero"`

	// The same of one session. From 0 to 1000000. Default: 1000.
	SessionTasks *int64 `json:"session_tasks,omitzero"`

	// Bytes of the results and errors of tasks that are kept, shared in the same way. A task whose result has no room
	// fails. From 0 to 68719476736 bytes. Default: 67108864 bytes.
	TaskBytes *int64 `json:"task_bytes,omitzero"`

	// Skills of one server, those of all folders of `mcp_server_add_skills` together. From 0 to 100000. Default: 1000.
	Skills *int64 `json:"skills,omitzero"`

	// Bytes of the files of all skills together, which the server keeps in memory. From 0 to 4294967296 bytes. Default:
	// 67108864 bytes.
	SkillsBytes *int64 `json:"skills_bytes,omitzero"`

	// Files of one skill that the server publishes. Hosts need not accept more than 512. From 1 to 100000. Default: 512.
	SkillFiles int64 `json:"skill_files,omitzero"`

	// Bytes of the files of one skill that the server publishes. Hosts need not accept more than 16 MiB. From 1 to
	// 1073741824 bytes. Default: 16777216 bytes.
	SkillBytes int64 `json:"skill_bytes,omitzero"`

	// How deep folders may nest below a folder of skills. From 1 to 60. Default: 16.
	SkillDepth int64 `json:"skill_depth,omitzero"`

	// Messages that may wait in the server's own queue. From 1 to 100000000. Default: 10000.
	QueueMessages int64 `json:"queue_messages,omitzero"`

	// Their bytes. One client has at most half of what the others leave, or one larger request while no other waits; a
	// further request waits. From 1024 to 68719476736 bytes. Default: 67108864 bytes.
	QueueBytes int64 `json:"queue_bytes,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverLimitsMembers = []string{"frame_bytes", "discard_bytes", "outgoing_bytes", "shared_bytes", "body_bytes_per_second", "file_bytes", "connections", "head_bytes", "session_events", "session_event_bytes", "sessions", "session_requests", "requests", "request_bytes", "session_waiting", "waiting_bytes", "session_subscriptions", "subscription_bytes", "session_listens", "listens", "batch", "json_depth", "questions", "request_state_bytes", "used_states", "progress_per_second", "logs_per_second", "elicitation_ids", "tasks", "session_tasks", "task_bytes", "skills", "skills_bytes", "skill_files", "skill_bytes", "skill_depth", "queue_messages", "queue_bytes"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerLimits) MarshalJSON() ([]byte, error) {
	type plain ServerLimits
	return encodeOpen(plain(v), v.Extra, serverLimitsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerLimits) UnmarshalJSON(text []byte) (err error) {
	type plain ServerLimits
	if err = decodeOpen(text, (*plain)(v), serverLimitsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, serverLimitsMembers)
	return err
}

// ServerRequestStateConfig: The members of `request_state`.
type ServerRequestStateConfig struct {
	// The keys, newest first, each the base64 of 32 random bytes, shared by servers that answer for one another. Without
	// keys the server makes its own. Default: `[]`.
	Keys []string `json:"keys,omitzero"`

	// How long a seal is good. From 1 to 31536000000 ms. Default: 600000 ms.
	TTL time.Duration `json:"-"`

	// The name of the server in the seal, such as its URL: a server with another one refuses it.
	Audience string `json:"audience,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverRequestStateConfigMembers = []string{"keys", "ttl_ms", "audience"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerRequestStateConfig) MarshalJSON() ([]byte, error) {
	type plain ServerRequestStateConfig
	return encodeOpen(struct {
		plain
		TTL int64 `json:"ttl_ms,omitzero"`
	}{plain(v), count(v.TTL, time.Millisecond)}, v.Extra, serverRequestStateConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerRequestStateConfig) UnmarshalJSON(text []byte) (err error) {
	type plain ServerRequestStateConfig
	in := struct {
		*plain
		TTL int64 `json:"ttl_ms"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, serverRequestStateConfigMembers); err != nil {
		return err
	}
	v.TTL = timeFrom(in.TTL, time.Millisecond)
	v.Extra, err = extraMembers(text, serverRequestStateConfigMembers)
	return err
}

// ServerStoreConfig: The members of `store`.
type ServerStoreConfig struct {
	// What the processes of the server share, for all that have the same `request_state.keys`: which request states were
	// used, tasks, changes of lists and resources, sessions of older revisions.
	// `redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]`, or `rediss://` with TLS: Redis 6.2 or Valkey, with
	// `maxmemory-policy noeviction`, and a library built with the feature `redis`; or a URL whose scheme was registered,
	// such as `file:PATH` of `libmcp-store-sqlite`.
	URL string `json:"url,omitzero"`

	// What keys in the store begin with, beside what the library puts there; without it the name of the server.
	Space string `json:"space,omitzero"`

	// How long an answer of the store may take; then the request is refused. From 1 to 31536000000 ms. Default: 1000 ms.
	Timeout time.Duration `json:"-"`

	// How long a process that says nothing counts as there, at most an hour; then its tasks have failed. Without it the
	// time is at least three times that of an answer. From 1 to 31536000000 ms. Default: 15000.
	Lease time.Duration `json:"-"`

	// How long a process goes on with a session of an older revision that was ended through another one, at most. From 1
	// to 31536000000 ms. Default: 5000 ms.
	SessionCheck time.Duration `json:"-"`

	// Bytes of events of streams of older revisions that may be under way to the store; a session has an eighth. What
	// waits for that is what the session keeps in memory (`limits.session_event_bytes`). From 1048576 to 1073741824 bytes.
	// Default: 4194304 bytes.
	BacklogBytes int64 `json:"backlog_bytes,omitzero"`

	// A PEM file with certificates to trust beside those of the system; for `rediss`.
	CAFile string `json:"ca_file,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverStoreConfigMembers = []string{"url", "space", "timeout_ms", "lease_ms", "session_check_ms", "backlog_bytes", "ca_file"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerStoreConfig) MarshalJSON() ([]byte, error) {
	type plain ServerStoreConfig
	return encodeOpen(struct {
		plain
		Timeout      int64 `json:"timeout_ms,omitzero"`
		Lease        int64 `json:"lease_ms,omitzero"`
		SessionCheck int64 `json:"session_check_ms,omitzero"`
	}{plain(v), count(v.Timeout, time.Millisecond), count(v.Lease, time.Millisecond), count(v.SessionCheck, time.Millisecond)}, v.Extra, serverStoreConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerStoreConfig) UnmarshalJSON(text []byte) (err error) {
	type plain ServerStoreConfig
	in := struct {
		*plain
		Timeout      int64 `json:"timeout_ms"`
		Lease        int64 `json:"lease_ms"`
		SessionCheck int64 `json:"session_check_ms"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, serverStoreConfigMembers); err != nil {
		return err
	}
	v.Timeout = timeFrom(in.Timeout, time.Millisecond)
	v.Lease = timeFrom(in.Lease, time.Millisecond)
	v.SessionCheck = timeFrom(in.SessionCheck, time.Millisecond)
	v.Extra, err = extraMembers(text, serverStoreConfigMembers)
	return err
}

// ServerTimeouts: The members of `timeouts`.
type ServerTimeouts struct {
	// The time of the application for a request, in milliseconds; then the library answers with an error. 0 for no limit.
	// From 0 to 31536000000 ms. Default: 300000 ms.
	Request *time.Duration `json:"-"`

	// The time of a legacy client to answer a question, and to confirm its handshake before one. From 1 to 31536000000 ms.
	// Default: 60000 ms.
	Question time.Duration `json:"-"`

	// How long a task is kept from its start, unless client or handler ask for less. Then its request is cancelled. From 1
	// to 31536000000 ms. Default: 3600000 ms.
	TaskTTL time.Duration `json:"-"`

	// How long changes are gathered before clients are told of them. From 1 to 31536000000 ms. Default: 10 ms.
	Burst time.Duration `json:"-"`

	// How long a client may read nothing of what waits for it; then its session ends, over HTTP its connection. From 1 to
	// 31536000000 ms. Default: 30000 ms.
	Write time.Duration `json:"-"`

	// What requests under way have after the end of their client's input. From 1 to 31536000000 ms. Default: 5000 ms.
	Finish time.Duration `json:"-"`

	// The time for the head of an HTTP request, after the one before it; then the connection ends. A session that is not
	// used after its handshake ends after this time, too, and one over a socket without a message. From 1 to 31536000000
	// ms. Default: 60000 ms.
	Head time.Duration `json:"-"`

	// The time for the body of an HTTP request, after its head; then it is refused. From 1 to 31536000000 ms. Default:
	// 60000 ms.
	Body time.Duration `json:"-"`

	// How often a quiet event stream shows that it lives. From 1 to 31536000000 ms. Default: 15000 ms.
	KeepAlive time.Duration `json:"-"`

	// How long a session of HTTP (legacy era) lives without a request or a stream. From 1 to 31536000000 ms. Default:
	// 1800000 ms.
	Session time.Duration `json:"-"`

	// How long other processes go on with a session whose name is sealed (`session_names`), from its handshake on. From 1
	// to 31536000000 ms. Default: 86400000 ms.
	SessionName time.Duration `json:"-"`

	// How long `mcp_server_close` with -1, and `mcp_server_free`, wait for clients to take what was sent to them. From 1
	// to 31536000000 ms. Default: 2000 ms.
	Close time.Duration `json:"-"`

	// How long, in milliseconds, `mcp_server_close` still serves while health says 503, over HTTP. A second call of
	// `mcp_server_close` ends the wait. From 0 to 31536000000 ms. Default: 0 ms.
	Notice time.Duration `json:"-"`

	// What requests under way have then, while no client connects any more; those that are left are refused. From 0 to
	// 31536000000 ms. Default: 0 ms.
	Drain time.Duration `json:"-"`

	// After what time a client comes back to an event stream that ended before its answer (2025-11-25). From 1 to
	// 31536000000 ms. Default: 1000 ms.
	Retry time.Duration `json:"-"`

	// How long an event is kept for a client that comes back to its stream (2025-03-26 to 2025-11-25). From 1 to
	// 31536000000 ms. Default: 300000 ms.
	Event time.Duration `json:"-"`

	// How long a large body may come slower than `limits.body_bytes_per_second`. From 1 to 31536000000 ms. Default: 5000
	// ms.
	BodyGrace time.Duration `json:"-"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverTimeoutsMembers = []string{"request_ms", "question_ms", "task_ttl_ms", "burst_ms", "write_ms", "finish_ms", "head_ms", "body_ms", "keep_alive_ms", "session_ms", "session_name_ms", "close_ms", "notice_ms", "drain_ms", "retry_ms", "event_ms", "body_grace_ms"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerTimeouts) MarshalJSON() ([]byte, error) {
	type plain ServerTimeouts
	return encodeOpen(struct {
		plain
		Request     *int64 `json:"request_ms,omitzero"`
		Question    int64  `json:"question_ms,omitzero"`
		TaskTTL     int64  `json:"task_ttl_ms,omitzero"`
		Burst       int64  `json:"burst_ms,omitzero"`
		Write       int64  `json:"write_ms,omitzero"`
		Finish      int64  `json:"finish_ms,omitzero"`
		Head        int64  `json:"head_ms,omitzero"`
		Body        int64  `json:"body_ms,omitzero"`
		KeepAlive   int64  `json:"keep_alive_ms,omitzero"`
		Session     int64  `json:"session_ms,omitzero"`
		SessionName int64  `json:"session_name_ms,omitzero"`
		Close       int64  `json:"close_ms,omitzero"`
		Notice      int64  `json:"notice_ms,omitzero"`
		Drain       int64  `json:"drain_ms,omitzero"`
		Retry       int64  `json:"retry_ms,omitzero"`
		Event       int64  `json:"event_ms,omitzero"`
		BodyGrace   int64  `json:"body_grace_ms,omitzero"`
	}{plain(v), countTime(v.Request, time.Millisecond), count(v.Question, time.Millisecond), count(v.TaskTTL, time.Millisecond), count(v.Burst, time.Millisecond), count(v.Write, time.Millisecond), count(v.Finish, time.Millisecond), count(v.Head, time.Millisecond), count(v.Body, time.Millisecond), count(v.KeepAlive, time.Millisecond), count(v.Session, time.Millisecond), count(v.SessionName, time.Millisecond), count(v.Close, time.Millisecond), count(v.Notice, time.Millisecond), count(v.Drain, time.Millisecond), count(v.Retry, time.Millisecond), count(v.Event, time.Millisecond), count(v.BodyGrace, time.Millisecond)}, v.Extra, serverTimeoutsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerTimeouts) UnmarshalJSON(text []byte) (err error) {
	type plain ServerTimeouts
	in := struct {
		*plain
		Request     *int64 `json:"request_ms"`
		Question    int64  `json:"question_ms"`
		TaskTTL     int64  `json:"task_ttl_ms"`
		Burst       int64  `json:"burst_ms"`
		Write       int64  `json:"write_ms"`
		Finish      int64  `json:"finish_ms"`
		Head        int64  `json:"head_ms"`
		Body        int64  `json:"body_ms"`
		KeepAlive   int64  `json:"keep_alive_ms"`
		Session     int64  `json:"session_ms"`
		SessionName int64  `json:"session_name_ms"`
		Close       int64  `json:"close_ms"`
		Notice      int64  `json:"notice_ms"`
		Drain       int64  `json:"drain_ms"`
		Retry       int64  `json:"retry_ms"`
		Event       int64  `json:"event_ms"`
		BodyGrace   int64  `json:"body_grace_ms"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, serverTimeoutsMembers); err != nil {
		return err
	}
	v.Request = timeOf(in.Request, time.Millisecond)
	v.Question = timeFrom(in.Question, time.Millisecond)
	v.TaskTTL = timeFrom(in.TaskTTL, time.Millisecond)
	v.Burst = timeFrom(in.Burst, time.Millisecond)
	v.Write = timeFrom(in.Write, time.Millisecond)
	v.Finish = timeFrom(in.Finish, time.Millisecond)
	v.Head = timeFrom(in.Head, time.Millisecond)
	v.Body = timeFrom(in.Body, time.Millisecond)
	v.KeepAlive = timeFrom(in.KeepAlive, time.Millisecond)
	v.Session = timeFrom(in.Session, time.Millisecond)
	v.SessionName = timeFrom(in.SessionName, time.Millisecond)
	v.Close = timeFrom(in.Close, time.Millisecond)
	v.Notice = timeFrom(in.Notice, time.Millisecond)
	v.Drain = timeFrom(in.Drain, time.Millisecond)
	v.Retry = timeFrom(in.Retry, time.Millisecond)
	v.Event = timeFrom(in.Event, time.Millisecond)
	v.BodyGrace = timeFrom(in.BodyGrace, time.Millisecond)
	v.Extra, err = extraMembers(text, serverTimeoutsMembers)
	return err
}

// TelemetryOptions: What is recorded for OpenTelemetry.
type TelemetryOptions struct {
	// The share of requests without a parent that become spans. A request with a parent is recorded if that is. From 0 to
	// 1. Default: 1.0.
	SampleRate *float64 `json:"sample_rate,omitzero"`

	// Counts how long every request took, recorded or not, for `mcp_telemetry_metrics`. Default: `false`.
	Metrics bool `json:"metrics,omitzero"`

	// Hands over `{"span": …, "measurement": …}` in place of a span, each if there is one: of every request, recorded or
	// not, its duration with the name of the histogram (`{"name": …, "value": 0.01, "attributes": […]}`). For programs
	// with counters of their own. Default: `false`.
	Measurements bool `json:"measurements,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var telemetryOptionsMembers = []string{"sample_rate", "metrics", "measurements"}

// MarshalJSON writes the members, and those in Extra.
func (v TelemetryOptions) MarshalJSON() ([]byte, error) {
	type plain TelemetryOptions
	return encodeOpen(plain(v), v.Extra, telemetryOptionsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *TelemetryOptions) UnmarshalJSON(text []byte) (err error) {
	type plain TelemetryOptions
	if err = decodeOpen(text, (*plain)(v), telemetryOptionsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, telemetryOptionsMembers)
	return err
}

// Endpoint: Where and how a server serves.
type Endpoint struct {
	// The standard streams of the process; this, `url` or `socket`.
	Stdio *bool `json:"stdio,omitzero"`

	// Descriptor 1 leads to descriptor 2 and descriptor 0 to `/dev/null` until the server ends, so that printing cannot
	// corrupt the protocol. Default: `true`.
	Protect *bool `json:"protect,omitzero"`

	// `"unix:PATH"` or `"tcp:HOST:PORT"`: clients connect, each is a session.
	Socket string `json:"socket,omitzero"`

	// An address that other machines reach is served, too. Default: `false`.
	BeyondLoopback bool `json:"beyond_loopback,omitzero"`

	// A Unix socket takes no client of another user, root's neither. Default: `false`.
	SameUser bool `json:"same_user,omitzero"`

	// `http://HOST:PORT/PATH` or `https://HOST:PORT/PATH`: Streamable HTTP, every revision that has it.
	URL string `json:"url,omitzero"`

	// Permitted values of `Host`, besides those of this machine; beyond loopback besides the host of the URL and
	// addresses. Default: `[]`.
	Hosts []string `json:"hosts,omitzero"`

	// Origins of pages in browsers that may use the server, such as `https://app.example.com`. Default: `[]`.
	Origins []string `json:"origins,omitzero"`

	// The path of HTTP+SSE of 2024-11-05, beside Streamable HTTP.
	SSE string `json:"sse,omitzero"`

	// The certificate of a URL with `https`, a PEM file.
	CertificateFile string `json:"certificate_file,omitzero"`

	// Its private key, a PEM file.
	KeyFile string `json:"key_file,omitzero"`

	// The library accepts connections. Without, an HTTP server of the program gives requests to `mcp_server_http`.
	// Default: `true`.
	Listen *bool `json:"listen,omitzero"`

	// The path at which the health of the server is told.
	Health string `json:"health,omitzero"`

	// The path at which counters are told, for Prometheus.
	Metrics string `json:"metrics,omitzero"`

	// A server card is served (SEP-2127).
	Card *EndpointCardConfig `json:"card,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var endpointMembers = []string{"stdio", "protect", "socket", "beyond_loopback", "same_user", "url", "hosts", "origins", "sse", "certificate_file", "key_file", "listen", "health", "metrics", "card"}

// MarshalJSON writes the members, and those in Extra.
func (v Endpoint) MarshalJSON() ([]byte, error) {
	type plain Endpoint
	return encodeOpen(plain(v), v.Extra, endpointMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *Endpoint) UnmarshalJSON(text []byte) (err error) {
	type plain Endpoint
	if err = decodeOpen(text, (*plain)(v), endpointMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, endpointMembers)
	return err
}

// EndpointCardConfig: The members of `card`.
type EndpointCardConfig struct {
	// The reversed name of your domain, a slash and the name of the server; necessary.
	Name string `json:"name,omitzero"`

	// What the server is for; without it that of the server.
	Description string `json:"description,omitzero"`

	// The public URL, if it is another one than the one that is served.
	URL string `json:"url,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var endpointCardConfigMembers = []string{"name", "description", "url"}

// MarshalJSON writes the members, and those in Extra.
func (v EndpointCardConfig) MarshalJSON() ([]byte, error) {
	type plain EndpointCardConfig
	return encodeOpen(plain(v), v.Extra, endpointCardConfigMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *EndpointCardConfig) UnmarshalJSON(text []byte) (err error) {
	type plain EndpointCardConfig
	if err = decodeOpen(text, (*plain)(v), endpointCardConfigMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, endpointCardConfigMembers)
	return err
}

// TaskOptions: What a handler wants of the task that it becomes.
type TaskOptions struct {
	// How long the task is kept. From 1 to 31536000000 ms.
	TTL time.Duration `json:"-"`

	// How often the client should ask for it. From 1 to 31536000000 ms.
	PollInterval time.Duration `json:"-"`

	// What a person may read about it.
	StatusMessage string `json:"status_message,omitzero"`

	// With a store: how often its call may begin in all, each time in another process when the one before is gone. From 1
	// to 100. Default: 1.
	Attempts int64 `json:"attempts,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var taskOptionsMembers = []string{"ttl_ms", "poll_interval_ms", "status_message", "attempts"}

// MarshalJSON writes the members, and those in Extra.
func (v TaskOptions) MarshalJSON() ([]byte, error) {
	type plain TaskOptions
	return encodeOpen(struct {
		plain
		TTL          int64 `json:"ttl_ms,omitzero"`
		PollInterval int64 `json:"poll_interval_ms,omitzero"`
	}{plain(v), count(v.TTL, time.Millisecond), count(v.PollInterval, time.Millisecond)}, v.Extra, taskOptionsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *TaskOptions) UnmarshalJSON(text []byte) (err error) {
	type plain TaskOptions
	in := struct {
		*plain
		TTL          int64 `json:"ttl_ms"`
		PollInterval int64 `json:"poll_interval_ms"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, taskOptionsMembers); err != nil {
		return err
	}
	v.TTL = timeFrom(in.TTL, time.Millisecond)
	v.PollInterval = timeFrom(in.PollInterval, time.Millisecond)
	v.Extra, err = extraMembers(text, taskOptionsMembers)
	return err
}

// ClientInfo: What the server is told about the program. The library fills in what is absent.
type ClientInfo struct {
	// An optional human-readable description of what this implementation does.
	Description string `json:"description,omitzero"`

	// Optional set of sized icons that the client can display in a user interface.
	Icons []Icon `json:"icons,omitzero"`

	// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title isn't
	// present).
	Name string `json:"name,omitzero"`

	// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
	// unfamiliar with domain-specific terminology.
	Title string `json:"title,omitzero"`

	// The version of this implementation.
	Version string `json:"version,omitzero"`

	// An optional URL of the website for this implementation.
	WebsiteURL string `json:"websiteUrl,omitzero"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var clientInfoMembers = []string{"description", "icons", "name", "title", "version", "websiteUrl"}

// MarshalJSON writes the members, and those in Extra.
func (v ClientInfo) MarshalJSON() ([]byte, error) {
	type plain ClientInfo
	return encodeOpen(plain(v), v.Extra, clientInfoMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ClientInfo) UnmarshalJSON(text []byte) (err error) {
	type plain ClientInfo
	if err = decodeOpen(text, (*plain)(v), clientInfoMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, clientInfoMembers)
	return err
}
