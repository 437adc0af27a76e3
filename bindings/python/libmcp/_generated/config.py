# Generated from docs/reference/configuration.json by `cargo xtask bindings`; do not edit.
"""The keys of configurations and options, as types for checkers. At run time they are dictionaries."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final, Literal, TypedDict, Union

from .protocol import ClientCapabilities, Icon, Root

Milliseconds = Union[int, timedelta]
"""A time: a number of milliseconds, or a timedelta."""

Seconds = Union[int, timedelta]
"""A time: a number of seconds, or a timedelta."""


class Config(TypedDict, total=False):
    """The configuration of a client; docs/reference/configuration.md has more."""

    command: str
    """The program: a path, or a name to find in `PATH`. No shell is involved. Default: this or `url`."""

    url: str
    """`http://` or `https://`, as the server's documentation has it. Its path and query are sent as they are
    written. Default: this or `command`.
    """

    socket: str
    """`"unix:/path"`, `"unix:@name"` (abstract, Linux), or `"tcp:host:port"` (`"tcp:[::1]:4000"`). The bytes are
    those of stdio, without HTTP and TLS. For HTTP over a Unix socket use `url` with `unix_socket`. Default:
    instead of `command`.
    """

    type: Literal["stdio", "http", "streamable-http", "streamableHttp", "streamable_http", "sse", "socket"]
    """As in files of editors: `"stdio"` with `command`, `"socket"` with `socket`, the others with `url`. The
    library detects the HTTP transport of a server.
    """

    args: list[str]
    """Its arguments, as they are."""

    env: dict[str, str]
    """Variables for the server, over the inherited ones. Names must not be empty or contain `=`."""

    inherit_env: Literal["default", "all", "none"]
    """What the server sees of the host's environment: some variables, everything, or nothing. Default:
    `"default"`.
    """

    cwd: str
    """The directory it is started in. Default: the host's."""

    headers: dict[str, str]
    """Headers for every request to this origin, such as `Authorization`. They are never logged and never sent to
    another origin. Line breaks, and headers that the protocol, HTTP or the library sets (`Mcp-*`, `Accept`,
    `Content-*`, `Host`, `Connection`, …), are refused.
    """

    unix_socket: str
    """Connect to this Unix socket instead of to the URL's host."""

    proxy: Union[bool, str]
    """`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` are read when the client is made, and apply to
    each request by its own URL. Without this key this machine (`localhost`, `127.0.0.0/8`, `::1`) is never
    reached through a proxy; with it every request is: do not set it for `http://localhost` with a token. The
    URL may have a user name and password. `socks5h`: the proxy looks names up. Default: the environment.
    """

    tls: TlsConfig
    """What TLS trusts and shows."""

    http: HttpConfig
    """Connections."""

    auth: AuthConfig
    """How to log in where the server wants it: docs/guide/authorization.md says which keys it needs."""

    framing: Literal["newline", "content-length"]
    """How messages are told apart: one on each line, or a `Content-Length` header before each. Default:
    `"newline"`.
    """

    stderr: Literal["log", "message", "drop"]
    """Where the server's stderr lines go: the logger (`server.stderr`), the queue (`MCP_KIND_STDERR`), or
    nowhere. The last lines are also kept for errors. Default: `"log"`.
    """

    name: str
    """What log records call this client. Default: the value of `command` or `socket`, or the origin of `url`."""

    timeouts: Timeouts
    """The times of a connection and its calls."""

    limits: Limits
    """The bounds of a client and of its own queue."""

    reconnect: Union[bool, Reconnect]
    """`false`: when the connection is lost, or cannot be made, the client is closed. Default: `true`."""

    protocol: Union[str, list[str]]
    """The permitted revisions: `"auto"` (all), `"legacy"` (up to 2025-11-25), `"modern"` (2026-07-28), one
    revision, or a list. If a modern one is permitted, the server is probed with `server/discover` first.
    Default: `"auto"`.
    """

    client: ClientInfo
    """What the server is told about the program. `name` and `version` are filled in if absent. Default:
    `{"name":"libmcp","version":…}`.
    """

    capabilities: ClientCapabilities
    """What the program can do for a server: `sampling`, `elicitation`, `roots`, … `{}` enables one. `extensions`
    has an object for each extension, by its full name (`com.example/name`). Requests that are not enabled are
    refused; of elicitation `{}` and `{"form":{}}` enable forms, `{"url":{}}` pages to visit. Default: `{}`.
    """

    result_types: dict[str, list[str]]
    """The values of `resultType` of declared extensions. Such results are passed on unchecked and not cached;
    any other unknown type is `MCP_ERROR_PROTOCOL`. `task` belongs to `io.modelcontextprotocol/tasks`.
    """

    elicitation_urls: Literal["safe", "any"]
    """Pages to visit: `"safe"` permits `https`, and `http` on this machine, without a user name or ambiguous
    characters; others are refused. `"any"` passes every URL on. No page is ever fetched. Default: `"safe"`.
    """

    roots: list[Union[str, Root]]
    """Fixed roots: `file://` URIs, or objects with `uri`. The library declares the capability and answers
    `roots/list`.
    """

    when_unavailable: Literal["fail", "wait"]
    """A call made while the client waits for its next attempt ends as `MCP_ERROR_UNAVAILABLE`, or waits within
    its time, also during failed attempts. Default: `"fail"`.
    """

    retry: Literal["never", "safe"]
    """A call in progress when the connection is lost ends as `MCP_ERROR_TRANSPORT`, or is sent again if it is
    safe to repeat. Default: `"never"`.
    """

    max_retries: int
    """How often one call is sent again. From 0 to 100. Default: 2."""

    capability_checks: bool
    """A feature that the server did not declare is `MCP_ERROR_UNSUPPORTED`. Tools, resources and prompts are
    asked for all the same, and the server's answer tells; else nothing is sent. Calls with the option `raw`
    are not checked. Default: `true`.
    """

    change_notifications: bool
    """2026-07-28: request every kind of change notification that the server declares, also after a loss;
    `false`: only those of subscribed resources. Default: `true`.
    """

    validate_results: bool
    """`structuredContent` is checked against the tool's `outputSchema` of the last `mcp_client_list_tools`. A
    mismatch is `MCP_ERROR_PROTOCOL` with the result as `data`. From 2025-06-18 on. Default: `true`.
    """

    validate_arguments: bool
    """Arguments of `mcp_client_call_tool` are checked against `inputSchema` before they are sent; a mismatch is
    `MCP_ERROR_INVALID_ARGUMENT`. Default: `false`.
    """

    allow_tools: list[str]
    """The tools that may be used, by name; `*` in a name stands for any characters. Lists come without the
    others, and a call of one of those is `MCP_ERROR_INVALID_ARGUMENT` and not sent. Files of other programs
    have this under names of their own (`includeTools`, `enabled_tools`, …). Default: all.
    """

    deny_tools: list[str]
    """Tools that may not be used, also of those in `allow_tools`. With either key, raw calls of `tools/list` are
    held to it, too, and a call with more than one `name`, in any letters, is refused.
    """

    tool_modes: Literal["off", "auto"]
    """Tools may be stateful: a session in every request, and stateful calls one at a time
    (docs/reference/tool-modes.md). Default: `"off"`.
    """

    cache: Union[bool, CacheConfig]
    """Results of lists and `mcp_client_read_resource` are kept while they are fresh: `true` with the defaults
    below. Default: `false`.
    """

    tasks: Union[bool, TasksConfig]
    """Calls of tools may become tasks: `true` with the defaults below. The library declares the extension
    `io.modelcontextprotocol/tasks`. Default: `false`.
    """

    draft: list[Any]
    """Texts that are discussed for the next revision (docs/reference/draft.md). They change, and are dropped,
    without notice. Default: `[]`.
    """

    accept_language: str
    """The language that the user prefers, as the header `Accept-Language` has it (`"fr-CA,fr;q=0.9"`), for every
    request. Needs the draft `language`; the call option `meta` may have another one under
    `io.modelcontextprotocol/acceptLanguage`.
    """

    telemetry_sample_rate: float
    """The share of calls whose `request.start`, `request.stop` and `request.error` are logged. From 0 to 1.
    Default: 1.0.
    """


class AuthConfig(TypedDict, total=False):
    """The members of `auth`."""

    type: Literal["interactive", "client_credentials", "enterprise", "workload", "bearer", "none"]
    """How tokens are obtained; `"none"`: the library has nothing to do with it. Default: `"interactive"`."""

    client_id: str
    """The id that the authorization server issued in advance."""

    client_secret: str
    """The secret that goes with `auth.client_id`. A secret: it is in no log and no error."""

    private_key: str
    """A private key in PEM (PKCS#8, or PKCS#1 for RSA), with which the client signs assertions. A secret: it is
    in no log and no error.
    """

    private_key_file: str
    """A file with such a key, instead of `auth.private_key`."""

    key_id: str
    """The id of the key at the authorization server."""

    signing_algorithm: Literal["ES256", "RS256"]
    """The algorithm that the key must have."""

    signer: Literal["application"]
    """The application has the private key and signs on request, with `auth.signing_algorithm`, which is then
    required.
    """

    token_endpoint_auth_method: Literal["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]
    """How the client proves itself at the token endpoint. Default: by the credentials and the server."""

    issuer: str
    """The only authorization server to use, by its exact name. Required with a configured secret, private key,
    signer, `auth.assertion` or `auth.assertion_file`. Without it, a configured client id belongs to the first
    authorization server that used it.
    """

    allow_any_issuer: bool
    """Instead of `auth.issuer`: configured credentials may be used at every authorization server that an MCP
    server names. Default: `false`.
    """

    client_name: str
    """The name under which the client registers itself. Default: `client.name`."""

    scopes: list[str]
    """Scopes to request besides those of a challenge, and instead of all that the resource lists. A stored login
    without one of them is made again.
    """

    dpop: Literal["auto", "always", "never"]
    """Whether tokens are bound to a key; `"auto"`: where the MCP server says that it accepts such tokens.
    Default: `"auto"`.
    """

    dpop_key: dict[str, Any]
    """The public half (a JSON Web Key, P-256) of the key with which the application signs proofs. Default: a key
    of the library.
    """

    legacy: bool
    """A server that publishes no metadata as a resource is treated as a server of 2025-03-26. Default: `true`."""

    allow_private_addresses: bool
    """Addresses of private networks are permitted in URLs that servers name. Default: `false`."""

    allow_http: bool
    """Plain `http` is permitted in such URLs. Default: `false`."""

    limit_ms: Milliseconds
    """The time limit of a login, without the time of the person and the application. From 1 to 31536000000 ms.
    Default: 60000 ms.
    """

    patience_ms: Milliseconds
    """The time limit for the person and the application. From 1 to 31536000000 ms. Default: 300000 ms."""

    step_ups: int
    """How often one operation may request more scopes. From 0 to 10. Default: 2."""

    store_directory: str
    """An absolute path: the library stores logins in files there; not with `auth.store`."""

    store: Literal["memory", "application"]
    """`"memory"`: as long as the client exists; `"application"`: the application stores logins (`"load"`,
    `"save"`, `"unlock"`). Default: `"memory"`.
    """

    flow: Literal["browser", "device", "auto"]
    """`"browser"`: a browser that is redirected to this machine or the application; `"device"`: any browser,
    with a code (RFC 8628); `"auto"`: with a code where the authorization server supports it. Default:
    `"browser"`.
    """

    redirect_uri: str
    """The URL to which the browser is redirected. Default: this machine, on a free port."""

    listen: bool
    """Whether the library listens there (this machine only; without a port in the URL it uses a free one).
    Default: `true` without `auth.redirect_uri`.
    """

    no_login: str
    """Why no person can log in: a login that needs a person fails with this text, before a browser is opened or
    a client registered.
    """

    client_metadata_url: str
    """The `https` URL of the client's metadata document, by which it identifies itself."""

    application_type: Literal["native", "web"]
    """The kind of application with which the client registers itself. Default: by `auth.redirect_uri`."""

    enterprise: AuthEnterpriseConfig
    """The identity provider."""

    assertion: str
    """A signed statement about the workload. Default: the application is asked. A secret: it is in no log and no
    error.
    """

    assertion_file: str
    """The file from which it is read each time."""

    token: str
    """The token. Default: the application is asked. A secret: it is in no log and no error."""

    token_file: str
    """The file from which it is read each time."""


class AuthEnterpriseConfig(TypedDict, total=False):
    """The members of `auth.enterprise`."""

    token_endpoint: str
    """Its token endpoint; required."""

    client_id: str
    """The application's id there; required."""

    client_secret: str
    """The application's secret there. A secret: it is in no log and no error."""

    token_endpoint_auth_method: Literal["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]
    """How the application proves itself there. Default: by the secret."""

    subject: str
    """What shows who the person is. Default: the application is asked. A secret: it is in no log and no error."""

    subject_file: str
    """The file from which it is read each time."""

    subject_type: Literal["id_token", "refresh_token", "saml2"]
    """What `subject` is. Default: `"id_token"`."""


class CacheConfig(TypedDict, total=False):
    """The members of `cache`."""

    entries: int
    """Results kept. From 1 to 1000000. Default: 1000."""

    bytes: int
    """Their bytes. From 1024 to 68719476736. Default: 16777216."""

    ttl_ms: dict[str, Milliseconds]
    """How long results of a legacy server are fresh, for `tools/list`, `resources/list`,
    `resources/templates/list`, `resources/read`, `prompts/list`; later servers send `ttlMs`.
    """

    invalidate_on_tools: list[str]
    """Calls of these tools drop everything kept."""

    serve_stale_on_error: bool
    """After `MCP_ERROR_TIMEOUT`, `MCP_ERROR_UNAVAILABLE` or `MCP_ERROR_TRANSPORT` a call gets an old result, if
    there is one. Default: `false`.
    """


class HttpConfig(TypedDict, total=False):
    """The members of `http`."""

    compression: bool
    """Whether answers may come compressed (gzip, brotli). Default: `true`."""

    cookies: bool
    """Whether cookies of the server are sent back, to its exact origin, while the client lives and its login
    stays the same: at most 32 with 6 KiB, never stored. Default: `true`.
    """

    idle_connections: int
    """Idle connections kept for the next request. From 0 to 10000. Default: 64."""

    idle_ms: Milliseconds
    """How long they are kept. The default is less than the time after which servers usually close them. From 1
    to 31536000000 ms. Default: 55000 ms.
    """

    ping_ms: Milliseconds
    """HTTP/2: the interval between pings during a request, and the longest time for an answer to one. From 1 to
    31536000000 ms. Default: 10000 ms.
    """

    remember_era: bool
    """Whether this client uses what others of the process found out about the era of the server at this URL, and
    tells them. Default: `true`.
    """


class Limits(TypedDict, total=False):
    """The members of `limits`."""

    header_bytes: int
    """The headers of an answer, and those of all interim answers before it. From 8192 to 16777216 bytes.
    Default: 131072 bytes.
    """

    frame_bytes: int
    """The largest message of the server. A larger one is thrown away as it comes, and its call ends as
    `MCP_ERROR_TOO_LARGE`. From 1024 to 2147483648 bytes. Default: 16777216 bytes.
    """

    discard_bytes: int
    """How much of one message is discarded beyond `limits.frame_bytes`, over pipes and sockets. A longer message
    or line ends the connection, and the server is started again. From 0 to 68719476736 bytes. Default:
    536870912 bytes.
    """

    outgoing_bytes: int
    """Bytes that wait for the server to read them; a further call is `MCP_ERROR_BACKPRESSURE`, a blocking one
    after about 30 ms. From 1024 to 2147483648 bytes. Default: 67108864 bytes.
    """

    in_flight: int
    """Calls without an outcome; one more is `MCP_ERROR_BACKPRESSURE`. From 1 to 1000000. Default: 10000."""

    server_requests: int
    """Requests of the server that the program has not answered; one more is refused. From 1 to 100000. Default:
    256.
    """

    json_depth: int
    """How deep JSON may nest, received and given. From 4 to 1000. Default: 128."""

    stateful_calls: int
    """Calls of stateful tools that wait for their turn (`tool_modes`); one more is `MCP_ERROR_BACKPRESSURE`.
    From 1 to 1000000. Default: 1000.
    """

    list_pages: int
    """Pages of a list that are collected into one result; one more is `MCP_ERROR_TOO_LARGE`. From 1 to 1000000.
    Default: 1000.
    """

    list_items: int
    """Entries of a list. A page that the program requests (`one_page`, `cursor`) is limited by
    `limits.frame_bytes` only. From 1 to 100000000. Default: 100000.
    """

    list_bytes: int
    """Their bytes. From 1024 to 68719476736 bytes. Default: 67108864 bytes."""

    skill_files: int
    """Files of a skill; one with more is `MCP_ERROR_TOO_LARGE` and nothing of it is read. From 1 to 1000000.
    Default: 512.
    """

    skill_bytes: int
    """Their bytes, as the skill's entry says; of a dynamic skill the bytes of each file. From 1024 to 1073741824
    bytes. Default: 16777216 bytes.
    """

    tasks: int
    """Calls that are tasks at a time; one more is `MCP_ERROR_BACKPRESSURE`. From 1 to 100000. Default: 256."""

    stderr_line_bytes: int
    """The longest stderr line kept; the rest of a longer one is dropped. From 16 to 1048576 bytes. Default: 4096
    bytes.
    """

    stderr_lines: int
    """The last stderr lines kept; an error shows up to 10 of them. From 0 to 100000. Default: 50."""

    queue_messages: int
    """Messages that may wait in the client's own queue. From 1 to 100000000. Default: 10000."""

    queue_bytes: int
    """Their bytes. From 1024 to 68719476736 bytes. Default: 67108864 bytes."""

    overflow: Literal["drop_oldest", "drop_newest", "block"]
    """When the queue is full, of the messages that need no answer (notifications, progress, states, log lines):
    drop the oldest, drop the new one, or stop reading from the server. With `"block"` a thread that waits for
    a call still reads, and the oldest are dropped. Default: `"drop_oldest"`.
    """


class Reconnect(TypedDict, total=False):
    """The members of `reconnect`."""

    initial_ms: Milliseconds
    """The first wait; each further one is twice as long. From 1 to 31536000000 ms. Default: 1000 ms."""

    max_ms: Milliseconds
    """The longest wait; not less than `initial_ms`. From 1 to 31536000000 ms. Default: 30000 ms."""

    jitter: float
    """Each wait is longer or shorter by up to this share of it. From 0 to 1. Default: 0.2."""

    max_attempts: int
    """Attempts in a row to connect again before the client closes, without a bound if absent; the first start
    does not count. From 0 to 4294967295.
    """

    stable_ms: Milliseconds
    """How long a connection must stay ready before the waits and the number of attempts start again. From 1 to
    31536000000 ms. Default: 10000 ms.
    """

    stream_attempts: int
    """Attempts in a row to resume a broken stream that bring nothing new. The waits grow from 1 s to 30 s, or
    are at least what `retry:` says. From 0 to 1000000. Default: 5.
    """


class TasksConfig(TypedDict, total=False):
    """The members of `tasks`."""

    poll_ms: Milliseconds
    """How often a task is asked for whose server does not say. From 1 to 31536000000 ms. Default: 1000 ms."""

    poll_min_ms: Milliseconds
    """The least such time, whatever the server says. From 1 to 31536000000 ms. Default: 100 ms."""

    poll_max_ms: Milliseconds
    """The longest such time, whatever the server says; not less than `poll_min_ms`. From 1 to 31536000000 ms.
    Default: 60000 ms.
    """

    ttl_ms: Milliseconds
    """2025-11-25: how long the server is asked to keep a task. From 1 to 31536000000 ms."""

    life_ms: Milliseconds
    """The most that a call may take that has become a task, unless it has the option `max_total_ms`. From 1 to
    31536000000 ms. Default: 3600000 ms.
    """


class Timeouts(TypedDict, total=False):
    """The members of `timeouts`."""

    call_ms: Milliseconds
    """One call. From 1 to 31536000000 ms. Default: 30000 ms."""

    methods: dict[str, Milliseconds]
    """One call of that method, instead of `call_ms`. For `server/discover` and `initialize` it goes before the
    two keys below.
    """

    initialize_ms: Milliseconds
    """The answer to `initialize`. From 1 to 31536000000 ms. Default: 20000 ms."""

    probe_ms: Milliseconds
    """The answer to `server/discover`. Then the library sends `initialize`, if `protocol` permits it; a late
    answer still counts. From 1 to 31536000000 ms. Default: 2000 ms.
    """

    start_ms: Milliseconds
    """The time in which the process of a server must begin to read or to write; the two timeouts below start
    then. From 1 to 31536000000 ms. Default: 30000 ms.
    """

    max_total_ms: Milliseconds
    """The most that a call may take, however much progress is reported; at least the call's own time. From 1 to
    31536000000 ms. Default: 600000 ms.
    """

    reset_on_progress: bool
    """Progress restarts the timeout of a call. Servers report progress only for calls with the option
    `progress`. Default: `false`.
    """

    listen_ms: Milliseconds
    """How long a legacy connection waits for the stream of the server's messages before it is ready, and again
    for restored subscriptions. From 1 to 31536000000 ms. Default: 2000 ms.
    """

    connect_ms: Milliseconds
    """Name look-up, proxy, connecting and TLS. Several addresses of a name share this time. With HTTP+SSE also
    the first event. From 1 to 31536000000 ms. Default: 10000 ms.
    """

    exit_ms: Milliseconds
    """The time for a server to exit, or to close its side of a socket, after the client has closed its own; then
    SIGTERM. From 1 to 31536000000 ms. Default: 1000 ms.
    """

    term_ms: Milliseconds
    """How long it may take after SIGTERM, before SIGKILL. From 1 to 31536000000 ms. Default: 500 ms."""

    close_ms: Milliseconds
    """The whole time of `mcp_client_free`, and of `mcp_client_close` with -1. Waiting for a killed process may
    take 500 ms more. From 1 to 31536000000 ms. Default: 2000 ms.
    """


class TlsConfig(TypedDict, total=False):
    """The members of `tls`."""

    ca_file: str
    """A PEM file of certificate authorities to trust. They are trusted for the authorization servers of a login
    too.
    """

    system_roots: bool
    """Whether authorities of the system are trusted. They are located (`SSL_CERT_FILE`, `SSL_CERT_DIR`, system
    folders) when the client is made. Default: `true`.
    """

    client_certificate: str
    """A PEM file: the certificate to show to a server that asks for one; with `client_key`."""

    client_key: str
    """A PEM file: the key of `client_certificate`."""


class QueueConfig(TypedDict, total=False):
    """The bounds of a queue that several clients share."""

    queue_messages: int
    """Messages that may wait in the client's own queue. From 1 to 100000000. Default: 10000."""

    queue_bytes: int
    """Their bytes. From 1024 to 68719476736 bytes. Default: 67108864 bytes."""

    overflow: Literal["drop_oldest", "drop_newest", "block"]
    """When the queue is full, of the messages that need no answer (notifications, progress, states, log lines):
    drop the oldest, drop the new one, or stop reading from the server. With `"block"` a thread that waits for
    a call still reads, and the oldest are dropped. Default: `"drop_oldest"`.
    """


class CallOptions(TypedDict, total=False):
    """The options of one call."""

    timeout_ms: Milliseconds
    """The time of this call. From 1 to 31536000000 ms. Default: by `timeouts`."""

    max_total_ms: Milliseconds
    """The most it may take, progress or not. From 1 to 31536000000 ms. Default: `timeouts.max_total_ms`, or
    `timeout_ms` if that is larger.
    """

    reset_on_progress: bool
    """Progress restarts the timeout of this call. Default: `timeouts.reset_on_progress`."""

    progress: bool
    """Asks the server for progress; it comes as `MCP_KIND_PROGRESS` messages. Default: `false`."""

    meta: dict[str, Any]
    """Members of the request's `_meta`. Names have letters, digits, `-`, `_` and `.`, and may have a prefix such
    as `com.example/`. Names that the library sets (`progressToken`, and some of `io.modelcontextprotocol/`)
    are refused. Default: `{}`.
    """

    traceparent: str
    """The trace of the call (W3C Trace Context), for `_meta`; must be well formed. It overrides the one in
    `meta`.
    """

    parent: str
    """The application's span that makes the call, written as `traceparent`: the call's own span is its child,
    and goes out if the call is recorded ([OpenTelemetry](../guide/telemetry.md)); else this goes out. A
    `traceparent` that is given, too, overrides it.
    """

    tracestate: str
    """What systems for tracing add to `traceparent` (W3C Trace Context); the same holds."""

    baggage: str
    """Properties of the trace (W3C Baggage); the same holds."""

    log_level: Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
    """2026-07-28: the lowest level of log messages during this call. Older revisions have one level for all
    calls (`mcp_client_set_server_log_level`).
    """

    retry: Literal["never", "safe"]
    """As above, for this call. Default: `retry`."""

    when_unavailable: Literal["fail", "wait"]
    """As above, for this call. Default: `when_unavailable`."""


class FeatureOptions(TypedDict, total=False):
    """What some calls of features have besides."""

    raw: bool
    """`mcp_call`, `mcp_call_start`: sends the method with its parameters as they are and hands over the result
    as it is: no check of capabilities, no further pages, nothing kept, no check of the result. Default:
    `false`.
    """

    cursor: str
    """Lists: read the page at this cursor and no other."""

    cache: Literal["use", "refresh", "bypass"]
    """Take a kept result that is fresh; ask the server and keep what it says; leave what is kept alone. Default:
    `"use"`.
    """

    one_page: bool
    """Lists: read the first page only; `nextCursor` in the result is the cursor of the next. Default: `false`."""

    allow_dynamic: bool
    """`mcp_client_load_skill`, `mcp_client_read_skill_file`: also files of a dynamic skill, which cannot be
    checked. Default: `false`.
    """

    task: bool
    """`tools/call`: as a task, or not as one (docs/guide/tasks.md). Default: as the tool says."""

    task_ttl_ms: Milliseconds
    """`tools/call`, 2025-11-25: how long the server is asked to keep the task. From 1 to 31536000000 ms.
    Default: `tasks.ttl_ms`.
    """


class ServerConfig(TypedDict, total=False):
    """The configuration of a server; docs/reference/server-configuration.md has more."""

    name: str
    """What the server is called; necessary."""

    version: str
    """Its version. Default: `"0"`."""

    title: str
    """A name for people."""

    description: str
    """What it is for."""

    website_url: str
    """Its website."""

    icons: list[Icon]
    """Its icons, as the specification has them."""

    instructions: str
    """What a model should know to use the server."""

    protocol: Union[str, list[str]]
    """The permitted revisions: `"auto"` (all), `"legacy"` (up to 2025-11-25), `"modern"` (2026-07-28), one of
    them, or a list. Default: `"auto"`.
    """

    page_size: int
    """Entries of one page of a list. From 1 to 1000000. Default: 100."""

    workers: int
    """Threads of the library that run handlers. With 0 only threads of the application run them, in
    `mcp_server_run`, `mcp_server_poll` or `mcp_queue_poll`. From 0 to 256. Default: 0.
    """

    framing: Literal["newline", "content-length"]
    """How messages are told apart over byte streams: one on each line, or a `Content-Length` header before each.
    Default: `"newline"`.
    """

    log_level: Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
    """The least severe log message for a client of the legacy era that has not set a level. Default: `"info"`."""

    limits: ServerLimits
    """Bounds."""

    timeouts: ServerTimeouts
    """Times."""

    cache: ServerCacheConfig
    """How long clients may keep results (2026-07-28)."""

    checks: ServerChecksConfig
    """What is checked of what clients and handlers send."""

    structured_as_text: bool
    """A structured result of a tool that has no text gets its JSON as one, for clients that read text only.
    Default: `true`.
    """

    announce: ServerAnnounceConfig
    """What is announced."""

    auth: ServerAuthConfig
    """Who may use the server over HTTP; without it everybody who reaches it. docs/guide/serving-http.md has
    more.
    """

    session_names: Literal["random", "sealed"]
    """What names of sessions over HTTP are (legacy era): random, known to the process that made them, and with a
    store to all; or sealed with `request_state.keys`, so that every process with the same keys goes on with a
    session. Default: `"random"`.
    """

    store: ServerStoreConfig
    """A store that the processes of the server share."""

    draft: list[Any]
    """Texts that are discussed for the next revision (docs/reference/draft.md). They change, and are dropped,
    without notice. Default: `[]`.
    """

    languages: list[str]
    """The languages in which handlers answer, the default first (`["en","fr-CA"]`). Needs the draft `language`;
    a handler finds the one of its request in `mcp_request_context` under `language`.
    """

    request_state: ServerRequestStateConfig
    """How request states are sealed (2026-07-28)."""


class ServerAnnounceConfig(TypedDict, total=False):
    """The members of `announce`."""

    tools: bool
    """Tools, although there are none yet. Default: `false`."""

    resources: bool
    """Resources, although there are none yet. Default: `false`."""

    prompts: bool
    """Prompts, although there are none yet. Default: `false`."""

    logging: bool
    """Log messages are sent to clients that want them. Default: `false`."""

    listen: bool
    """Streams of `subscriptions/listen` (2026-07-28). Without them clients of that revision are told of no
    change. Default: `true`.
    """

    notifications: dict[str, Any]
    """Notifications of extensions that `mcp_server_notify` also sends to streams of `subscriptions/listen`, by
    member of the filter: `{"com.example/renderChanged":"notifications/com.example/render_changed"}`; at most
    64. Default: `{}`.
    """

    name_in_results: bool
    """Results of 2026-07-28 name the server in their `_meta`. Default: `true`."""


class ServerAuthConfig(TypedDict, total=False):
    """The members of `auth`."""

    resource: str
    """The public URL of the server, which tokens are for; without it the URL that is served."""

    resource_name: str
    """A name of the server for people who are asked for their consent."""

    authorization_servers: list[str]
    """The issuers of tokens for this server; required without `tokens` and `application`. Default: `[]`."""

    scopes: list[str]
    """What every request needs, and what clients ask for at first. Default: `[]`."""

    implied_scopes: dict[str, list[str]]
    """Which scopes include others: object: scope → list of scopes."""

    tools: dict[str, list[str]]
    """What tools need besides: object: name → list of scopes."""

    prompts: dict[str, list[str]]
    """What prompts need besides: object: name → list of scopes."""

    resources: dict[str, list[str]]
    """What resources and templates need besides: object: URI, or text of a template as it was added → list of
    scopes.
    """

    methods: dict[str, list[str]]
    """What methods need besides: object: method → list of scopes."""

    lists: Literal["allowed", "all"]
    """What lists have: what their reader's scopes allow, or all, so that a client finds out what more scopes
    would give. Default: `"allowed"`.
    """

    issuers: list[str]
    """Whose tokens are good: the text in `iss`; without it the authorization servers. Default: `[]`."""

    audience: list[str]
    """Who tokens are for: a text in `aud`; without it the resource. Default: `[]`."""

    algorithms: list[str]
    """How tokens may be signed. Default: `["ES256","ES384","EdDSA","RS256","PS256"]`."""

    token_type: str
    """The `typ` that tokens must have, such as `at+jwt`; without it none, `JWT` or `at+jwt`."""

    leeway_ms: Milliseconds
    """How much clocks may differ. From 1 to 31536000000 ms. Default: 60000 ms."""

    jwks_url: str
    """Where the keys are that sign tokens."""

    jwks: dict[str, Any]
    """The keys themselves."""

    keys: int
    """Keys that are taken of one set. From 1 to 10000. Default: 100."""

    keys_bytes: int
    """Bytes of a set of keys. From 256 to 16777216 bytes. Default: 262144 bytes."""

    keys_ms: Milliseconds
    """How long keys are used before they are fetched again. From 1 to 31536000000 ms. Default: 3600000 ms."""

    keys_stale_ms: Milliseconds
    """How long they are used when they cannot be fetched. From 1 to 31536000000 ms. Default: 86400000 ms."""

    keys_pause_ms: Milliseconds
    """The least time between two fetches, whatever tokens come. From 1 to 31536000000 ms. Default: 30000 ms."""

    introspection: ServerAuthIntrospectionConfig
    """The authorization server is asked about tokens."""

    application: bool
    """The application is asked about tokens: each is a message of kind `auth` that it answers. Default: `false`."""

    tokens: list[Any]
    """Fixed tokens: objects with `sha256` (the hexadecimal digest), `principal` and `scopes`; at most 1000.
    Default: `[]`.
    """

    tokens_file: str
    """A file with more of them, a JSON list like `tokens`; it is read again when it has changed. When it is
    removed, its tokens are good no longer; when it is wrong, the last ones stay, and the log says why.
    """

    timeout_ms: Milliseconds
    """What the authorization server or the application has for an answer. From 1 to 31536000000 ms. Default:
    10000 ms.
    """

    questions: int
    """Tokens of each URL that are being checked elsewhere. One client has at most half of what the others leave;
    a further request gets status 503. From 1 to 100000. Default: 256.
    """

    remember_ms: Milliseconds
    """How long their answers are kept. From 0 to 86400000 ms. Default: 60000 ms."""

    remembered: int
    """Answers that are kept. From 0 to 10000000. Default: 10000."""

    dpop: Literal["off", "allowed", "required"]
    """Proofs of possession (RFC 9449): not taken, taken with tokens that are bound to a key, or needed. With a
    store each must have the nonce that the server gives. Default: `"off"`.
    """

    dpop_seconds: Seconds
    """How old a proof may be, in seconds. From 1 to 3600 s. Default: 60 s."""

    dpop_proofs: int
    """Proofs that are remembered, so that none is accepted twice. At the limit the principal with most loses its
    oldest, and gets status 503 for equally old ones. With a store they are noted there instead. From 1 to
    10000000. Default: 100000.
    """

    ca_file: str
    """A PEM file with certificates to trust, besides those of the system, where keys are fetched and tokens
    asked about.
    """


class ServerAuthIntrospectionConfig(TypedDict, total=False):
    """The members of `auth.introspection`."""

    url: str
    """The endpoint (RFC 7662); necessary."""

    client_id: str
    """Who the server is there."""

    client_secret: str
    """Its secret, sent in the header `Authorization`."""

    check_audience: bool
    """Answers must name this server as the audience. Without this a token for another server of the same issuer
    is good here. Default: `true`.
    """


class ServerCacheConfig(TypedDict, total=False):
    """The members of `cache`."""

    ttl_ms: Milliseconds
    """How long, in milliseconds; 0 for not at all. From 0 to 31536000000 ms. Default: 0 ms."""

    scope: Literal["private", "public"]
    """Who may keep them: one user's cache, or a cache that several users share. Default: `"private"`."""


class ServerChecksConfig(TypedDict, total=False):
    """The members of `checks`."""

    definitions: bool
    """Definitions of tools, resources and prompts, when they are added. If off, a schema that cannot be used
    checks nothing. Default: `true`.
    """

    arguments: bool
    """Arguments against the tool's `inputSchema`, before the handler runs. Default: `true`."""

    results: bool
    """Results against the tool's `outputSchema`, before they are sent. Default: `true`."""

    content: bool
    """What handlers give: content blocks of tools and prompts, contents of resources. Default: `true`."""


class ServerLimits(TypedDict, total=False):
    """The members of `limits`."""

    frame_bytes: int
    """The largest message of a client; a larger one is skipped as it comes and refused. From 1024 to 2147483648
    bytes. Default: 16777216 bytes.
    """

    discard_bytes: int
    """How much of one message is skipped beyond `limits.frame_bytes`. A message without an end within both ends
    the session. From 0 to 68719476736 bytes. Default: 536870912 bytes.
    """

    outgoing_bytes: int
    """When more than this waits for a client to read it, its session ends. From 1024 to 2147483648 bytes.
    Default: 67108864 bytes.
    """

    shared_bytes: int
    """Bytes held for all clients: bodies in progress, unread answers and notifications, kept events. At the
    limit kept events are dropped, then the slowest connections of the largest holder end; the largest holder
    itself is refused. No message may be larger. From 1048576 to 68719476736 bytes. Default: 268435456 bytes.
    """

    body_bytes_per_second: int
    """The lowest rate of a request body over 64 KiB, after `timeouts.body_grace_ms`; 0 for none. From 0 to
    1073741824. Default: 16384.
    """

    file_bytes: int
    """The largest file that is read below a folder of `mcp_server_add_folder` or `mcp_server_add_skills`. From 0
    to 1073741824 bytes. Default: 8388608 bytes.
    """

    connections: int
    """HTTP connections of each URL. At the limit an unused one ends, else an idle one of the address that has
    most; otherwise the new one is refused. From 1 to 1000000. Default: 10000.
    """

    head_bytes: int
    """The head of an HTTP request. From 8192 to 16777216 bytes. Default: 65536 bytes."""

    session_events: int
    """Events of one session of HTTP (legacy era) that are kept for a client whose stream broke off. From 0 to
    1000000. Default: 1000.
    """

    session_event_bytes: int
    """Their bytes. Those of all sessions count against `limits.shared_bytes`. From 0 to 1073741824 bytes.
    Default: 4194304 bytes.
    """

    sessions: int
    """Sessions. At the limit an unused one ends, else the least recently used one of the principal or address
    that has most. From 1 to 1000000. Default: 10000.
    """

    session_requests: int
    """Requests of one session that the application has not answered. A further one waits. From 1 to 1000000.
    Default: 10000.
    """

    requests: int
    """The same for all sessions together. One client has at most half of what the others leave. From 1 to
    1000000. Default: 20000.
    """

    request_bytes: int
    """Bytes of unanswered requests over 1 KiB. One client has at most half of what the others leave; a further
    one waits. A larger one is accepted alone. From 1024 to 68719476736 bytes. Default: 268435456 bytes.
    """

    session_waiting: int
    """Requests of one session that wait, within `timeouts.request_ms`. A further one is not read, or refused
    with the retryable error -32010. From 0 to 1000000. Default: 1000.
    """

    waiting_bytes: int
    """The bytes of all requests that wait so; one session has a sixteenth of them, one client half of what the
    others leave. From 1024 to 68719476736 bytes. Default: 16777216 bytes.
    """

    session_subscriptions: int
    """Resources that one session may subscribe to, each with a URI of at most 8192 bytes. From 0 to 1000000.
    Default: 1000.
    """

    subscription_bytes: int
    """Bytes of the URIs that clients of 2026-07-28 listen to, and as many for subscriptions of legacy sessions.
    One client has at most half of what the others leave; a further subscription is refused. From 0 to
    68719476736 bytes. Default: 33554432 bytes.
    """

    session_listens: int
    """Streams of `subscriptions/listen` in one session, over HTTP on one connection. From 0 to 100000. Default:
    16.
    """

    listens: int
    """The same for all sessions together. One client has at most half of what the others leave; one more is
    refused. From 0 to 1000000. Default: 10000.
    """

    batch: int
    """Messages in one batch (2025-03-26). From 1 to 100000. Default: 100."""

    json_depth: int
    """How deep JSON may nest, received and given. From 4 to 1000. Default: 128."""

    questions: int
    """Questions of one request that may be open at one time. From 1 to 1000. Default: 16."""

    request_state_bytes: int
    """Bytes of a sealed `requestState`. From 256 to 1048576 bytes. Default: 65536 bytes."""

    used_states: int
    """Used request states that are remembered, about 300 bytes each, so that none is accepted twice. At the
    limit the client with most loses its own, and states that may have been used are refused. From 1 to
    10000000. Default: 100000.
    """

    progress_per_second: int
    """Progress notifications of one session: this many at once, and each second. Further values wait; the newest
    is sent before the answer. From 1 to 1000000. Default: 100.
    """

    logs_per_second: int
    """Log messages of one session: this many at once, and each second. Further ones are dropped, counted and
    logged once a second. From 1 to 1000000. Default: 100.
    """

    elicitation_ids: int
    """Ids of elicitations by URL (2025-11-25) that are remembered until their session ends. One client has at
    most half of what the others leave; a further elicitation is refused. From 1 to 10000000. Default: 10000.
    """

    tasks: int
    """Tasks, also finished ones. One client has at most half of what the others leave. At the limit its oldest
    finished task of an ended session is dropped, else the call is refused. From 0 to 1000000. Default: 20000.
    """

    session_tasks: int
    """The same of one session. From 0 to 1000000. Default: 1000."""

    task_bytes: int
    """Bytes of the results and errors of tasks that are kept, shared in the same way. A task whose result has no
    room fails. From 0 to 68719476736 bytes. Default: 67108864 bytes.
    """

    skills: int
    """Skills of one server, those of all folders of `mcp_server_add_skills` together. From 0 to 100000. Default:
    1000.
    """

    skills_bytes: int
    """Bytes of the files of all skills together, which the server keeps in memory. From 0 to 4294967296 bytes.
    Default: 67108864 bytes.
    """

    skill_files: int
    """Files of one skill that the server publishes. Hosts need not accept more than 512. From 1 to 100000.
    Default: 512.
    """

    skill_bytes: int
    """Bytes of the files of one skill that the server publishes. Hosts need not accept more than 16 MiB. From 1
    to 1073741824 bytes. Default: 16777216 bytes.
    """

    skill_depth: int
    """How deep folders may nest below a folder of skills. From 1 to 60. Default: 16."""

    queue_messages: int
    """Messages that may wait in the server's own queue. From 1 to 100000000. Default: 10000."""

    queue_bytes: int
    """Their bytes. One client has at most half of what the others leave, or one larger request while no other
    waits; a further request waits. From 1024 to 68719476736 bytes. Default: 67108864 bytes.
    """


class ServerRequestStateConfig(TypedDict, total=False):
    """The members of `request_state`."""

    keys: list[str]
    """The keys, newest first, each the base64 of 32 random bytes, shared by servers that answer for one another.
    Without keys the server makes its own. Default: `[]`.
    """

    ttl_ms: Milliseconds
    """How long a seal is good. From 1 to 31536000000 ms. Default: 600000 ms."""

    audience: str
    """The name of the server in the seal, such as its URL: a server with another one refuses it."""


class ServerStoreConfig(TypedDict, total=False):
    """The members of `store`."""

    url: str
    """What the processes of the server share, for all that have the same `request_state.keys`: which request
    states were used, tasks, changes of lists and resources, sessions of older revisions.
    `redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]`, or `rediss://` with TLS: Redis 6.2 or Valkey, with
    `maxmemory-policy noeviction`, and a library built with the feature `redis`; or a URL whose scheme was
    registered, such as `file:PATH` of `libmcp-store-sqlite`.
    """

    space: str
    """What keys in the store begin with, beside what the library puts there; without it the name of the server."""

    timeout_ms: Milliseconds
    """How long an answer of the store may take; then the request is refused. From 1 to 31536000000 ms. Default:
    1000 ms.
    """

    lease_ms: Milliseconds
    """How long a process that says nothing counts as there, at most an hour; then its tasks have failed. Without
    it the time is at least three times that of an answer. From 1 to 31536000000 ms. Default: 15000.
    """

    session_check_ms: Milliseconds
    """How long a process goes on with a session of an older revision that was ended through another one, at
    most. From 1 to 31536000000 ms. Default: 5000 ms.
    """

    backlog_bytes: int
    """Bytes of events of streams of older revisions that may be under way to the store; a session has an eighth.
    What waits for that is what the session keeps in memory (`limits.session_event_bytes`). From 1048576 to
    1073741824 bytes. Default: 4194304 bytes.
    """

    ca_file: str
    """A PEM file with certificates to trust beside those of the system; for `rediss`."""


class ServerTimeouts(TypedDict, total=False):
    """The members of `timeouts`."""

    request_ms: Milliseconds
    """The time of the application for a request, in milliseconds; then the library answers with an error. 0 for
    no limit. From 0 to 31536000000 ms. Default: 300000 ms.
    """

    question_ms: Milliseconds
    """The time of a legacy client to answer a question, and to confirm its handshake before one. From 1 to
    31536000000 ms. Default: 60000 ms.
    """

    task_ttl_ms: Milliseconds
    """How long a task is kept from its start, unless client or handler ask for less. Then its request is
    cancelled. From 1 to 31536000000 ms. Default: 3600000 ms.
    """

    burst_ms: Milliseconds
    """How long changes are gathered before clients are told of them. From 1 to 31536000000 ms. Default: 10 ms."""

    write_ms: Milliseconds
    """How long a client may read nothing of what waits for it; then its session ends, over HTTP its connection.
    From 1 to 31536000000 ms. Default: 30000 ms.
    """

    finish_ms: Milliseconds
    """What requests under way have after the end of their client's input. From 1 to 31536000000 ms. Default:
    5000 ms.
    """

    head_ms: Milliseconds
    """The time for the head of an HTTP request, after the one before it; then the connection ends. A session
    that is not used after its handshake ends after this time, too, and one over a socket without a message.
    From 1 to 31536000000 ms. Default: 60000 ms.
    """

    body_ms: Milliseconds
    """The time for the body of an HTTP request, after its head; then it is refused. From 1 to 31536000000 ms.
    Default: 60000 ms.
    """

    keep_alive_ms: Milliseconds
    """How often a quiet event stream shows that it lives. From 1 to 31536000000 ms. Default: 15000 ms."""

    session_ms: Milliseconds
    """How long a session of HTTP (legacy era) lives without a request or a stream. From 1 to 31536000000 ms.
    Default: 1800000 ms.
    """

    session_name_ms: Milliseconds
    """How long other processes go on with a session whose name is sealed (`session_names`), from its handshake
    on. From 1 to 31536000000 ms. Default: 86400000 ms.
    """

    close_ms: Milliseconds
    """How long `mcp_server_close` with -1, and `mcp_server_free`, wait for clients to take what was sent to
    them. From 1 to 31536000000 ms. Default: 2000 ms.
    """

    notice_ms: Milliseconds
    """How long, in milliseconds, `mcp_server_close` still serves while health says 503, over HTTP. A second call
    of `mcp_server_close` ends the wait. From 0 to 31536000000 ms. Default: 0 ms.
    """

    drain_ms: Milliseconds
    """What requests under way have then, while no client connects any more; those that are left are refused.
    From 0 to 31536000000 ms. Default: 0 ms.
    """

    retry_ms: Milliseconds
    """After what time a client comes back to an event stream that ended before its answer (2025-11-25). From 1
    to 31536000000 ms. Default: 1000 ms.
    """

    event_ms: Milliseconds
    """How long an event is kept for a client that comes back to its stream (2025-03-26 to 2025-11-25). From 1 to
    31536000000 ms. Default: 300000 ms.
    """

    body_grace_ms: Milliseconds
    """How long a large body may come slower than `limits.body_bytes_per_second`. From 1 to 31536000000 ms.
    Default: 5000 ms.
    """


class TelemetryOptions(TypedDict, total=False):
    """What is recorded for OpenTelemetry."""

    sample_rate: float
    """The share of requests without a parent that become spans. A request with a parent is recorded if that is.
    From 0 to 1. Default: 1.0.
    """

    metrics: bool
    """Counts how long every request took, recorded or not, for `mcp_telemetry_metrics`. Default: `false`."""

    measurements: bool
    """Hands over `{"span": …, "measurement": …}` in place of a span, each if there is one: of every request,
    recorded or not, its duration with the name of the histogram (`{"name": …, "value": 0.01, "attributes":
    […]}`). For programs with counters of their own. Default: `false`.
    """


class Endpoint(TypedDict, total=False):
    """Where and how a server serves."""

    stdio: bool
    """The standard streams of the process; this, `url` or `socket`."""

    protect: bool
    """Descriptor 1 leads to descriptor 2 and descriptor 0 to `/dev/null` until the server ends, so that printing
    cannot corrupt the protocol. Default: `true`.
    """

    socket: str
    """`"unix:PATH"` or `"tcp:HOST:PORT"`: clients connect, each is a session."""

    beyond_loopback: bool
    """An address that other machines reach is served, too. Default: `false`."""

    same_user: bool
    """A Unix socket takes no client of another user, root's neither. Default: `false`."""

    url: str
    """`http://HOST:PORT/PATH` or `https://HOST:PORT/PATH`: Streamable HTTP, every revision that has it."""

    hosts: list[str]
    """Permitted values of `Host`, besides those of this machine; beyond loopback besides the host of the URL and
    addresses. Default: `[]`.
    """

    origins: list[str]
    """Origins of pages in browsers that may use the server, such as `https://app.example.com`. Default: `[]`."""

    sse: str
    """The path of HTTP+SSE of 2024-11-05, beside Streamable HTTP."""

    certificate_file: str
    """The certificate of a URL with `https`, a PEM file."""

    key_file: str
    """Its private key, a PEM file."""

    listen: bool
    """The library accepts connections. Without, an HTTP server of the program gives requests to
    `mcp_server_http`. Default: `true`.
    """

    health: str
    """The path at which the health of the server is told."""

    metrics: str
    """The path at which counters are told, for Prometheus."""

    card: EndpointCardConfig
    """A server card is served (SEP-2127)."""


class EndpointCardConfig(TypedDict, total=False):
    """The members of `card`."""

    name: str
    """The reversed name of your domain, a slash and the name of the server; necessary."""

    description: str
    """What the server is for; without it that of the server."""

    url: str
    """The public URL, if it is another one than the one that is served."""


class TaskOptions(TypedDict, total=False):
    """What a handler wants of the task that it becomes."""

    ttl_ms: Milliseconds
    """How long the task is kept. From 1 to 31536000000 ms."""

    poll_interval_ms: Milliseconds
    """How often the client should ask for it. From 1 to 31536000000 ms."""

    status_message: str
    """What a person may read about it."""

    attempts: int
    """With a store: how often its call may begin in all, each time in another process when the one before is
    gone. From 1 to 100. Default: 1.
    """


class ClientInfo(TypedDict, total=False):
    """What the server is told about the program. The library fills in what is absent."""

    description: str
    """An optional human-readable description of what this implementation does."""

    icons: list[Icon]
    """Optional set of sized icons that the client can display in a user interface."""

    name: str
    """Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    isn't present).
    """

    title: str
    """Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by
    those unfamiliar with domain-specific terminology.
    """

    version: str
    """The version of this implementation."""

    websiteUrl: str
    """An optional URL of the website for this implementation."""

DURATIONS: Final[dict[str, dict[str, Literal["ms", "s"]]]] = {
    "call": {
        "timeout_ms": "ms",
        "max_total_ms": "ms",
    },
    "client": {
        "http.idle_ms": "ms",
        "http.ping_ms": "ms",
        "auth.limit_ms": "ms",
        "auth.patience_ms": "ms",
        "timeouts.call_ms": "ms",
        "timeouts.methods.*": "ms",
        "timeouts.initialize_ms": "ms",
        "timeouts.probe_ms": "ms",
        "timeouts.start_ms": "ms",
        "timeouts.max_total_ms": "ms",
        "timeouts.listen_ms": "ms",
        "timeouts.connect_ms": "ms",
        "timeouts.exit_ms": "ms",
        "timeouts.term_ms": "ms",
        "timeouts.close_ms": "ms",
        "reconnect.initial_ms": "ms",
        "reconnect.max_ms": "ms",
        "reconnect.stable_ms": "ms",
        "cache.ttl_ms.*": "ms",
        "tasks.poll_ms": "ms",
        "tasks.poll_min_ms": "ms",
        "tasks.poll_max_ms": "ms",
        "tasks.ttl_ms": "ms",
        "tasks.life_ms": "ms",
    },
    "feature_call": {
        "task_ttl_ms": "ms",
    },
    "server": {
        "timeouts.request_ms": "ms",
        "timeouts.question_ms": "ms",
        "timeouts.task_ttl_ms": "ms",
        "timeouts.burst_ms": "ms",
        "timeouts.write_ms": "ms",
        "timeouts.finish_ms": "ms",
        "timeouts.head_ms": "ms",
        "timeouts.body_ms": "ms",
        "timeouts.keep_alive_ms": "ms",
        "timeouts.session_ms": "ms",
        "timeouts.session_name_ms": "ms",
        "timeouts.close_ms": "ms",
        "timeouts.notice_ms": "ms",
        "timeouts.drain_ms": "ms",
        "timeouts.retry_ms": "ms",
        "timeouts.event_ms": "ms",
        "timeouts.body_grace_ms": "ms",
        "cache.ttl_ms": "ms",
        "auth.leeway_ms": "ms",
        "auth.keys_ms": "ms",
        "auth.keys_stale_ms": "ms",
        "auth.keys_pause_ms": "ms",
        "auth.timeout_ms": "ms",
        "auth.remember_ms": "ms",
        "auth.dpop_seconds": "s",
        "store.timeout_ms": "ms",
        "store.lease_ms": "ms",
        "store.session_check_ms": "ms",
        "request_state.ttl_ms": "ms",
    },
    "task": {
        "ttl_ms": "ms",
        "poll_interval_ms": "ms",
    },
}
"""The keys that are times, of each object of docs/reference/configuration.json, and their units. `*` is any member."""

TYPES: Final[dict[str, type]] = {
    "client": Config,
    "queue": QueueConfig,
    "call": CallOptions,
    "feature_call": FeatureOptions,
    "server": ServerConfig,
    "telemetry": TelemetryOptions,
    "endpoint": Endpoint,
    "task": TaskOptions,
}
"""The types of the objects of docs/reference/configuration.json."""
