// Written from docs/reference/configuration.json by `cargo xtask bindings`; do not edit.

/// The configuration of a client; docs/reference/configuration.md has more.
public struct ClientConfiguration: Codable, Hashable, Sendable {
    /// The program: a path, or a name to find in `PATH`. No shell is involved. Default: this or `url`.
    public var command: String?

    /// `http://` or `https://`, as the server's documentation has it. Its path and query are sent as they are
    /// written. Default: this or `command`.
    public var url: String?

    /// `"unix:/path"`, `"unix:@name"` (abstract, Linux), or `"tcp:host:port"` (`"tcp:[::1]:4000"`). The bytes are
    /// those of stdio, without HTTP and TLS. For HTTP over a Unix socket use `url` with `unix_socket`. Default:
    /// instead of `command`.
    public var socket: String?

    /// As in files of editors: `"stdio"` with `command`, `"socket"` with `socket`, the others with `url`. The
    /// library detects the HTTP transport of a server.
    public var type: Kind?

    /// Its arguments, as they are.
    public var args: [String]?

    /// Variables for the server, over the inherited ones. Names must not be empty or contain `=`.
    public var env: [String: String]?

    /// What the server sees of the host's environment: some variables, everything, or nothing. Default:
    /// `"default"`.
    public var inheritEnv: InheritEnv?

    /// The directory it is started in. Default: the host's.
    public var cwd: String?

    /// Headers for every request to this origin, such as `Authorization`. They are never logged and never sent to
    /// another origin. Line breaks, and headers that the protocol, HTTP or the library sets (`Mcp-*`, `Accept`,
    /// `Content-*`, `Host`, `Connection`, …), are refused.
    public var headers: [String: String]?

    /// Connect to this Unix socket instead of to the URL's host.
    public var unixSocket: String?

    /// `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` are read when the client is made, and apply to each
    /// request by its own URL. Without this key this machine (`localhost`, `127.0.0.0/8`, `::1`) is never reached
    /// through a proxy; with it every request is: do not set it for `http://localhost` with a token. The URL may
    /// have a user name and password. `socks5h`: the proxy looks names up. Default: the environment.
    public var proxy: JSONValue?

    /// What TLS trusts and shows.
    public var tls: TlsConfiguration?

    /// Connections.
    public var http: HttpConfiguration?

    /// How to log in where the server wants it: docs/guide/authorization.md says which keys it needs.
    public var auth: AuthConfiguration?

    /// How messages are told apart: one on each line, or a `Content-Length` header before each. Default:
    /// `"newline"`.
    public var framing: Framing?

    /// Where the server's stderr lines go: the logger (`server.stderr`), the queue (`MCP_KIND_STDERR`), or nowhere.
    /// The last lines are also kept for errors. Default: `"log"`.
    public var stderr: Stderr?

    /// What log records call this client. Default: the value of `command` or `socket`, or the origin of `url`.
    public var name: String?

    /// The times of a connection and its calls.
    public var timeouts: Timeouts?

    /// The bounds of a client and of its own queue.
    public var limits: Limits?

    /// `false`: when the connection is lost, or cannot be made, the client is closed. Default: `true`.
    public var reconnect: Switch<Reconnect>?

    /// The permitted revisions: `"auto"` (all), `"legacy"` (up to 2025-11-25), `"modern"` (2026-07-28), one
    /// revision, or a list. If a modern one is permitted, the server is probed with `server/discover` first.
    /// Default: `"auto"`.
    public var `protocol`: [String]?

    /// What the server is told about the program. `name` and `version` are filled in if absent. Default:
    /// `{"name":"libmcp","version":…}`.
    public var client: ClientInfo?

    /// What the program can do for a server: `sampling`, `elicitation`, `roots`, … `{}` enables one. `extensions`
    /// has an object for each extension, by its full name (`com.example/name`). Requests that are not enabled are
    /// refused; of elicitation `{}` and `{"form":{}}` enable forms, `{"url":{}}` pages to visit. Default: `{}`.
    public var capabilities: ClientCapabilities?

    /// The values of `resultType` of declared extensions. Such results are passed on unchecked and not cached; any
    /// other unknown type is `MCP_ERROR_PROTOCOL`. `task` belongs to `io.modelcontextprotocol/tasks`.
    public var resultTypes: [String: [String]]?

    /// Pages to visit: `"safe"` permits `https`, and `http` on this machine, without a user name or ambiguous
    /// characters; others are refused. `"any"` passes every URL on. No page is ever fetched. Default: `"safe"`.
    public var elicitationUrls: ElicitationUrls?

    /// Fixed roots: `file://` URIs, or objects with `uri`. The library declares the capability and answers
    /// `roots/list`.
    public var roots: [Root]?

    /// A call made while the client waits for its next attempt ends as `MCP_ERROR_UNAVAILABLE`, or waits within its
    /// time, also during failed attempts. Default: `"fail"`.
    public var whenUnavailable: WhenUnavailable?

    /// A call in progress when the connection is lost ends as `MCP_ERROR_TRANSPORT`, or is sent again if it is safe
    /// to repeat. Default: `"never"`.
    public var retry: Retry?

    /// How often one call is sent again. From 0 to 100. Default: 2.
    public var maxRetries: Int?

    /// A feature that the server did not declare is `MCP_ERROR_UNSUPPORTED`. Tools, resources and prompts are asked
    /// for all the same, and the server's answer tells; else nothing is sent. Calls with the option `raw` are not
    /// checked. Default: `true`.
    public var capabilityChecks: Bool?

    /// 2026-07-28: request every kind of change notification that the server declares, also after a loss; `false`:
    /// only those of subscribed resources. Default: `true`.
    public var changeNotifications: Bool?

    /// `structuredContent` is checked against the tool's `outputSchema` of the last `mcp_client_list_tools`. A
    /// mismatch is `MCP_ERROR_PROTOCOL` with the result as `data`. From 2025-06-18 on. Default: `true`.
    public var validateResults: Bool?

    /// Arguments of `mcp_client_call_tool` are checked against `inputSchema` before they are sent; a mismatch is
    /// `MCP_ERROR_INVALID_ARGUMENT`. Default: `false`.
    public var validateArguments: Bool?

    /// The tools that may be used, by name; `*` in a name stands for any characters. Lists come without the others,
    /// and a call of one of those is `MCP_ERROR_INVALID_ARGUMENT` and not sent. Files of other programs have this
    /// under names of their own (`includeTools`, `enabled_tools`, …). Default: all.
    public var allowTools: [String]?

    /// Tools that may not be used, also of those in `allow_tools`. With either key, raw calls of `tools/list` are
    /// held to it, too, and a call with more than one `name`, in any letters, is refused.
    public var denyTools: [String]?

    /// Tools may be stateful: a session in every request, and stateful calls one at a time
    /// (docs/reference/tool-modes.md). Default: `"off"`.
    public var toolModes: ToolModes?

    /// Results of lists and `mcp_client_read_resource` are kept while they are fresh: `true` with the defaults
    /// below. Default: `false`.
    public var cache: Switch<CacheConfiguration>?

    /// Calls of tools may become tasks: `true` with the defaults below. The library declares the extension
    /// `io.modelcontextprotocol/tasks`. Default: `false`.
    public var tasks: Switch<TasksConfiguration>?

    /// Texts that are discussed for the next revision (docs/reference/draft.md). They change, and are dropped,
    /// without notice. Default: `[]`.
    public var draft: [JSONValue]?

    /// The language that the user prefers, as the header `Accept-Language` has it (`"fr-CA,fr;q=0.9"`), for every
    /// request. Needs the draft `language`; the call option `meta` may have another one under
    /// `io.modelcontextprotocol/acceptLanguage`.
    public var acceptLanguage: String?

    /// The share of calls whose `request.start`, `request.stop` and `request.error` are logged. From 0 to 1.
    /// Default: 1.0.
    public var telemetrySampleRate: Double?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        command: String? = nil,
        url: String? = nil,
        socket: String? = nil,
        type: Kind? = nil,
        args: [String]? = nil,
        env: [String: String]? = nil,
        inheritEnv: InheritEnv? = nil,
        cwd: String? = nil,
        headers: [String: String]? = nil,
        unixSocket: String? = nil,
        proxy: JSONValue? = nil,
        tls: TlsConfiguration? = nil,
        http: HttpConfiguration? = nil,
        auth: AuthConfiguration? = nil,
        framing: Framing? = nil,
        stderr: Stderr? = nil,
        name: String? = nil,
        timeouts: Timeouts? = nil,
        limits: Limits? = nil,
        reconnect: Switch<Reconnect>? = nil,
        `protocol`: [String]? = nil,
        client: ClientInfo? = nil,
        capabilities: ClientCapabilities? = nil,
        resultTypes: [String: [String]]? = nil,
        elicitationUrls: ElicitationUrls? = nil,
        roots: [Root]? = nil,
        whenUnavailable: WhenUnavailable? = nil,
        retry: Retry? = nil,
        maxRetries: Int? = nil,
        capabilityChecks: Bool? = nil,
        changeNotifications: Bool? = nil,
        validateResults: Bool? = nil,
        validateArguments: Bool? = nil,
        allowTools: [String]? = nil,
        denyTools: [String]? = nil,
        toolModes: ToolModes? = nil,
        cache: Switch<CacheConfiguration>? = nil,
        tasks: Switch<TasksConfiguration>? = nil,
        draft: [JSONValue]? = nil,
        acceptLanguage: String? = nil,
        telemetrySampleRate: Double? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.command = command
        self.url = url
        self.socket = socket
        self.type = type
        self.args = args
        self.env = env
        self.inheritEnv = inheritEnv
        self.cwd = cwd
        self.headers = headers
        self.unixSocket = unixSocket
        self.proxy = proxy
        self.tls = tls
        self.http = http
        self.auth = auth
        self.framing = framing
        self.stderr = stderr
        self.name = name
        self.timeouts = timeouts
        self.limits = limits
        self.reconnect = reconnect
        self.`protocol` = `protocol`
        self.client = client
        self.capabilities = capabilities
        self.resultTypes = resultTypes
        self.elicitationUrls = elicitationUrls
        self.roots = roots
        self.whenUnavailable = whenUnavailable
        self.retry = retry
        self.maxRetries = maxRetries
        self.capabilityChecks = capabilityChecks
        self.changeNotifications = changeNotifications
        self.validateResults = validateResults
        self.validateArguments = validateArguments
        self.allowTools = allowTools
        self.denyTools = denyTools
        self.toolModes = toolModes
        self.cache = cache
        self.tasks = tasks
        self.draft = draft
        self.acceptLanguage = acceptLanguage
        self.telemetrySampleRate = telemetrySampleRate
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case command
        case url
        case socket
        case type
        case args
        case env
        case inheritEnv = "inherit_env"
        case cwd
        case headers
        case unixSocket = "unix_socket"
        case proxy
        case tls
        case http
        case auth
        case framing
        case stderr
        case name
        case timeouts
        case limits
        case reconnect
        case `protocol`
        case client
        case capabilities
        case resultTypes = "result_types"
        case elicitationUrls = "elicitation_urls"
        case roots
        case whenUnavailable = "when_unavailable"
        case retry
        case maxRetries = "max_retries"
        case capabilityChecks = "capability_checks"
        case changeNotifications = "change_notifications"
        case validateResults = "validate_results"
        case validateArguments = "validate_arguments"
        case allowTools = "allow_tools"
        case denyTools = "deny_tools"
        case toolModes = "tool_modes"
        case cache
        case tasks
        case draft
        case acceptLanguage = "accept_language"
        case telemetrySampleRate = "telemetry_sample_rate"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        command = try members.decodeIfPresent(String.self, forKey: .command)
        url = try members.decodeIfPresent(String.self, forKey: .url)
        socket = try members.decodeIfPresent(String.self, forKey: .socket)
        type = try members.decodeIfPresent(Kind.self, forKey: .type)
        args = try members.decodeIfPresent([String].self, forKey: .args)
        env = try members.decodeIfPresent([String: String].self, forKey: .env)
        inheritEnv = try members.decodeIfPresent(InheritEnv.self, forKey: .inheritEnv)
        cwd = try members.decodeIfPresent(String.self, forKey: .cwd)
        headers = try members.decodeIfPresent([String: String].self, forKey: .headers)
        unixSocket = try members.decodeIfPresent(String.self, forKey: .unixSocket)
        proxy = try members.decodeIfPresent(JSONValue.self, forKey: .proxy)
        tls = try members.decodeIfPresent(TlsConfiguration.self, forKey: .tls)
        http = try members.decodeIfPresent(HttpConfiguration.self, forKey: .http)
        auth = try members.decodeIfPresent(AuthConfiguration.self, forKey: .auth)
        framing = try members.decodeIfPresent(Framing.self, forKey: .framing)
        stderr = try members.decodeIfPresent(Stderr.self, forKey: .stderr)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        timeouts = try members.decodeIfPresent(Timeouts.self, forKey: .timeouts)
        limits = try members.decodeIfPresent(Limits.self, forKey: .limits)
        reconnect = try members.decodeIfPresent(Switch<Reconnect>.self, forKey: .reconnect)
        `protocol` = try members.oneOrMany(String.self, forKey: .`protocol`)
        client = try members.decodeIfPresent(ClientInfo.self, forKey: .client)
        capabilities = try members.decodeIfPresent(ClientCapabilities.self, forKey: .capabilities)
        resultTypes = try members.decodeIfPresent([String: [String]].self, forKey: .resultTypes)
        elicitationUrls = try members.decodeIfPresent(ElicitationUrls.self, forKey: .elicitationUrls)
        roots = try members.decodeIfPresent([Root].self, forKey: .roots)
        whenUnavailable = try members.decodeIfPresent(WhenUnavailable.self, forKey: .whenUnavailable)
        retry = try members.decodeIfPresent(Retry.self, forKey: .retry)
        maxRetries = try members.decodeIfPresent(Int.self, forKey: .maxRetries)
        capabilityChecks = try members.decodeIfPresent(Bool.self, forKey: .capabilityChecks)
        changeNotifications = try members.decodeIfPresent(Bool.self, forKey: .changeNotifications)
        validateResults = try members.decodeIfPresent(Bool.self, forKey: .validateResults)
        validateArguments = try members.decodeIfPresent(Bool.self, forKey: .validateArguments)
        allowTools = try members.decodeIfPresent([String].self, forKey: .allowTools)
        denyTools = try members.decodeIfPresent([String].self, forKey: .denyTools)
        toolModes = try members.decodeIfPresent(ToolModes.self, forKey: .toolModes)
        cache = try members.decodeIfPresent(Switch<CacheConfiguration>.self, forKey: .cache)
        tasks = try members.decodeIfPresent(Switch<TasksConfiguration>.self, forKey: .tasks)
        draft = try members.decodeIfPresent([JSONValue].self, forKey: .draft)
        acceptLanguage = try members.decodeIfPresent(String.self, forKey: .acceptLanguage)
        telemetrySampleRate = try members.decodeIfPresent(Double.self, forKey: .telemetrySampleRate)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(command, forKey: .command)
        try members.encodeIfPresent(url, forKey: .url)
        try members.encodeIfPresent(socket, forKey: .socket)
        try members.encodeIfPresent(type, forKey: .type)
        try members.encodeIfPresent(args, forKey: .args)
        try members.encodeIfPresent(env, forKey: .env)
        try members.encodeIfPresent(inheritEnv, forKey: .inheritEnv)
        try members.encodeIfPresent(cwd, forKey: .cwd)
        try members.encodeIfPresent(headers, forKey: .headers)
        try members.encodeIfPresent(unixSocket, forKey: .unixSocket)
        try members.encodeIfPresent(proxy, forKey: .proxy)
        try members.encodeIfPresent(tls, forKey: .tls)
        try members.encodeIfPresent(http, forKey: .http)
        try members.encodeIfPresent(auth, forKey: .auth)
        try members.encodeIfPresent(framing, forKey: .framing)
        try members.encodeIfPresent(stderr, forKey: .stderr)
        try members.encodeIfPresent(name, forKey: .name)
        try members.encodeIfPresent(timeouts, forKey: .timeouts)
        try members.encodeIfPresent(limits, forKey: .limits)
        try members.encodeIfPresent(reconnect, forKey: .reconnect)
        try members.encodeOneOrMany(`protocol`, forKey: .`protocol`)
        try members.encodeIfPresent(client, forKey: .client)
        try members.encodeIfPresent(capabilities, forKey: .capabilities)
        try members.encodeIfPresent(resultTypes, forKey: .resultTypes)
        try members.encodeIfPresent(elicitationUrls, forKey: .elicitationUrls)
        try members.encodeIfPresent(roots, forKey: .roots)
        try members.encodeIfPresent(whenUnavailable, forKey: .whenUnavailable)
        try members.encodeIfPresent(retry, forKey: .retry)
        try members.encodeIfPresent(maxRetries, forKey: .maxRetries)
        try members.encodeIfPresent(capabilityChecks, forKey: .capabilityChecks)
        try members.encodeIfPresent(changeNotifications, forKey: .changeNotifications)
        try members.encodeIfPresent(validateResults, forKey: .validateResults)
        try members.encodeIfPresent(validateArguments, forKey: .validateArguments)
        try members.encodeIfPresent(allowTools, forKey: .allowTools)
        try members.encodeIfPresent(denyTools, forKey: .denyTools)
        try members.encodeIfPresent(toolModes, forKey: .toolModes)
        try members.encodeIfPresent(cache, forKey: .cache)
        try members.encodeIfPresent(tasks, forKey: .tasks)
        try members.encodeIfPresent(draft, forKey: .draft)
        try members.encodeIfPresent(acceptLanguage, forKey: .acceptLanguage)
        try members.encodeIfPresent(telemetrySampleRate, forKey: .telemetrySampleRate)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `type`.
    public struct Kind: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let stdio = Kind(rawValue: "stdio")
        public static let http = Kind(rawValue: "http")
        public static let streamableHttp = Kind(rawValue: "streamable-http")
        public static let sse = Kind(rawValue: "sse")
        public static let socket = Kind(rawValue: "socket")
    }

    /// The values of `inherit_env`.
    public struct InheritEnv: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let `default` = InheritEnv(rawValue: "default")
        public static let all = InheritEnv(rawValue: "all")
        public static let none = InheritEnv(rawValue: "none")
    }

    /// The values of `framing`.
    public struct Framing: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let newline = Framing(rawValue: "newline")
        public static let contentLength = Framing(rawValue: "content-length")
    }

    /// The values of `stderr`.
    public struct Stderr: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let log = Stderr(rawValue: "log")
        public static let message = Stderr(rawValue: "message")
        public static let drop = Stderr(rawValue: "drop")
    }

    /// The values of `elicitation_urls`.
    public struct ElicitationUrls: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let safe = ElicitationUrls(rawValue: "safe")
        public static let any = ElicitationUrls(rawValue: "any")
    }

    /// The values of `when_unavailable`.
    public struct WhenUnavailable: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let fail = WhenUnavailable(rawValue: "fail")
        public static let wait = WhenUnavailable(rawValue: "wait")
    }

    /// The values of `retry`.
    public struct Retry: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let never = Retry(rawValue: "never")
        public static let safe = Retry(rawValue: "safe")
    }

    /// The values of `tool_modes`.
    public struct ToolModes: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let off = ToolModes(rawValue: "off")
        public static let auto = ToolModes(rawValue: "auto")
    }
}

/// The members of `auth`.
public struct AuthConfiguration: Codable, Hashable, Sendable {
    /// How tokens are obtained; `"none"`: the library has nothing to do with it. Default: `"interactive"`.
    public var type: Kind?

    /// The id that the authorization server issued in advance.
    public var clientId: String?

    /// The secret that goes with `auth.client_id`. A secret: it is in no log and no error.
    public var clientSecret: String?

    /// A private key in PEM (PKCS#8, or PKCS#1 for RSA), with which the client signs assertions. A secret: it is in
    /// no log and no error.
    public var privateKey: String?

    /// A file with such a key, instead of `auth.private_key`.
    public var privateKeyFile: String?

    /// The id of the key at the authorization server.
    public var keyId: String?

    /// The algorithm that the key must have.
    public var signingAlgorithm: SigningAlgorithm?

    /// The application has the private key and signs on request, with `auth.signing_algorithm`, which is then
    /// required.
    public var signer: Signer?

    /// How the client proves itself at the token endpoint. Default: by the credentials and the server.
    public var tokenEndpointAuthMethod: TokenEndpointAuthMethod?

    /// The only authorization server to use, by its exact name. Required with a configured secret, private key,
    /// signer, `auth.assertion` or `auth.assertion_file`. Without it, a configured client id belongs to the first
    /// authorization server that used it.
    public var issuer: String?

    /// Instead of `auth.issuer`: configured credentials may be used at every authorization server that an MCP
    /// server names. Default: `false`.
    public var allowAnyIssuer: Bool?

    /// The name under which the client registers itself. Default: `client.name`.
    public var clientName: String?

    /// Scopes to request besides those of a challenge, and instead of all that the resource lists. A stored login
    /// without one of them is made again.
    public var scopes: [String]?

    /// Whether tokens are bound to a key; `"auto"`: where the MCP server says that it accepts such tokens. Default:
    /// `"auto"`.
    public var dpop: Dpop?

    /// The public half (a JSON Web Key, P-256) of the key with which the application signs proofs. Default: a key
    /// of the library.
    public var dpopKey: [String: JSONValue]?

    /// A server that publishes no metadata as a resource is treated as a server of 2025-03-26. Default: `true`.
    public var legacy: Bool?

    /// Addresses of private networks are permitted in URLs that servers name. Default: `false`.
    public var allowPrivateAddresses: Bool?

    /// Plain `http` is permitted in such URLs. Default: `false`.
    public var allowHttp: Bool?

    /// The time limit of a login, without the time of the person and the application. From 1 to 31536000000 ms.
    /// Default: 60000 ms.
    public var limit: Duration?

    /// The time limit for the person and the application. From 1 to 31536000000 ms. Default: 300000 ms.
    public var patience: Duration?

    /// How often one operation may request more scopes. From 0 to 10. Default: 2.
    public var stepUps: Int?

    /// An absolute path: the library stores logins in files there; not with `auth.store`.
    public var storeDirectory: String?

    /// `"memory"`: as long as the client exists; `"application"`: the application stores logins (`"load"`,
    /// `"save"`, `"unlock"`). Default: `"memory"`.
    public var store: Store?

    /// `"browser"`: a browser that is redirected to this machine or the application; `"device"`: any browser, with
    /// a code (RFC 8628); `"auto"`: with a code where the authorization server supports it. Default: `"browser"`.
    public var flow: Flow?

    /// The URL to which the browser is redirected. Default: this machine, on a free port.
    public var redirectUri: String?

    /// Whether the library listens there (this machine only; without a port in the URL it uses a free one).
    /// Default: `true` without `auth.redirect_uri`.
    public var listen: Bool?

    /// Why no person can log in: a login that needs a person fails with this text, before a browser is opened or a
    /// client registered.
    public var noLogin: String?

    /// The `https` URL of the client's metadata document, by which it identifies itself.
    public var clientMetadataUrl: String?

    /// The kind of application with which the client registers itself. Default: by `auth.redirect_uri`.
    public var applicationType: ApplicationType?

    /// The identity provider.
    public var enterprise: AuthEnterpriseConfiguration?

    /// A signed statement about the workload. Default: the application is asked. A secret: it is in no log and no
    /// error.
    public var assertion: String?

    /// The file from which it is read each time.
    public var assertionFile: String?

    /// The token. Default: the application is asked. A secret: it is in no log and no error.
    public var token: String?

    /// The file from which it is read each time.
    public var tokenFile: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        type: Kind? = nil,
        clientId: String? = nil,
        clientSecret: String? = nil,
        privateKey: String? = nil,
        privateKeyFile: String? = nil,
        keyId: String? = nil,
        signingAlgorithm: SigningAlgorithm? = nil,
        signer: Signer? = nil,
        tokenEndpointAuthMethod: TokenEndpointAuthMethod? = nil,
        issuer: String? = nil,
        allowAnyIssuer: Bool? = nil,
        clientName: String? = nil,
        scopes: [String]? = nil,
        dpop: Dpop? = nil,
        dpopKey: [String: JSONValue]? = nil,
        legacy: Bool? = nil,
        allowPrivateAddresses: Bool? = nil,
        allowHttp: Bool? = nil,
        limit: Duration? = nil,
        patience: Duration? = nil,
        stepUps: Int? = nil,
        storeDirectory: String? = nil,
        store: Store? = nil,
        flow: Flow? = nil,
        redirectUri: String? = nil,
        listen: Bool? = nil,
        noLogin: String? = nil,
        clientMetadataUrl: String? = nil,
        applicationType: ApplicationType? = nil,
        enterprise: AuthEnterpriseConfiguration? = nil,
        assertion: String? = nil,
        assertionFile: String? = nil,
        token: String? = nil,
        tokenFile: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.type = type
        self.clientId = clientId
        self.clientSecret = clientSecret
        self.privateKey = privateKey
        self.privateKeyFile = privateKeyFile
        self.keyId = keyId
        self.signingAlgorithm = signingAlgorithm
        self.signer = signer
        self.tokenEndpointAuthMethod = tokenEndpointAuthMethod
        self.issuer = issuer
        self.allowAnyIssuer = allowAnyIssuer
        self.clientName = clientName
        self.scopes = scopes
        self.dpop = dpop
        self.dpopKey = dpopKey
        self.legacy = legacy
        self.allowPrivateAddresses = allowPrivateAddresses
        self.allowHttp = allowHttp
        self.limit = limit
        self.patience = patience
        self.stepUps = stepUps
        self.storeDirectory = storeDirectory
        self.store = store
        self.flow = flow
        self.redirectUri = redirectUri
        self.listen = listen
        self.noLogin = noLogin
        self.clientMetadataUrl = clientMetadataUrl
        self.applicationType = applicationType
        self.enterprise = enterprise
        self.assertion = assertion
        self.assertionFile = assertionFile
        self.token = token
        self.tokenFile = tokenFile
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case clientId = "client_id"
        case clientSecret = "client_secret"
        case privateKey = "private_key"
        case privateKeyFile = "private_key_file"
        case keyId = "key_id"
        case signingAlgorithm = "signing_algorithm"
        case signer
        case tokenEndpointAuthMethod = "token_endpoint_auth_method"
        case issuer
        case allowAnyIssuer = "allow_any_issuer"
        case clientName = "client_name"
        case scopes
        case dpop
        case dpopKey = "dpop_key"
        case legacy
        case allowPrivateAddresses = "allow_private_addresses"
        case allowHttp = "allow_http"
        case limit = "limit_ms"
        case patience = "patience_ms"
        case stepUps = "step_ups"
        case storeDirectory = "store_directory"
        case store
        case flow
        case redirectUri = "redirect_uri"
        case listen
        case noLogin = "no_login"
        case clientMetadataUrl = "client_metadata_url"
        case applicationType = "application_type"
        case enterprise
        case assertion
        case assertionFile = "assertion_file"
        case token
        case tokenFile = "token_file"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        type = try members.decodeIfPresent(Kind.self, forKey: .type)
        clientId = try members.decodeIfPresent(String.self, forKey: .clientId)
        clientSecret = try members.decodeIfPresent(String.self, forKey: .clientSecret)
        privateKey = try members.decodeIfPresent(String.self, forKey: .privateKey)
        privateKeyFile = try members.decodeIfPresent(String.self, forKey: .privateKeyFile)
        keyId = try members.decodeIfPresent(String.self, forKey: .keyId)
        signingAlgorithm = try members.decodeIfPresent(SigningAlgorithm.self, forKey: .signingAlgorithm)
        signer = try members.decodeIfPresent(Signer.self, forKey: .signer)
        tokenEndpointAuthMethod = try members.decodeIfPresent(TokenEndpointAuthMethod.self, forKey: .tokenEndpointAuthMethod)
        issuer = try members.decodeIfPresent(String.self, forKey: .issuer)
        allowAnyIssuer = try members.decodeIfPresent(Bool.self, forKey: .allowAnyIssuer)
        clientName = try members.decodeIfPresent(String.self, forKey: .clientName)
        scopes = try members.decodeIfPresent([String].self, forKey: .scopes)
        dpop = try members.decodeIfPresent(Dpop.self, forKey: .dpop)
        dpopKey = try members.decodeIfPresent([String: JSONValue].self, forKey: .dpopKey)
        legacy = try members.decodeIfPresent(Bool.self, forKey: .legacy)
        allowPrivateAddresses = try members.decodeIfPresent(Bool.self, forKey: .allowPrivateAddresses)
        allowHttp = try members.decodeIfPresent(Bool.self, forKey: .allowHttp)
        limit = try members.duration(.milliseconds, forKey: .limit)
        patience = try members.duration(.milliseconds, forKey: .patience)
        stepUps = try members.decodeIfPresent(Int.self, forKey: .stepUps)
        storeDirectory = try members.decodeIfPresent(String.self, forKey: .storeDirectory)
        store = try members.decodeIfPresent(Store.self, forKey: .store)
        flow = try members.decodeIfPresent(Flow.self, forKey: .flow)
        redirectUri = try members.decodeIfPresent(String.self, forKey: .redirectUri)
        listen = try members.decodeIfPresent(Bool.self, forKey: .listen)
        noLogin = try members.decodeIfPresent(String.self, forKey: .noLogin)
        clientMetadataUrl = try members.decodeIfPresent(String.self, forKey: .clientMetadataUrl)
        applicationType = try members.decodeIfPresent(ApplicationType.self, forKey: .applicationType)
        enterprise = try members.decodeIfPresent(AuthEnterpriseConfiguration.self, forKey: .enterprise)
        assertion = try members.decodeIfPresent(String.self, forKey: .assertion)
        assertionFile = try members.decodeIfPresent(String.self, forKey: .assertionFile)
        token = try members.decodeIfPresent(String.self, forKey: .token)
        tokenFile = try members.decodeIfPresent(String.self, forKey: .tokenFile)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(type, forKey: .type)
        try members.encodeIfPresent(clientId, forKey: .clientId)
        try members.encodeIfPresent(clientSecret, forKey: .clientSecret)
        try members.encodeIfPresent(privateKey, forKey: .privateKey)
        try members.encodeIfPresent(privateKeyFile, forKey: .privateKeyFile)
        try members.encodeIfPresent(keyId, forKey: .keyId)
        try members.encodeIfPresent(signingAlgorithm, forKey: .signingAlgorithm)
        try members.encodeIfPresent(signer, forKey: .signer)
        try members.encodeIfPresent(tokenEndpointAuthMethod, forKey: .tokenEndpointAuthMethod)
        try members.encodeIfPresent(issuer, forKey: .issuer)
        try members.encodeIfPresent(allowAnyIssuer, forKey: .allowAnyIssuer)
        try members.encodeIfPresent(clientName, forKey: .clientName)
        try members.encodeIfPresent(scopes, forKey: .scopes)
        try members.encodeIfPresent(dpop, forKey: .dpop)
        try members.encodeIfPresent(dpopKey, forKey: .dpopKey)
        try members.encodeIfPresent(legacy, forKey: .legacy)
        try members.encodeIfPresent(allowPrivateAddresses, forKey: .allowPrivateAddresses)
        try members.encodeIfPresent(allowHttp, forKey: .allowHttp)
        try members.encode(limit, .milliseconds, forKey: .limit)
        try members.encode(patience, .milliseconds, forKey: .patience)
        try members.encodeIfPresent(stepUps, forKey: .stepUps)
        try members.encodeIfPresent(storeDirectory, forKey: .storeDirectory)
        try members.encodeIfPresent(store, forKey: .store)
        try members.encodeIfPresent(flow, forKey: .flow)
        try members.encodeIfPresent(redirectUri, forKey: .redirectUri)
        try members.encodeIfPresent(listen, forKey: .listen)
        try members.encodeIfPresent(noLogin, forKey: .noLogin)
        try members.encodeIfPresent(clientMetadataUrl, forKey: .clientMetadataUrl)
        try members.encodeIfPresent(applicationType, forKey: .applicationType)
        try members.encodeIfPresent(enterprise, forKey: .enterprise)
        try members.encodeIfPresent(assertion, forKey: .assertion)
        try members.encodeIfPresent(assertionFile, forKey: .assertionFile)
        try members.encodeIfPresent(token, forKey: .token)
        try members.encodeIfPresent(tokenFile, forKey: .tokenFile)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `type`.
    public struct Kind: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let interactive = Kind(rawValue: "interactive")
        public static let clientCredentials = Kind(rawValue: "client_credentials")
        public static let enterprise = Kind(rawValue: "enterprise")
        public static let workload = Kind(rawValue: "workload")
        public static let bearer = Kind(rawValue: "bearer")
        public static let none = Kind(rawValue: "none")
    }

    /// The values of `signing_algorithm`.
    public struct SigningAlgorithm: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let es256 = SigningAlgorithm(rawValue: "ES256")
        public static let rs256 = SigningAlgorithm(rawValue: "RS256")
    }

    /// The values of `signer`.
    public struct Signer: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let application = Signer(rawValue: "application")
    }

    /// The values of `token_endpoint_auth_method`.
    public struct TokenEndpointAuthMethod: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let none = TokenEndpointAuthMethod(rawValue: "none")
        public static let clientSecretBasic = TokenEndpointAuthMethod(rawValue: "client_secret_basic")
        public static let clientSecretPost = TokenEndpointAuthMethod(rawValue: "client_secret_post")
        public static let privateKeyJwt = TokenEndpointAuthMethod(rawValue: "private_key_jwt")
    }

    /// The values of `dpop`.
    public struct Dpop: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let auto = Dpop(rawValue: "auto")
        public static let always = Dpop(rawValue: "always")
        public static let never = Dpop(rawValue: "never")
    }

    /// The values of `store`.
    public struct Store: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let memory = Store(rawValue: "memory")
        public static let application = Store(rawValue: "application")
    }

    /// The values of `flow`.
    public struct Flow: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let browser = Flow(rawValue: "browser")
        public static let device = Flow(rawValue: "device")
        public static let auto = Flow(rawValue: "auto")
    }

    /// The values of `application_type`.
    public struct ApplicationType: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let native = ApplicationType(rawValue: "native")
        public static let web = ApplicationType(rawValue: "web")
    }
}

/// The members of `auth.enterprise`.
public struct AuthEnterpriseConfiguration: Codable, Hashable, Sendable {
    /// Its token endpoint; required.
    public var tokenEndpoint: String?

    /// The application's id there; required.
    public var clientId: String?

    /// The application's secret there. A secret: it is in no log and no error.
    public var clientSecret: String?

    /// How the application proves itself there. Default: by the secret.
    public var tokenEndpointAuthMethod: TokenEndpointAuthMethod?

    /// What shows who the person is. Default: the application is asked. A secret: it is in no log and no error.
    public var subject: String?

    /// The file from which it is read each time.
    public var subjectFile: String?

    /// What `subject` is. Default: `"id_token"`.
    public var subjectType: SubjectType?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        tokenEndpoint: String? = nil,
        clientId: String? = nil,
        clientSecret: String? = nil,
        tokenEndpointAuthMethod: TokenEndpointAuthMethod? = nil,
        subject: String? = nil,
        subjectFile: String? = nil,
        subjectType: SubjectType? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.tokenEndpoint = tokenEndpoint
        self.clientId = clientId
        self.clientSecret = clientSecret
        self.tokenEndpointAuthMethod = tokenEndpointAuthMethod
        self.subject = subject
        self.subjectFile = subjectFile
        self.subjectType = subjectType
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case tokenEndpoint = "token_endpoint"
        case clientId = "client_id"
        case clientSecret = "client_secret"
        case tokenEndpointAuthMethod = "token_endpoint_auth_method"
        case subject
        case subjectFile = "subject_file"
        case subjectType = "subject_type"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        tokenEndpoint = try members.decodeIfPresent(String.self, forKey: .tokenEndpoint)
        clientId = try members.decodeIfPresent(String.self, forKey: .clientId)
        clientSecret = try members.decodeIfPresent(String.self, forKey: .clientSecret)
        tokenEndpointAuthMethod = try members.decodeIfPresent(TokenEndpointAuthMethod.self, forKey: .tokenEndpointAuthMethod)
        subject = try members.decodeIfPresent(String.self, forKey: .subject)
        subjectFile = try members.decodeIfPresent(String.self, forKey: .subjectFile)
        subjectType = try members.decodeIfPresent(SubjectType.self, forKey: .subjectType)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(tokenEndpoint, forKey: .tokenEndpoint)
        try members.encodeIfPresent(clientId, forKey: .clientId)
        try members.encodeIfPresent(clientSecret, forKey: .clientSecret)
        try members.encodeIfPresent(tokenEndpointAuthMethod, forKey: .tokenEndpointAuthMethod)
        try members.encodeIfPresent(subject, forKey: .subject)
        try members.encodeIfPresent(subjectFile, forKey: .subjectFile)
        try members.encodeIfPresent(subjectType, forKey: .subjectType)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `token_endpoint_auth_method`.
    public struct TokenEndpointAuthMethod: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let none = TokenEndpointAuthMethod(rawValue: "none")
        public static let clientSecretBasic = TokenEndpointAuthMethod(rawValue: "client_secret_basic")
        public static let clientSecretPost = TokenEndpointAuthMethod(rawValue: "client_secret_post")
        public static let privateKeyJwt = TokenEndpointAuthMethod(rawValue: "private_key_jwt")
    }

    /// The values of `subject_type`.
    public struct SubjectType: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let idToken = SubjectType(rawValue: "id_token")
        public static let refreshToken = SubjectType(rawValue: "refresh_token")
        public static let saml2 = SubjectType(rawValue: "saml2")
    }
}

/// The members of `cache`.
public struct CacheConfiguration: Codable, Hashable, Sendable {
    /// Results kept. From 1 to 1000000. Default: 1000.
    public var entries: Int?

    /// Their bytes. From 1024 to 68719476736. Default: 16777216.
    public var bytes: Int?

    /// How long results of a legacy server are fresh, for `tools/list`, `resources/list`,
    /// `resources/templates/list`, `resources/read`, `prompts/list`; later servers send `ttlMs`.
    public var ttlMs: [String: Duration]?

    /// Calls of these tools drop everything kept.
    public var invalidateOnTools: [String]?

    /// After `MCP_ERROR_TIMEOUT`, `MCP_ERROR_UNAVAILABLE` or `MCP_ERROR_TRANSPORT` a call gets an old result, if
    /// there is one. Default: `false`.
    public var serveStaleOnError: Bool?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        entries: Int? = nil,
        bytes: Int? = nil,
        ttlMs: [String: Duration]? = nil,
        invalidateOnTools: [String]? = nil,
        serveStaleOnError: Bool? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.entries = entries
        self.bytes = bytes
        self.ttlMs = ttlMs
        self.invalidateOnTools = invalidateOnTools
        self.serveStaleOnError = serveStaleOnError
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case entries
        case bytes
        case ttlMs = "ttl_ms"
        case invalidateOnTools = "invalidate_on_tools"
        case serveStaleOnError = "serve_stale_on_error"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        entries = try members.decodeIfPresent(Int.self, forKey: .entries)
        bytes = try members.decodeIfPresent(Int.self, forKey: .bytes)
        ttlMs = try members.durations(forKey: .ttlMs)
        invalidateOnTools = try members.decodeIfPresent([String].self, forKey: .invalidateOnTools)
        serveStaleOnError = try members.decodeIfPresent(Bool.self, forKey: .serveStaleOnError)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(entries, forKey: .entries)
        try members.encodeIfPresent(bytes, forKey: .bytes)
        try members.encodeDurations(ttlMs, forKey: .ttlMs)
        try members.encodeIfPresent(invalidateOnTools, forKey: .invalidateOnTools)
        try members.encodeIfPresent(serveStaleOnError, forKey: .serveStaleOnError)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The members of `http`.
public struct HttpConfiguration: Codable, Hashable, Sendable {
    /// Whether answers may come compressed (gzip, brotli). Default: `true`.
    public var compression: Bool?

    /// Whether cookies of the server are sent back, to its exact origin, while the client lives and its login stays
    /// the same: at most 32 with 6 KiB, never stored. Default: `true`.
    public var cookies: Bool?

    /// Idle connections kept for the next request. From 0 to 10000. Default: 64.
    public var idleConnections: Int?

    /// How long they are kept. The default is less than the time after which servers usually close them. From 1 to
    /// 31536000000 ms. Default: 55000 ms.
    public var idle: Duration?

    /// HTTP/2: the interval between pings during a request, and the longest time for an answer to one. From 1 to
    /// 31536000000 ms. Default: 10000 ms.
    public var ping: Duration?

    /// Whether this client uses what others of the process found out about the era of the server at this URL, and
    /// tells them. Default: `true`.
    public var rememberEra: Bool?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        compression: Bool? = nil,
        cookies: Bool? = nil,
        idleConnections: Int? = nil,
        idle: Duration? = nil,
        ping: Duration? = nil,
        rememberEra: Bool? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.compression = compression
        self.cookies = cookies
        self.idleConnections = idleConnections
        self.idle = idle
        self.ping = ping
        self.rememberEra = rememberEra
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case compression
        case cookies
        case idleConnections = "idle_connections"
        case idle = "idle_ms"
        case ping = "ping_ms"
        case rememberEra = "remember_era"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        compression = try members.decodeIfPresent(Bool.self, forKey: .compression)
        cookies = try members.decodeIfPresent(Bool.self, forKey: .cookies)
        idleConnections = try members.decodeIfPresent(Int.self, forKey: .idleConnections)
        idle = try members.duration(.milliseconds, forKey: .idle)
        ping = try members.duration(.milliseconds, forKey: .ping)
        rememberEra = try members.decodeIfPresent(Bool.self, forKey: .rememberEra)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(compression, forKey: .compression)
        try members.encodeIfPresent(cookies, forKey: .cookies)
        try members.encodeIfPresent(idleConnections, forKey: .idleConnections)
        try members.encode(idle, .milliseconds, forKey: .idle)
        try members.encode(ping, .milliseconds, forKey: .ping)
        try members.encodeIfPresent(rememberEra, forKey: .rememberEra)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The members of `limits`.
public struct Limits: Codable, Hashable, Sendable {
    /// The headers of an answer, and those of all interim answers before it. From 8192 to 16777216 bytes. Default:
    /// 131072 bytes.
    public var headerBytes: Int?

    /// The largest message of the server. A larger one is thrown away as it comes, and its call ends as
    /// `MCP_ERROR_TOO_LARGE`. From 1024 to 2147483648 bytes. Default: 16777216 bytes.
    public var frameBytes: Int?

    /// How much of one message is discarded beyond `limits.frame_bytes`, over pipes and sockets. A longer message
    /// or line ends the connection, and the server is started again. From 0 to 68719476736 bytes. Default:
    /// 536870912 bytes.
    public var discardBytes: Int?

    /// Bytes that wait for the server to read them; a further call is `MCP_ERROR_BACKPRESSURE`, a blocking one
    /// after about 30 ms. From 1024 to 2147483648 bytes. Default: 67108864 bytes.
    public var outgoingBytes: Int?

    /// Calls without an outcome; one more is `MCP_ERROR_BACKPRESSURE`. From 1 to 1000000. Default: 10000.
    public var inFlight: Int?

    /// Requests of the server that the program has not answered; one more is refused. From 1 to 100000. Default:
    /// 256.
    public var serverRequests: Int?

    /// How deep JSON may nest, received and given. From 4 to 1000. Default: 128.
    public var jsonDepth: Int?

    /// Calls of stateful tools that wait for their turn (`tool_modes`); one more is `MCP_ERROR_BACKPRESSURE`. From
    /// 1 to 1000000. Default: 1000.
    public var statefulCalls: Int?

    /// Pages of a list that are collected into one result; one more is `MCP_ERROR_TOO_LARGE`. From 1 to 1000000.
    /// Default: 1000.
    public var listPages: Int?

    /// Entries of a list. A page that the program requests (`one_page`, `cursor`) is limited by
    /// `limits.frame_bytes` only. From 1 to 100000000. Default: 100000.
    public var listItems: Int?

    /// Their bytes. From 1024 to 68719476736 bytes. Default: 67108864 bytes.
    public var listBytes: Int?

    /// Files of a skill; one with more is `MCP_ERROR_TOO_LARGE` and nothing of it is read. From 1 to 1000000.
    /// Default: 512.
    public var skillFiles: Int?

    /// Their bytes, as the skill's entry says; of a dynamic skill the bytes of each file. From 1024 to 1073741824
    /// bytes. Default: 16777216 bytes.
    public var skillBytes: Int?

    /// Calls that are tasks at a time; one more is `MCP_ERROR_BACKPRESSURE`. From 1 to 100000. Default: 256.
    public var tasks: Int?

    /// The longest stderr line kept; the rest of a longer one is dropped. From 16 to 1048576 bytes. Default: 4096
    /// bytes.
    public var stderrLineBytes: Int?

    /// The last stderr lines kept; an error shows up to 10 of them. From 0 to 100000. Default: 50.
    public var stderrLines: Int?

    /// Messages that may wait in the client's own queue. From 1 to 100000000. Default: 10000.
    public var queueMessages: Int?

    /// Their bytes. From 1024 to 68719476736 bytes. Default: 67108864 bytes.
    public var queueBytes: Int?

    /// When the queue is full, of the messages that need no answer (notifications, progress, states, log lines):
    /// drop the oldest, drop the new one, or stop reading from the server. With `"block"` a thread that waits for a
    /// call still reads, and the oldest are dropped. Default: `"drop_oldest"`.
    public var overflow: Overflow?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        headerBytes: Int? = nil,
        frameBytes: Int? = nil,
        discardBytes: Int? = nil,
        outgoingBytes: Int? = nil,
        inFlight: Int? = nil,
        serverRequests: Int? = nil,
        jsonDepth: Int? = nil,
        statefulCalls: Int? = nil,
        listPages: Int? = nil,
        listItems: Int? = nil,
        listBytes: Int? = nil,
        skillFiles: Int? = nil,
        skillBytes: Int? = nil,
        tasks: Int? = nil,
        stderrLineBytes: Int? = nil,
        stderrLines: Int? = nil,
        queueMessages: Int? = nil,
        queueBytes: Int? = nil,
        overflow: Overflow? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.headerBytes = headerBytes
        self.frameBytes = frameBytes
        self.discardBytes = discardBytes
        self.outgoingBytes = outgoingBytes
        self.inFlight = inFlight
        self.serverRequests = serverRequests
        self.jsonDepth = jsonDepth
        self.statefulCalls = statefulCalls
        self.listPages = listPages
        self.listItems = listItems
        self.listBytes = listBytes
        self.skillFiles = skillFiles
        self.skillBytes = skillBytes
        self.tasks = tasks
        self.stderrLineBytes = stderrLineBytes
        self.stderrLines = stderrLines
        self.queueMessages = queueMessages
        self.queueBytes = queueBytes
        self.overflow = overflow
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case headerBytes = "header_bytes"
        case frameBytes = "frame_bytes"
        case discardBytes = "discard_bytes"
        case outgoingBytes = "outgoing_bytes"
        case inFlight = "in_flight"
        case serverRequests = "server_requests"
        case jsonDepth = "json_depth"
        case statefulCalls = "stateful_calls"
        case listPages = "list_pages"
        case listItems = "list_items"
        case listBytes = "list_bytes"
        case skillFiles = "skill_files"
        case skillBytes = "skill_bytes"
        case tasks
        case stderrLineBytes = "stderr_line_bytes"
        case stderrLines = "stderr_lines"
        case queueMessages = "queue_messages"
        case queueBytes = "queue_bytes"
        case overflow
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        headerBytes = try members.decodeIfPresent(Int.self, forKey: .headerBytes)
        frameBytes = try members.decodeIfPresent(Int.self, forKey: .frameBytes)
        discardBytes = try members.decodeIfPresent(Int.self, forKey: .discardBytes)
        outgoingBytes = try members.decodeIfPresent(Int.self, forKey: .outgoingBytes)
        inFlight = try members.decodeIfPresent(Int.self, forKey: .inFlight)
        serverRequests = try members.decodeIfPresent(Int.self, forKey: .serverRequests)
        jsonDepth = try members.decodeIfPresent(Int.self, forKey: .jsonDepth)
        statefulCalls = try members.decodeIfPresent(Int.self, forKey: .statefulCalls)
        listPages = try members.decodeIfPresent(Int.self, forKey: .listPages)
        listItems = try members.decodeIfPresent(Int.self, forKey: .listItems)
        listBytes = try members.decodeIfPresent(Int.self, forKey: .listBytes)
        skillFiles = try members.decodeIfPresent(Int.self, forKey: .skillFiles)
        skillBytes = try members.decodeIfPresent(Int.self, forKey: .skillBytes)
        tasks = try members.decodeIfPresent(Int.self, forKey: .tasks)
        stderrLineBytes = try members.decodeIfPresent(Int.self, forKey: .stderrLineBytes)
        stderrLines = try members.decodeIfPresent(Int.self, forKey: .stderrLines)
        queueMessages = try members.decodeIfPresent(Int.self, forKey: .queueMessages)
        queueBytes = try members.decodeIfPresent(Int.self, forKey: .queueBytes)
        overflow = try members.decodeIfPresent(Overflow.self, forKey: .overflow)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(headerBytes, forKey: .headerBytes)
        try members.encodeIfPresent(frameBytes, forKey: .frameBytes)
        try members.encodeIfPresent(discardBytes, forKey: .discardBytes)
        try members.encodeIfPresent(outgoingBytes, forKey: .outgoingBytes)
        try members.encodeIfPresent(inFlight, forKey: .inFlight)
        try members.encodeIfPresent(serverRequests, forKey: .serverRequests)
        try members.encodeIfPresent(jsonDepth, forKey: .jsonDepth)
        try members.encodeIfPresent(statefulCalls, forKey: .statefulCalls)
        try members.encodeIfPresent(listPages, forKey: .listPages)
        try members.encodeIfPresent(listItems, forKey: .listItems)
        try members.encodeIfPresent(listBytes, forKey: .listBytes)
        try members.encodeIfPresent(skillFiles, forKey: .skillFiles)
        try members.encodeIfPresent(skillBytes, forKey: .skillBytes)
        try members.encodeIfPresent(tasks, forKey: .tasks)
        try members.encodeIfPresent(stderrLineBytes, forKey: .stderrLineBytes)
        try members.encodeIfPresent(stderrLines, forKey: .stderrLines)
        try members.encodeIfPresent(queueMessages, forKey: .queueMessages)
        try members.encodeIfPresent(queueBytes, forKey: .queueBytes)
        try members.encodeIfPresent(overflow, forKey: .overflow)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `overflow`.
    public struct Overflow: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let dropOldest = Overflow(rawValue: "drop_oldest")
        public static let dropNewest = Overflow(rawValue: "drop_newest")
        public static let block = Overflow(rawValue: "block")
    }
}

/// The members of `reconnect`.
public struct Reconnect: Codable, Hashable, Sendable {
    /// The first wait; each further one is twice as long. From 1 to 31536000000 ms. Default: 1000 ms.
    public var initial: Duration?

    /// The longest wait; not less than `initial_ms`. From 1 to 31536000000 ms. Default: 30000 ms.
    public var max: Duration?

    /// Each wait is longer or shorter by up to this share of it. From 0 to 1. Default: 0.2.
    public var jitter: Double?

    /// Attempts in a row to connect again before the client closes, without a bound if absent; the first start does
    /// not count. From 0 to 4294967295.
    public var maxAttempts: Int?

    /// How long a connection must stay ready before the waits and the number of attempts start again. From 1 to
    /// 31536000000 ms. Default: 10000 ms.
    public var stable: Duration?

    /// Attempts in a row to resume a broken stream that bring nothing new. The waits grow from 1 s to 30 s, or are
    /// at least what `retry:` says. From 0 to 1000000. Default: 5.
    public var streamAttempts: Int?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        initial: Duration? = nil,
        max: Duration? = nil,
        jitter: Double? = nil,
        maxAttempts: Int? = nil,
        stable: Duration? = nil,
        streamAttempts: Int? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.initial = initial
        self.max = max
        self.jitter = jitter
        self.maxAttempts = maxAttempts
        self.stable = stable
        self.streamAttempts = streamAttempts
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case initial = "initial_ms"
        case max = "max_ms"
        case jitter
        case maxAttempts = "max_attempts"
        case stable = "stable_ms"
        case streamAttempts = "stream_attempts"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        initial = try members.duration(.milliseconds, forKey: .initial)
        max = try members.duration(.milliseconds, forKey: .max)
        jitter = try members.decodeIfPresent(Double.self, forKey: .jitter)
        maxAttempts = try members.decodeIfPresent(Int.self, forKey: .maxAttempts)
        stable = try members.duration(.milliseconds, forKey: .stable)
        streamAttempts = try members.decodeIfPresent(Int.self, forKey: .streamAttempts)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(initial, .milliseconds, forKey: .initial)
        try members.encode(max, .milliseconds, forKey: .max)
        try members.encodeIfPresent(jitter, forKey: .jitter)
        try members.encodeIfPresent(maxAttempts, forKey: .maxAttempts)
        try members.encode(stable, .milliseconds, forKey: .stable)
        try members.encodeIfPresent(streamAttempts, forKey: .streamAttempts)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The members of `tasks`.
public struct TasksConfiguration: Codable, Hashable, Sendable {
    /// How often a task is asked for whose server does not say. From 1 to 31536000000 ms. Default: 1000 ms.
    public var poll: Duration?

    /// The least such time, whatever the server says. From 1 to 31536000000 ms. Default: 100 ms.
    public var pollMin: Duration?

    /// The longest such time, whatever the server says; not less than `poll_min_ms`. From 1 to 31536000000 ms.
    /// Default: 60000 ms.
    public var pollMax: Duration?

    /// 2025-11-25: how long the server is asked to keep a task. From 1 to 31536000000 ms.
    public var ttl: Duration?

    /// The most that a call may take that has become a task, unless it has the option `max_total_ms`. From 1 to
    /// 31536000000 ms. Default: 3600000 ms.
    public var life: Duration?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        poll: Duration? = nil,
        pollMin: Duration? = nil,
        pollMax: Duration? = nil,
        ttl: Duration? = nil,
        life: Duration? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.poll = poll
        self.pollMin = pollMin
        self.pollMax = pollMax
        self.ttl = ttl
        self.life = life
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case poll = "poll_ms"
        case pollMin = "poll_min_ms"
        case pollMax = "poll_max_ms"
        case ttl = "ttl_ms"
        case life = "life_ms"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        poll = try members.duration(.milliseconds, forKey: .poll)
        pollMin = try members.duration(.milliseconds, forKey: .pollMin)
        pollMax = try members.duration(.milliseconds, forKey: .pollMax)
        ttl = try members.duration(.milliseconds, forKey: .ttl)
        life = try members.duration(.milliseconds, forKey: .life)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(poll, .milliseconds, forKey: .poll)
        try members.encode(pollMin, .milliseconds, forKey: .pollMin)
        try members.encode(pollMax, .milliseconds, forKey: .pollMax)
        try members.encode(ttl, .milliseconds, forKey: .ttl)
        try members.encode(life, .milliseconds, forKey: .life)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The members of `timeouts`.
public struct Timeouts: Codable, Hashable, Sendable {
    /// One call. From 1 to 31536000000 ms. Default: 30000 ms.
    public var call: Duration?

    /// One call of that method, instead of `call_ms`. For `server/discover` and `initialize` it goes before the two
    /// keys below.
    public var methods: [String: Duration]?

    /// The answer to `initialize`. From 1 to 31536000000 ms. Default: 20000 ms.
    public var initialize: Duration?

    /// The answer to `server/discover`. Then the library sends `initialize`, if `protocol` permits it; a late
    /// answer still counts. From 1 to 31536000000 ms. Default: 2000 ms.
    public var probe: Duration?

    /// The time in which the process of a server must begin to read or to write; the two timeouts below start then.
    /// From 1 to 31536000000 ms. Default: 30000 ms.
    public var start: Duration?

    /// The most that a call may take, however much progress is reported; at least the call's own time. From 1 to
    /// 31536000000 ms. Default: 600000 ms.
    public var maxTotal: Duration?

    /// Progress restarts the timeout of a call. Servers report progress only for calls with the option `progress`.
    /// Default: `false`.
    public var resetOnProgress: Bool?

    /// How long a legacy connection waits for the stream of the server's messages before it is ready, and again for
    /// restored subscriptions. From 1 to 31536000000 ms. Default: 2000 ms.
    public var listen: Duration?

    /// Name look-up, proxy, connecting and TLS. Several addresses of a name share this time. With HTTP+SSE also the
    /// first event. From 1 to 31536000000 ms. Default: 10000 ms.
    public var connect: Duration?

    /// The time for a server to exit, or to close its side of a socket, after the client has closed its own; then
    /// SIGTERM. From 1 to 31536000000 ms. Default: 1000 ms.
    public var exit: Duration?

    /// How long it may take after SIGTERM, before SIGKILL. From 1 to 31536000000 ms. Default: 500 ms.
    public var term: Duration?

    /// The whole time of `mcp_client_free`, and of `mcp_client_close` with -1. Waiting for a killed process may
    /// take 500 ms more. From 1 to 31536000000 ms. Default: 2000 ms.
    public var close: Duration?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        call: Duration? = nil,
        methods: [String: Duration]? = nil,
        initialize: Duration? = nil,
        probe: Duration? = nil,
        start: Duration? = nil,
        maxTotal: Duration? = nil,
        resetOnProgress: Bool? = nil,
        listen: Duration? = nil,
        connect: Duration? = nil,
        exit: Duration? = nil,
        term: Duration? = nil,
        close: Duration? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.call = call
        self.methods = methods
        self.initialize = initialize
        self.probe = probe
        self.start = start
        self.maxTotal = maxTotal
        self.resetOnProgress = resetOnProgress
        self.listen = listen
        self.connect = connect
        self.exit = exit
        self.term = term
        self.close = close
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case call = "call_ms"
        case methods
        case initialize = "initialize_ms"
        case probe = "probe_ms"
        case start = "start_ms"
        case maxTotal = "max_total_ms"
        case resetOnProgress = "reset_on_progress"
        case listen = "listen_ms"
        case connect = "connect_ms"
        case exit = "exit_ms"
        case term = "term_ms"
        case close = "close_ms"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        call = try members.duration(.milliseconds, forKey: .call)
        methods = try members.durations(forKey: .methods)
        initialize = try members.duration(.milliseconds, forKey: .initialize)
        probe = try members.duration(.milliseconds, forKey: .probe)
        start = try members.duration(.milliseconds, forKey: .start)
        maxTotal = try members.duration(.milliseconds, forKey: .maxTotal)
        resetOnProgress = try members.decodeIfPresent(Bool.self, forKey: .resetOnProgress)
        listen = try members.duration(.milliseconds, forKey: .listen)
        connect = try members.duration(.milliseconds, forKey: .connect)
        exit = try members.duration(.milliseconds, forKey: .exit)
        term = try members.duration(.milliseconds, forKey: .term)
        close = try members.duration(.milliseconds, forKey: .close)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(call, .milliseconds, forKey: .call)
        try members.encodeDurations(methods, forKey: .methods)
        try members.encode(initialize, .milliseconds, forKey: .initialize)
        try members.encode(probe, .milliseconds, forKey: .probe)
        try members.encode(start, .milliseconds, forKey: .start)
        try members.encode(maxTotal, .milliseconds, forKey: .maxTotal)
        try members.encodeIfPresent(resetOnProgress, forKey: .resetOnProgress)
        try members.encode(listen, .milliseconds, forKey: .listen)
        try members.encode(connect, .milliseconds, forKey: .connect)
        try members.encode(exit, .milliseconds, forKey: .exit)
        try members.encode(term, .milliseconds, forKey: .term)
        try members.encode(close, .milliseconds, forKey: .close)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The members of `tls`.
public struct TlsConfiguration: Codable, Hashable, Sendable {
    /// A PEM file of certificate authorities to trust. They are trusted for the authorization servers of a login
    /// too.
    public var caFile: String?

    /// Whether authorities of the system are trusted. They are located (`SSL_CERT_FILE`, `SSL_CERT_DIR`, system
    /// folders) when the client is made. Default: `true`.
    public var systemRoots: Bool?

    /// A PEM file: the certificate to show to a server that asks for one; with `client_key`.
    public var clientCertificate: String?

    /// A PEM file: the key of `client_certificate`.
    public var clientKey: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        caFile: String? = nil,
        systemRoots: Bool? = nil,
        clientCertificate: String? = nil,
        clientKey: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.caFile = caFile
        self.systemRoots = systemRoots
        self.clientCertificate = clientCertificate
        self.clientKey = clientKey
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case caFile = "ca_file"
        case systemRoots = "system_roots"
        case clientCertificate = "client_certificate"
        case clientKey = "client_key"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        caFile = try members.decodeIfPresent(String.self, forKey: .caFile)
        systemRoots = try members.decodeIfPresent(Bool.self, forKey: .systemRoots)
        clientCertificate = try members.decodeIfPresent(String.self, forKey: .clientCertificate)
        clientKey = try members.decodeIfPresent(String.self, forKey: .clientKey)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(caFile, forKey: .caFile)
        try members.encodeIfPresent(systemRoots, forKey: .systemRoots)
        try members.encodeIfPresent(clientCertificate, forKey: .clientCertificate)
        try members.encodeIfPresent(clientKey, forKey: .clientKey)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The bounds of a queue that several clients share.
public struct QueueConfiguration: Codable, Hashable, Sendable {
    /// Messages that may wait in the client's own queue. From 1 to 100000000. Default: 10000.
    public var queueMessages: Int?

    /// Their bytes. From 1024 to 68719476736 bytes. Default: 67108864 bytes.
    public var queueBytes: Int?

    /// When the queue is full, of the messages that need no answer (notifications, progress, states, log lines):
    /// drop the oldest, drop the new one, or stop reading from the server. With `"block"` a thread that waits for a
    /// call still reads, and the oldest are dropped. Default: `"drop_oldest"`.
    public var overflow: Overflow?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        queueMessages: Int? = nil,
        queueBytes: Int? = nil,
        overflow: Overflow? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.queueMessages = queueMessages
        self.queueBytes = queueBytes
        self.overflow = overflow
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case queueMessages = "queue_messages"
        case queueBytes = "queue_bytes"
        case overflow
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        queueMessages = try members.decodeIfPresent(Int.self, forKey: .queueMessages)
        queueBytes = try members.decodeIfPresent(Int.self, forKey: .queueBytes)
        overflow = try members.decodeIfPresent(Overflow.self, forKey: .overflow)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(queueMessages, forKey: .queueMessages)
        try members.encodeIfPresent(queueBytes, forKey: .queueBytes)
        try members.encodeIfPresent(overflow, forKey: .overflow)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `overflow`.
    public struct Overflow: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let dropOldest = Overflow(rawValue: "drop_oldest")
        public static let dropNewest = Overflow(rawValue: "drop_newest")
        public static let block = Overflow(rawValue: "block")
    }
}

/// The options of one call.
public struct CallOptions: Codable, Hashable, Sendable {
    /// The time of this call. From 1 to 31536000000 ms. Default: by `timeouts`.
    public var timeout: Duration?

    /// The most it may take, progress or not. From 1 to 31536000000 ms. Default: `timeouts.max_total_ms`, or
    /// `timeout_ms` if that is larger.
    public var maxTotal: Duration?

    /// Progress restarts the timeout of this call. Default: `timeouts.reset_on_progress`.
    public var resetOnProgress: Bool?

    /// Members of the request's `_meta`. Names have letters, digits, `-`, `_` and `.`, and may have a prefix such
    /// as `com.example/`. Names that the library sets (`progressToken`, and some of `io.modelcontextprotocol/`) are
    /// refused. Default: `{}`.
    public var meta: [String: JSONValue]?

    /// The trace of the call (W3C Trace Context), for `_meta`; must be well formed. It overrides the one in `meta`.
    public var traceparent: String?

    /// The application's span that makes the call, written as `traceparent`: the call's own span is its child, and
    /// goes out if the call is recorded ([OpenTelemetry](../guide/telemetry.md)); else this goes out. A
    /// `traceparent` that is given, too, overrides it.
    public var parent: String?

    /// What systems for tracing add to `traceparent` (W3C Trace Context); the same holds.
    public var tracestate: String?

    /// Properties of the trace (W3C Baggage); the same holds.
    public var baggage: String?

    /// 2026-07-28: the lowest level of log messages during this call. Older revisions have one level for all calls
    /// (`mcp_client_set_server_log_level`).
    public var logLevel: LogLevel?

    /// As above, for this call. Default: `retry`.
    public var retry: Retry?

    /// As above, for this call. Default: `when_unavailable`.
    public var whenUnavailable: WhenUnavailable?

    /// `mcp_call`, `mcp_call_start`: sends the method with its parameters as they are and hands over the result as
    /// it is: no check of capabilities, no further pages, nothing kept, no check of the result. Default: `false`.
    public var raw: Bool?

    /// Lists: read the page at this cursor and no other.
    public var cursor: String?

    /// Take a kept result that is fresh; ask the server and keep what it says; leave what is kept alone. Default:
    /// `"use"`.
    public var cache: Cache?

    /// Lists: read the first page only; `nextCursor` in the result is the cursor of the next. Default: `false`.
    public var onePage: Bool?

    /// `mcp_client_load_skill`, `mcp_client_read_skill_file`: also files of a dynamic skill, which cannot be
    /// checked. Default: `false`.
    public var allowDynamic: Bool?

    /// `tools/call`: as a task, or not as one (docs/guide/tasks.md). Default: as the tool says.
    public var task: Bool?

    /// `tools/call`, 2025-11-25: how long the server is asked to keep the task. From 1 to 31536000000 ms. Default:
    /// `tasks.ttl_ms`.
    public var taskTtl: Duration?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        timeout: Duration? = nil,
        maxTotal: Duration? = nil,
        resetOnProgress: Bool? = nil,
        meta: [String: JSONValue]? = nil,
        traceparent: String? = nil,
        parent: String? = nil,
        tracestate: String? = nil,
        baggage: String? = nil,
        logLevel: LogLevel? = nil,
        retry: Retry? = nil,
        whenUnavailable: WhenUnavailable? = nil,
        raw: Bool? = nil,
        cursor: String? = nil,
        cache: Cache? = nil,
        onePage: Bool? = nil,
        allowDynamic: Bool? = nil,
        task: Bool? = nil,
        taskTtl: Duration? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.timeout = timeout
        self.maxTotal = maxTotal
        self.resetOnProgress = resetOnProgress
        self.meta = meta
        self.traceparent = traceparent
        self.parent = parent
        self.tracestate = tracestate
        self.baggage = baggage
        self.logLevel = logLevel
        self.retry = retry
        self.whenUnavailable = whenUnavailable
        self.raw = raw
        self.cursor = cursor
        self.cache = cache
        self.onePage = onePage
        self.allowDynamic = allowDynamic
        self.task = task
        self.taskTtl = taskTtl
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case timeout = "timeout_ms"
        case maxTotal = "max_total_ms"
        case resetOnProgress = "reset_on_progress"
        case meta
        case traceparent
        case parent
        case tracestate
        case baggage
        case logLevel = "log_level"
        case retry
        case whenUnavailable = "when_unavailable"
        case raw
        case cursor
        case cache
        case onePage = "one_page"
        case allowDynamic = "allow_dynamic"
        case task
        case taskTtl = "task_ttl_ms"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        timeout = try members.duration(.milliseconds, forKey: .timeout)
        maxTotal = try members.duration(.milliseconds, forKey: .maxTotal)
        resetOnProgress = try members.decodeIfPresent(Bool.self, forKey: .resetOnProgress)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        traceparent = try members.decodeIfPresent(String.self, forKey: .traceparent)
        parent = try members.decodeIfPresent(String.self, forKey: .parent)
        tracestate = try members.decodeIfPresent(String.self, forKey: .tracestate)
        baggage = try members.decodeIfPresent(String.self, forKey: .baggage)
        logLevel = try members.decodeIfPresent(LogLevel.self, forKey: .logLevel)
        retry = try members.decodeIfPresent(Retry.self, forKey: .retry)
        whenUnavailable = try members.decodeIfPresent(WhenUnavailable.self, forKey: .whenUnavailable)
        raw = try members.decodeIfPresent(Bool.self, forKey: .raw)
        cursor = try members.decodeIfPresent(String.self, forKey: .cursor)
        cache = try members.decodeIfPresent(Cache.self, forKey: .cache)
        onePage = try members.decodeIfPresent(Bool.self, forKey: .onePage)
        allowDynamic = try members.decodeIfPresent(Bool.self, forKey: .allowDynamic)
        task = try members.decodeIfPresent(Bool.self, forKey: .task)
        taskTtl = try members.duration(.milliseconds, forKey: .taskTtl)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(timeout, .milliseconds, forKey: .timeout)
        try members.encode(maxTotal, .milliseconds, forKey: .maxTotal)
        try members.encodeIfPresent(resetOnProgress, forKey: .resetOnProgress)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(traceparent, forKey: .traceparent)
        try members.encodeIfPresent(parent, forKey: .parent)
        try members.encodeIfPresent(tracestate, forKey: .tracestate)
        try members.encodeIfPresent(baggage, forKey: .baggage)
        try members.encodeIfPresent(logLevel, forKey: .logLevel)
        try members.encodeIfPresent(retry, forKey: .retry)
        try members.encodeIfPresent(whenUnavailable, forKey: .whenUnavailable)
        try members.encodeIfPresent(raw, forKey: .raw)
        try members.encodeIfPresent(cursor, forKey: .cursor)
        try members.encodeIfPresent(cache, forKey: .cache)
        try members.encodeIfPresent(onePage, forKey: .onePage)
        try members.encodeIfPresent(allowDynamic, forKey: .allowDynamic)
        try members.encodeIfPresent(task, forKey: .task)
        try members.encode(taskTtl, .milliseconds, forKey: .taskTtl)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `log_level`.
    public struct LogLevel: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let debug = LogLevel(rawValue: "debug")
        public static let info = LogLevel(rawValue: "info")
        public static let notice = LogLevel(rawValue: "notice")
        public static let warning = LogLevel(rawValue: "warning")
        public static let error = LogLevel(rawValue: "error")
        public static let critical = LogLevel(rawValue: "critical")
        public static let alert = LogLevel(rawValue: "alert")
        public static let emergency = LogLevel(rawValue: "emergency")
    }

    /// The values of `retry`.
    public struct Retry: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let never = Retry(rawValue: "never")
        public static let safe = Retry(rawValue: "safe")
    }

    /// The values of `when_unavailable`.
    public struct WhenUnavailable: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let fail = WhenUnavailable(rawValue: "fail")
        public static let wait = WhenUnavailable(rawValue: "wait")
    }

    /// The values of `cache`.
    public struct Cache: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let use = Cache(rawValue: "use")
        public static let refresh = Cache(rawValue: "refresh")
        public static let bypass = Cache(rawValue: "bypass")
    }
}

/// The configuration of a server; docs/reference/server-configuration.md has more.
public struct ServerConfiguration: Codable, Hashable, Sendable {
    /// What the server is called; necessary.
    public var name: String?

    /// Its version. Default: `"0"`.
    public var version: String?

    /// A name for people.
    public var title: String?

    /// What it is for.
    public var description: String?

    /// Its website.
    public var websiteUrl: String?

    /// Its icons, as the specification has them.
    public var icons: [Icon]?

    /// What a model should know to use the server.
    public var instructions: String?

    /// The permitted revisions: `"auto"` (all), `"legacy"` (up to 2025-11-25), `"modern"` (2026-07-28), one of
    /// them, or a list. Default: `"auto"`.
    public var `protocol`: [String]?

    /// Entries of one page of a list. From 1 to 1000000. Default: 100.
    public var pageSize: Int?

    /// Threads of the library that run handlers. With 0 only threads of the application run them, in
    /// `mcp_server_run`, `mcp_server_poll` or `mcp_queue_poll`. From 0 to 256. Default: 0.
    public var workers: Int?

    /// How messages are told apart over byte streams: one on each line, or a `Content-Length` header before each.
    /// Default: `"newline"`.
    public var framing: Framing?

    /// The least severe log message for a client of the legacy era that has not set a level. Default: `"info"`.
    public var logLevel: LogLevel?

    /// Bounds.
    public var limits: ServerLimits?

    /// Times.
    public var timeouts: ServerTimeouts?

    /// How long clients may keep results (2026-07-28).
    public var cache: ServerCacheConfiguration?

    /// What is checked of what clients and handlers send.
    public var checks: ServerChecksConfiguration?

    /// A structured result of a tool that has no text gets its JSON as one, for clients that read text only.
    /// Default: `true`.
    public var structuredAsText: Bool?

    /// What is announced.
    public var announce: ServerAnnounceConfiguration?

    /// Who may use the server over HTTP; without it everybody who reaches it. docs/guide/serving-http.md has more.
    public var auth: ServerAuthConfiguration?

    /// What names of sessions over HTTP are (legacy era): random, known to the process that made them, and with a
    /// store to all; or sealed with `request_state.keys`, so that every process with the same keys goes on with a
    /// session. Default: `"random"`.
    public var sessionNames: SessionNames?

    /// A store that the processes of the server share.
    public var store: ServerStoreConfiguration?

    /// Texts that are discussed for the next revision (docs/reference/draft.md). They change, and are dropped,
    /// without notice. Default: `[]`.
    public var draft: [JSONValue]?

    /// The languages in which handlers answer, the default first (`["en","fr-CA"]`). Needs the draft `language`; a
    /// handler finds the one of its request in `mcp_request_context` under `language`.
    public var languages: [String]?

    /// How request states are sealed (2026-07-28).
    public var requestState: ServerRequestStateConfiguration?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        name: String? = nil,
        version: String? = nil,
        title: String? = nil,
        description: String? = nil,
        websiteUrl: String? = nil,
        icons: [Icon]? = nil,
        instructions: String? = nil,
        `protocol`: [String]? = nil,
        pageSize: Int? = nil,
        workers: Int? = nil,
        framing: Framing? = nil,
        logLevel: LogLevel? = nil,
        limits: ServerLimits? = nil,
        timeouts: ServerTimeouts? = nil,
        cache: ServerCacheConfiguration? = nil,
        checks: ServerChecksConfiguration? = nil,
        structuredAsText: Bool? = nil,
        announce: ServerAnnounceConfiguration? = nil,
        auth: ServerAuthConfiguration? = nil,
        sessionNames: SessionNames? = nil,
        store: ServerStoreConfiguration? = nil,
        draft: [JSONValue]? = nil,
        languages: [String]? = nil,
        requestState: ServerRequestStateConfiguration? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.name = name
        self.version = version
        self.title = title
        self.description = description
        self.websiteUrl = websiteUrl
        self.icons = icons
        self.instructions = instructions
        self.`protocol` = `protocol`
        self.pageSize = pageSize
        self.workers = workers
        self.framing = framing
        self.logLevel = logLevel
        self.limits = limits
        self.timeouts = timeouts
        self.cache = cache
        self.checks = checks
        self.structuredAsText = structuredAsText
        self.announce = announce
        self.auth = auth
        self.sessionNames = sessionNames
        self.store = store
        self.draft = draft
        self.languages = languages
        self.requestState = requestState
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case version
        case title
        case description
        case websiteUrl = "website_url"
        case icons
        case instructions
        case `protocol`
        case pageSize = "page_size"
        case workers
        case framing
        case logLevel = "log_level"
        case limits
        case timeouts
        case cache
        case checks
        case structuredAsText = "structured_as_text"
        case announce
        case auth
        case sessionNames = "session_names"
        case store
        case draft
        case languages
        case requestState = "request_state"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        version = try members.decodeIfPresent(String.self, forKey: .version)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        websiteUrl = try members.decodeIfPresent(String.self, forKey: .websiteUrl)
        icons = try members.decodeIfPresent([Icon].self, forKey: .icons)
        instructions = try members.decodeIfPresent(String.self, forKey: .instructions)
        `protocol` = try members.oneOrMany(String.self, forKey: .`protocol`)
        pageSize = try members.decodeIfPresent(Int.self, forKey: .pageSize)
        workers = try members.decodeIfPresent(Int.self, forKey: .workers)
        framing = try members.decodeIfPresent(Framing.self, forKey: .framing)
        logLevel = try members.decodeIfPresent(LogLevel.self, forKey: .logLevel)
        limits = try members.decodeIfPresent(ServerLimits.self, forKey: .limits)
        timeouts = try members.decodeIfPresent(ServerTimeouts.self, forKey: .timeouts)
        cache = try members.decodeIfPresent(ServerCacheConfiguration.self, forKey: .cache)
        checks = try members.decodeIfPresent(ServerChecksConfiguration.self, forKey: .checks)
        structuredAsText = try members.decodeIfPresent(Bool.self, forKey: .structuredAsText)
        announce = try members.decodeIfPresent(ServerAnnounceConfiguration.self, forKey: .announce)
        auth = try members.decodeIfPresent(ServerAuthConfiguration.self, forKey: .auth)
        sessionNames = try members.decodeIfPresent(SessionNames.self, forKey: .sessionNames)
        store = try members.decodeIfPresent(ServerStoreConfiguration.self, forKey: .store)
        draft = try members.decodeIfPresent([JSONValue].self, forKey: .draft)
        languages = try members.decodeIfPresent([String].self, forKey: .languages)
        requestState = try members.decodeIfPresent(ServerRequestStateConfiguration.self, forKey: .requestState)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(name, forKey: .name)
        try members.encodeIfPresent(version, forKey: .version)
        try members.encodeIfPresent(title, forKey: .title)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(websiteUrl, forKey: .websiteUrl)
        try members.encodeIfPresent(icons, forKey: .icons)
        try members.encodeIfPresent(instructions, forKey: .instructions)
        try members.encodeOneOrMany(`protocol`, forKey: .`protocol`)
        try members.encodeIfPresent(pageSize, forKey: .pageSize)
        try members.encodeIfPresent(workers, forKey: .workers)
        try members.encodeIfPresent(framing, forKey: .framing)
        try members.encodeIfPresent(logLevel, forKey: .logLevel)
        try members.encodeIfPresent(limits, forKey: .limits)
        try members.encodeIfPresent(timeouts, forKey: .timeouts)
        try members.encodeIfPresent(cache, forKey: .cache)
        try members.encodeIfPresent(checks, forKey: .checks)
        try members.encodeIfPresent(structuredAsText, forKey: .structuredAsText)
        try members.encodeIfPresent(announce, forKey: .announce)
        try members.encodeIfPresent(auth, forKey: .auth)
        try members.encodeIfPresent(sessionNames, forKey: .sessionNames)
        try members.encodeIfPresent(store, forKey: .store)
        try members.encodeIfPresent(draft, forKey: .draft)
        try members.encodeIfPresent(languages, forKey: .languages)
        try members.encodeIfPresent(requestState, forKey: .requestState)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `framing`.
    public struct Framing: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let newline = Framing(rawValue: "newline")
        public static let contentLength = Framing(rawValue: "content-length")
    }

    /// The values of `log_level`.
    public struct LogLevel: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let debug = LogLevel(rawValue: "debug")
        public static let info = LogLevel(rawValue: "info")
        public static let notice = LogLevel(rawValue: "notice")
        public static let warning = LogLevel(rawValue: "warning")
        public static let error = LogLevel(rawValue: "error")
        public static let critical = LogLevel(rawValue: "critical")
        public static let alert = LogLevel(rawValue: "alert")
        public static let emergency = LogLevel(rawValue: "emergency")
    }

    /// The values of `session_names`.
    public struct SessionNames: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let random = SessionNames(rawValue: "random")
        public static let sealed = SessionNames(rawValue: "sealed")
    }
}

/// The members of `announce`.
public struct ServerAnnounceConfiguration: Codable, Hashable, Sendable {
    /// Tools, although there are none yet. Default: `false`.
    public var tools: Bool?

    /// Resources, although there are none yet. Default: `false`.
    public var resources: Bool?

    /// Prompts, although there are none yet. Default: `false`.
    public var prompts: Bool?

    /// Log messages are sent to clients that want them. Default: `false`.
    public var logging: Bool?

    /// Streams of `subscriptions/listen` (2026-07-28). Without them clients of that revision are told of no change.
    /// Default: `true`.
    public var listen: Bool?

    /// Notifications of extensions that `mcp_server_notify` also sends to streams of `subscriptions/listen`, by
    /// member of the filter: `{"com.example/renderChanged":"notifications/com.example/render_changed"}`; at most
    /// 64. Default: `{}`.
    public var notifications: [String: JSONValue]?

    /// Results of 2026-07-28 name the server in their `_meta`. Default: `true`.
    public var nameInResults: Bool?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        tools: Bool? = nil,
        resources: Bool? = nil,
        prompts: Bool? = nil,
        logging: Bool? = nil,
        listen: Bool? = nil,
        notifications: [String: JSONValue]? = nil,
        nameInResults: Bool? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.tools = tools
        self.resources = resources
        self.prompts = prompts
        self.logging = logging
        self.listen = listen
        self.notifications = notifications
        self.nameInResults = nameInResults
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case tools
        case resources
        case prompts
        case logging
        case listen
        case notifications
        case nameInResults = "name_in_results"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        tools = try members.decodeIfPresent(Bool.self, forKey: .tools)
        resources = try members.decodeIfPresent(Bool.self, forKey: .resources)
        prompts = try members.decodeIfPresent(Bool.self, forKey: .prompts)
        logging = try members.decodeIfPresent(Bool.self, forKey: .logging)
        listen = try members.decodeIfPresent(Bool.self, forKey: .listen)
        notifications = try members.decodeIfPresent([String: JSONValue].self, forKey: .notifications)
        nameInResults = try members.decodeIfPresent(Bool.self, forKey: .nameInResults)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(tools, forKey: .tools)
        try members.encodeIfPresent(resources, forKey: .resources)
        try members.encodeIfPresent(prompts, forKey: .prompts)
        try members.encodeIfPresent(logging, forKey: .logging)
        try members.encodeIfPresent(listen, forKey: .listen)
        try members.encodeIfPresent(notifications, forKey: .notifications)
        try members.encodeIfPresent(nameInResults, forKey: .nameInResults)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The members of `auth`.
public struct ServerAuthConfiguration: Codable, Hashable, Sendable {
    /// The public URL of the server, which tokens are for; without it the URL that is served.
    public var resource: String?

    /// A name of the server for people who are asked for their consent.
    public var resourceName: String?

    /// The issuers of tokens for this server; required without `tokens` and `application`. Default: `[]`.
    public var authorizationServers: [String]?

    /// What every request needs, and what clients ask for at first. Default: `[]`.
    public var scopes: [String]?

    /// Which scopes include others: object: scope → list of scopes.
    public var impliedScopes: [String: [String]]?

    /// What tools need besides: object: name → list of scopes.
    public var tools: [String: [String]]?

    /// What prompts need besides: object: name → list of scopes.
    public var prompts: [String: [String]]?

    /// What resources and templates need besides: object: URI, or text of a template as it was added → list of
    /// scopes.
    public var resources: [String: [String]]?

    /// What methods need besides: object: method → list of scopes.
    public var methods: [String: [String]]?

    /// What lists have: what their reader's scopes allow, or all, so that a client finds out what more scopes would
    /// give. Default: `"allowed"`.
    public var lists: Lists?

    /// Whose tokens are good: the text in `iss`; without it the authorization servers. Default: `[]`.
    public var issuers: [String]?

    /// Who tokens are for: a text in `aud`; without it the resource. Default: `[]`.
    public var audience: [String]?

    /// How tokens may be signed. Default: `["ES256","ES384","EdDSA","RS256","PS256"]`.
    public var algorithms: [String]?

    /// The `typ` that tokens must have, such as `at+jwt`; without it none, `JWT` or `at+jwt`.
    public var tokenType: String?

    /// How much clocks may differ. From 1 to 31536000000 ms. Default: 60000 ms.
    public var leeway: Duration?

    /// Where the keys are that sign tokens.
    public var jwksUrl: String?

    /// The keys themselves.
    public var jwks: [String: JSONValue]?

    /// Keys that are taken of one set. From 1 to 10000. Default: 100.
    public var keys: Int?

    /// Bytes of a set of keys. From 256 to 16777216 bytes. Default: 262144 bytes.
    public var keysBytes: Int?

    /// How long keys are used before they are fetched again. From 1 to 31536000000 ms. Default: 3600000 ms.
    public var keysTime: Duration?

    /// How long they are used when they cannot be fetched. From 1 to 31536000000 ms. Default: 86400000 ms.
    public var keysStale: Duration?

    /// The least time between two fetches, whatever tokens come. From 1 to 31536000000 ms. Default: 30000 ms.
    public var keysPause: Duration?

    /// The authorization server is asked about tokens.
    public var introspection: ServerAuthIntrospectionConfiguration?

    /// The application is asked about tokens: each is a message of kind `auth` that it answers. Default: `false`.
    public var application: Bool?

    /// Fixed tokens: objects with `sha256` (the hexadecimal digest), `principal` and `scopes`; at most 1000.
    /// Default: `[]`.
    public var tokens: [JSONValue]?

    /// A file with more of them, a JSON list like `tokens`; it is read again when it has changed. When it is
    /// removed, its tokens are good no longer; when it is wrong, the last ones stay, and the log says why.
    public var tokensFile: String?

    /// What the authorization server or the application has for an answer. From 1 to 31536000000 ms. Default: 10000
    /// ms.
    public var timeout: Duration?

    /// Tokens of each URL that are being checked elsewhere. One client has at most half of what the others leave; a
    /// further request gets status 503. From 1 to 100000. Default: 256.
    public var questions: Int?

    /// How long their answers are kept. From 0 to 86400000 ms. Default: 60000 ms.
    public var remember: Duration?

    /// Answers that are kept. From 0 to 10000000. Default: 10000.
    public var remembered: Int?

    /// Proofs of possession (RFC 9449): not taken, taken with tokens that are bound to a key, or needed. With a
    /// store each must have the nonce that the server gives. Default: `"off"`.
    public var dpop: Dpop?

    /// How old a proof may be, in seconds. From 1 to 3600 s. Default: 60 s.
    public var dpopTime: Duration?

    /// Proofs that are remembered, so that none is accepted twice. At the limit the principal with most loses its
    /// oldest, and gets status 503 for equally old ones. With a store they are noted there instead. From 1 to
    /// 10000000. Default: 100000.
    public var dpopProofs: Int?

    /// A PEM file with certificates to trust, besides those of the system, where keys are fetched and tokens asked
    /// about.
    public var caFile: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        resource: String? = nil,
        resourceName: String? = nil,
        authorizationServers: [String]? = nil,
        scopes: [String]? = nil,
        impliedScopes: [String: [String]]? = nil,
        tools: [String: [String]]? = nil,
        prompts: [String: [String]]? = nil,
        resources: [String: [String]]? = nil,
        methods: [String: [String]]? = nil,
        lists: Lists? = nil,
        issuers: [String]? = nil,
        audience: [String]? = nil,
        algorithms: [String]? = nil,
        tokenType: String? = nil,
        leeway: Duration? = nil,
        jwksUrl: String? = nil,
        jwks: [String: JSONValue]? = nil,
        keys: Int? = nil,
        keysBytes: Int? = nil,
        keysTime: Duration? = nil,
        keysStale: Duration? = nil,
        keysPause: Duration? = nil,
        introspection: ServerAuthIntrospectionConfiguration? = nil,
        application: Bool? = nil,
        tokens: [JSONValue]? = nil,
        tokensFile: String? = nil,
        timeout: Duration? = nil,
        questions: Int? = nil,
        remember: Duration? = nil,
        remembered: Int? = nil,
        dpop: Dpop? = nil,
        dpopTime: Duration? = nil,
        dpopProofs: Int? = nil,
        caFile: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.resource = resource
        self.resourceName = resourceName
        self.authorizationServers = authorizationServers
        self.scopes = scopes
        self.impliedScopes = impliedScopes
        self.tools = tools
        self.prompts = prompts
        self.resources = resources
        self.methods = methods
        self.lists = lists
        self.issuers = issuers
        self.audience = audience
        self.algorithms = algorithms
        self.tokenType = tokenType
        self.leeway = leeway
        self.jwksUrl = jwksUrl
        self.jwks = jwks
        self.keys = keys
        self.keysBytes = keysBytes
        self.keysTime = keysTime
        self.keysStale = keysStale
        self.keysPause = keysPause
        self.introspection = introspection
        self.application = application
        self.tokens = tokens
        self.tokensFile = tokensFile
        self.timeout = timeout
        self.questions = questions
        self.remember = remember
        self.remembered = remembered
        self.dpop = dpop
        self.dpopTime = dpopTime
        self.dpopProofs = dpopProofs
        self.caFile = caFile
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case resource
        case resourceName = "resource_name"
        case authorizationServers = "authorization_servers"
        case scopes
        case impliedScopes = "implied_scopes"
        case tools
        case prompts
        case resources
        case methods
        case lists
        case issuers
        case audience
        case algorithms
        case tokenType = "token_type"
        case leeway = "leeway_ms"
        case jwksUrl = "jwks_url"
        case jwks
        case keys
        case keysBytes = "keys_bytes"
        case keysTime = "keys_ms"
        case keysStale = "keys_stale_ms"
        case keysPause = "keys_pause_ms"
        case introspection
        case application
        case tokens
        case tokensFile = "tokens_file"
        case timeout = "timeout_ms"
        case questions
        case remember = "remember_ms"
        case remembered
        case dpop
        case dpopTime = "dpop_seconds"
        case dpopProofs = "dpop_proofs"
        case caFile = "ca_file"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        resource = try members.decodeIfPresent(String.self, forKey: .resource)
        resourceName = try members.decodeIfPresent(String.self, forKey: .resourceName)
        authorizationServers = try members.decodeIfPresent([String].self, forKey: .authorizationServers)
        scopes = try members.decodeIfPresent([String].self, forKey: .scopes)
        impliedScopes = try members.decodeIfPresent([String: [String]].self, forKey: .impliedScopes)
        tools = try members.decodeIfPresent([String: [String]].self, forKey: .tools)
        prompts = try members.decodeIfPresent([String: [String]].self, forKey: .prompts)
        resources = try members.decodeIfPresent([String: [String]].self, forKey: .resources)
        methods = try members.decodeIfPresent([String: [String]].self, forKey: .methods)
        lists = try members.decodeIfPresent(Lists.self, forKey: .lists)
        issuers = try members.decodeIfPresent([String].self, forKey: .issuers)
        audience = try members.decodeIfPresent([String].self, forKey: .audience)
        algorithms = try members.decodeIfPresent([String].self, forKey: .algorithms)
        tokenType = try members.decodeIfPresent(String.self, forKey: .tokenType)
        leeway = try members.duration(.milliseconds, forKey: .leeway)
        jwksUrl = try members.decodeIfPresent(String.self, forKey: .jwksUrl)
        jwks = try members.decodeIfPresent([String: JSONValue].self, forKey: .jwks)
        keys = try members.decodeIfPresent(Int.self, forKey: .keys)
        keysBytes = try members.decodeIfPresent(Int.self, forKey: .keysBytes)
        keysTime = try members.duration(.milliseconds, forKey: .keysTime)
        keysStale = try members.duration(.milliseconds, forKey: .keysStale)
        keysPause = try members.duration(.milliseconds, forKey: .keysPause)
        introspection = try members.decodeIfPresent(ServerAuthIntrospectionConfiguration.self, forKey: .introspection)
        application = try members.decodeIfPresent(Bool.self, forKey: .application)
        tokens = try members.decodeIfPresent([JSONValue].self, forKey: .tokens)
        tokensFile = try members.decodeIfPresent(String.self, forKey: .tokensFile)
        timeout = try members.duration(.milliseconds, forKey: .timeout)
        questions = try members.decodeIfPresent(Int.self, forKey: .questions)
        remember = try members.duration(.milliseconds, forKey: .remember)
        remembered = try members.decodeIfPresent(Int.self, forKey: .remembered)
        dpop = try members.decodeIfPresent(Dpop.self, forKey: .dpop)
        dpopTime = try members.duration(.seconds, forKey: .dpopTime)
        dpopProofs = try members.decodeIfPresent(Int.self, forKey: .dpopProofs)
        caFile = try members.decodeIfPresent(String.self, forKey: .caFile)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(resource, forKey: .resource)
        try members.encodeIfPresent(resourceName, forKey: .resourceName)
        try members.encodeIfPresent(authorizationServers, forKey: .authorizationServers)
        try members.encodeIfPresent(scopes, forKey: .scopes)
        try members.encodeIfPresent(impliedScopes, forKey: .impliedScopes)
        try members.encodeIfPresent(tools, forKey: .tools)
        try members.encodeIfPresent(prompts, forKey: .prompts)
        try members.encodeIfPresent(resources, forKey: .resources)
        try members.encodeIfPresent(methods, forKey: .methods)
        try members.encodeIfPresent(lists, forKey: .lists)
        try members.encodeIfPresent(issuers, forKey: .issuers)
        try members.encodeIfPresent(audience, forKey: .audience)
        try members.encodeIfPresent(algorithms, forKey: .algorithms)
        try members.encodeIfPresent(tokenType, forKey: .tokenType)
        try members.encode(leeway, .milliseconds, forKey: .leeway)
        try members.encodeIfPresent(jwksUrl, forKey: .jwksUrl)
        try members.encodeIfPresent(jwks, forKey: .jwks)
        try members.encodeIfPresent(keys, forKey: .keys)
        try members.encodeIfPresent(keysBytes, forKey: .keysBytes)
        try members.encode(keysTime, .milliseconds, forKey: .keysTime)
        try members.encode(keysStale, .milliseconds, forKey: .keysStale)
        try members.encode(keysPause, .milliseconds, forKey: .keysPause)
        try members.encodeIfPresent(introspection, forKey: .introspection)
        try members.encodeIfPresent(application, forKey: .application)
        try members.encodeIfPresent(tokens, forKey: .tokens)
        try members.encodeIfPresent(tokensFile, forKey: .tokensFile)
        try members.encode(timeout, .milliseconds, forKey: .timeout)
        try members.encodeIfPresent(questions, forKey: .questions)
        try members.encode(remember, .milliseconds, forKey: .remember)
        try members.encodeIfPresent(remembered, forKey: .remembered)
        try members.encodeIfPresent(dpop, forKey: .dpop)
        try members.encode(dpopTime, .seconds, forKey: .dpopTime)
        try members.encodeIfPresent(dpopProofs, forKey: .dpopProofs)
        try members.encodeIfPresent(caFile, forKey: .caFile)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `lists`.
    public struct Lists: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let allowed = Lists(rawValue: "allowed")
        public static let all = Lists(rawValue: "all")
    }

    /// The values of `dpop`.
    public struct Dpop: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let off = Dpop(rawValue: "off")
        public static let allowed = Dpop(rawValue: "allowed")
        public static let required = Dpop(rawValue: "required")
    }
}

/// The members of `auth.introspection`.
public struct ServerAuthIntrospectionConfiguration: Codable, Hashable, Sendable {
    /// The endpoint (RFC 7662); necessary.
    public var url: String?

    /// Who the server is there.
    public var clientId: String?

    /// Its secret, sent in the header `Authorization`.
    public var clientSecret: String?

    /// Answers must name this server as the audience. Without this a token for another server of the same issuer is
    /// good here. Default: `true`.
    public var checkAudience: Bool?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        url: String? = nil,
        clientId: String? = nil,
        clientSecret: String? = nil,
        checkAudience: Bool? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.url = url
        self.clientId = clientId
        self.clientSecret = clientSecret
        self.checkAudience = checkAudience
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case url
        case clientId = "client_id"
        case clientSecret = "client_secret"
        case checkAudience = "check_audience"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        url = try members.decodeIfPresent(String.self, forKey: .url)
        clientId = try members.decodeIfPresent(String.self, forKey: .clientId)
        clientSecret = try members.decodeIfPresent(String.self, forKey: .clientSecret)
        checkAudience = try members.decodeIfPresent(Bool.self, forKey: .checkAudience)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(url, forKey: .url)
        try members.encodeIfPresent(clientId, forKey: .clientId)
        try members.encodeIfPresent(clientSecret, forKey: .clientSecret)
        try members.encodeIfPresent(checkAudience, forKey: .checkAudience)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The members of `cache`.
public struct ServerCacheConfiguration: Codable, Hashable, Sendable {
    /// How long, in milliseconds; 0 for not at all. From 0 to 31536000000 ms. Default: 0 ms.
    public var ttl: Duration?

    /// Who may keep them: one user's cache, or a cache that several users share. Default: `"private"`.
    public var scope: Scope?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        ttl: Duration? = nil,
        scope: Scope? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.ttl = ttl
        self.scope = scope
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case ttl = "ttl_ms"
        case scope
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        ttl = try members.duration(.milliseconds, forKey: .ttl)
        scope = try members.decodeIfPresent(Scope.self, forKey: .scope)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(ttl, .milliseconds, forKey: .ttl)
        try members.encodeIfPresent(scope, forKey: .scope)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `scope`.
    public struct Scope: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let `private` = Scope(rawValue: "private")
        public static let `public` = Scope(rawValue: "public")
    }
}

/// The members of `checks`.
public struct ServerChecksConfiguration: Codable, Hashable, Sendable {
    /// Definitions of tools, resources and prompts, when they are added. If off, a schema that cannot be used
    /// checks nothing. Default: `true`.
    public var definitions: Bool?

    /// Arguments against the tool's `inputSchema`, before the handler runs. Default: `true`.
    public var arguments: Bool?

    /// Results against the tool's `outputSchema`, before they are sent. Default: `true`.
    public var results: Bool?

    /// What handlers give: content blocks of tools and prompts, contents of resources. Default: `true`.
    public var content: Bool?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        definitions: Bool? = nil,
        arguments: Bool? = nil,
        results: Bool? = nil,
        content: Bool? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.definitions = definitions
        self.arguments = arguments
        self.results = results
        self.content = content
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case definitions
        case arguments
        case results
        case content
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        definitions = try members.decodeIfPresent(Bool.self, forKey: .definitions)
        arguments = try members.decodeIfPresent(Bool.self, forKey: .arguments)
        results = try members.decodeIfPresent(Bool.self, forKey: .results)
        content = try members.decodeIfPresent(Bool.self, forKey: .content)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(definitions, forKey: .definitions)
        try members.encodeIfPresent(arguments, forKey: .arguments)
        try members.encodeIfPresent(results, forKey: .results)
        try members.encodeIfPresent(content, forKey: .content)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The members of `limits`.
public struct ServerLimits: Codable, Hashable, Sendable {
    /// The largest message of a client; a larger one is skipped as it comes and refused. From 1024 to 2147483648
    /// bytes. Default: 16777216 bytes.
    public var frameBytes: Int?

    /// How much of one message is skipped beyond `limits.frame_bytes`. A message without an end within both ends
    /// the session. From 0 to 68719476736 bytes. Default: 536870912 bytes.
    public var discardBytes: Int?

    /// When more than this waits for a client to read it, its session ends. From 1024 to 2147483648 bytes. Default:
    /// 67108864 bytes.
    public var outgoingBytes: Int?

    /// Bytes held for all clients: bodies in progress, unread answers and notifications, kept events. At the limit
    /// kept events are dropped, then the slowest connections of the largest holder end; the largest holder itself
    /// is refused. No message may be larger. From 1048576 to 68719476736 bytes. Default: 268435456 bytes.
    public var sharedBytes: Int?

    /// The lowest rate of a request body over 64 KiB, after `timeouts.body_grace_ms`; 0 for none. From 0 to
    /// 1073741824. Default: 16384.
    public var bodyBytesPerSecond: Int?

    /// The largest file that is read below a folder of `mcp_server_add_folder` or `mcp_server_add_skills`. From 0
    /// to 1073741824 bytes. Default: 8388608 bytes.
    public var fileBytes: Int?

    /// HTTP connections of each URL. At the limit an unused one ends, else an idle one of the address that has
    /// most; otherwise the new one is refused. From 1 to 1000000. Default: 10000.
    public var connections: Int?

    /// The head of an HTTP request. From 8192 to 16777216 bytes. Default: 65536 bytes.
    public var headBytes: Int?

    /// Events of one session of HTTP (legacy era) that are kept for a client whose stream broke off. From 0 to
    /// 1000000. Default: 1000.
    public var sessionEvents: Int?

    /// Their bytes. Those of all sessions count against `limits.shared_bytes`. From 0 to 1073741824 bytes. Default:
    /// 4194304 bytes.
    public var sessionEventBytes: Int?

    /// Sessions. At the limit an unused one ends, else the least recently used one of the principal or address that
    /// has most. From 1 to 1000000. Default: 10000.
    public var sessions: Int?

    /// Requests of one session that the application has not answered. A further one waits. From 1 to 1000000.
    /// Default: 10000.
    public var sessionRequests: Int?

    /// The same for all sessions together. One client has at most half of what the others leave. From 1 to 1000000.
    /// Default: 20000.
    public var requests: Int?

    /// Bytes of unanswered requests over 1 KiB. One client has at most half of what the others leave; a further one
    /// waits. A larger one is accepted alone. From 1024 to 68719476736 bytes. Default: 268435456 bytes.
    public var requestBytes: Int?

    /// Requests of one session that wait, within `timeouts.request_ms`. A further one is not read, or refused with
    /// the retryable error -32010. From 0 to 1000000. Default: 1000.
    public var sessionWaiting: Int?

    /// The bytes of all requests that wait so; one session has a sixteenth of them, one client half of what the
    /// others leave. From 1024 to 68719476736 bytes. Default: 16777216 bytes.
    public var waitingBytes: Int?

    /// Resources that one session may subscribe to, each with a URI of at most 8192 bytes. From 0 to 1000000.
    /// Default: 1000.
    public var sessionSubscriptions: Int?

    /// Bytes of the URIs that clients of 2026-07-28 listen to, and as many for subscriptions of legacy sessions.
    /// One client has at most half of what the others leave; a further subscription is refused. From 0 to
    /// 68719476736 bytes. Default: 33554432 bytes.
    public var subscriptionBytes: Int?

    /// Streams of `subscriptions/listen` in one session, over HTTP on one connection. From 0 to 100000. Default:
    /// 16.
    public var sessionListens: Int?

    /// The same for all sessions together. One client has at most half of what the others leave; one more is
    /// refused. From 0 to 1000000. Default: 10000.
    public var listens: Int?

    /// Messages in one batch (2025-03-26). From 1 to 100000. Default: 100.
    public var batch: Int?

    /// How deep JSON may nest, received and given. From 4 to 1000. Default: 128.
    public var jsonDepth: Int?

    /// Questions of one request that may be open at one time. From 1 to 1000. Default: 16.
    public var questions: Int?

    /// Bytes of a sealed `requestState`. From 256 to 1048576 bytes. Default: 65536 bytes.
    public var requestStateBytes: Int?

    /// Used request states that are remembered, about 300 bytes each, so that none is accepted twice. At the limit
    /// the client with most loses its own, and states that may have been used are refused. From 1 to 10000000.
    /// Default: 100000.
    public var usedStates: Int?

    /// Progress notifications of one session: this many at once, and each second. Further values wait; the newest
    /// is sent before the answer. From 1 to 1000000. Default: 100.
    public var progressPerSecond: Int?

    /// Log messages of one session: this many at once, and each second. Further ones are dropped, counted and
    /// logged once a second. From 1 to 1000000. Default: 100.
    public var logsPerSecond: Int?

    /// Ids of elicitations by URL (2025-11-25) that are remembered until their session ends. One client has at most
    /// half of what the others leave; a further elicitation is refused. From 1 to 10000000. Default: 10000.
    public var elicitationIds: Int?

    /// Tasks, also finished ones. One client has at most half of what the others leave. At the limit its oldest
    /// finished task of an ended session is dropped, else the call is refused. From 0 to 1000000. Default: 20000.
    public var tasks: Int?

    /// The same of one session. From 0 to 1000000. Default: 1000.
    public var sessionTasks: Int?

    /// Bytes of the results and errors of tasks that are kept, shared in the same way. A task whose result has no
    /// room fails. From 0 to 68719476736 bytes. Default: 67108864 bytes.
    public var taskBytes: Int?

    /// Skills of one server, those of all folders of `mcp_server_add_skills` together. From 0 to 100000. Default:
    /// 1000.
    public var skills: Int?

    /// Bytes of the files of all skills together, which the server keeps in memory. From 0 to 4294967296 bytes.
    /// Default: 67108864 bytes.
    public var skillsBytes: Int?

    /// Files of one skill that the server publishes. Hosts need not accept more than 512. From 1 to 100000.
    /// Default: 512.
    public var skillFiles: Int?

    /// Bytes of the files of one skill that the server publishes. Hosts need not accept more than 16 MiB. From 1 to
    /// 1073741824 bytes. Default: 16777216 bytes.
    public var skillBytes: Int?

    /// How deep folders may nest below a folder of skills. From 1 to 60. Default: 16.
    public var skillDepth: Int?

    /// Messages that may wait in the server's own queue. From 1 to 100000000. Default: 10000.
    public var queueMessages: Int?

    /// Their bytes. One client has at most half of what the others leave, or one larger request while no other
    /// waits; a further request waits. From 1024 to 68719476736 bytes. Default: 67108864 bytes.
    public var queueBytes: Int?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        frameBytes: Int? = nil,
        discardBytes: Int? = nil,
        outgoingBytes: Int? = nil,
        sharedBytes: Int? = nil,
        bodyBytesPerSecond: Int? = nil,
        fileBytes: Int? = nil,
        connections: Int? = nil,
        headBytes: Int? = nil,
        sessionEvents: Int? = nil,
        sessionEventBytes: Int? = nil,
        sessions: Int? = nil,
        sessionRequests: Int? = nil,
        requests: Int? = nil,
        requestBytes: Int? = nil,
        sessionWaiting: Int? = nil,
        waitingBytes: Int? = nil,
        sessionSubscriptions: Int? = nil,
        subscriptionBytes: Int? = nil,
        sessionListens: Int? = nil,
        listens: Int? = nil,
        batch: Int? = nil,
        jsonDepth: Int? = nil,
        questions: Int? = nil,
        requestStateBytes: Int? = nil,
        usedStates: Int? = nil,
        progressPerSecond: Int? = nil,
        logsPerSecond: Int? = nil,
        elicitationIds: Int? = nil,
        tasks: Int? = nil,
        sessionTasks: Int? = nil,
        taskBytes: Int? = nil,
        skills: Int? = nil,
        skillsBytes: Int? = nil,
        skillFiles: Int? = nil,
        skillBytes: Int? = nil,
        skillDepth: Int? = nil,
        queueMessages: Int? = nil,
        queueBytes: Int? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.frameBytes = frameBytes
        self.discardBytes = discardBytes
        self.outgoingBytes = outgoingBytes
        self.sharedBytes = sharedBytes
        self.bodyBytesPerSecond = bodyBytesPerSecond
        self.fileBytes = fileBytes
        self.connections = connections
        self.headBytes = headBytes
        self.sessionEvents = sessionEvents
        self.sessionEventBytes = sessionEventBytes
        self.sessions = sessions
        self.sessionRequests = sessionRequests
        self.requests = requests
        self.requestBytes = requestBytes
        self.sessionWaiting = sessionWaiting
        self.waitingBytes = waitingBytes
        self.sessionSubscriptions = sessionSubscriptions
        self.subscriptionBytes = subscriptionBytes
        self.sessionListens = sessionListens
        self.listens = listens
        self.batch = batch
        self.jsonDepth = jsonDepth
        self.questions = questions
        self.requestStateBytes = requestStateBytes
        self.usedStates = usedStates
        self.progressPerSecond = progressPerSecond
        self.logsPerSecond = logsPerSecond
        self.elicitationIds = elicitationIds
        self.tasks = tasks
        self.sessionTasks = sessionTasks
        self.taskBytes = taskBytes
        self.skills = skills
        self.skillsBytes = skillsBytes
        self.skillFiles = skillFiles
        self.skillBytes = skillBytes
        self.skillDepth = skillDepth
        self.queueMessages = queueMessages
        self.queueBytes = queueBytes
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case frameBytes = "frame_bytes"
        case discardBytes = "discard_bytes"
        case outgoingBytes = "outgoing_bytes"
        case sharedBytes = "shared_bytes"
        case bodyBytesPerSecond = "body_bytes_per_second"
        case fileBytes = "file_bytes"
        case connections
        case headBytes = "head_bytes"
        case sessionEvents = "session_events"
        case sessionEventBytes = "session_event_bytes"
        case sessions
        case sessionRequests = "session_requests"
        case requests
        case requestBytes = "request_bytes"
        case sessionWaiting = "session_waiting"
        case waitingBytes = "waiting_bytes"
        case sessionSubscriptions = "session_subscriptions"
        case subscriptionBytes = "subscription_bytes"
        case sessionListens = "session_listens"
        case listens
        case batch
        case jsonDepth = "json_depth"
        case questions
        case requestStateBytes = "request_state_bytes"
        case usedStates = "used_states"
        case progressPerSecond = "progress_per_second"
        case logsPerSecond = "logs_per_second"
        case elicitationIds = "elicitation_ids"
        case tasks
        case sessionTasks = "session_tasks"
        case taskBytes = "task_bytes"
        case skills
        case skillsBytes = "skills_bytes"
        case skillFiles = "skill_files"
        case skillBytes = "skill_bytes"
        case skillDepth = "skill_depth"
        case queueMessages = "queue_messages"
        case queueBytes = "queue_bytes"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        frameBytes = try members.decodeIfPresent(Int.self, forKey: .frameBytes)
        discardBytes = try members.decodeIfPresent(Int.self, forKey: .discardBytes)
        outgoingBytes = try members.decodeIfPresent(Int.self, forKey: .outgoingBytes)
        sharedBytes = try members.decodeIfPresent(Int.self, forKey: .sharedBytes)
        bodyBytesPerSecond = try members.decodeIfPresent(Int.self, forKey: .bodyBytesPerSecond)
        fileBytes = try members.decodeIfPresent(Int.self, forKey: .fileBytes)
        connections = try members.decodeIfPresent(Int.self, forKey: .connections)
        headBytes = try members.decodeIfPresent(Int.self, forKey: .headBytes)
        sessionEvents = try members.decodeIfPresent(Int.self, forKey: .sessionEvents)
        sessionEventBytes = try members.decodeIfPresent(Int.self, forKey: .sessionEventBytes)
        sessions = try members.decodeIfPresent(Int.self, forKey: .sessions)
        sessionRequests = try members.decodeIfPresent(Int.self, forKey: .sessionRequests)
        requests = try members.decodeIfPresent(Int.self, forKey: .requests)
        requestBytes = try members.decodeIfPresent(Int.self, forKey: .requestBytes)
        sessionWaiting = try members.decodeIfPresent(Int.self, forKey: .sessionWaiting)
        waitingBytes = try members.decodeIfPresent(Int.self, forKey: .waitingBytes)
        sessionSubscriptions = try members.decodeIfPresent(Int.self, forKey: .sessionSubscriptions)
        subscriptionBytes = try members.decodeIfPresent(Int.self, forKey: .subscriptionBytes)
        sessionListens = try members.decodeIfPresent(Int.self, forKey: .sessionListens)
        listens = try members.decodeIfPresent(Int.self, forKey: .listens)
        batch = try members.decodeIfPresent(Int.self, forKey: .batch)
        jsonDepth = try members.decodeIfPresent(Int.self, forKey: .jsonDepth)
        questions = try members.decodeIfPresent(Int.self, forKey: .questions)
        requestStateBytes = try members.decodeIfPresent(Int.self, forKey: .requestStateBytes)
        usedStates = try members.decodeIfPresent(Int.self, forKey: .usedStates)
        progressPerSecond = try members.decodeIfPresent(Int.self, forKey: .progressPerSecond)
        logsPerSecond = try members.decodeIfPresent(Int.self, forKey: .logsPerSecond)
        elicitationIds = try members.decodeIfPresent(Int.self, forKey: .elicitationIds)
        tasks = try members.decodeIfPresent(Int.self, forKey: .tasks)
        sessionTasks = try members.decodeIfPresent(Int.self, forKey: .sessionTasks)
        taskBytes = try members.decodeIfPresent(Int.self, forKey: .taskBytes)
        skills = try members.decodeIfPresent(Int.self, forKey: .skills)
        skillsBytes = try members.decodeIfPresent(Int.self, forKey: .skillsBytes)
        skillFiles = try members.decodeIfPresent(Int.self, forKey: .skillFiles)
        skillBytes = try members.decodeIfPresent(Int.self, forKey: .skillBytes)
        skillDepth = try members.decodeIfPresent(Int.self, forKey: .skillDepth)
        queueMessages = try members.decodeIfPresent(Int.self, forKey: .queueMessages)
        queueBytes = try members.decodeIfPresent(Int.self, forKey: .queueBytes)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(frameBytes, forKey: .frameBytes)
        try members.encodeIfPresent(discardBytes, forKey: .discardBytes)
        try members.encodeIfPresent(outgoingBytes, forKey: .outgoingBytes)
        try members.encodeIfPresent(sharedBytes, forKey: .sharedBytes)
        try members.encodeIfPresent(bodyBytesPerSecond, forKey: .bodyBytesPerSecond)
        try members.encodeIfPresent(fileBytes, forKey: .fileBytes)
        try members.encodeIfPresent(connections, forKey: .connections)
        try members.encodeIfPresent(headBytes, forKey: .headBytes)
        try members.encodeIfPresent(sessionEvents, forKey: .sessionEvents)
        try members.encodeIfPresent(sessionEventBytes, forKey: .sessionEventBytes)
        try members.encodeIfPresent(sessions, forKey: .sessions)
        try members.encodeIfPresent(sessionRequests, forKey: .sessionRequests)
        try members.encodeIfPresent(requests, forKey: .requests)
        try members.encodeIfPresent(requestBytes, forKey: .requestBytes)
        try members.encodeIfPresent(sessionWaiting, forKey: .sessionWaiting)
        try members.encodeIfPresent(waitingBytes, forKey: .waitingBytes)
        try members.encodeIfPresent(sessionSubscriptions, forKey: .sessionSubscriptions)
        try members.encodeIfPresent(subscriptionBytes, forKey: .subscriptionBytes)
        try members.encodeIfPresent(sessionListens, forKey: .sessionListens)
        try members.encodeIfPresent(listens, forKey: .listens)
        try members.encodeIfPresent(batch, forKey: .batch)
        try members.encodeIfPresent(jsonDepth, forKey: .jsonDepth)
        try members.encodeIfPresent(questions, forKey: .questions)
        try members.encodeIfPresent(requestStateBytes, forKey: .requestStateBytes)
        try members.encodeIfPresent(usedStates, forKey: .usedStates)
        try members.encodeIfPresent(progressPerSecond, forKey: .progressPerSecond)
        try members.encodeIfPresent(logsPerSecond, forKey: .logsPerSecond)
        try members.encodeIfPresent(elicitationIds, forKey: .elicitationIds)
        try members.encodeIfPresent(tasks, forKey: .tasks)
        try members.encodeIfPresent(sessionTasks, forKey: .sessionTasks)
        try members.encodeIfPresent(taskBytes, forKey: .taskBytes)
        try members.encodeIfPresent(skills, forKey: .skills)
        try members.encodeIfPresent(skillsBytes, forKey: .skillsBytes)
        try members.encodeIfPresent(skillFiles, forKey: .skillFiles)
        try members.encodeIfPresent(skillBytes, forKey: .skillBytes)
        try members.encodeIfPresent(skillDepth, forKey: .skillDepth)
        try members.encodeIfPresent(queueMessages, forKey: .queueMessages)
        try members.encodeIfPresent(queueBytes, forKey: .queueBytes)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The members of `request_state`.
public struct ServerRequestStateConfiguration: Codable, Hashable, Sendable {
    /// The keys, newest first, each the base64 of 32 random bytes, shared by servers that answer for one another.
    /// Without keys the server makes its own. Default: `[]`.
    public var keys: [String]?

    /// How long a seal is good. From 1 to 31536000000 ms. Default: 600000 ms.
    public var ttl: Duration?

    /// The name of the server in the seal, such as its URL: a server with another one refuses it.
    public var audience: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        keys: [String]? = nil,
        ttl: Duration? = nil,
        audience: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.keys = keys
        self.ttl = ttl
        self.audience = audience
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case keys
        case ttl = "ttl_ms"
        case audience
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        keys = try members.decodeIfPresent([String].self, forKey: .keys)
        ttl = try members.duration(.milliseconds, forKey: .ttl)
        audience = try members.decodeIfPresent(String.self, forKey: .audience)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(keys, forKey: .keys)
        try members.encode(ttl, .milliseconds, forKey: .ttl)
        try members.encodeIfPresent(audience, forKey: .audience)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The members of `store`.
public struct ServerStoreConfiguration: Codable, Hashable, Sendable {
    /// What the processes of the server share, for all that have the same `request_state.keys`: which request
    /// states were used, tasks, changes of lists and resources, sessions of older revisions.
    /// `redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]`, or `rediss://` with TLS: Redis 6.2 or Valkey, with
    /// `maxmemory-policy noeviction`, and a library built with the feature `redis`; or a URL whose scheme was
    /// registered, such as `file:PATH` of `libmcp-store-sqlite`.
    public var url: String?

    /// What keys in the store begin with, beside what the library puts there; without it the name of the server.
    public var space: String?

    /// How long an answer of the store may take; then the request is refused. From 1 to 31536000000 ms. Default:
    /// 1000 ms.
    public var timeout: Duration?

    /// How long a process that says nothing counts as there, at most an hour; then its tasks have failed. Without
    /// it the time is at least three times that of an answer. From 1 to 31536000000 ms. Default: 15000.
    public var lease: Duration?

    /// How long a process goes on with a session of an older revision that was ended through another one, at most.
    /// From 1 to 31536000000 ms. Default: 5000 ms.
    public var sessionCheck: Duration?

    /// Bytes of events of streams of older revisions that may be under way to the store; a session has an eighth.
    /// What waits for that is what the session keeps in memory (`limits.session_event_bytes`). From 1048576 to
    /// 1073741824 bytes. Default: 4194304 bytes.
    public var backlogBytes: Int?

    /// A PEM file with certificates to trust beside those of the system; for `rediss`.
    public var caFile: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        url: String? = nil,
        space: String? = nil,
        timeout: Duration? = nil,
        lease: Duration? = nil,
        sessionCheck: Duration? = nil,
        backlogBytes: Int? = nil,
        caFile: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.url = url
        self.space = space
        self.timeout = timeout
        self.lease = lease
        self.sessionCheck = sessionCheck
        self.backlogBytes = backlogBytes
        self.caFile = caFile
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case url
        case space
        case timeout = "timeout_ms"
        case lease = "lease_ms"
        case sessionCheck = "session_check_ms"
        case backlogBytes = "backlog_bytes"
        case caFile = "ca_file"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        url = try members.decodeIfPresent(String.self, forKey: .url)
        space = try members.decodeIfPresent(String.self, forKey: .space)
        timeout = try members.duration(.milliseconds, forKey: .timeout)
        lease = try members.duration(.milliseconds, forKey: .lease)
        sessionCheck = try members.duration(.milliseconds, forKey: .sessionCheck)
        backlogBytes = try members.decodeIfPresent(Int.self, forKey: .backlogBytes)
        caFile = try members.decodeIfPresent(String.self, forKey: .caFile)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(url, forKey: .url)
        try members.encodeIfPresent(space, forKey: .space)
        try members.encode(timeout, .milliseconds, forKey: .timeout)
        try members.encode(lease, .milliseconds, forKey: .lease)
        try members.encode(sessionCheck, .milliseconds, forKey: .sessionCheck)
        try members.encodeIfPresent(backlogBytes, forKey: .backlogBytes)
        try members.encodeIfPresent(caFile, forKey: .caFile)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The members of `timeouts`.
public struct ServerTimeouts: Codable, Hashable, Sendable {
    /// The time of the application for a request, in milliseconds; then the library answers with an error. 0 for no
    /// limit. From 0 to 31536000000 ms. Default: 300000 ms.
    public var request: Duration?

    /// The time of a legacy client to answer a question, and to confirm its handshake before one. From 1 to
    /// 31536000000 ms. Default: 60000 ms.
    public var question: Duration?

    /// How long a task is kept from its start, unless client or handler ask for less. Then its request is
    /// cancelled. From 1 to 31536000000 ms. Default: 3600000 ms.
    public var taskTtl: Duration?

    /// How long changes are gathered before clients are told of them. From 1 to 31536000000 ms. Default: 10 ms.
    public var burst: Duration?

    /// How long a client may read nothing of what waits for it; then its session ends, over HTTP its connection.
    /// From 1 to 31536000000 ms. Default: 30000 ms.
    public var write: Duration?

    /// What requests under way have after the end of their client's input. From 1 to 31536000000 ms. Default: 5000
    /// ms.
    public var finish: Duration?

    /// The time for the head of an HTTP request, after the one before it; then the connection ends. A session that
    /// is not used after its handshake ends after this time, too, and one over a socket without a message. From 1
    /// to 31536000000 ms. Default: 60000 ms.
    public var head: Duration?

    /// The time for the body of an HTTP request, after its head; then it is refused. From 1 to 31536000000 ms.
    /// Default: 60000 ms.
    public var body: Duration?

    /// How often a quiet event stream shows that it lives. From 1 to 31536000000 ms. Default: 15000 ms.
    public var keepAlive: Duration?

    /// How long a session of HTTP (legacy era) lives without a request or a stream. From 1 to 31536000000 ms.
    /// Default: 1800000 ms.
    public var session: Duration?

    /// How long other processes go on with a session whose name is sealed (`session_names`), from its handshake on.
    /// From 1 to 31536000000 ms. Default: 86400000 ms.
    public var sessionName: Duration?

    /// How long `mcp_server_close` with -1, and `mcp_server_free`, wait for clients to take what was sent to them.
    /// From 1 to 31536000000 ms. Default: 2000 ms.
    public var close: Duration?

    /// How long, in milliseconds, `mcp_server_close` still serves while health says 503, over HTTP. A second call
    /// of `mcp_server_close` ends the wait. From 0 to 31536000000 ms. Default: 0 ms.
    public var notice: Duration?

    /// What requests under way have then, while no client connects any more; those that are left are refused. From
    /// 0 to 31536000000 ms. Default: 0 ms.
    public var drain: Duration?

    /// After what time a client comes back to an event stream that ended before its answer (2025-11-25). From 1 to
    /// 31536000000 ms. Default: 1000 ms.
    public var retry: Duration?

    /// How long an event is kept for a client that comes back to its stream (2025-03-26 to 2025-11-25). From 1 to
    /// 31536000000 ms. Default: 300000 ms.
    public var event: Duration?

    /// How long a large body may come slower than `limits.body_bytes_per_second`. From 1 to 31536000000 ms.
    /// Default: 5000 ms.
    public var bodyGrace: Duration?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        request: Duration? = nil,
        question: Duration? = nil,
        taskTtl: Duration? = nil,
        burst: Duration? = nil,
        write: Duration? = nil,
        finish: Duration? = nil,
        head: Duration? = nil,
        body: Duration? = nil,
        keepAlive: Duration? = nil,
        session: Duration? = nil,
        sessionName: Duration? = nil,
        close: Duration? = nil,
        notice: Duration? = nil,
        drain: Duration? = nil,
        retry: Duration? = nil,
        event: Duration? = nil,
        bodyGrace: Duration? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.request = request
        self.question = question
        self.taskTtl = taskTtl
        self.burst = burst
        self.write = write
        self.finish = finish
        self.head = head
        self.body = body
        self.keepAlive = keepAlive
        self.session = session
        self.sessionName = sessionName
        self.close = close
        self.notice = notice
        self.drain = drain
        self.retry = retry
        self.event = event
        self.bodyGrace = bodyGrace
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case request = "request_ms"
        case question = "question_ms"
        case taskTtl = "task_ttl_ms"
        case burst = "burst_ms"
        case write = "write_ms"
        case finish = "finish_ms"
        case head = "head_ms"
        case body = "body_ms"
        case keepAlive = "keep_alive_ms"
        case session = "session_ms"
        case sessionName = "session_name_ms"
        case close = "close_ms"
        case notice = "notice_ms"
        case drain = "drain_ms"
        case retry = "retry_ms"
        case event = "event_ms"
        case bodyGrace = "body_grace_ms"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        request = try members.duration(.milliseconds, forKey: .request)
        question = try members.duration(.milliseconds, forKey: .question)
        taskTtl = try members.duration(.milliseconds, forKey: .taskTtl)
        burst = try members.duration(.milliseconds, forKey: .burst)
        write = try members.duration(.milliseconds, forKey: .write)
        finish = try members.duration(.milliseconds, forKey: .finish)
        head = try members.duration(.milliseconds, forKey: .head)
        body = try members.duration(.milliseconds, forKey: .body)
        keepAlive = try members.duration(.milliseconds, forKey: .keepAlive)
        session = try members.duration(.milliseconds, forKey: .session)
        sessionName = try members.duration(.milliseconds, forKey: .sessionName)
        close = try members.duration(.milliseconds, forKey: .close)
        notice = try members.duration(.milliseconds, forKey: .notice)
        drain = try members.duration(.milliseconds, forKey: .drain)
        retry = try members.duration(.milliseconds, forKey: .retry)
        event = try members.duration(.milliseconds, forKey: .event)
        bodyGrace = try members.duration(.milliseconds, forKey: .bodyGrace)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(request, .milliseconds, forKey: .request)
        try members.encode(question, .milliseconds, forKey: .question)
        try members.encode(taskTtl, .milliseconds, forKey: .taskTtl)
        try members.encode(burst, .milliseconds, forKey: .burst)
        try members.encode(write, .milliseconds, forKey: .write)
        try members.encode(finish, .milliseconds, forKey: .finish)
        try members.encode(head, .milliseconds, forKey: .head)
        try members.encode(body, .milliseconds, forKey: .body)
        try members.encode(keepAlive, .milliseconds, forKey: .keepAlive)
        try members.encode(session, .milliseconds, forKey: .session)
        try members.encode(sessionName, .milliseconds, forKey: .sessionName)
        try members.encode(close, .milliseconds, forKey: .close)
        try members.encode(notice, .milliseconds, forKey: .notice)
        try members.encode(drain, .milliseconds, forKey: .drain)
        try members.encode(retry, .milliseconds, forKey: .retry)
        try members.encode(event, .milliseconds, forKey: .event)
        try members.encode(bodyGrace, .milliseconds, forKey: .bodyGrace)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// What is recorded for OpenTelemetry.
public struct TelemetryOptions: Codable, Hashable, Sendable {
    /// The share of requests without a parent that become spans. A request with a parent is recorded if that is.
    /// From 0 to 1. Default: 1.0.
    public var sampleRate: Double?

    /// Counts how long every request took, recorded or not, for `mcp_telemetry_metrics`. Default: `false`.
    public var metrics: Bool?

    /// Hands over `{"span": …, "measurement": …}` in place of a span, each if there is one: of every request,
    /// recorded or not, its duration with the name of the histogram (`{"name": …, "value": 0.01, "attributes":
    /// […]}`). For programs with counters of their own. Default: `false`.
    public var measurements: Bool?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        sampleRate: Double? = nil,
        metrics: Bool? = nil,
        measurements: Bool? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.sampleRate = sampleRate
        self.metrics = metrics
        self.measurements = measurements
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case sampleRate = "sample_rate"
        case metrics
        case measurements
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        sampleRate = try members.decodeIfPresent(Double.self, forKey: .sampleRate)
        metrics = try members.decodeIfPresent(Bool.self, forKey: .metrics)
        measurements = try members.decodeIfPresent(Bool.self, forKey: .measurements)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(sampleRate, forKey: .sampleRate)
        try members.encodeIfPresent(metrics, forKey: .metrics)
        try members.encodeIfPresent(measurements, forKey: .measurements)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Where and how a server serves.
public struct Endpoint: Codable, Hashable, Sendable {
    /// The standard streams of the process; this, `url` or `socket`.
    public var stdio: Bool?

    /// Descriptor 1 leads to descriptor 2 and descriptor 0 to `/dev/null` until the server ends, so that printing
    /// cannot corrupt the protocol. Default: `true`.
    public var protect: Bool?

    /// `"unix:PATH"` or `"tcp:HOST:PORT"`: clients connect, each is a session.
    public var socket: String?

    /// An address that other machines reach is served, too. Default: `false`.
    public var beyondLoopback: Bool?

    /// A Unix socket takes no client of another user, root's neither. Default: `false`.
    public var sameUser: Bool?

    /// `http://HOST:PORT/PATH` or `https://HOST:PORT/PATH`: Streamable HTTP, every revision that has it.
    public var url: String?

    /// Permitted values of `Host`, besides those of this machine; beyond loopback besides the host of the URL and
    /// addresses. Default: `[]`.
    public var hosts: [String]?

    /// Origins of pages in browsers that may use the server, such as `https://app.example.com`. Default: `[]`.
    public var origins: [String]?

    /// The path of HTTP+SSE of 2024-11-05, beside Streamable HTTP.
    public var sse: String?

    /// The certificate of a URL with `https`, a PEM file.
    public var certificateFile: String?

    /// Its private key, a PEM file.
    public var keyFile: String?

    /// The library accepts connections. Without, an HTTP server of the program gives requests to `mcp_server_http`.
    /// Default: `true`.
    public var listen: Bool?

    /// The path at which the health of the server is told.
    public var health: String?

    /// The path at which counters are told, for Prometheus.
    public var metrics: String?

    /// A server card is served (SEP-2127).
    public var card: EndpointCardConfiguration?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        stdio: Bool? = nil,
        protect: Bool? = nil,
        socket: String? = nil,
        beyondLoopback: Bool? = nil,
        sameUser: Bool? = nil,
        url: String? = nil,
        hosts: [String]? = nil,
        origins: [String]? = nil,
        sse: String? = nil,
        certificateFile: String? = nil,
        keyFile: String? = nil,
        listen: Bool? = nil,
        health: String? = nil,
        metrics: String? = nil,
        card: EndpointCardConfiguration? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.stdio = stdio
        self.protect = protect
        self.socket = socket
        self.beyondLoopback = beyondLoopback
        self.sameUser = sameUser
        self.url = url
        self.hosts = hosts
        self.origins = origins
        self.sse = sse
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.listen = listen
        self.health = health
        self.metrics = metrics
        self.card = card
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case stdio
        case protect
        case socket
        case beyondLoopback = "beyond_loopback"
        case sameUser = "same_user"
        case url
        case hosts
        case origins
        case sse
        case certificateFile = "certificate_file"
        case keyFile = "key_file"
        case listen
        case health
        case metrics
        case card
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        stdio = try members.decodeIfPresent(Bool.self, forKey: .stdio)
        protect = try members.decodeIfPresent(Bool.self, forKey: .protect)
        socket = try members.decodeIfPresent(String.self, forKey: .socket)
        beyondLoopback = try members.decodeIfPresent(Bool.self, forKey: .beyondLoopback)
        sameUser = try members.decodeIfPresent(Bool.self, forKey: .sameUser)
        url = try members.decodeIfPresent(String.self, forKey: .url)
        hosts = try members.decodeIfPresent([String].self, forKey: .hosts)
        origins = try members.decodeIfPresent([String].self, forKey: .origins)
        sse = try members.decodeIfPresent(String.self, forKey: .sse)
        certificateFile = try members.decodeIfPresent(String.self, forKey: .certificateFile)
        keyFile = try members.decodeIfPresent(String.self, forKey: .keyFile)
        listen = try members.decodeIfPresent(Bool.self, forKey: .listen)
        health = try members.decodeIfPresent(String.self, forKey: .health)
        metrics = try members.decodeIfPresent(String.self, forKey: .metrics)
        card = try members.decodeIfPresent(EndpointCardConfiguration.self, forKey: .card)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(stdio, forKey: .stdio)
        try members.encodeIfPresent(protect, forKey: .protect)
        try members.encodeIfPresent(socket, forKey: .socket)
        try members.encodeIfPresent(beyondLoopback, forKey: .beyondLoopback)
        try members.encodeIfPresent(sameUser, forKey: .sameUser)
        try members.encodeIfPresent(url, forKey: .url)
        try members.encodeIfPresent(hosts, forKey: .hosts)
        try members.encodeIfPresent(origins, forKey: .origins)
        try members.encodeIfPresent(sse, forKey: .sse)
        try members.encodeIfPresent(certificateFile, forKey: .certificateFile)
        try members.encodeIfPresent(keyFile, forKey: .keyFile)
        try members.encodeIfPresent(listen, forKey: .listen)
        try members.encodeIfPresent(health, forKey: .health)
        try members.encodeIfPresent(metrics, forKey: .metrics)
        try members.encodeIfPresent(card, forKey: .card)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The members of `card`.
public struct EndpointCardConfiguration: Codable, Hashable, Sendable {
    /// The reversed name of your domain, a slash and the name of the server; necessary.
    public var name: String?

    /// What the server is for; without it that of the server.
    public var description: String?

    /// The public URL, if it is another one than the one that is served.
    public var url: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        name: String? = nil,
        description: String? = nil,
        url: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.name = name
        self.description = description
        self.url = url
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case description
        case url
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        url = try members.decodeIfPresent(String.self, forKey: .url)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(name, forKey: .name)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(url, forKey: .url)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// What a handler wants of the task that it becomes.
public struct TaskOptions: Codable, Hashable, Sendable {
    /// How long the task is kept. From 1 to 31536000000 ms.
    public var ttl: Duration?

    /// How often the client should ask for it. From 1 to 31536000000 ms.
    public var pollInterval: Duration?

    /// What a person may read about it.
    public var statusMessage: String?

    /// With a store: how often its call may begin in all, each time in another process when the one before is gone.
    /// From 1 to 100. Default: 1.
    public var attempts: Int?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        ttl: Duration? = nil,
        pollInterval: Duration? = nil,
        statusMessage: String? = nil,
        attempts: Int? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.ttl = ttl
        self.pollInterval = pollInterval
        self.statusMessage = statusMessage
        self.attempts = attempts
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case ttl = "ttl_ms"
        case pollInterval = "poll_interval_ms"
        case statusMessage = "status_message"
        case attempts
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        ttl = try members.duration(.milliseconds, forKey: .ttl)
        pollInterval = try members.duration(.milliseconds, forKey: .pollInterval)
        statusMessage = try members.decodeIfPresent(String.self, forKey: .statusMessage)
        attempts = try members.decodeIfPresent(Int.self, forKey: .attempts)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(ttl, .milliseconds, forKey: .ttl)
        try members.encode(pollInterval, .milliseconds, forKey: .pollInterval)
        try members.encodeIfPresent(statusMessage, forKey: .statusMessage)
        try members.encodeIfPresent(attempts, forKey: .attempts)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// What the server is told about the program. The library fills in what is absent.
public struct ClientInfo: Codable, Hashable, Sendable {
    /// An optional human-readable description of what this implementation does.
    public var description: String?

    /// Optional set of sized icons that the client can display in a user interface.
    public var icons: [Icon]?

    /// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    /// isn't present).
    public var name: String?

    /// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
    /// unfamiliar with domain-specific terminology.
    public var title: String?

    /// The version of this implementation.
    public var version: String?

    /// An optional URL of the website for this implementation.
    public var websiteUrl: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        description: String? = nil,
        icons: [Icon]? = nil,
        name: String? = nil,
        title: String? = nil,
        version: String? = nil,
        websiteUrl: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.description = description
        self.icons = icons
        self.name = name
        self.title = title
        self.version = version
        self.websiteUrl = websiteUrl
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case description
        case icons
        case name
        case title
        case version
        case websiteUrl
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        icons = try members.decodeIfPresent([Icon].self, forKey: .icons)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        version = try members.decodeIfPresent(String.self, forKey: .version)
        websiteUrl = try members.decodeIfPresent(String.self, forKey: .websiteUrl)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(icons, forKey: .icons)
        try members.encodeIfPresent(name, forKey: .name)
        try members.encodeIfPresent(title, forKey: .title)
        try members.encodeIfPresent(version, forKey: .version)
        try members.encodeIfPresent(websiteUrl, forKey: .websiteUrl)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}
