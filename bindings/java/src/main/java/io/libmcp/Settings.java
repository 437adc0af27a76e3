// Written from docs/reference/configuration.json by `cargo xtask bindings`; do not edit.

package io.libmcp;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Configurations and options, as docs/reference/configuration.md has them. */
public final class Settings {
    private Settings() {
    }

    /** The configuration of a client; docs/reference/configuration.md has more. */
    public static final class ClientConfig extends Members<ClientConfig> {
        /** Makes one without members. */
        public ClientConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ClientConfig(JsonValue value) {
            super(value);
        }

        /**
         * The program: a path, or a name to find in <code>PATH</code>. No shell is involved. Default: this or
         * <code>url</code>.
         *
         * @return the value; null if it is absent
         */
        public String command() {
            return one("command", JsonValue::asText);
        }

        /** Sets {@code command}.
         * @param value the new value
         * @return this */
        public ClientConfig command(String value) {
            return set("command", value);
        }

        /**
         * <code>http://</code> or <code>https://</code>, as the server's documentation has it. Its path and query are
         * sent as they are written. Default: this or <code>command</code>.
         *
         * @return the value; null if it is absent
         */
        public String url() {
            return one("url", JsonValue::asText);
        }

        /** Sets {@code url}.
         * @param value the new value
         * @return this */
        public ClientConfig url(String value) {
            return set("url", value);
        }

        /**
         * <code>"unix:/path"</code>, <code>"unix:&#64;name"</code> (abstract, Linux), or <code>"tcp:host:port"</code>
         * (<code>"tcp:[::1]:4000"</code>). The bytes are those of stdio, without HTTP and TLS. For HTTP over a Unix
         * socket use <code>url</code> with <code>unix_socket</code>. Default: instead of <code>command</code>.
         *
         * @return the value; null if it is absent
         */
        public String socket() {
            return one("socket", JsonValue::asText);
        }

        /** Sets {@code socket}.
         * @param value the new value
         * @return this */
        public ClientConfig socket(String value) {
            return set("socket", value);
        }

        /**
         * As in files of editors: <code>"stdio"</code> with <code>command</code>, <code>"socket"</code> with
         * <code>socket</code>, the others with <code>url</code>. The library detects the HTTP transport of a server.
         * Values: stdio, http, streamable-http, streamableHttp, streamable_http, sse, socket.
         *
         * @return the value; null if it is absent
         */
        public String type() {
            return one("type", JsonValue::asText);
        }

        /** Sets {@code type}.
         * @param value the new value
         * @return this */
        public ClientConfig type(String value) {
            return set("type", value);
        }

        /**
         * Its arguments, as they are.
         *
         * @return the value; empty if it is absent
         */
        public List<String> args() {
            return list(get("args"), JsonValue::asText);
        }

        /** Sets {@code args}.
         * @param value the new value
         * @return this */
        public ClientConfig args(List<String> value) {
            return set("args", value);
        }

        /** Sets {@code args}.
         * @param value the new value
         * @return this */
        public ClientConfig args(String... value) {
            return set("args", List.of(value));
        }

        /**
         * Variables for the server, over the inherited ones. Names must not be empty or contain <code>=</code>.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, String> env() {
            return map(get("env"), JsonValue::asText);
        }

        /** Sets {@code env}.
         * @param value the new value
         * @return this */
        public ClientConfig env(Map<String, String> value) {
            return set("env", value);
        }

        /**
         * What the server sees of the host's environment: some variables, everything, or nothing. Default:
         * <code>"default"</code>. Values: default, all, none.
         *
         * @return the value; null if it is absent
         */
        public String inheritEnv() {
            return one("inherit_env", JsonValue::asText);
        }

        /** Sets {@code inherit_env}.
         * @param value the new value
         * @return this */
        public ClientConfig inheritEnv(String value) {
            return set("inherit_env", value);
        }

        /**
         * The directory it is started in. Default: the host's.
         *
         * @return the value; null if it is absent
         */
        public String cwd() {
            return one("cwd", JsonValue::asText);
        }

        /** Sets {@code cwd}.
         * @param value the new value
         * @return this */
        public ClientConfig cwd(String value) {
            return set("cwd", value);
        }

        /**
         * Headers for every request to this origin, such as <code>Authorization</code>. They are never logged and
         * never sent to another origin. Line breaks, and headers that the protocol, HTTP or the library sets
         * (<code>Mcp-*</code>, <code>Accept</code>, <code>Content-*</code>, <code>Host</code>,
         * <code>Connection</code>, …), are refused.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, String> headers() {
            return map(get("headers"), JsonValue::asText);
        }

        /** Sets {@code headers}.
         * @param value the new value
         * @return this */
        public ClientConfig headers(Map<String, String> value) {
            return set("headers", value);
        }

        /**
         * Connect to this Unix socket instead of to the URL's host.
         *
         * @return the value; null if it is absent
         */
        public String unixSocket() {
            return one("unix_socket", JsonValue::asText);
        }

        /** Sets {@code unix_socket}.
         * @param value the new value
         * @return this */
        public ClientConfig unixSocket(String value) {
            return set("unix_socket", value);
        }

        /**
         * <code>HTTP_PROXY</code>, <code>HTTPS_PROXY</code>, <code>ALL_PROXY</code> and <code>NO_PROXY</code> are read
         * when the client is made, and apply to each request by its own URL. Without this key this machine
         * (<code>localhost</code>, <code>127.0.0.0/8</code>, <code>::1</code>) is never reached through a proxy; with
         * it every request is: do not set it for <code>http://localhost</code> with a token. The URL may have a user
         * name and password. <code>socks5h</code>: the proxy looks names up. Default: the environment.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue proxy() {
            return get("proxy");
        }

        /** Sets {@code proxy}.
         * @param value the new value
         * @return this */
        public ClientConfig proxy(Object value) {
            return set("proxy", value);
        }

        /**
         * What TLS trusts and shows.
         *
         * @return the value; null if it is absent
         */
        public TlsConfig tls() {
            return one("tls", TlsConfig::new);
        }

        /** Sets {@code tls}.
         * @param value the new value
         * @return this */
        public ClientConfig tls(TlsConfig value) {
            return set("tls", value);
        }

        /**
         * Connections.
         *
         * @return the value; null if it is absent
         */
        public HttpConfig http() {
            return one("http", HttpConfig::new);
        }

        /** Sets {@code http}.
         * @param value the new value
         * @return this */
        public ClientConfig http(HttpConfig value) {
            return set("http", value);
        }

        /**
         * How to log in where the server wants it: docs/guide/authorization.md says which keys it needs.
         *
         * @return the value; null if it is absent
         */
        public AuthConfig auth() {
            return one("auth", AuthConfig::new);
        }

        /** Sets {@code auth}.
         * @param value the new value
         * @return this */
        public ClientConfig auth(AuthConfig value) {
            return set("auth", value);
        }

        /**
         * How messages are told apart: one on each line, or a <code>Content-Length</code> header before each. Default:
         * <code>"newline"</code>. Values: newline, content-length.
         *
         * @return the value; null if it is absent
         */
        public String framing() {
            return one("framing", JsonValue::asText);
        }

        /** Sets {@code framing}.
         * @param value the new value
         * @return this */
        public ClientConfig framing(String value) {
            return set("framing", value);
        }

        /**
         * Where the server's stderr lines go: the logger (<code>server.stderr</code>), the queue
         * (<code>MCP_KIND_STDERR</code>), or nowhere. The last lines are also kept for errors. Default:
         * <code>"log"</code>. Values: log, message, drop.
         *
         * @return the value; null if it is absent
         */
        public String stderr() {
            return one("stderr", JsonValue::asText);
        }

        /** Sets {@code stderr}.
         * @param value the new value
         * @return this */
        public ClientConfig stderr(String value) {
            return set("stderr", value);
        }

        /**
         * What log records call this client. Default: the value of <code>command</code> or <code>socket</code>, or the
         * origin of <code>url</code>.
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public ClientConfig name(String value) {
            return set("name", value);
        }

        /**
         * The times of a connection and its calls.
         *
         * @return the value; null if it is absent
         */
        public Timeouts timeouts() {
            return one("timeouts", Timeouts::new);
        }

        /** Sets {@code timeouts}.
         * @param value the new value
         * @return this */
        public ClientConfig timeouts(Timeouts value) {
            return set("timeouts", value);
        }

        /**
         * The bounds of a client and of its own queue.
         *
         * @return the value; null if it is absent
         */
        public Limits limits() {
            return one("limits", Limits::new);
        }

        /** Sets {@code limits}.
         * @param value the new value
         * @return this */
        public ClientConfig limits(Limits value) {
            return set("limits", value);
        }

        /**
         * <code>false</code>: when the connection is lost, or cannot be made, the client is closed. Default:
         * <code>true</code>.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue reconnect() {
            return get("reconnect");
        }

        /** Sets {@code reconnect}.
         * @param value the new value
         * @return this */
        public ClientConfig reconnect(boolean value) {
            return set("reconnect", value);
        }

        /** Sets {@code reconnect}.
         * @param value the new value
         * @return this */
        public ClientConfig reconnect(Reconnect value) {
            return set("reconnect", value);
        }

        /**
         * The permitted revisions: <code>"auto"</code> (all), <code>"legacy"</code> (up to 2025-11-25),
         * <code>"modern"</code> (2026-07-28), one revision, or a list. If a modern one is permitted, the server is
         * probed with <code>server/discover</code> first. Default: <code>"auto"</code>.
         *
         * @return the value; empty if it is absent
         */
        public List<String> protocol() {
            return oneOrMany(get("protocol"), JsonValue::asText);
        }

        /** Sets {@code protocol}.
         * @param value the new value
         * @return this */
        public ClientConfig protocol(List<String> value) {
            return set("protocol", value);
        }

        /** Sets {@code protocol}.
         * @param value the new value
         * @return this */
        public ClientConfig protocol(String value) {
            return set("protocol", value);
        }

        /**
         * What the server is told about the program. <code>name</code> and <code>version</code> are filled in if
         * absent. Default: <code>{"name":"libmcp","version":…}</code>.
         *
         * @return the value; null if it is absent
         */
        public ClientInfo client() {
            return one("client", ClientInfo::new);
        }

        /** Sets {@code client}.
         * @param value the new value
         * @return this */
        public ClientConfig client(ClientInfo value) {
            return set("client", value);
        }

        /**
         * What the program can do for a server: <code>sampling</code>, <code>elicitation</code>, <code>roots</code>, …
         * <code>{}</code> enables one. <code>extensions</code> has an object for each extension, by its full name
         * (<code>com.example/name</code>). Requests that are not enabled are refused; of elicitation <code>{}</code>
         * and <code>{"form":{}}</code> enable forms, <code>{"url":{}}</code> pages to visit. Default: <code>{}</code>.
         *
         * @return the value; null if it is absent
         */
        public Protocol.ClientCapabilities capabilities() {
            return one("capabilities", Protocol.ClientCapabilities::new);
        }

        /** Sets {@code capabilities}.
         * @param value the new value
         * @return this */
        public ClientConfig capabilities(Protocol.ClientCapabilities value) {
            return set("capabilities", value);
        }

        /**
         * The values of <code>resultType</code> of declared extensions. Such results are passed on unchecked and not
         * cached; any other unknown type is <code>MCP_ERROR_PROTOCOL</code>. <code>task</code> belongs to
         * <code>io.modelcontextprotocol/tasks</code>.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, List<String>> resultTypes() {
            return map(get("result_types"), value -> Members.list(value, JsonValue::asText));
        }

        /** Sets {@code result_types}.
         * @param value the new value
         * @return this */
        public ClientConfig resultTypes(Map<String, ? extends List<String>> value) {
            return set("result_types", value);
        }

        /**
         * Pages to visit: <code>"safe"</code> permits <code>https</code>, and <code>http</code> on this machine,
         * without a user name or ambiguous characters; others are refused. <code>"any"</code> passes every URL on. No
         * page is ever fetched. Default: <code>"safe"</code>. Values: safe, any.
         *
         * @return the value; null if it is absent
         */
        public String elicitationUrls() {
            return one("elicitation_urls", JsonValue::asText);
        }

        /** Sets {@code elicitation_urls}.
         * @param value the new value
         * @return this */
        public ClientConfig elicitationUrls(String value) {
            return set("elicitation_urls", value);
        }

        /**
         * Fixed roots: <code>file://</code> URIs, or objects with <code>uri</code>. The library declares the
         * capability and answers <code>roots/list</code>.
         *
         * @return the value; empty if it is absent
         */
        public List<JsonValue> roots() {
            return list(get("roots"), value -> value);
        }

        /** Sets {@code roots}.
         * @param value the new value
         * @return this */
        public ClientConfig roots(List<?> value) {
            return set("roots", value);
        }

        /**
         * A call made while the client waits for its next attempt ends as <code>MCP_ERROR_UNAVAILABLE</code>, or waits
         * within its time, also during failed attempts. Default: <code>"fail"</code>. Values: fail, wait.
         *
         * @return the value; null if it is absent
         */
        public String whenUnavailable() {
            return one("when_unavailable", JsonValue::asText);
        }

        /** Sets {@code when_unavailable}.
         * @param value the new value
         * @return this */
        public ClientConfig whenUnavailable(String value) {
            return set("when_unavailable", value);
        }

        /**
         * A call in progress when the connection is lost ends as <code>MCP_ERROR_TRANSPORT</code>, or is sent again if
         * it is safe to repeat. Default: <code>"never"</code>. Values: never, safe.
         *
         * @return the value; null if it is absent
         */
        public String retry() {
            return one("retry", JsonValue::asText);
        }

        /** Sets {@code retry}.
         * @param value the new value
         * @return this */
        public ClientConfig retry(String value) {
            return set("retry", value);
        }

        /**
         * How often one call is sent again. From 0 to 100. Default: 2.
         *
         * @return the value; null if it is absent
         */
        public Long maxRetries() {
            return one("max_retries", JsonValue::asLong);
        }

        /** Sets {@code max_retries}.
         * @param value the new value
         * @return this */
        public ClientConfig maxRetries(long value) {
            return set("max_retries", value);
        }

        /**
         * A feature that the server did not declare is <code>MCP_ERROR_UNSUPPORTED</code>. Tools, resources and
         * prompts are asked for all the same, and the server's answer tells; else nothing is sent. Calls with the
         * option <code>raw</code> are not checked. Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean capabilityChecks() {
            return one("capability_checks", JsonValue::asBoolean);
        }

        /** Sets {@code capability_checks}.
         * @param value the new value
         * @return this */
        public ClientConfig capabilityChecks(boolean value) {
            return set("capability_checks", value);
        }

        /**
         * 2026-07-28: request every kind of change notification that the server declares, also after a loss;
         * <code>false</code>: only those of subscribed resources. Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean changeNotifications() {
            return one("change_notifications", JsonValue::asBoolean);
        }

        /** Sets {@code change_notifications}.
         * @param value the new value
         * @return this */
        public ClientConfig changeNotifications(boolean value) {
            return set("change_notifications", value);
        }

        /**
         * <code>structuredContent</code> is checked against the tool's <code>outputSchema</code> of the last
         * <code>mcp_client_list_tools</code>. A mismatch is <code>MCP_ERROR_PROTOCOL</code> with the result as
         * <code>data</code>. From 2025-06-18 on. Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean validateResults() {
            return one("validate_results", JsonValue::asBoolean);
        }

        /** Sets {@code validate_results}.
         * @param value the new value
         * @return this */
        public ClientConfig validateResults(boolean value) {
            return set("validate_results", value);
        }

        /**
         * Arguments of <code>mcp_client_call_tool</code> are checked against <code>inputSchema</code> before they are
         * sent; a mismatch is <code>MCP_ERROR_INVALID_ARGUMENT</code>. Default: <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean validateArguments() {
            return one("validate_arguments", JsonValue::asBoolean);
        }

        /** Sets {@code validate_arguments}.
         * @param value the new value
         * @return this */
        public ClientConfig validateArguments(boolean value) {
            return set("validate_arguments", value);
        }

        /**
         * The tools that may be used, by name; <code>*</code> in a name stands for any characters. Lists come without
         * the others, and a call of one of those is <code>MCP_ERROR_INVALID_ARGUMENT</code> and not sent. Files of
         * other programs have this under names of their own (<code>includeTools</code>, <code>enabled_tools</code>,
         * …). Default: all.
         *
         * @return the value; empty if it is absent
         */
        public List<String> allowTools() {
            return list(get("allow_tools"), JsonValue::asText);
        }

        /** Sets {@code allow_tools}.
         * @param value the new value
         * @return this */
        public ClientConfig allowTools(List<String> value) {
            return set("allow_tools", value);
        }

        /** Sets {@code allow_tools}.
         * @param value the new value
         * @return this */
        public ClientConfig allowTools(String... value) {
            return set("allow_tools", List.of(value));
        }

        /**
         * Tools that may not be used, also of those in <code>allow_tools</code>. With either key, raw calls of
         * <code>tools/list</code> are held to it, too, and a call with more than one <code>name</code>, in any
         * letters, is refused.
         *
         * @return the value; empty if it is absent
         */
        public List<String> denyTools() {
            return list(get("deny_tools"), JsonValue::asText);
        }

        /** Sets {@code deny_tools}.
         * @param value the new value
         * @return this */
        public ClientConfig denyTools(List<String> value) {
            return set("deny_tools", value);
        }

        /** Sets {@code deny_tools}.
         * @param value the new value
         * @return this */
        public ClientConfig denyTools(String... value) {
            return set("deny_tools", List.of(value));
        }

        /**
         * Tools may be stateful: a session in every request, and stateful calls one at a time
         * (docs/reference/tool-modes.md). Default: <code>"off"</code>. Values: off, auto.
         *
         * @return the value; null if it is absent
         */
        public String toolModes() {
            return one("tool_modes", JsonValue::asText);
        }

        /** Sets {@code tool_modes}.
         * @param value the new value
         * @return this */
        public ClientConfig toolModes(String value) {
            return set("tool_modes", value);
        }

        /**
         * Results of lists and <code>mcp_client_read_resource</code> are kept while they are fresh: <code>true</code>
         * with the defaults below. Default: <code>false</code>.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue cache() {
            return get("cache");
        }

        /** Sets {@code cache}.
         * @param value the new value
         * @return this */
        public ClientConfig cache(boolean value) {
            return set("cache", value);
        }

        /** Sets {@code cache}.
         * @param value the new value
         * @return this */
        public ClientConfig cache(CacheConfig value) {
            return set("cache", value);
        }

        /**
         * Calls of tools may become tasks: <code>true</code> with the defaults below. The library declares the
         * extension <code>io.modelcontextprotocol/tasks</code>. Default: <code>false</code>.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue tasks() {
            return get("tasks");
        }

        /** Sets {@code tasks}.
         * @param value the new value
         * @return this */
        public ClientConfig tasks(boolean value) {
            return set("tasks", value);
        }

        /** Sets {@code tasks}.
         * @param value the new value
         * @return this */
        public ClientConfig tasks(TasksConfig value) {
            return set("tasks", value);
        }

        /**
         * Texts that are discussed for the next revision (docs/reference/draft.md). They change, and are dropped,
         * without notice. Default: <code>[]</code>.
         *
         * @return the value; empty if it is absent
         */
        public List<JsonValue> draft() {
            return list(get("draft"), value -> value);
        }

        /** Sets {@code draft}.
         * @param value the new value
         * @return this */
        public ClientConfig draft(List<?> value) {
            return set("draft", value);
        }

        /**
         * The language that the user prefers, as the header <code>Accept-Language</code> has it
         * (<code>"fr-CA,fr;q=0.9"</code>), for every request. Needs the draft <code>language</code>; the call option
         * <code>meta</code> may have another one under <code>io.modelcontextprotocol/acceptLanguage</code>.
         *
         * @return the value; null if it is absent
         */
        public String acceptLanguage() {
            return one("accept_language", JsonValue::asText);
        }

        /** Sets {@code accept_language}.
         * @param value the new value
         * @return this */
        public ClientConfig acceptLanguage(String value) {
            return set("accept_language", value);
        }

        /**
         * The share of calls whose <code>request.start</code>, <code>request.stop</code> and
         * <code>request.error</code> are logged. From 0 to 1. Default: 1.0.
         *
         * @return the value; null if it is absent
         */
        public Double telemetrySampleRate() {
            return one("telemetry_sample_rate", JsonValue::asDouble);
        }

        /** Sets {@code telemetry_sample_rate}.
         * @param value the new value
         * @return this */
        public ClientConfig telemetrySampleRate(double value) {
            return set("telemetry_sample_rate", value);
        }
    }

    /** The members of <code>auth</code>. */
    public static final class AuthConfig extends Members<AuthConfig> {
        /** Makes one without members. */
        public AuthConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public AuthConfig(JsonValue value) {
            super(value);
        }

        /**
         * How tokens are obtained; <code>"none"</code>: the library has nothing to do with it. Default:
         * <code>"interactive"</code>. Values: interactive, client_credentials, enterprise, workload, bearer, none.
         *
         * @return the value; null if it is absent
         */
        public String type() {
            return one("type", JsonValue::asText);
        }

        /** Sets {@code type}.
         * @param value the new value
         * @return this */
        public AuthConfig type(String value) {
            return set("type", value);
        }

        /**
         * The id that the authorization server issued in advance.
         *
         * @return the value; null if it is absent
         */
        public String clientId() {
            return one("client_id", JsonValue::asText);
        }

        /** Sets {@code client_id}.
         * @param value the new value
         * @return this */
        public AuthConfig clientId(String value) {
            return set("client_id", value);
        }

        /**
         * The secret that goes with <code>auth.client_id</code>. A secret: it is in no log and no error.
         *
         * @return the value; null if it is absent
         */
        public String clientSecret() {
            return one("client_secret", JsonValue::asText);
        }

        /** Sets {@code client_secret}.
         * @param value the new value
         * @return this */
        public AuthConfig clientSecret(String value) {
            return set("client_secret", value);
        }

        /**
         * A private key in PEM (PKCS#8, or PKCS#1 for RSA), with which the client signs assertions. A secret: it is in
         * no log and no error.
         *
         * @return the value; null if it is absent
         */
        public String privateKey() {
            return one("private_key", JsonValue::asText);
        }

        /** Sets {@code private_key}.
         * @param value the new value
         * @return this */
        public AuthConfig privateKey(String value) {
            return set("private_key", value);
        }

        /**
         * A file with such a key, instead of <code>auth.private_key</code>.
         *
         * @return the value; null if it is absent
         */
        public String privateKeyFile() {
            return one("private_key_file", JsonValue::asText);
        }

        /** Sets {@code private_key_file}.
         * @param value the new value
         * @return this */
        public AuthConfig privateKeyFile(String value) {
            return set("private_key_file", value);
        }

        /**
         * The id of the key at the authorization server.
         *
         * @return the value; null if it is absent
         */
        public String keyId() {
            return one("key_id", JsonValue::asText);
        }

        /** Sets {@code key_id}.
         * @param value the new value
         * @return this */
        public AuthConfig keyId(String value) {
            return set("key_id", value);
        }

        /**
         * The algorithm that the key must have. Values: ES256, RS256.
         *
         * @return the value; null if it is absent
         */
        public String signingAlgorithm() {
            return one("signing_algorithm", JsonValue::asText);
        }

        /** Sets {@code signing_algorithm}.
         * @param value the new value
         * @return this */
        public AuthConfig signingAlgorithm(String value) {
            return set("signing_algorithm", value);
        }

        /**
         * The application has the private key and signs on request, with <code>auth.signing_algorithm</code>, which is
         * then required. Values: application.
         *
         * @return the value; null if it is absent
         */
        public String signer() {
            return one("signer", JsonValue::asText);
        }

        /** Sets {@code signer}.
         * @param value the new value
         * @return this */
        public AuthConfig signer(String value) {
            return set("signer", value);
        }

        /**
         * How the client proves itself at the token endpoint. Default: by the credentials and the server. Values:
         * none, client_secret_basic, client_secret_post, private_key_jwt.
         *
         * @return the value; null if it is absent
         */
        public String tokenEndpointAuthMethod() {
            return one("token_endpoint_auth_method", JsonValue::asText);
        }

        /** Sets {@code token_endpoint_auth_method}.
         * @param value the new value
         * @return this */
        public AuthConfig tokenEndpointAuthMethod(String value) {
            return set("token_endpoint_auth_method", value);
        }

        /**
         * The only authorization server to use, by its exact name. Required with a configured secret, private key,
         * signer, <code>auth.assertion</code> or <code>auth.assertion_file</code>. Without it, a configured client id
         * belongs to the first authorization server that used it.
         *
         * @return the value; null if it is absent
         */
        public String issuer() {
            return one("issuer", JsonValue::asText);
        }

        /** Sets {@code issuer}.
         * @param value the new value
         * @return this */
        public AuthConfig issuer(String value) {
            return set("issuer", value);
        }

        /**
         * Instead of <code>auth.issuer</code>: configured credentials may be used at every authorization server that
         * an MCP server names. Default: <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean allowAnyIssuer() {
            return one("allow_any_issuer", JsonValue::asBoolean);
        }

        /** Sets {@code allow_any_issuer}.
         * @param value the new value
         * @return this */
        public AuthConfig allowAnyIssuer(boolean value) {
            return set("allow_any_issuer", value);
        }

        /**
         * The name under which the client registers itself. Default: <code>client.name</code>.
         *
         * @return the value; null if it is absent
         */
        public String clientName() {
            return one("client_name", JsonValue::asText);
        }

        /** Sets {@code client_name}.
         * @param value the new value
         * @return this */
        public AuthConfig clientName(String value) {
            return set("client_name", value);
        }

        /**
         * Scopes to request besides those of a challenge, and instead of all that the resource lists. A stored login
         * without one of them is made again.
         *
         * @return the value; empty if it is absent
         */
        public List<String> scopes() {
            return list(get("scopes"), JsonValue::asText);
        }

        /** Sets {@code scopes}.
         * @param value the new value
         * @return this */
        public AuthConfig scopes(List<String> value) {
            return set("scopes", value);
        }

        /** Sets {@code scopes}.
         * @param value the new value
         * @return this */
        public AuthConfig scopes(String... value) {
            return set("scopes", List.of(value));
        }

        /**
         * Whether tokens are bound to a key; <code>"auto"</code>: where the MCP server says that it accepts such
         * tokens. Default: <code>"auto"</code>. Values: auto, always, never.
         *
         * @return the value; null if it is absent
         */
        public String dpop() {
            return one("dpop", JsonValue::asText);
        }

        /** Sets {@code dpop}.
         * @param value the new value
         * @return this */
        public AuthConfig dpop(String value) {
            return set("dpop", value);
        }

        /**
         * The public half (a JSON Web Key, P-256) of the key with which the application signs proofs. Default: a key
         * of the library.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue dpopKey() {
            return get("dpop_key");
        }

        /** Sets {@code dpop_key}.
         * @param value the new value
         * @return this */
        public AuthConfig dpopKey(Object value) {
            return set("dpop_key", value);
        }

        /**
         * A server that publishes no metadata as a resource is treated as a server of 2025-03-26. Default:
         * <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean legacy() {
            return one("legacy", JsonValue::asBoolean);
        }

        /** Sets {@code legacy}.
         * @param value the new value
         * @return this */
        public AuthConfig legacy(boolean value) {
            return set("legacy", value);
        }

        /**
         * Addresses of private networks are permitted in URLs that servers name. Default: <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean allowPrivateAddresses() {
            return one("allow_private_addresses", JsonValue::asBoolean);
        }

        /** Sets {@code allow_private_addresses}.
         * @param value the new value
         * @return this */
        public AuthConfig allowPrivateAddresses(boolean value) {
            return set("allow_private_addresses", value);
        }

        /**
         * Plain <code>http</code> is permitted in such URLs. Default: <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean allowHttp() {
            return one("allow_http", JsonValue::asBoolean);
        }

        /** Sets {@code allow_http}.
         * @param value the new value
         * @return this */
        public AuthConfig allowHttp(boolean value) {
            return set("allow_http", value);
        }

        /**
         * The time limit of a login, without the time of the person and the application. From 1 to 31536000000 ms.
         * Default: 60000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration limit() {
            return duration(get("limit_ms"), 1);
        }

        /** Sets {@code limit_ms}.
         * @param value the new value
         * @return this */
        public AuthConfig limit(Duration value) {
            return set("limit_ms", count(value, 1));
        }

        /**
         * The time limit for the person and the application. From 1 to 31536000000 ms. Default: 300000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration patience() {
            return duration(get("patience_ms"), 1);
        }

        /** Sets {@code patience_ms}.
         * @param value the new value
         * @return this */
        public AuthConfig patience(Duration value) {
            return set("patience_ms", count(value, 1));
        }

        /**
         * How often one operation may request more scopes. From 0 to 10. Default: 2.
         *
         * @return the value; null if it is absent
         */
        public Long stepUps() {
            return one("step_ups", JsonValue::asLong);
        }

        /** Sets {@code step_ups}.
         * @param value the new value
         * @return this */
        public AuthConfig stepUps(long value) {
            return set("step_ups", value);
        }

        /**
         * An absolute path: the library stores logins in files there; not with <code>auth.store</code>.
         *
         * @return the value; null if it is absent
         */
        public String storeDirectory() {
            return one("store_directory", JsonValue::asText);
        }

        /** Sets {@code store_directory}.
         * @param value the new value
         * @return this */
        public AuthConfig storeDirectory(String value) {
            return set("store_directory", value);
        }

        /**
         * <code>"memory"</code>: as long as the client exists; <code>"application"</code>: the application stores
         * logins (<code>"load"</code>, <code>"save"</code>, <code>"unlock"</code>). Default: <code>"memory"</code>.
         * Values: memory, application.
         *
         * @return the value; null if it is absent
         */
        public String store() {
            return one("store", JsonValue::asText);
        }

        /** Sets {@code store}.
         * @param value the new value
         * @return this */
        public AuthConfig store(String value) {
            return set("store", value);
        }

        /**
         * <code>"browser"</code>: a browser that is redirected to this machine or the application;
         * <code>"device"</code>: any browser, with a code (RFC 8628); <code>"auto"</code>: with a code where the
         * authorization server supports it. Default: <code>"browser"</code>. Values: browser, device, auto.
         *
         * @return the value; null if it is absent
         */
        public String flow() {
            return one("flow", JsonValue::asText);
        }

        /** Sets {@code flow}.
         * @param value the new value
         * @return this */
        public AuthConfig flow(String value) {
            return set("flow", value);
        }

        /**
         * The URL to which the browser is redirected. Default: this machine, on a free port.
         *
         * @return the value; null if it is absent
         */
        public String redirectUri() {
            return one("redirect_uri", JsonValue::asText);
        }

        /** Sets {@code redirect_uri}.
         * @param value the new value
         * @return this */
        public AuthConfig redirectUri(String value) {
            return set("redirect_uri", value);
        }

        /**
         * Whether the library listens there (this machine only; without a port in the URL it uses a free one).
         * Default: <code>true</code> without <code>auth.redirect_uri</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean listen() {
            return one("listen", JsonValue::asBoolean);
        }

        /** Sets {@code listen}.
         * @param value the new value
         * @return this */
        public AuthConfig listen(boolean value) {
            return set("listen", value);
        }

        /**
         * Why no person can log in: a login that needs a person fails with this text, before a browser is opened or a
         * client registered.
         *
         * @return the value; null if it is absent
         */
        public String noLogin() {
            return one("no_login", JsonValue::asText);
        }

        /** Sets {@code no_login}.
         * @param value the new value
         * @return this */
        public AuthConfig noLogin(String value) {
            return set("no_login", value);
        }

        /**
         * The <code>https</code> URL of the client's metadata document, by which it identifies itself.
         *
         * @return the value; null if it is absent
         */
        public String clientMetadataUrl() {
            return one("client_metadata_url", JsonValue::asText);
        }

        /** Sets {@code client_metadata_url}.
         * @param value the new value
         * @return this */
        public AuthConfig clientMetadataUrl(String value) {
            return set("client_metadata_url", value);
        }

        /**
         * The kind of application with which the client registers itself. Default: by <code>auth.redirect_uri</code>.
         * Values: native, web.
         *
         * @return the value; null if it is absent
         */
        public String applicationType() {
            return one("application_type", JsonValue::asText);
        }

        /** Sets {@code application_type}.
         * @param value the new value
         * @return this */
        public AuthConfig applicationType(String value) {
            return set("application_type", value);
        }

        /**
         * The identity provider.
         *
         * @return the value; null if it is absent
         */
        public AuthEnterpriseConfig enterprise() {
            return one("enterprise", AuthEnterpriseConfig::new);
        }

        /** Sets {@code enterprise}.
         * @param value the new value
         * @return this */
        public AuthConfig enterprise(AuthEnterpriseConfig value) {
            return set("enterprise", value);
        }

        /**
         * A signed statement about the workload. Default: the application is asked. A secret: it is in no log and no
         * error.
         *
         * @return the value; null if it is absent
         */
        public String assertion() {
            return one("assertion", JsonValue::asText);
        }

        /** Sets {@code assertion}.
         * @param value the new value
         * @return this */
        public AuthConfig assertion(String value) {
            return set("assertion", value);
        }

        /**
         * The file from which it is read each time.
         *
         * @return the value; null if it is absent
         */
        public String assertionFile() {
            return one("assertion_file", JsonValue::asText);
        }

        /** Sets {@code assertion_file}.
         * @param value the new value
         * @return this */
        public AuthConfig assertionFile(String value) {
            return set("assertion_file", value);
        }

        /**
         * The token. Default: the application is asked. A secret: it is in no log and no error.
         *
         * @return the value; null if it is absent
         */
        public String token() {
            return one("token", JsonValue::asText);
        }

        /** Sets {@code token}.
         * @param value the new value
         * @return this */
        public AuthConfig token(String value) {
            return set("token", value);
        }

        /**
         * The file from which it is read each time.
         *
         * @return the value; null if it is absent
         */
        public String tokenFile() {
            return one("token_file", JsonValue::asText);
        }

        /** Sets {@code token_file}.
         * @param value the new value
         * @return this */
        public AuthConfig tokenFile(String value) {
            return set("token_file", value);
        }
    }

    /** The members of <code>auth.enterprise</code>. */
    public static final class AuthEnterpriseConfig extends Members<AuthEnterpriseConfig> {
        /** Makes one without members. */
        public AuthEnterpriseConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public AuthEnterpriseConfig(JsonValue value) {
            super(value);
        }

        /**
         * Its token endpoint; required.
         *
         * @return the value; null if it is absent
         */
        public String tokenEndpoint() {
            return one("token_endpoint", JsonValue::asText);
        }

        /** Sets {@code token_endpoint}.
         * @param value the new value
         * @return this */
        public AuthEnterpriseConfig tokenEndpoint(String value) {
            return set("token_endpoint", value);
        }

        /**
         * The application's id there; required.
         *
         * @return the value; null if it is absent
         */
        public String clientId() {
            return one("client_id", JsonValue::asText);
        }

        /** Sets {@code client_id}.
         * @param value the new value
         * @return this */
        public AuthEnterpriseConfig clientId(String value) {
            return set("client_id", value);
        }

        /**
         * The application's secret there. A secret: it is in no log and no error.
         *
         * @return the value; null if it is absent
         */
        public String clientSecret() {
            return one("client_secret", JsonValue::asText);
        }

        /** Sets {@code client_secret}.
         * @param value the new value
         * @return this */
        public AuthEnterpriseConfig clientSecret(String value) {
            return set("client_secret", value);
        }

        /**
         * How the application proves itself there. Default: by the secret. Values: none, client_secret_basic,
         * client_secret_post, private_key_jwt.
         *
         * @return the value; null if it is absent
         */
        public String tokenEndpointAuthMethod() {
            return one("token_endpoint_auth_method", JsonValue::asText);
        }

        /** Sets {@code token_endpoint_auth_method}.
         * @param value the new value
         * @return this */
        public AuthEnterpriseConfig tokenEndpointAuthMethod(String value) {
            return set("token_endpoint_auth_method", value);
        }

        /**
         * What shows who the person is. Default: the application is asked. A secret: it is in no log and no error.
         *
         * @return the value; null if it is absent
         */
        public String subject() {
            return one("subject", JsonValue::asText);
        }

        /** Sets {@code subject}.
         * @param value the new value
         * @return this */
        public AuthEnterpriseConfig subject(String value) {
            return set("subject", value);
        }

        /**
         * The file from which it is read each time.
         *
         * @return the value; null if it is absent
         */
        public String subjectFile() {
            return one("subject_file", JsonValue::asText);
        }

        /** Sets {@code subject_file}.
         * @param value the new value
         * @return this */
        public AuthEnterpriseConfig subjectFile(String value) {
            return set("subject_file", value);
        }

        /**
         * What <code>subject</code> is. Default: <code>"id_token"</code>. Values: id_token, refresh_token, saml2.
         *
         * @return the value; null if it is absent
         */
        public String subjectType() {
            return one("subject_type", JsonValue::asText);
        }

        /** Sets {@code subject_type}.
         * @param value the new value
         * @return this */
        public AuthEnterpriseConfig subjectType(String value) {
            return set("subject_type", value);
        }
    }

    /** The members of <code>cache</code>. */
    public static final class CacheConfig extends Members<CacheConfig> {
        /** Makes one without members. */
        public CacheConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public CacheConfig(JsonValue value) {
            super(value);
        }

        /**
         * Results kept. From 1 to 1000000. Default: 1000.
         *
         * @return the value; null if it is absent
         */
        public Long entries() {
            return one("entries", JsonValue::asLong);
        }

        /** Sets {@code entries}.
         * @param value the new value
         * @return this */
        public CacheConfig entries(long value) {
            return set("entries", value);
        }

        /**
         * Their bytes. From 1024 to 68719476736. Default: 16777216.
         *
         * @return the value; null if it is absent
         */
        public Long bytes() {
            return one("bytes", JsonValue::asLong);
        }

        /** Sets {@code bytes}.
         * @param value the new value
         * @return this */
        public CacheConfig bytes(long value) {
            return set("bytes", value);
        }

        /**
         * How long results of a legacy server are fresh, for <code>tools/list</code>, <code>resources/list</code>,
         * <code>resources/templates/list</code>, <code>resources/read</code>, <code>prompts/list</code>; later servers
         * send <code>ttlMs</code>.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, Duration> ttlMs() {
            return map(get("ttl_ms"), it -> Members.duration(it, 1));
        }

        /** Sets {@code ttl_ms}.
         * @param value the new value
         * @return this */
        public CacheConfig ttlMs(Map<String, Duration> value) {
            return set("ttl_ms", counts(value, 1));
        }

        /**
         * Calls of these tools drop everything kept.
         *
         * @return the value; empty if it is absent
         */
        public List<String> invalidateOnTools() {
            return list(get("invalidate_on_tools"), JsonValue::asText);
        }

        /** Sets {@code invalidate_on_tools}.
         * @param value the new value
         * @return this */
        public CacheConfig invalidateOnTools(List<String> value) {
            return set("invalidate_on_tools", value);
        }

        /** Sets {@code invalidate_on_tools}.
         * @param value the new value
         * @return this */
        public CacheConfig invalidateOnTools(String... value) {
            return set("invalidate_on_tools", List.of(value));
        }

        /**
         * After <code>MCP_ERROR_TIMEOUT</code>, <code>MCP_ERROR_UNAVAILABLE</code> or <code>MCP_ERROR_TRANSPORT</code>
         * a call gets an old result, if there is one. Default: <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean serveStaleOnError() {
            return one("serve_stale_on_error", JsonValue::asBoolean);
        }

        /** Sets {@code serve_stale_on_error}.
         * @param value the new value
         * @return this */
        public CacheConfig serveStaleOnError(boolean value) {
            return set("serve_stale_on_error", value);
        }
    }

    /** The members of <code>http</code>. */
    public static final class HttpConfig extends Members<HttpConfig> {
        /** Makes one without members. */
        public HttpConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public HttpConfig(JsonValue value) {
            super(value);
        }

        /**
         * Whether answers may come compressed (gzip, brotli). Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean compression() {
            return one("compression", JsonValue::asBoolean);
        }

        /** Sets {@code compression}.
         * @param value the new value
         * @return this */
        public HttpConfig compression(boolean value) {
            return set("compression", value);
        }

        /**
         * Whether cookies of the server are sent back, to its exact origin, while the client lives and its login stays
         * the same: at most 32 with 6 KiB, never stored. Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean cookies() {
            return one("cookies", JsonValue::asBoolean);
        }

        /** Sets {@code cookies}.
         * @param value the new value
         * @return this */
        public HttpConfig cookies(boolean value) {
            return set("cookies", value);
        }

        /**
         * Idle connections kept for the next request. From 0 to 10000. Default: 64.
         *
         * @return the value; null if it is absent
         */
        public Long idleConnections() {
            return one("idle_connections", JsonValue::asLong);
        }

        /** Sets {@code idle_connections}.
         * @param value the new value
         * @return this */
        public HttpConfig idleConnections(long value) {
            return set("idle_connections", value);
        }

        /**
         * How long they are kept. The default is less than the time after which servers usually close them. From 1 to
         * 31536000000 ms. Default: 55000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration idle() {
            return duration(get("idle_ms"), 1);
        }

        /** Sets {@code idle_ms}.
         * @param value the new value
         * @return this */
        public HttpConfig idle(Duration value) {
            return set("idle_ms", count(value, 1));
        }

        /**
         * HTTP/2: the interval between pings during a request, and the longest time for an answer to one. From 1 to
         * 31536000000 ms. Default: 10000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration ping() {
            return duration(get("ping_ms"), 1);
        }

        /** Sets {@code ping_ms}.
         * @param value the new value
         * @return this */
        public HttpConfig ping(Duration value) {
            return set("ping_ms", count(value, 1));
        }

        /**
         * Whether this client uses what others of the process found out about the era of the server at this URL, and
         * tells them. Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean rememberEra() {
            return one("remember_era", JsonValue::asBoolean);
        }

        /** Sets {@code remember_era}.
         * @param value the new value
         * @return this */
        public HttpConfig rememberEra(boolean value) {
            return set("remember_era", value);
        }
    }

    /** The members of <code>limits</code>. */
    public static final class Limits extends Members<Limits> {
        /** Makes one without members. */
        public Limits() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public Limits(JsonValue value) {
            super(value);
        }

        /**
         * The headers of an answer, and those of all interim answers before it. From 8192 to 16777216 bytes. Default:
         * 131072 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long headerBytes() {
            return one("header_bytes", JsonValue::asLong);
        }

        /** Sets {@code header_bytes}.
         * @param value the new value
         * @return this */
        public Limits headerBytes(long value) {
            return set("header_bytes", value);
        }

        /**
         * The largest message of the server. A larger one is thrown away as it comes, and its call ends as
         * <code>MCP_ERROR_TOO_LARGE</code>. From 1024 to 2147483648 bytes. Default: 16777216 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long frameBytes() {
            return one("frame_bytes", JsonValue::asLong);
        }

        /** Sets {@code frame_bytes}.
         * @param value the new value
         * @return this */
        public Limits frameBytes(long value) {
            return set("frame_bytes", value);
        }

        /**
         * How much of one message is discarded beyond <code>limits.frame_bytes</code>, over pipes and sockets. A
         * longer message or line ends the connection, and the server is started again. From 0 to 68719476736 bytes.
         * Default: 536870912 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long discardBytes() {
            return one("discard_bytes", JsonValue::asLong);
        }

        /** Sets {@code discard_bytes}.
         * @param value the new value
         * @return this */
        public Limits discardBytes(long value) {
            return set("discard_bytes", value);
        }

        /**
         * Bytes that wait for the server to read them; a further call is <code>MCP_ERROR_BACKPRESSURE</code>, a
         * blocking one after about 30 ms. From 1024 to 2147483648 bytes. Default: 67108864 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long outgoingBytes() {
            return one("outgoing_bytes", JsonValue::asLong);
        }

        /** Sets {@code outgoing_bytes}.
         * @param value the new value
         * @return this */
        public Limits outgoingBytes(long value) {
            return set("outgoing_bytes", value);
        }

        /**
         * Calls without an outcome; one more is <code>MCP_ERROR_BACKPRESSURE</code>. From 1 to 1000000. Default:
         * 10000.
         *
         * @return the value; null if it is absent
         */
        public Long inFlight() {
            return one("in_flight", JsonValue::asLong);
        }

        /** Sets {@code in_flight}.
         * @param value the new value
         * @return this */
        public Limits inFlight(long value) {
            return set("in_flight", value);
        }

        /**
         * Requests of the server that the program has not answered; one more is refused. From 1 to 100000. Default:
         * 256.
         *
         * @return the value; null if it is absent
         */
        public Long serverRequests() {
            return one("server_requests", JsonValue::asLong);
        }

        /** Sets {@code server_requests}.
         * @param value the new value
         * @return this */
        public Limits serverRequests(long value) {
            return set("server_requests", value);
        }

        /**
         * How deep JSON may nest, received and given. From 4 to 1000. Default: 128.
         *
         * @return the value; null if it is absent
         */
        public Long jsonDepth() {
            return one("json_depth", JsonValue::asLong);
        }

        /** Sets {@code json_depth}.
         * @param value the new value
         * @return this */
        public Limits jsonDepth(long value) {
            return set("json_depth", value);
        }

        /**
         * Calls of stateful tools that wait for their turn (<code>tool_modes</code>); one more is
         * <code>MCP_ERROR_BACKPRESSURE</code>. From 1 to 1000000. Default: 1000.
         *
         * @return the value; null if it is absent
         */
        public Long statefulCalls() {
            return one("stateful_calls", JsonValue::asLong);
        }

        /** Sets {@code stateful_calls}.
         * @param value the new value
         * @return this */
        public Limits statefulCalls(long value) {
            return set("stateful_calls", value);
        }

        /**
         * Pages of a list that are collected into one result; one more is <code>MCP_ERROR_TOO_LARGE</code>. From 1 to
         * 1000000. Default: 1000.
         *
         * @return the value; null if it is absent
         */
        public Long listPages() {
            return one("list_pages", JsonValue::asLong);
        }

        /** Sets {@code list_pages}.
         * @param value the new value
         * @return this */
        public Limits listPages(long value) {
            return set("list_pages", value);
        }

        /**
         * Entries of a list. A page that the program requests (<code>one_page</code>, <code>cursor</code>) is limited
         * by <code>limits.frame_bytes</code> only. From 1 to 100000000. Default: 100000.
         *
         * @return the value; null if it is absent
         */
        public Long listItems() {
            return one("list_items", JsonValue::asLong);
        }

        /** Sets {@code list_items}.
         * @param value the new value
         * @return this */
        public Limits listItems(long value) {
            return set("list_items", value);
        }

        /**
         * Their bytes. From 1024 to 68719476736 bytes. Default: 67108864 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long listBytes() {
            return one("list_bytes", JsonValue::asLong);
        }

        /** Sets {@code list_bytes}.
         * @param value the new value
         * @return this */
        public Limits listBytes(long value) {
            return set("list_bytes", value);
        }

        /**
         * Files of a skill; one with more is <code>MCP_ERROR_TOO_LARGE</code> and nothing of it is read. From 1 to
         * 1000000. Default: 512.
         *
         * @return the value; null if it is absent
         */
        public Long skillFiles() {
            return one("skill_files", JsonValue::asLong);
        }

        /** Sets {@code skill_files}.
         * @param value the new value
         * @return this */
        public Limits skillFiles(long value) {
            return set("skill_files", value);
        }

        /**
         * Their bytes, as the skill's entry says; of a dynamic skill the bytes of each file. From 1024 to 1073741824
         * bytes. Default: 16777216 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long skillBytes() {
            return one("skill_bytes", JsonValue::asLong);
        }

        /** Sets {@code skill_bytes}.
         * @param value the new value
         * @return this */
        public Limits skillBytes(long value) {
            return set("skill_bytes", value);
        }

        /**
         * Calls that are tasks at a time; one more is <code>MCP_ERROR_BACKPRESSURE</code>. From 1 to 100000. Default:
         * 256.
         *
         * @return the value; null if it is absent
         */
        public Long tasks() {
            return one("tasks", JsonValue::asLong);
        }

        /** Sets {@code tasks}.
         * @param value the new value
         * @return this */
        public Limits tasks(long value) {
            return set("tasks", value);
        }

        /**
         * The longest stderr line kept; the rest of a longer one is dropped. From 16 to 1048576 bytes. Default: 4096
         * bytes.
         *
         * @return the value; null if it is absent
         */
        public Long stderrLineBytes() {
            return one("stderr_line_bytes", JsonValue::asLong);
        }

        /** Sets {@code stderr_line_bytes}.
         * @param value the new value
         * @return this */
        public Limits stderrLineBytes(long value) {
            return set("stderr_line_bytes", value);
        }

        /**
         * The last stderr lines kept; an error shows up to 10 of them. From 0 to 100000. Default: 50.
         *
         * @return the value; null if it is absent
         */
        public Long stderrLines() {
            return one("stderr_lines", JsonValue::asLong);
        }

        /** Sets {@code stderr_lines}.
         * @param value the new value
         * @return this */
        public Limits stderrLines(long value) {
            return set("stderr_lines", value);
        }

        /**
         * Messages that may wait in the client's own queue. From 1 to 100000000. Default: 10000.
         *
         * @return the value; null if it is absent
         */
        public Long queueMessages() {
            return one("queue_messages", JsonValue::asLong);
        }

        /** Sets {@code queue_messages}.
         * @param value the new value
         * @return this */
        public Limits queueMessages(long value) {
            return set("queue_messages", value);
        }

        /**
         * Their bytes. From 1024 to 68719476736 bytes. Default: 67108864 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long queueBytes() {
            return one("queue_bytes", JsonValue::asLong);
        }

        /** Sets {@code queue_bytes}.
         * @param value the new value
         * @return this */
        public Limits queueBytes(long value) {
            return set("queue_bytes", value);
        }

        /**
         * When the queue is full, of the messages that need no answer (notifications, progress, states, log lines):
         * drop the oldest, drop the new one, or stop reading from the server. With <code>"block"</code> a thread that
         * waits for a call still reads, and the oldest are dropped. Default: <code>"drop_oldest"</code>. Values:
         * drop_oldest, drop_newest, block.
         *
         * @return the value; null if it is absent
         */
        public String overflow() {
            return one("overflow", JsonValue::asText);
        }

        /** Sets {@code overflow}.
         * @param value the new value
         * @return this */
        public Limits overflow(String value) {
            return set("overflow", value);
        }
    }

    /** The members of <code>reconnect</code>. */
    public static final class Reconnect extends Members<Reconnect> {
        /** Makes one without members. */
        public Reconnect() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public Reconnect(JsonValue value) {
            super(value);
        }

        /**
         * The first wait; each further one is twice as long. From 1 to 31536000000 ms. Default: 1000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration initial() {
            return duration(get("initial_ms"), 1);
        }

        /** Sets {@code initial_ms}.
         * @param value the new value
         * @return this */
        public Reconnect initial(Duration value) {
            return set("initial_ms", count(value, 1));
        }

        /**
         * The longest wait; not less than <code>initial_ms</code>. From 1 to 31536000000 ms. Default: 30000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration max() {
            return duration(get("max_ms"), 1);
        }

        /** Sets {@code max_ms}.
         * @param value the new value
         * @return this */
        public Reconnect max(Duration value) {
            return set("max_ms", count(value, 1));
        }

        /**
         * Each wait is longer or shorter by up to this share of it. From 0 to 1. Default: 0.2.
         *
         * @return the value; null if it is absent
         */
        public Double jitter() {
            return one("jitter", JsonValue::asDouble);
        }

        /** Sets {@code jitter}.
         * @param value the new value
         * @return this */
        public Reconnect jitter(double value) {
            return set("jitter", value);
        }

        /**
         * Attempts in a row to connect again before the client closes, without a bound if absent; the first start does
         * not count. From 0 to 4294967295.
         *
         * @return the value; null if it is absent
         */
        public Long maxAttempts() {
            return one("max_attempts", JsonValue::asLong);
        }

        /** Sets {@code max_attempts}.
         * @param value the new value
         * @return this */
        public Reconnect maxAttempts(long value) {
            return set("max_attempts", value);
        }

        /**
         * How long a connection must stay ready before the waits and the number of attempts start again. From 1 to
         * 31536000000 ms. Default: 10000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration stable() {
            return duration(get("stable_ms"), 1);
        }

        /** Sets {@code stable_ms}.
         * @param value the new value
         * @return this */
        public Reconnect stable(Duration value) {
            return set("stable_ms", count(value, 1));
        }

        /**
         * Attempts in a row to resume a broken stream that bring nothing new. The waits grow from 1 s to 30 s, or are
         * at least what <code>retry:</code> says. From 0 to 1000000. Default: 5.
         *
         * @return the value; null if it is absent
         */
        public Long streamAttempts() {
            return one("stream_attempts", JsonValue::asLong);
        }

        /** Sets {@code stream_attempts}.
         * @param value the new value
         * @return this */
        public Reconnect streamAttempts(long value) {
            return set("stream_attempts", value);
        }
    }

    /** The members of <code>tasks</code>. */
    public static final class TasksConfig extends Members<TasksConfig> {
        /** Makes one without members. */
        public TasksConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public TasksConfig(JsonValue value) {
            super(value);
        }

        /**
         * How often a task is asked for whose server does not say. From 1 to 31536000000 ms. Default: 1000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration poll() {
            return duration(get("poll_ms"), 1);
        }

        /** Sets {@code poll_ms}.
         * @param value the new value
         * @return this */
        public TasksConfig poll(Duration value) {
            return set("poll_ms", count(value, 1));
        }

        /**
         * The least such time, whatever the server says. From 1 to 31536000000 ms. Default: 100 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration pollMin() {
            return duration(get("poll_min_ms"), 1);
        }

        /** Sets {@code poll_min_ms}.
         * @param value the new value
         * @return this */
        public TasksConfig pollMin(Duration value) {
            return set("poll_min_ms", count(value, 1));
        }

        /**
         * The longest such time, whatever the server says; not less than <code>poll_min_ms</code>. From 1 to
         * 31536000000 ms. Default: 60000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration pollMax() {
            return duration(get("poll_max_ms"), 1);
        }

        /** Sets {@code poll_max_ms}.
         * @param value the new value
         * @return this */
        public TasksConfig pollMax(Duration value) {
            return set("poll_max_ms", count(value, 1));
        }

        /**
         * 2025-11-25: how long the server is asked to keep a task. From 1 to 31536000000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration ttl() {
            return duration(get("ttl_ms"), 1);
        }

        /** Sets {@code ttl_ms}.
         * @param value the new value
         * @return this */
        public TasksConfig ttl(Duration value) {
            return set("ttl_ms", count(value, 1));
        }

        /**
         * The most that a call may take that has become a task, unless it has the option <code>max_total_ms</code>.
         * From 1 to 31536000000 ms. Default: 3600000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration life() {
            return duration(get("life_ms"), 1);
        }

        /** Sets {@code life_ms}.
         * @param value the new value
         * @return this */
        public TasksConfig life(Duration value) {
            return set("life_ms", count(value, 1));
        }
    }

    /** The members of <code>timeouts</code>. */
    public static final class Timeouts extends Members<Timeouts> {
        /** Makes one without members. */
        public Timeouts() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public Timeouts(JsonValue value) {
            super(value);
        }

        /**
         * One call. From 1 to 31536000000 ms. Default: 30000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration call() {
            return duration(get("call_ms"), 1);
        }

        /** Sets {@code call_ms}.
         * @param value the new value
         * @return this */
        public Timeouts call(Duration value) {
            return set("call_ms", count(value, 1));
        }

        /**
         * One call of that method, instead of <code>call_ms</code>. For <code>server/discover</code> and
         * <code>initialize</code> it goes before the two keys below.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, Duration> methods() {
            return map(get("methods"), it -> Members.duration(it, 1));
        }

        /** Sets {@code methods}.
         * @param value the new value
         * @return this */
        public Timeouts methods(Map<String, Duration> value) {
            return set("methods", counts(value, 1));
        }

        /**
         * The answer to <code>initialize</code>. From 1 to 31536000000 ms. Default: 20000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration initialize() {
            return duration(get("initialize_ms"), 1);
        }

        /** Sets {@code initialize_ms}.
         * @param value the new value
         * @return this */
        public Timeouts initialize(Duration value) {
            return set("initialize_ms", count(value, 1));
        }

        /**
         * The answer to <code>server/discover</code>. Then the library sends <code>initialize</code>, if
         * <code>protocol</code> permits it; a late answer still counts. From 1 to 31536000000 ms. Default: 2000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration probe() {
            return duration(get("probe_ms"), 1);
        }

        /** Sets {@code probe_ms}.
         * @param value the new value
         * @return this */
        public Timeouts probe(Duration value) {
            return set("probe_ms", count(value, 1));
        }

        /**
         * The time in which the process of a server must begin to read or to write; the two timeouts below start then.
         * From 1 to 31536000000 ms. Default: 30000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration start() {
            return duration(get("start_ms"), 1);
        }

        /** Sets {@code start_ms}.
         * @param value the new value
         * @return this */
        public Timeouts start(Duration value) {
            return set("start_ms", count(value, 1));
        }

        /**
         * The most that a call may take, however much progress is reported; at least the call's own time. From 1 to
         * 31536000000 ms. Default: 600000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration maxTotal() {
            return duration(get("max_total_ms"), 1);
        }

        /** Sets {@code max_total_ms}.
         * @param value the new value
         * @return this */
        public Timeouts maxTotal(Duration value) {
            return set("max_total_ms", count(value, 1));
        }

        /**
         * Progress restarts the timeout of a call. Servers report progress only for calls with the option
         * <code>progress</code>. Default: <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean resetOnProgress() {
            return one("reset_on_progress", JsonValue::asBoolean);
        }

        /** Sets {@code reset_on_progress}.
         * @param value the new value
         * @return this */
        public Timeouts resetOnProgress(boolean value) {
            return set("reset_on_progress", value);
        }

        /**
         * How long a legacy connection waits for the stream of the server's messages before it is ready, and again for
         * restored subscriptions. From 1 to 31536000000 ms. Default: 2000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration listen() {
            return duration(get("listen_ms"), 1);
        }

        /** Sets {@code listen_ms}.
         * @param value the new value
         * @return this */
        public Timeouts listen(Duration value) {
            return set("listen_ms", count(value, 1));
        }

        /**
         * Name look-up, proxy, connecting and TLS. Several addresses of a name share this time. With HTTP+SSE also the
         * first event. From 1 to 31536000000 ms. Default: 10000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration connect() {
            return duration(get("connect_ms"), 1);
        }

        /** Sets {@code connect_ms}.
         * @param value the new value
         * @return this */
        public Timeouts connect(Duration value) {
            return set("connect_ms", count(value, 1));
        }

        /**
         * The time for a server to exit, or to close its side of a socket, after the client has closed its own; then
         * SIGTERM. From 1 to 31536000000 ms. Default: 1000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration exit() {
            return duration(get("exit_ms"), 1);
        }

        /** Sets {@code exit_ms}.
         * @param value the new value
         * @return this */
        public Timeouts exit(Duration value) {
            return set("exit_ms", count(value, 1));
        }

        /**
         * How long it may take after SIGTERM, before SIGKILL. From 1 to 31536000000 ms. Default: 500 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration term() {
            return duration(get("term_ms"), 1);
        }

        /** Sets {@code term_ms}.
         * @param value the new value
         * @return this */
        public Timeouts term(Duration value) {
            return set("term_ms", count(value, 1));
        }

        /**
         * The whole time of <code>mcp_client_free</code>, and of <code>mcp_client_close</code> with -1. Waiting for a
         * killed process may take 500 ms more. From 1 to 31536000000 ms. Default: 2000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration close() {
            return duration(get("close_ms"), 1);
        }

        /** Sets {@code close_ms}.
         * @param value the new value
         * @return this */
        public Timeouts close(Duration value) {
            return set("close_ms", count(value, 1));
        }
    }

    /** The members of <code>tls</code>. */
    public static final class TlsConfig extends Members<TlsConfig> {
        /** Makes one without members. */
        public TlsConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public TlsConfig(JsonValue value) {
            super(value);
        }

        /**
         * A PEM file of certificate authorities to trust. They are trusted for the authorization servers of a login
         * too.
         *
         * @return the value; null if it is absent
         */
        public String caFile() {
            return one("ca_file", JsonValue::asText);
        }

        /** Sets {@code ca_file}.
         * @param value the new value
         * @return this */
        public TlsConfig caFile(String value) {
            return set("ca_file", value);
        }

        /**
         * Whether authorities of the system are trusted. They are located (<code>SSL_CERT_FILE</code>,
         * <code>SSL_CERT_DIR</code>, system folders) when the client is made. Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean systemRoots() {
            return one("system_roots", JsonValue::asBoolean);
        }

        /** Sets {@code system_roots}.
         * @param value the new value
         * @return this */
        public TlsConfig systemRoots(boolean value) {
            return set("system_roots", value);
        }

        /**
         * A PEM file: the certificate to show to a server that asks for one; with <code>client_key</code>.
         *
         * @return the value; null if it is absent
         */
        public String clientCertificate() {
            return one("client_certificate", JsonValue::asText);
        }

        /** Sets {@code client_certificate}.
         * @param value the new value
         * @return this */
        public TlsConfig clientCertificate(String value) {
            return set("client_certificate", value);
        }

        /**
         * A PEM file: the key of <code>client_certificate</code>.
         *
         * @return the value; null if it is absent
         */
        public String clientKey() {
            return one("client_key", JsonValue::asText);
        }

        /** Sets {@code client_key}.
         * @param value the new value
         * @return this */
        public TlsConfig clientKey(String value) {
            return set("client_key", value);
        }
    }

    /** The bounds of a queue that several clients share. */
    public static final class QueueConfig extends Members<QueueConfig> {
        /** Makes one without members. */
        public QueueConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public QueueConfig(JsonValue value) {
            super(value);
        }

        /**
         * Messages that may wait in the client's own queue. From 1 to 100000000. Default: 10000.
         *
         * @return the value; null if it is absent
         */
        public Long queueMessages() {
            return one("queue_messages", JsonValue::asLong);
        }

        /** Sets {@code queue_messages}.
         * @param value the new value
         * @return this */
        public QueueConfig queueMessages(long value) {
            return set("queue_messages", value);
        }

        /**
         * Their bytes. From 1024 to 68719476736 bytes. Default: 67108864 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long queueBytes() {
            return one("queue_bytes", JsonValue::asLong);
        }

        /** Sets {@code queue_bytes}.
         * @param value the new value
         * @return this */
        public QueueConfig queueBytes(long value) {
            return set("queue_bytes", value);
        }

        /**
         * When the queue is full, of the messages that need no answer (notifications, progress, states, log lines):
         * drop the oldest, drop the new one, or stop reading from the server. With <code>"block"</code> a thread that
         * waits for a call still reads, and the oldest are dropped. Default: <code>"drop_oldest"</code>. Values:
         * drop_oldest, drop_newest, block.
         *
         * @return the value; null if it is absent
         */
        public String overflow() {
            return one("overflow", JsonValue::asText);
        }

        /** Sets {@code overflow}.
         * @param value the new value
         * @return this */
        public QueueConfig overflow(String value) {
            return set("overflow", value);
        }
    }

    /** The options of one call. */
    public static final class CallOptions extends Members<CallOptions> {
        /** Makes one without members. */
        public CallOptions() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public CallOptions(JsonValue value) {
            super(value);
        }

        /**
         * The time of this call. From 1 to 31536000000 ms. Default: by <code>timeouts</code>.
         *
         * @return the value; null if it is absent
         */
        public Duration timeout() {
            return duration(get("timeout_ms"), 1);
        }

        /** Sets {@code timeout_ms}.
         * @param value the new value
         * @return this */
        public CallOptions timeout(Duration value) {
            return set("timeout_ms", count(value, 1));
        }

        /**
         * The most it may take, progress or not. From 1 to 31536000000 ms. Default:
         * <code>timeouts.max_total_ms</code>, or <code>timeout_ms</code> if that is larger.
         *
         * @return the value; null if it is absent
         */
        public Duration maxTotal() {
            return duration(get("max_total_ms"), 1);
        }

        /** Sets {@code max_total_ms}.
         * @param value the new value
         * @return this */
        public CallOptions maxTotal(Duration value) {
            return set("max_total_ms", count(value, 1));
        }

        /**
         * Progress restarts the timeout of this call. Default: <code>timeouts.reset_on_progress</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean resetOnProgress() {
            return one("reset_on_progress", JsonValue::asBoolean);
        }

        /** Sets {@code reset_on_progress}.
         * @param value the new value
         * @return this */
        public CallOptions resetOnProgress(boolean value) {
            return set("reset_on_progress", value);
        }

        /**
         * Asks the server for progress; it comes as <code>MCP_KIND_PROGRESS</code> messages. Default:
         * <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean progress() {
            return one("progress", JsonValue::asBoolean);
        }

        /** Sets {@code progress}.
         * @param value the new value
         * @return this */
        public CallOptions progress(boolean value) {
            return set("progress", value);
        }

        /**
         * Members of the request's <code>_meta</code>. Names have letters, digits, <code>-</code>, <code>_</code> and
         * <code>.</code>, and may have a prefix such as <code>com.example/</code>. Names that the library sets
         * (<code>progressToken</code>, and some of <code>io.modelcontextprotocol/</code>) are refused. Default:
         * <code>{}</code>.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("meta");
        }

        /** Sets {@code meta}.
         * @param value the new value
         * @return this */
        public CallOptions meta(Object value) {
            return set("meta", value);
        }

        /**
         * The trace of the call (W3C Trace Context), for <code>_meta</code>; must be well formed. It overrides the one
         * in <code>meta</code>.
         *
         * @return the value; null if it is absent
         */
        public String traceparent() {
            return one("traceparent", JsonValue::asText);
        }

        /** Sets {@code traceparent}.
         * @param value the new value
         * @return this */
        public CallOptions traceparent(String value) {
            return set("traceparent", value);
        }

        /**
         * The application's span that makes the call, written as <code>traceparent</code>: the call's own span is its
         * child, and goes out if the call is recorded ([OpenTelemetry](../guide/telemetry.md)); else this goes out. A
         * <code>traceparent</code> that is given, too, overrides it.
         *
         * @return the value; null if it is absent
         */
        public String parent() {
            return one("parent", JsonValue::asText);
        }

        /** Sets {@code parent}.
         * @param value the new value
         * @return this */
        public CallOptions parent(String value) {
            return set("parent", value);
        }

        /**
         * What systems for tracing add to <code>traceparent</code> (W3C Trace Context); the same holds.
         *
         * @return the value; null if it is absent
         */
        public String tracestate() {
            return one("tracestate", JsonValue::asText);
        }

        /** Sets {@code tracestate}.
         * @param value the new value
         * @return this */
        public CallOptions tracestate(String value) {
            return set("tracestate", value);
        }

        /**
         * Properties of the trace (W3C Baggage); the same holds.
         *
         * @return the value; null if it is absent
         */
        public String baggage() {
            return one("baggage", JsonValue::asText);
        }

        /** Sets {@code baggage}.
         * @param value the new value
         * @return this */
        public CallOptions baggage(String value) {
            return set("baggage", value);
        }

        /**
         * 2026-07-28: the lowest level of log messages during this call. Older revisions have one level for all calls
         * (<code>mcp_client_set_server_log_level</code>). Values: debug, info, notice, warning, error, critical,
         * alert, emergency.
         *
         * @return the value; null if it is absent
         */
        public String logLevel() {
            return one("log_level", JsonValue::asText);
        }

        /** Sets {@code log_level}.
         * @param value the new value
         * @return this */
        public CallOptions logLevel(String value) {
            return set("log_level", value);
        }

        /**
         * As above, for this call. Default: <code>retry</code>. Values: never, safe.
         *
         * @return the value; null if it is absent
         */
        public String retry() {
            return one("retry", JsonValue::asText);
        }

        /** Sets {@code retry}.
         * @param value the new value
         * @return this */
        public CallOptions retry(String value) {
            return set("retry", value);
        }

        /**
         * As above, for this call. Default: <code>when_unavailable</code>. Values: fail, wait.
         *
         * @return the value; null if it is absent
         */
        public String whenUnavailable() {
            return one("when_unavailable", JsonValue::asText);
        }

        /** Sets {@code when_unavailable}.
         * @param value the new value
         * @return this */
        public CallOptions whenUnavailable(String value) {
            return set("when_unavailable", value);
        }

        /**
         * <code>mcp_call</code>, <code>mcp_call_start</code>: sends the method with its parameters as they are and
         * hands over the result as it is: no check of capabilities, no further pages, nothing kept, no check of the
         * result. Default: <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean raw() {
            return one("raw", JsonValue::asBoolean);
        }

        /** Sets {@code raw}.
         * @param value the new value
         * @return this */
        public CallOptions raw(boolean value) {
            return set("raw", value);
        }

        /**
         * Lists: read the page at this cursor and no other.
         *
         * @return the value; null if it is absent
         */
        public String cursor() {
            return one("cursor", JsonValue::asText);
        }

        /** Sets {@code cursor}.
         * @param value the new value
         * @return this */
        public CallOptions cursor(String value) {
            return set("cursor", value);
        }

        /**
         * Take a kept result that is fresh; ask the server and keep what it says; leave what is kept alone. Default:
         * <code>"use"</code>. Values: use, refresh, bypass.
         *
         * @return the value; null if it is absent
         */
        public String cache() {
            return one("cache", JsonValue::asText);
        }

        /** Sets {@code cache}.
         * @param value the new value
         * @return this */
        public CallOptions cache(String value) {
            return set("cache", value);
        }

        /**
         * Lists: read the first page only; <code>nextCursor</code> in the result is the cursor of the next. Default:
         * <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean onePage() {
            return one("one_page", JsonValue::asBoolean);
        }

        /** Sets {@code one_page}.
         * @param value the new value
         * @return this */
        public CallOptions onePage(boolean value) {
            return set("one_page", value);
        }

        /**
         * <code>mcp_client_load_skill</code>, <code>mcp_client_read_skill_file</code>: also files of a dynamic skill,
         * which cannot be checked. Default: <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean allowDynamic() {
            return one("allow_dynamic", JsonValue::asBoolean);
        }

        /** Sets {@code allow_dynamic}.
         * @param value the new value
         * @return this */
        public CallOptions allowDynamic(boolean value) {
            return set("allow_dynamic", value);
        }

        /**
         * <code>tools/call</code>: as a task, or not as one (docs/guide/tasks.md). Default: as the tool says.
         *
         * @return the value; null if it is absent
         */
        public Boolean task() {
            return one("task", JsonValue::asBoolean);
        }

        /** Sets {@code task}.
         * @param value the new value
         * @return this */
        public CallOptions task(boolean value) {
            return set("task", value);
        }

        /**
         * <code>tools/call</code>, 2025-11-25: how long the server is asked to keep the task. From 1 to 31536000000
         * ms. Default: <code>tasks.ttl_ms</code>.
         *
         * @return the value; null if it is absent
         */
        public Duration taskTtl() {
            return duration(get("task_ttl_ms"), 1);
        }

        /** Sets {@code task_ttl_ms}.
         * @param value the new value
         * @return this */
        public CallOptions taskTtl(Duration value) {
            return set("task_ttl_ms", count(value, 1));
        }
    }

    /** The configuration of a server; docs/reference/server-configuration.md has more. */
    public static final class ServerConfig extends Members<ServerConfig> {
        /** Makes one without members. */
        public ServerConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerConfig(JsonValue value) {
            super(value);
        }

        /**
         * What the server is called; necessary.
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public ServerConfig name(String value) {
            return set("name", value);
        }

        /**
         * Its version. Default: <code>"0"</code>.
         *
         * @return the value; null if it is absent
         */
        public String version() {
            return one("version", JsonValue::asText);
        }

        /** Sets {@code version}.
         * @param value the new value
         * @return this */
        public ServerConfig version(String value) {
            return set("version", value);
        }

        /**
         * A name for people.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public ServerConfig title(String value) {
            return set("title", value);
        }

        /**
         * What it is for.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public ServerConfig description(String value) {
            return set("description", value);
        }

        /**
         * Its website.
         *
         * @return the value; null if it is absent
         */
        public String websiteUrl() {
            return one("website_url", JsonValue::asText);
        }

        /** Sets {@code website_url}.
         * @param value the new value
         * @return this */
        public ServerConfig websiteUrl(String value) {
            return set("website_url", value);
        }

        /**
         * Its icons, as the specification has them.
         *
         * @return the value; empty if it is absent
         */
        public List<Protocol.Icon> icons() {
            return list(get("icons"), Protocol.Icon::new);
        }

        /** Sets {@code icons}.
         * @param value the new value
         * @return this */
        public ServerConfig icons(List<? extends Protocol.Icon> value) {
            return set("icons", value);
        }

        /**
         * What a model should know to use the server.
         *
         * @return the value; null if it is absent
         */
        public String instructions() {
            return one("instructions", JsonValue::asText);
        }

        /** Sets {@code instructions}.
         * @param value the new value
         * @return this */
        public ServerConfig instructions(String value) {
            return set("instructions", value);
        }

        /**
         * The permitted revisions: <code>"auto"</code> (all), <code>"legacy"</code> (up to 2025-11-25),
         * <code>"modern"</code> (2026-07-28), one of them, or a list. Default: <code>"auto"</code>.
         *
         * @return the value; empty if it is absent
         */
        public List<String> protocol() {
            return oneOrMany(get("protocol"), JsonValue::asText);
        }

        /** Sets {@code protocol}.
         * @param value the new value
         * @return this */
        public ServerConfig protocol(List<String> value) {
            return set("protocol", value);
        }

        /** Sets {@code protocol}.
         * @param value the new value
         * @return this */
        public ServerConfig protocol(String value) {
            return set("protocol", value);
        }

        /**
         * Entries of one page of a list. From 1 to 1000000. Default: 100.
         *
         * @return the value; null if it is absent
         */
        public Long pageSize() {
            return one("page_size", JsonValue::asLong);
        }

        /** Sets {@code page_size}.
         * @param value the new value
         * @return this */
        public ServerConfig pageSize(long value) {
            return set("page_size", value);
        }

        /**
         * Threads of the library that run handlers. With 0 only threads of the application run them, in
         * <code>mcp_server_run</code>, <code>mcp_server_poll</code> or <code>mcp_queue_poll</code>. From 0 to 256.
         * Default: 0.
         *
         * @return the value; null if it is absent
         */
        public Long workers() {
            return one("workers", JsonValue::asLong);
        }

        /** Sets {@code workers}.
         * @param value the new value
         * @return this */
        public ServerConfig workers(long value) {
            return set("workers", value);
        }

        /**
         * How messages are told apart over byte streams: one on each line, or a <code>Content-Length</code> header
         * before each. Default: <code>"newline"</code>. Values: newline, content-length.
         *
         * @return the value; null if it is absent
         */
        public String framing() {
            return one("framing", JsonValue::asText);
        }

        /** Sets {@code framing}.
         * @param value the new value
         * @return this */
        public ServerConfig framing(String value) {
            return set("framing", value);
        }

        /**
         * The least severe log message for a client of the legacy era that has not set a level. Default:
         * <code>"info"</code>. Values: debug, info, notice, warning, error, critical, alert, emergency.
         *
         * @return the value; null if it is absent
         */
        public String logLevel() {
            return one("log_level", JsonValue::asText);
        }

        /** Sets {@code log_level}.
         * @param value the new value
         * @return this */
        public ServerConfig logLevel(String value) {
            return set("log_level", value);
        }

        /**
         * Bounds.
         *
         * @return the value; null if it is absent
         */
        public ServerLimits limits() {
            return one("limits", ServerLimits::new);
        }

        /** Sets {@code limits}.
         * @param value the new value
         * @return this */
        public ServerConfig limits(ServerLimits value) {
            return set("limits", value);
        }

        /**
         * Times.
         *
         * @return the value; null if it is absent
         */
        public ServerTimeouts timeouts() {
            return one("timeouts", ServerTimeouts::new);
        }

        /** Sets {@code timeouts}.
         * @param value the new value
         * @return this */
        public ServerConfig timeouts(ServerTimeouts value) {
            return set("timeouts", value);
        }

        /**
         * How long clients may keep results (2026-07-28).
         *
         * @return the value; null if it is absent
         */
        public ServerCacheConfig cache() {
            return one("cache", ServerCacheConfig::new);
        }

        /** Sets {@code cache}.
         * @param value the new value
         * @return this */
        public ServerConfig cache(ServerCacheConfig value) {
            return set("cache", value);
        }

        /**
         * What is checked of what clients and handlers send.
         *
         * @return the value; null if it is absent
         */
        public ServerChecksConfig checks() {
            return one("checks", ServerChecksConfig::new);
        }

        /** Sets {@code checks}.
         * @param value the new value
         * @return this */
        public ServerConfig checks(ServerChecksConfig value) {
            return set("checks", value);
        }

        /**
         * A structured result of a tool that has no text gets its JSON as one, for clients that read text only.
         * Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean structuredAsText() {
            return one("structured_as_text", JsonValue::asBoolean);
        }

        /** Sets {@code structured_as_text}.
         * @param value the new value
         * @return this */
        public ServerConfig structuredAsText(boolean value) {
            return set("structured_as_text", value);
        }

        /**
         * What is announced.
         *
         * @return the value; null if it is absent
         */
        public ServerAnnounceConfig announce() {
            return one("announce", ServerAnnounceConfig::new);
        }

        /** Sets {@code announce}.
         * @param value the new value
         * @return this */
        public ServerConfig announce(ServerAnnounceConfig value) {
            return set("announce", value);
        }

        /**
         * Who may use the server over HTTP; without it everybody who reaches it. docs/guide/serving-http.md has more.
         *
         * @return the value; null if it is absent
         */
        public ServerAuthConfig auth() {
            return one("auth", ServerAuthConfig::new);
        }

        /** Sets {@code auth}.
         * @param value the new value
         * @return this */
        public ServerConfig auth(ServerAuthConfig value) {
            return set("auth", value);
        }

        /**
         * What names of sessions over HTTP are (legacy era): random, known to the process that made them, and with a
         * store to all; or sealed with <code>request_state.keys</code>, so that every process with the same keys goes
         * on with a session. Default: <code>"random"</code>. Values: random, sealed.
         *
         * @return the value; null if it is absent
         */
        public String sessionNames() {
            return one("session_names", JsonValue::asText);
        }

        /** Sets {@code session_names}.
         * @param value the new value
         * @return this */
        public ServerConfig sessionNames(String value) {
            return set("session_names", value);
        }

        /**
         * A store that the processes of the server share.
         *
         * @return the value; null if it is absent
         */
        public ServerStoreConfig store() {
            return one("store", ServerStoreConfig::new);
        }

        /** Sets {@code store}.
         * @param value the new value
         * @return this */
        public ServerConfig store(ServerStoreConfig value) {
            return set("store", value);
        }

        /**
         * Texts that are discussed for the next revision (docs/reference/draft.md). They change, and are dropped,
         * without notice. Default: <code>[]</code>.
         *
         * @return the value; empty if it is absent
         */
        public List<JsonValue> draft() {
            return list(get("draft"), value -> value);
        }

        /** Sets {@code draft}.
         * @param value the new value
         * @return this */
        public ServerConfig draft(List<?> value) {
            return set("draft", value);
        }

        /**
         * The languages in which handlers answer, the default first (<code>["en","fr-CA"]</code>). Needs the draft
         * <code>language</code>; a handler finds the one of its request in <code>mcp_request_context</code> under
         * <code>language</code>.
         *
         * @return the value; empty if it is absent
         */
        public List<String> languages() {
            return list(get("languages"), JsonValue::asText);
        }

        /** Sets {@code languages}.
         * @param value the new value
         * @return this */
        public ServerConfig languages(List<String> value) {
            return set("languages", value);
        }

        /** Sets {@code languages}.
         * @param value the new value
         * @return this */
        public ServerConfig languages(String... value) {
            return set("languages", List.of(value));
        }

        /**
         * How request states are sealed (2026-07-28).
         *
         * @return the value; null if it is absent
         */
        public ServerRequestStateConfig requestState() {
            return one("request_state", ServerRequestStateConfig::new);
        }

        /** Sets {@code request_state}.
         * @param value the new value
         * @return this */
        public ServerConfig requestState(ServerRequestStateConfig value) {
            return set("request_state", value);
        }
    }

    /** The members of <code>announce</code>. */
    public static final class ServerAnnounceConfig extends Members<ServerAnnounceConfig> {
        /** Makes one without members. */
        public ServerAnnounceConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerAnnounceConfig(JsonValue value) {
            super(value);
        }

        /**
         * Tools, although there are none yet. Default: <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean tools() {
            return one("tools", JsonValue::asBoolean);
        }

        /** Sets {@code tools}.
         * @param value the new value
         * @return this */
        public ServerAnnounceConfig tools(boolean value) {
            return set("tools", value);
        }

        /**
         * Resources, although there are none yet. Default: <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean resources() {
            return one("resources", JsonValue::asBoolean);
        }

        /** Sets {@code resources}.
         * @param value the new value
         * @return this */
        public ServerAnnounceConfig resources(boolean value) {
            return set("resources", value);
        }

        /**
         * Prompts, although there are none yet. Default: <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean prompts() {
            return one("prompts", JsonValue::asBoolean);
        }

        /** Sets {@code prompts}.
         * @param value the new value
         * @return this */
        public ServerAnnounceConfig prompts(boolean value) {
            return set("prompts", value);
        }

        /**
         * Log messages are sent to clients that want them. Default: <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean logging() {
            return one("logging", JsonValue::asBoolean);
        }

        /** Sets {@code logging}.
         * @param value the new value
         * @return this */
        public ServerAnnounceConfig logging(boolean value) {
            return set("logging", value);
        }

        /**
         * Streams of <code>subscriptions/listen</code> (2026-07-28). Without them clients of that revision are told of
         * no change. Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean listen() {
            return one("listen", JsonValue::asBoolean);
        }

        /** Sets {@code listen}.
         * @param value the new value
         * @return this */
        public ServerAnnounceConfig listen(boolean value) {
            return set("listen", value);
        }

        /**
         * Notifications of extensions that <code>mcp_server_notify</code> also sends to streams of
         * <code>subscriptions/listen</code>, by member of the filter:
         * <code>{"com.example/renderChanged":"notifications/com.example/render_changed"}</code>; at most 64. Default:
         * <code>{}</code>.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue notifications() {
            return get("notifications");
        }

        /** Sets {@code notifications}.
         * @param value the new value
         * @return this */
        public ServerAnnounceConfig notifications(Object value) {
            return set("notifications", value);
        }

        /**
         * Results of 2026-07-28 name the server in their <code>_meta</code>. Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean nameInResults() {
            return one("name_in_results", JsonValue::asBoolean);
        }

        /** Sets {@code name_in_results}.
         * @param value the new value
         * @return this */
        public ServerAnnounceConfig nameInResults(boolean value) {
            return set("name_in_results", value);
        }
    }

    /** The members of <code>auth</code>. */
    public static final class ServerAuthConfig extends Members<ServerAuthConfig> {
        /** Makes one without members. */
        public ServerAuthConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerAuthConfig(JsonValue value) {
            super(value);
        }

        /**
         * The public URL of the server, which tokens are for; without it the URL that is served.
         *
         * @return the value; null if it is absent
         */
        public String resource() {
            return one("resource", JsonValue::asText);
        }

        /** Sets {@code resource}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig resource(String value) {
            return set("resource", value);
        }

        /**
         * A name of the server for people who are asked for their consent.
         *
         * @return the value; null if it is absent
         */
        public String resourceName() {
            return one("resource_name", JsonValue::asText);
        }

        /** Sets {@code resource_name}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig resourceName(String value) {
            return set("resource_name", value);
        }

        /**
         * The issuers of tokens for this server; required without <code>tokens</code> and <code>application</code>.
         * Default: <code>[]</code>.
         *
         * @return the value; empty if it is absent
         */
        public List<String> authorizationServers() {
            return list(get("authorization_servers"), JsonValue::asText);
        }

        /** Sets {@code authorization_servers}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig authorizationServers(List<String> value) {
            return set("authorization_servers", value);
        }

        /** Sets {@code authorization_servers}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig authorizationServers(String... value) {
            return set("authorization_servers", List.of(value));
        }

        /**
         * What every request needs, and what clients ask for at first. Default: <code>[]</code>.
         *
         * @return the value; empty if it is absent
         */
        public List<String> scopes() {
            return list(get("scopes"), JsonValue::asText);
        }

        /** Sets {@code scopes}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig scopes(List<String> value) {
            return set("scopes", value);
        }

        /** Sets {@code scopes}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig scopes(String... value) {
            return set("scopes", List.of(value));
        }

        /**
         * Which scopes include others: object: scope → list of scopes.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, List<String>> impliedScopes() {
            return map(get("implied_scopes"), value -> Members.list(value, JsonValue::asText));
        }

        /** Sets {@code implied_scopes}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig impliedScopes(Map<String, ? extends List<String>> value) {
            return set("implied_scopes", value);
        }

        /**
         * What tools need besides: object: name → list of scopes.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, List<String>> tools() {
            return map(get("tools"), value -> Members.list(value, JsonValue::asText));
        }

        /** Sets {@code tools}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig tools(Map<String, ? extends List<String>> value) {
            return set("tools", value);
        }

        /**
         * What prompts need besides: object: name → list of scopes.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, List<String>> prompts() {
            return map(get("prompts"), value -> Members.list(value, JsonValue::asText));
        }

        /** Sets {@code prompts}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig prompts(Map<String, ? extends List<String>> value) {
            return set("prompts", value);
        }

        /**
         * What resources and templates need besides: object: URI, or text of a template as it was added → list of
         * scopes.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, List<String>> resources() {
            return map(get("resources"), value -> Members.list(value, JsonValue::asText));
        }

        /** Sets {@code resources}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig resources(Map<String, ? extends List<String>> value) {
            return set("resources", value);
        }

        /**
         * What methods need besides: object: method → list of scopes.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, List<String>> methods() {
            return map(get("methods"), value -> Members.list(value, JsonValue::asText));
        }

        /** Sets {@code methods}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig methods(Map<String, ? extends List<String>> value) {
            return set("methods", value);
        }

        /**
         * What lists have: what their reader's scopes allow, or all, so that a client finds out what more scopes would
         * give. Default: <code>"allowed"</code>. Values: allowed, all.
         *
         * @return the value; null if it is absent
         */
        public String lists() {
            return one("lists", JsonValue::asText);
        }

        /** Sets {@code lists}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig lists(String value) {
            return set("lists", value);
        }

        /**
         * Whose tokens are good: the text in <code>iss</code>; without it the authorization servers. Default:
         * <code>[]</code>.
         *
         * @return the value; empty if it is absent
         */
        public List<String> issuers() {
            return list(get("issuers"), JsonValue::asText);
        }

        /** Sets {@code issuers}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig issuers(List<String> value) {
            return set("issuers", value);
        }

        /** Sets {@code issuers}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig issuers(String... value) {
            return set("issuers", List.of(value));
        }

        /**
         * Who tokens are for: a text in <code>aud</code>; without it the resource. Default: <code>[]</code>.
         *
         * @return the value; empty if it is absent
         */
        public List<String> audience() {
            return list(get("audience"), JsonValue::asText);
        }

        /** Sets {@code audience}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig audience(List<String> value) {
            return set("audience", value);
        }

        /** Sets {@code audience}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig audience(String... value) {
            return set("audience", List.of(value));
        }

        /**
         * How tokens may be signed. Default: <code>["ES256","ES384","EdDSA","RS256","PS256"]</code>.
         *
         * @return the value; empty if it is absent
         */
        public List<String> algorithms() {
            return list(get("algorithms"), JsonValue::asText);
        }

        /** Sets {@code algorithms}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig algorithms(List<String> value) {
            return set("algorithms", value);
        }

        /** Sets {@code algorithms}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig algorithms(String... value) {
            return set("algorithms", List.of(value));
        }

        /**
         * The <code>typ</code> that tokens must have, such as <code>at+jwt</code>; without it none, <code>JWT</code>
         * or <code>at+jwt</code>.
         *
         * @return the value; null if it is absent
         */
        public String tokenType() {
            return one("token_type", JsonValue::asText);
        }

        /** Sets {@code token_type}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig tokenType(String value) {
            return set("token_type", value);
        }

        /**
         * How much clocks may differ. From 1 to 31536000000 ms. Default: 60000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration leeway() {
            return duration(get("leeway_ms"), 1);
        }

        /** Sets {@code leeway_ms}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig leeway(Duration value) {
            return set("leeway_ms", count(value, 1));
        }

        /**
         * Where the keys are that sign tokens.
         *
         * @return the value; null if it is absent
         */
        public String jwksUrl() {
            return one("jwks_url", JsonValue::asText);
        }

        /** Sets {@code jwks_url}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig jwksUrl(String value) {
            return set("jwks_url", value);
        }

        /**
         * The keys themselves.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue jwks() {
            return get("jwks");
        }

        /** Sets {@code jwks}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig jwks(Object value) {
            return set("jwks", value);
        }

        /**
         * Keys that are taken of one set. From 1 to 10000. Default: 100.
         *
         * @return the value; null if it is absent
         */
        public Long keys() {
            return one("keys", JsonValue::asLong);
        }

        /** Sets {@code keys}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig keys(long value) {
            return set("keys", value);
        }

        /**
         * Bytes of a set of keys. From 256 to 16777216 bytes. Default: 262144 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long keysBytes() {
            return one("keys_bytes", JsonValue::asLong);
        }

        /** Sets {@code keys_bytes}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig keysBytes(long value) {
            return set("keys_bytes", value);
        }

        /**
         * How long keys are used before they are fetched again. From 1 to 31536000000 ms. Default: 3600000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration keysTime() {
            return duration(get("keys_ms"), 1);
        }

        /** Sets {@code keys_ms}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig keysTime(Duration value) {
            return set("keys_ms", count(value, 1));
        }

        /**
         * How long they are used when they cannot be fetched. From 1 to 31536000000 ms. Default: 86400000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration keysStale() {
            return duration(get("keys_stale_ms"), 1);
        }

        /** Sets {@code keys_stale_ms}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig keysStale(Duration value) {
            return set("keys_stale_ms", count(value, 1));
        }

        /**
         * The least time between two fetches, whatever tokens come. From 1 to 31536000000 ms. Default: 30000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration keysPause() {
            return duration(get("keys_pause_ms"), 1);
        }

        /** Sets {@code keys_pause_ms}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig keysPause(Duration value) {
            return set("keys_pause_ms", count(value, 1));
        }

        /**
         * The authorization server is asked about tokens.
         *
         * @return the value; null if it is absent
         */
        public ServerAuthIntrospectionConfig introspection() {
            return one("introspection", ServerAuthIntrospectionConfig::new);
        }

        /** Sets {@code introspection}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig introspection(ServerAuthIntrospectionConfig value) {
            return set("introspection", value);
        }

        /**
         * The application is asked about tokens: each is a message of kind <code>auth</code> that it answers. Default:
         * <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean application() {
            return one("application", JsonValue::asBoolean);
        }

        /** Sets {@code application}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig application(boolean value) {
            return set("application", value);
        }

        /**
         * Fixed tokens: objects with <code>sha256</code> (the hexadecimal digest), <code>principal</code> and
         * <code>scopes</code>; at most 1000. Default: <code>[]</code>.
         *
         * @return the value; empty if it is absent
         */
        public List<JsonValue> tokens() {
            return list(get("tokens"), value -> value);
        }

        /** Sets {@code tokens}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig tokens(List<?> value) {
            return set("tokens", value);
        }

        /**
         * A file with more of them, a JSON list like <code>tokens</code>; it is read again when it has changed. When
         * it is removed, its tokens are good no longer; when it is wrong, the last ones stay, and the log says why.
         *
         * @return the value; null if it is absent
         */
        public String tokensFile() {
            return one("tokens_file", JsonValue::asText);
        }

        /** Sets {@code tokens_file}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig tokensFile(String value) {
            return set("tokens_file", value);
        }

        /**
         * What the authorization server or the application has for an answer. From 1 to 31536000000 ms. Default: 10000
         * ms.
         *
         * @return the value; null if it is absent
         */
        public Duration timeout() {
            return duration(get("timeout_ms"), 1);
        }

        /** Sets {@code timeout_ms}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig timeout(Duration value) {
            return set("timeout_ms", count(value, 1));
        }

        /**
         * Tokens of each URL that are being checked elsewhere. One client has at most half of what the others leave; a
         * further request gets status 503. From 1 to 100000. Default: 256.
         *
         * @return the value; null if it is absent
         */
        public Long questions() {
            return one("questions", JsonValue::asLong);
        }

        /** Sets {@code questions}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig questions(long value) {
            return set("questions", value);
        }

        /**
         * How long their answers are kept. From 0 to 86400000 ms. Default: 60000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration remember() {
            return duration(get("remember_ms"), 1);
        }

        /** Sets {@code remember_ms}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig remember(Duration value) {
            return set("remember_ms", count(value, 1));
        }

        /**
         * Answers that are kept. From 0 to 10000000. Default: 10000.
         *
         * @return the value; null if it is absent
         */
        public Long remembered() {
            return one("remembered", JsonValue::asLong);
        }

        /** Sets {@code remembered}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig remembered(long value) {
            return set("remembered", value);
        }

        /**
         * Proofs of possession (RFC 9449): not taken, taken with tokens that are bound to a key, or needed. With a
         * store each must have the nonce that the server gives. Default: <code>"off"</code>. Values: off, allowed,
         * required.
         *
         * @return the value; null if it is absent
         */
        public String dpop() {
            return one("dpop", JsonValue::asText);
        }

        /** Sets {@code dpop}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig dpop(String value) {
            return set("dpop", value);
        }

        /**
         * How old a proof may be, in seconds. From 1 to 3600 s. Default: 60 s.
         *
         * @return the value; null if it is absent
         */
        public Duration dpopTime() {
            return duration(get("dpop_seconds"), 1000);
        }

        /** Sets {@code dpop_seconds}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig dpopTime(Duration value) {
            return set("dpop_seconds", count(value, 1000));
        }

        /**
         * Proofs that are remembered, so that none is accepted twice. At the limit the principal with most loses its
         * oldest, and gets status 503 for equally old ones. With a store they are noted there instead. From 1 to
         * 10000000. Default: 100000.
         *
         * @return the value; null if it is absent
         */
        public Long dpopProofs() {
            return one("dpop_proofs", JsonValue::asLong);
        }

        /** Sets {@code dpop_proofs}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig dpopProofs(long value) {
            return set("dpop_proofs", value);
        }

        /**
         * A PEM file with certificates to trust, besides those of the system, where keys are fetched and tokens asked
         * about.
         *
         * @return the value; null if it is absent
         */
        public String caFile() {
            return one("ca_file", JsonValue::asText);
        }

        /** Sets {@code ca_file}.
         * @param value the new value
         * @return this */
        public ServerAuthConfig caFile(String value) {
            return set("ca_file", value);
        }
    }

    /** The members of <code>auth.introspection</code>. */
    public static final class ServerAuthIntrospectionConfig extends Members<ServerAuthIntrospectionConfig> {
        /** Makes one without members. */
        public ServerAuthIntrospectionConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerAuthIntrospectionConfig(JsonValue value) {
            super(value);
        }

        /**
         * The endpoint (RFC 7662); necessary.
         *
         * @return the value; null if it is absent
         */
        public String url() {
            return one("url", JsonValue::asText);
        }

        /** Sets {@code url}.
         * @param value the new value
         * @return this */
        public ServerAuthIntrospectionConfig url(String value) {
            return set("url", value);
        }

        /**
         * Who the server is there.
         *
         * @return the value; null if it is absent
         */
        public String clientId() {
            return one("client_id", JsonValue::asText);
        }

        /** Sets {@code client_id}.
         * @param value the new value
         * @return this */
        public ServerAuthIntrospectionConfig clientId(String value) {
            return set("client_id", value);
        }

        /**
         * Its secret, sent in the header <code>Authorization</code>.
         *
         * @return the value; null if it is absent
         */
        public String clientSecret() {
            return one("client_secret", JsonValue::asText);
        }

        /** Sets {@code client_secret}.
         * @param value the new value
         * @return this */
        public ServerAuthIntrospectionConfig clientSecret(String value) {
            return set("client_secret", value);
        }

        /**
         * Answers must name this server as the audience. Without this a token for another server of the same issuer is
         * good here. Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean checkAudience() {
            return one("check_audience", JsonValue::asBoolean);
        }

        /** Sets {@code check_audience}.
         * @param value the new value
         * @return this */
        public ServerAuthIntrospectionConfig checkAudience(boolean value) {
            return set("check_audience", value);
        }
    }

    /** The members of <code>cache</code>. */
    public static final class ServerCacheConfig extends Members<ServerCacheConfig> {
        /** Makes one without members. */
        public ServerCacheConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerCacheConfig(JsonValue value) {
            super(value);
        }

        /**
         * How long, in milliseconds; 0 for not at all. From 0 to 31536000000 ms. Default: 0 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration ttl() {
            return duration(get("ttl_ms"), 1);
        }

        /** Sets {@code ttl_ms}.
         * @param value the new value
         * @return this */
        public ServerCacheConfig ttl(Duration value) {
            return set("ttl_ms", count(value, 1));
        }

        /**
         * Who may keep them: one user's cache, or a cache that several users share. Default: <code>"private"</code>.
         * Values: private, public.
         *
         * @return the value; null if it is absent
         */
        public String scope() {
            return one("scope", JsonValue::asText);
        }

        /** Sets {@code scope}.
         * @param value the new value
         * @return this */
        public ServerCacheConfig scope(String value) {
            return set("scope", value);
        }
    }

    /** The members of <code>checks</code>. */
    public static final class ServerChecksConfig extends Members<ServerChecksConfig> {
        /** Makes one without members. */
        public ServerChecksConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerChecksConfig(JsonValue value) {
            super(value);
        }

        /**
         * Definitions of tools, resources and prompts, when they are added. If off, a schema that cannot be used
         * checks nothing. Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean definitions() {
            return one("definitions", JsonValue::asBoolean);
        }

        /** Sets {@code definitions}.
         * @param value the new value
         * @return this */
        public ServerChecksConfig definitions(boolean value) {
            return set("definitions", value);
        }

        /**
         * Arguments against the tool's <code>inputSchema</code>, before the handler runs. Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean arguments() {
            return one("arguments", JsonValue::asBoolean);
        }

        /** Sets {@code arguments}.
         * @param value the new value
         * @return this */
        public ServerChecksConfig arguments(boolean value) {
            return set("arguments", value);
        }

        /**
         * Results against the tool's <code>outputSchema</code>, before they are sent. Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean results() {
            return one("results", JsonValue::asBoolean);
        }

        /** Sets {@code results}.
         * @param value the new value
         * @return this */
        public ServerChecksConfig results(boolean value) {
            return set("results", value);
        }

        /**
         * What handlers give: content blocks of tools and prompts, contents of resources. Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean content() {
            return one("content", JsonValue::asBoolean);
        }

        /** Sets {@code content}.
         * @param value the new value
         * @return this */
        public ServerChecksConfig content(boolean value) {
            return set("content", value);
        }
    }

    /** The members of <code>limits</code>. */
    public static final class ServerLimits extends Members<ServerLimits> {
        /** Makes one without members. */
        public ServerLimits() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerLimits(JsonValue value) {
            super(value);
        }

        /**
         * The largest message of a client; a larger one is skipped as it comes and refused. From 1024 to 2147483648
         * bytes. Default: 16777216 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long frameBytes() {
            return one("frame_bytes", JsonValue::asLong);
        }

        /** Sets {@code frame_bytes}.
         * @param value the new value
         * @return this */
        public ServerLimits frameBytes(long value) {
            return set("frame_bytes", value);
        }

        /**
         * How much of one message is skipped beyond <code>limits.frame_bytes</code>. A message without an end within
         * both ends the session. From 0 to 68719476736 bytes. Default: 536870912 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long discardBytes() {
            return one("discard_bytes", JsonValue::asLong);
        }

        /** Sets {@code discard_bytes}.
         * @param value the new value
         * @return this */
        public ServerLimits discardBytes(long value) {
            return set("discard_bytes", value);
        }

        /**
         * When more than this waits for a client to read it, its session ends. From 1024 to 2147483648 bytes. Default:
         * 67108864 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long outgoingBytes() {
            return one("outgoing_bytes", JsonValue::asLong);
        }

        /** Sets {@code outgoing_bytes}.
         * @param value the new value
         * @return this */
        public ServerLimits outgoingBytes(long value) {
            return set("outgoing_bytes", value);
        }

        /**
         * Bytes held for all clients: bodies in progress, unread answers and notifications, kept events. At the limit
         * kept events are dropped, then the slowest connections of the largest holder end; the largest holder itself
         * is refused. No message may be larger. From 1048576 to 68719476736 bytes. Default: 268435456 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long sharedBytes() {
            return one("shared_bytes", JsonValue::asLong);
        }

        /** Sets {@code shared_bytes}.
         * @param value the new value
         * @return this */
        public ServerLimits sharedBytes(long value) {
            return set("shared_bytes", value);
        }

        /**
         * The lowest rate of a request body over 64 KiB, after <code>timeouts.body_grace_ms</code>; 0 for none. From 0
         * to 1073741824. Default: 16384.
         *
         * @return the value; null if it is absent
         */
        public Long bodyBytesPerSecond() {
            return one("body_bytes_per_second", JsonValue::asLong);
        }

        /** Sets {@code body_bytes_per_second}.
         * @param value the new value
         * @return this */
        public ServerLimits bodyBytesPerSecond(long value) {
            return set("body_bytes_per_second", value);
        }

        /**
         * The largest file that is read below a folder of <code>mcp_server_add_folder</code> or
         * <code>mcp_server_add_skills</code>. From 0 to 1073741824 bytes. Default: 8388608 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long fileBytes() {
            return one("file_bytes", JsonValue::asLong);
        }

        /** Sets {@code file_bytes}.
         * @param value the new value
         * @return this */
        public ServerLimits fileBytes(long value) {
            return set("file_bytes", value);
        }

        /**
         * HTTP connections of each URL. At the limit an unused one ends, else an idle one of the address that has
         * most; otherwise the new one is refused. From 1 to 1000000. Default: 10000.
         *
         * @return the value; null if it is absent
         */
        public Long connections() {
            return one("connections", JsonValue::asLong);
        }

        /** Sets {@code connections}.
         * @param value the new value
         * @return this */
        public ServerLimits connections(long value) {
            return set("connections", value);
        }

        /**
         * The head of an HTTP request. From 8192 to 16777216 bytes. Default: 65536 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long headBytes() {
            return one("head_bytes", JsonValue::asLong);
        }

        /** Sets {@code head_bytes}.
         * @param value the new value
         * @return this */
        public ServerLimits headBytes(long value) {
            return set("head_bytes", value);
        }

        /**
         * Events of one session of HTTP (legacy era) that are kept for a client whose stream broke off. From 0 to
         * 1000000. Default: 1000.
         *
         * @return the value; null if it is absent
         */
        public Long sessionEvents() {
            return one("session_events", JsonValue::asLong);
        }

        /** Sets {@code session_events}.
         * @param value the new value
         * @return this */
        public ServerLimits sessionEvents(long value) {
            return set("session_events", value);
        }

        /**
         * Their bytes. Those of all sessions count against <code>limits.shared_bytes</code>. From 0 to 1073741824
         * bytes. Default: 4194304 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long sessionEventBytes() {
            return one("session_event_bytes", JsonValue::asLong);
        }

        /** Sets {@code session_event_bytes}.
         * @param value the new value
         * @return this */
        public ServerLimits sessionEventBytes(long value) {
            return set("session_event_bytes", value);
        }

        /**
         * Sessions. At the limit an unused one ends, else the least recently used one of the principal or address that
         * has most. From 1 to 1000000. Default: 10000.
         *
         * @return the value; null if it is absent
         */
        public Long sessions() {
            return one("sessions", JsonValue::asLong);
        }

        /** Sets {@code sessions}.
         * @param value the new value
         * @return this */
        public ServerLimits sessions(long value) {
            return set("sessions", value);
        }

        /**
         * Requests of one session that the application has not answered. A further one waits. From 1 to 1000000.
         * Default: 10000.
         *
         * @return the value; null if it is absent
         */
        public Long sessionRequests() {
            return one("session_requests", JsonValue::asLong);
        }

        /** Sets {@code session_requests}.
         * @param value the new value
         * @return this */
        public ServerLimits sessionRequests(long value) {
            return set("session_requests", value);
        }

        /**
         * The same for all sessions together. One client has at most half of what the others leave. From 1 to 1000000.
         * Default: 20000.
         *
         * @return the value; null if it is absent
         */
        public Long requests() {
            return one("requests", JsonValue::asLong);
        }

        /** Sets {@code requests}.
         * @param value the new value
         * @return this */
        public ServerLimits requests(long value) {
            return set("requests", value);
        }

        /**
         * Bytes of unanswered requests over 1 KiB. One client has at most half of what the others leave; a further one
         * waits. A larger one is accepted alone. From 1024 to 68719476736 bytes. Default: 268435456 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long requestBytes() {
            return one("request_bytes", JsonValue::asLong);
        }

        /** Sets {@code request_bytes}.
         * @param value the new value
         * @return this */
        public ServerLimits requestBytes(long value) {
            return set("request_bytes", value);
        }

        /**
         * Requests of one session that wait, within <code>timeouts.request_ms</code>. A further one is not read, or
         * refused with the retryable error -32010. From 0 to 1000000. Default: 1000.
         *
         * @return the value; null if it is absent
         */
        public Long sessionWaiting() {
            return one("session_waiting", JsonValue::asLong);
        }

        /** Sets {@code session_waiting}.
         * @param value the new value
         * @return this */
        public ServerLimits sessionWaiting(long value) {
            return set("session_waiting", value);
        }

        /**
         * The bytes of all requests that wait so; one session has a sixteenth of them, one client half of what the
         * others leave. From 1024 to 68719476736 bytes. Default: 16777216 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long waitingBytes() {
            return one("waiting_bytes", JsonValue::asLong);
        }

        /** Sets {@code waiting_bytes}.
         * @param value the new value
         * @return this */
        public ServerLimits waitingBytes(long value) {
            return set("waiting_bytes", value);
        }

        /**
         * Resources that one session may subscribe to, each with a URI of at most 8192 bytes. From 0 to 1000000.
         * Default: 1000.
         *
         * @return the value; null if it is absent
         */
        public Long sessionSubscriptions() {
            return one("session_subscriptions", JsonValue::asLong);
        }

        /** Sets {@code session_subscriptions}.
         * @param value the new value
         * @return this */
        public ServerLimits sessionSubscriptions(long value) {
            return set("session_subscriptions", value);
        }

        /**
         * Bytes of the URIs that clients of 2026-07-28 listen to, and as many for subscriptions of legacy sessions.
         * One client has at most half of what the others leave; a further subscription is refused. From 0 to
         * 68719476736 bytes. Default: 33554432 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long subscriptionBytes() {
            return one("subscription_bytes", JsonValue::asLong);
        }

        /** Sets {@code subscription_bytes}.
         * @param value the new value
         * @return this */
        public ServerLimits subscriptionBytes(long value) {
            return set("subscription_bytes", value);
        }

        /**
         * Streams of <code>subscriptions/listen</code> in one session, over HTTP on one connection. From 0 to 100000.
         * Default: 16.
         *
         * @return the value; null if it is absent
         */
        public Long sessionListens() {
            return one("session_listens", JsonValue::asLong);
        }

        /** Sets {@code session_listens}.
         * @param value the new value
         * @return this */
        public ServerLimits sessionListens(long value) {
            return set("session_listens", value);
        }

        /**
         * The same for all sessions together. One client has at most half of what the others leave; one more is
         * refused. From 0 to 1000000. Default: 10000.
         *
         * @return the value; null if it is absent
         */
        public Long listens() {
            return one("listens", JsonValue::asLong);
        }

        /** Sets {@code listens}.
         * @param value the new value
         * @return this */
        public ServerLimits listens(long value) {
            return set("listens", value);
        }

        /**
         * Messages in one batch (2025-03-26). From 1 to 100000. Default: 100.
         *
         * @return the value; null if it is absent
         */
        public Long batch() {
            return one("batch", JsonValue::asLong);
        }

        /** Sets {@code batch}.
         * @param value the new value
         * @return this */
        public ServerLimits batch(long value) {
            return set("batch", value);
        }

        /**
         * How deep JSON may nest, received and given. From 4 to 1000. Default: 128.
         *
         * @return the value; null if it is absent
         */
        public Long jsonDepth() {
            return one("json_depth", JsonValue::asLong);
        }

        /** Sets {@code json_depth}.
         * @param value the new value
         * @return this */
        public ServerLimits jsonDepth(long value) {
            return set("json_depth", value);
        }

        /**
         * Questions of one request that may be open at one time. From 1 to 1000. Default: 16.
         *
         * @return the value; null if it is absent
         */
        public Long questions() {
            return one("questions", JsonValue::asLong);
        }

        /** Sets {@code questions}.
         * @param value the new value
         * @return this */
        public ServerLimits questions(long value) {
            return set("questions", value);
        }

        /**
         * Bytes of a sealed <code>requestState</code>. From 256 to 1048576 bytes. Default: 65536 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long requestStateBytes() {
            return one("request_state_bytes", JsonValue::asLong);
        }

        /** Sets {@code request_state_bytes}.
         * @param value the new value
         * @return this */
        public ServerLimits requestStateBytes(long value) {
            return set("request_state_bytes", value);
        }

        /**
         * Used request states that are remembered, about 300 bytes each, so that none is accepted twice. At the limit
         * the client with most loses its own, and states that may have been used are refused. From 1 to 10000000.
         * Default: 100000.
         *
         * @return the value; null if it is absent
         */
        public Long usedStates() {
            return one("used_states", JsonValue::asLong);
        }

        /** Sets {@code used_states}.
         * @param value the new value
         * @return this */
        public ServerLimits usedStates(long value) {
            return set("used_states", value);
        }

        /**
         * Progress notifications of one session: this many at once, and each second. Further values wait; the newest
         * is sent before the answer. From 1 to 1000000. Default: 100.
         *
         * @return the value; null if it is absent
         */
        public Long progressPerSecond() {
            return one("progress_per_second", JsonValue::asLong);
        }

        /** Sets {@code progress_per_second}.
         * @param value the new value
         * @return this */
        public ServerLimits progressPerSecond(long value) {
            return set("progress_per_second", value);
        }

        /**
         * Log messages of one session: this many at once, and each second. Further ones are dropped, counted and
         * logged once a second. From 1 to 1000000. Default: 100.
         *
         * @return the value; null if it is absent
         */
        public Long logsPerSecond() {
            return one("logs_per_second", JsonValue::asLong);
        }

        /** Sets {@code logs_per_second}.
         * @param value the new value
         * @return this */
        public ServerLimits logsPerSecond(long value) {
            return set("logs_per_second", value);
        }

        /**
         * Ids of elicitations by URL (2025-11-25) that are remembered until their session ends. One client has at most
         * half of what the others leave; a further elicitation is refused. From 1 to 10000000. Default: 10000.
         *
         * @return the value; null if it is absent
         */
        public Long elicitationIds() {
            return one("elicitation_ids", JsonValue::asLong);
        }

        /** Sets {@code elicitation_ids}.
         * @param value the new value
         * @return this */
        public ServerLimits elicitationIds(long value) {
            return set("elicitation_ids", value);
        }

        /**
         * Tasks, also finished ones. One client has at most half of what the others leave. At the limit its oldest
         * finished task of an ended session is dropped, else the call is refused. From 0 to 1000000. Default: 20000.
         *
         * @return the value; null if it is absent
         */
        public Long tasks() {
            return one("tasks", JsonValue::asLong);
        }

        /** Sets {@code tasks}.
         * @param value the new value
         * @return this */
        public ServerLimits tasks(long value) {
            return set("tasks", value);
        }

        /**
         * The same of one session. From 0 to 1000000. Default: 1000.
         *
         * @return the value; null if it is absent
         */
        public Long sessionTasks() {
            return one("session_tasks", JsonValue::asLong);
        }

        /** Sets {@code session_tasks}.
         * @param value the new value
         * @return this */
        public ServerLimits sessionTasks(long value) {
            return set("session_tasks", value);
        }

        /**
         * Bytes of the results and errors of tasks that are kept, shared in the same way. A task whose result has no
         * room fails. From 0 to 68719476736 bytes. Default: 67108864 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long taskBytes() {
            return one("task_bytes", JsonValue::asLong);
        }

        /** Sets {@code task_bytes}.
         * @param value the new value
         * @return this */
        public ServerLimits taskBytes(long value) {
            return set("task_bytes", value);
        }

        /**
         * Skills of one server, those of all folders of <code>mcp_server_add_skills</code> together. From 0 to 100000.
         * Default: 1000.
         *
         * @return the value; null if it is absent
         */
        public Long skills() {
            return one("skills", JsonValue::asLong);
        }

        /** Sets {@code skills}.
         * @param value the new value
         * @return this */
        public ServerLimits skills(long value) {
            return set("skills", value);
        }

        /**
         * Bytes of the files of all skills together, which the server keeps in memory. From 0 to 4294967296 bytes.
         * Default: 67108864 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long skillsBytes() {
            return one("skills_bytes", JsonValue::asLong);
        }

        /** Sets {@code skills_bytes}.
         * @param value the new value
         * @return this */
        public ServerLimits skillsBytes(long value) {
            return set("skills_bytes", value);
        }

        /**
         * Files of one skill that the server publishes. Hosts need not accept more than 512. From 1 to 100000.
         * Default: 512.
         *
         * @return the value; null if it is absent
         */
        public Long skillFiles() {
            return one("skill_files", JsonValue::asLong);
        }

        /** Sets {@code skill_files}.
         * @param value the new value
         * @return this */
        public ServerLimits skillFiles(long value) {
            return set("skill_files", value);
        }

        /**
         * Bytes of the files of one skill that the server publishes. Hosts need not accept more than 16 MiB. From 1 to
         * 1073741824 bytes. Default: 16777216 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long skillBytes() {
            return one("skill_bytes", JsonValue::asLong);
        }

        /** Sets {@code skill_bytes}.
         * @param value the new value
         * @return this */
        public ServerLimits skillBytes(long value) {
            return set("skill_bytes", value);
        }

        /**
         * How deep folders may nest below a folder of skills. From 1 to 60. Default: 16.
         *
         * @return the value; null if it is absent
         */
        public Long skillDepth() {
            return one("skill_depth", JsonValue::asLong);
        }

        /** Sets {@code skill_depth}.
         * @param value the new value
         * @return this */
        public ServerLimits skillDepth(long value) {
            return set("skill_depth", value);
        }

        /**
         * Messages that may wait in the server's own queue. From 1 to 100000000. Default: 10000.
         *
         * @return the value; null if it is absent
         */
        public Long queueMessages() {
            return one("queue_messages", JsonValue::asLong);
        }

        /** Sets {@code queue_messages}.
         * @param value the new value
         * @return this */
        public ServerLimits queueMessages(long value) {
            return set("queue_messages", value);
        }

        /**
         * Their bytes. One client has at most half of what the others leave, or one larger request while no other
         * waits; a further request waits. From 1024 to 68719476736 bytes. Default: 67108864 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long queueBytes() {
            return one("queue_bytes", JsonValue::asLong);
        }

        /** Sets {@code queue_bytes}.
         * @param value the new value
         * @return this */
        public ServerLimits queueBytes(long value) {
            return set("queue_bytes", value);
        }
    }

    /** The members of <code>request_state</code>. */
    public static final class ServerRequestStateConfig extends Members<ServerRequestStateConfig> {
        /** Makes one without members. */
        public ServerRequestStateConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerRequestStateConfig(JsonValue value) {
            super(value);
        }

        /**
         * The keys, newest first, each the base64 of 32 random bytes, shared by servers that answer for one another.
         * Without keys the server makes its own. Default: <code>[]</code>.
         *
         * @return the value; empty if it is absent
         */
        public List<String> keys() {
            return list(get("keys"), JsonValue::asText);
        }

        /** Sets {@code keys}.
         * @param value the new value
         * @return this */
        public ServerRequestStateConfig keys(List<String> value) {
            return set("keys", value);
        }

        /** Sets {@code keys}.
         * @param value the new value
         * @return this */
        public ServerRequestStateConfig keys(String... value) {
            return set("keys", List.of(value));
        }

        /**
         * How long a seal is good. From 1 to 31536000000 ms. Default: 600000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration ttl() {
            return duration(get("ttl_ms"), 1);
        }

        /** Sets {@code ttl_ms}.
         * @param value the new value
         * @return this */
        public ServerRequestStateConfig ttl(Duration value) {
            return set("ttl_ms", count(value, 1));
        }

        /**
         * The name of the server in the seal, such as its URL: a server with another one refuses it.
         *
         * @return the value; null if it is absent
         */
        public String audience() {
            return one("audience", JsonValue::asText);
        }

        /** Sets {@code audience}.
         * @param value the new value
         * @return this */
        public ServerRequestStateConfig audience(String value) {
            return set("audience", value);
        }
    }

    /** The members of <code>store</code>. */
    public static final class ServerStoreConfig extends Members<ServerStoreConfig> {
        /** Makes one without members. */
        public ServerStoreConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerStoreConfig(JsonValue value) {
            super(value);
        }

        /**
         * What the processes of the server share, for all that have the same <code>request_state.keys</code>: which
         * request states were used, tasks, changes of lists and resources, sessions of older revisions.
         * <code>redis://[USER[:PASSWORD]&#64;]HOST[:PORT][/DATABASE]</code>, or <code>rediss://</code> with TLS: Redis
         * 6.2 or Valkey, with <code>maxmemory-policy noeviction</code>, and a library built with the feature
         * <code>redis</code>; or a URL whose scheme was registered, such as <code>file:PATH</code> of
         * <code>libmcp-store-sqlite</code>.
         *
         * @return the value; null if it is absent
         */
        public String url() {
            return one("url", JsonValue::asText);
        }

        /** Sets {@code url}.
         * @param value the new value
         * @return this */
        public ServerStoreConfig url(String value) {
            return set("url", value);
        }

        /**
         * What keys in the store begin with, beside what the library puts there; without it the name of the server.
         *
         * @return the value; null if it is absent
         */
        public String space() {
            return one("space", JsonValue::asText);
        }

        /** Sets {@code space}.
         * @param value the new value
         * @return this */
        public ServerStoreConfig space(String value) {
            return set("space", value);
        }

        /**
         * How long an answer of the store may take; then the request is refused. From 1 to 31536000000 ms. Default:
         * 1000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration timeout() {
            return duration(get("timeout_ms"), 1);
        }

        /** Sets {@code timeout_ms}.
         * @param value the new value
         * @return this */
        public ServerStoreConfig timeout(Duration value) {
            return set("timeout_ms", count(value, 1));
        }

        /**
         * How long a process that says nothing counts as there, at most an hour; then its tasks have failed. Without
         * it the time is at least three times that of an answer. From 1 to 31536000000 ms. Default: 15000.
         *
         * @return the value; null if it is absent
         */
        public Duration lease() {
            return duration(get("lease_ms"), 1);
        }

        /** Sets {@code lease_ms}.
         * @param value the new value
         * @return this */
        public ServerStoreConfig lease(Duration value) {
            return set("lease_ms", count(value, 1));
        }

        /**
         * How long a process goes on with a session of an older revision that was ended through another one, at most.
         * From 1 to 31536000000 ms. Default: 5000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration sessionCheck() {
            return duration(get("session_check_ms"), 1);
        }

        /** Sets {@code session_check_ms}.
         * @param value the new value
         * @return this */
        public ServerStoreConfig sessionCheck(Duration value) {
            return set("session_check_ms", count(value, 1));
        }

        /**
         * Bytes of events of streams of older revisions that may be under way to the store; a session has an eighth.
         * What waits for that is what the session keeps in memory (<code>limits.session_event_bytes</code>). From
         * 1048576 to 1073741824 bytes. Default: 4194304 bytes.
         *
         * @return the value; null if it is absent
         */
        public Long backlogBytes() {
            return one("backlog_bytes", JsonValue::asLong);
        }

        /** Sets {@code backlog_bytes}.
         * @param value the new value
         * @return this */
        public ServerStoreConfig backlogBytes(long value) {
            return set("backlog_bytes", value);
        }

        /**
         * A PEM file with certificates to trust beside those of the system; for <code>rediss</code>.
         *
         * @return the value; null if it is absent
         */
        public String caFile() {
            return one("ca_file", JsonValue::asText);
        }

        /** Sets {@code ca_file}.
         * @param value the new value
         * @return this */
        public ServerStoreConfig caFile(String value) {
            return set("ca_file", value);
        }
    }

    /** The members of <code>timeouts</code>. */
    public static final class ServerTimeouts extends Members<ServerTimeouts> {
        /** Makes one without members. */
        public ServerTimeouts() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerTimeouts(JsonValue value) {
            super(value);
        }

        /**
         * The time of the application for a request, in milliseconds; then the library answers with an error. 0 for no
         * limit. From 0 to 31536000000 ms. Default: 300000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration request() {
            return duration(get("request_ms"), 1);
        }

        /** Sets {@code request_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts request(Duration value) {
            return set("request_ms", count(value, 1));
        }

        /**
         * The time of a legacy client to answer a question, and to confirm its handshake before one. From 1 to
         * 31536000000 ms. Default: 60000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration question() {
            return duration(get("question_ms"), 1);
        }

        /** Sets {@code question_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts question(Duration value) {
            return set("question_ms", count(value, 1));
        }

        /**
         * How long a task is kept from its start, unless client or handler ask for less. Then its request is
         * cancelled. From 1 to 31536000000 ms. Default: 3600000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration taskTtl() {
            return duration(get("task_ttl_ms"), 1);
        }

        /** Sets {@code task_ttl_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts taskTtl(Duration value) {
            return set("task_ttl_ms", count(value, 1));
        }

        /**
         * How long changes are gathered before clients are told of them. From 1 to 31536000000 ms. Default: 10 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration burst() {
            return duration(get("burst_ms"), 1);
        }

        /** Sets {@code burst_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts burst(Duration value) {
            return set("burst_ms", count(value, 1));
        }

        /**
         * How long a client may read nothing of what waits for it; then its session ends, over HTTP its connection.
         * From 1 to 31536000000 ms. Default: 30000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration write() {
            return duration(get("write_ms"), 1);
        }

        /** Sets {@code write_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts write(Duration value) {
            return set("write_ms", count(value, 1));
        }

        /**
         * What requests under way have after the end of their client's input. From 1 to 31536000000 ms. Default: 5000
         * ms.
         *
         * @return the value; null if it is absent
         */
        public Duration finish() {
            return duration(get("finish_ms"), 1);
        }

        /** Sets {@code finish_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts finish(Duration value) {
            return set("finish_ms", count(value, 1));
        }

        /**
         * The time for the head of an HTTP request, after the one before it; then the connection ends. A session that
         * is not used after its handshake ends after this time, too, and one over a socket without a message. From 1
         * to 31536000000 ms. Default: 60000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration head() {
            return duration(get("head_ms"), 1);
        }

        /** Sets {@code head_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts head(Duration value) {
            return set("head_ms", count(value, 1));
        }

        /**
         * The time for the body of an HTTP request, after its head; then it is refused. From 1 to 31536000000 ms.
         * Default: 60000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration body() {
            return duration(get("body_ms"), 1);
        }

        /** Sets {@code body_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts body(Duration value) {
            return set("body_ms", count(value, 1));
        }

        /**
         * How often a quiet event stream shows that it lives. From 1 to 31536000000 ms. Default: 15000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration keepAlive() {
            return duration(get("keep_alive_ms"), 1);
        }

        /** Sets {@code keep_alive_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts keepAlive(Duration value) {
            return set("keep_alive_ms", count(value, 1));
        }

        /**
         * How long a session of HTTP (legacy era) lives without a request or a stream. From 1 to 31536000000 ms.
         * Default: 1800000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration session() {
            return duration(get("session_ms"), 1);
        }

        /** Sets {@code session_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts session(Duration value) {
            return set("session_ms", count(value, 1));
        }

        /**
         * How long other processes go on with a session whose name is sealed (<code>session_names</code>), from its
         * handshake on. From 1 to 31536000000 ms. Default: 86400000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration sessionName() {
            return duration(get("session_name_ms"), 1);
        }

        /** Sets {@code session_name_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts sessionName(Duration value) {
            return set("session_name_ms", count(value, 1));
        }

        /**
         * How long <code>mcp_server_close</code> with -1, and <code>mcp_server_free</code>, wait for clients to take
         * what was sent to them. From 1 to 31536000000 ms. Default: 2000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration close() {
            return duration(get("close_ms"), 1);
        }

        /** Sets {@code close_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts close(Duration value) {
            return set("close_ms", count(value, 1));
        }

        /**
         * How long, in milliseconds, <code>mcp_server_close</code> still serves while health says 503, over HTTP. A
         * second call of <code>mcp_server_close</code> ends the wait. From 0 to 31536000000 ms. Default: 0 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration notice() {
            return duration(get("notice_ms"), 1);
        }

        /** Sets {@code notice_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts notice(Duration value) {
            return set("notice_ms", count(value, 1));
        }

        /**
         * What requests under way have then, while no client connects any more; those that are left are refused. From
         * 0 to 31536000000 ms. Default: 0 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration drain() {
            return duration(get("drain_ms"), 1);
        }

        /** Sets {@code drain_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts drain(Duration value) {
            return set("drain_ms", count(value, 1));
        }

        /**
         * After what time a client comes back to an event stream that ended before its answer (2025-11-25). From 1 to
         * 31536000000 ms. Default: 1000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration retry() {
            return duration(get("retry_ms"), 1);
        }

        /** Sets {@code retry_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts retry(Duration value) {
            return set("retry_ms", count(value, 1));
        }

        /**
         * How long an event is kept for a client that comes back to its stream (2025-03-26 to 2025-11-25). From 1 to
         * 31536000000 ms. Default: 300000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration event() {
            return duration(get("event_ms"), 1);
        }

        /** Sets {@code event_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts event(Duration value) {
            return set("event_ms", count(value, 1));
        }

        /**
         * How long a large body may come slower than <code>limits.body_bytes_per_second</code>. From 1 to 31536000000
         * ms. Default: 5000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration bodyGrace() {
            return duration(get("body_grace_ms"), 1);
        }

        /** Sets {@code body_grace_ms}.
         * @param value the new value
         * @return this */
        public ServerTimeouts bodyGrace(Duration value) {
            return set("body_grace_ms", count(value, 1));
        }
    }

    /** What is recorded for OpenTelemetry. */
    public static final class TelemetryOptions extends Members<TelemetryOptions> {
        /** Makes one without members. */
        public TelemetryOptions() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public TelemetryOptions(JsonValue value) {
            super(value);
        }

        /**
         * The share of requests without a parent that become spans. A request with a parent is recorded if that is.
         * From 0 to 1. Default: 1.0.
         *
         * @return the value; null if it is absent
         */
        public Double sampleRate() {
            return one("sample_rate", JsonValue::asDouble);
        }

        /** Sets {@code sample_rate}.
         * @param value the new value
         * @return this */
        public TelemetryOptions sampleRate(double value) {
            return set("sample_rate", value);
        }

        /**
         * Counts how long every request took, recorded or not, for <code>mcp_telemetry_metrics</code>. Default:
         * <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean metrics() {
            return one("metrics", JsonValue::asBoolean);
        }

        /** Sets {@code metrics}.
         * @param value the new value
         * @return this */
        public TelemetryOptions metrics(boolean value) {
            return set("metrics", value);
        }

        /**
         * Hands over <code>{"span": …, "measurement": …}</code> in place of a span, each if there is one: of every
         * request, recorded or not, its duration with the name of the histogram (<code>{"name": …, "value": 0.01,
         * "attributes": […]}</code>). For programs with counters of their own. Default: <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean measurements() {
            return one("measurements", JsonValue::asBoolean);
        }

        /** Sets {@code measurements}.
         * @param value the new value
         * @return this */
        public TelemetryOptions measurements(boolean value) {
            return set("measurements", value);
        }
    }

    /** Where and how a server serves. */
    public static final class Endpoint extends Members<Endpoint> {
        /** Makes one without members. */
        public Endpoint() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public Endpoint(JsonValue value) {
            super(value);
        }

        /**
         * The standard streams of the process; this, <code>url</code> or <code>socket</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean stdio() {
            return one("stdio", JsonValue::asBoolean);
        }

        /** Sets {@code stdio}.
         * @param value the new value
         * @return this */
        public Endpoint stdio(boolean value) {
            return set("stdio", value);
        }

        /**
         * Descriptor 1 leads to descriptor 2 and descriptor 0 to <code>/dev/null</code> until the server ends, so that
         * printing cannot corrupt the protocol. Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean protect() {
            return one("protect", JsonValue::asBoolean);
        }

        /** Sets {@code protect}.
         * @param value the new value
         * @return this */
        public Endpoint protect(boolean value) {
            return set("protect", value);
        }

        /**
         * <code>"unix:PATH"</code> or <code>"tcp:HOST:PORT"</code>: clients connect, each is a session.
         *
         * @return the value; null if it is absent
         */
        public String socket() {
            return one("socket", JsonValue::asText);
        }

        /** Sets {@code socket}.
         * @param value the new value
         * @return this */
        public Endpoint socket(String value) {
            return set("socket", value);
        }

        /**
         * An address that other machines reach is served, too. Default: <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean beyondLoopback() {
            return one("beyond_loopback", JsonValue::asBoolean);
        }

        /** Sets {@code beyond_loopback}.
         * @param value the new value
         * @return this */
        public Endpoint beyondLoopback(boolean value) {
            return set("beyond_loopback", value);
        }

        /**
         * A Unix socket takes no client of another user, root's neither. Default: <code>false</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean sameUser() {
            return one("same_user", JsonValue::asBoolean);
        }

        /** Sets {@code same_user}.
         * @param value the new value
         * @return this */
        public Endpoint sameUser(boolean value) {
            return set("same_user", value);
        }

        /**
         * <code>http://HOST:PORT/PATH</code> or <code>https://HOST:PORT/PATH</code>: Streamable HTTP, every revision
         * that has it.
         *
         * @return the value; null if it is absent
         */
        public String url() {
            return one("url", JsonValue::asText);
        }

        /** Sets {@code url}.
         * @param value the new value
         * @return this */
        public Endpoint url(String value) {
            return set("url", value);
        }

        /**
         * Permitted values of <code>Host</code>, besides those of this machine; beyond loopback besides the host of
         * the URL and addresses. Default: <code>[]</code>.
         *
         * @return the value; empty if it is absent
         */
        public List<String> hosts() {
            return list(get("hosts"), JsonValue::asText);
        }

        /** Sets {@code hosts}.
         * @param value the new value
         * @return this */
        public Endpoint hosts(List<String> value) {
            return set("hosts", value);
        }

        /** Sets {@code hosts}.
         * @param value the new value
         * @return this */
        public Endpoint hosts(String... value) {
            return set("hosts", List.of(value));
        }

        /**
         * Origins of pages in browsers that may use the server, such as <code>https://app.example.com</code>. Default:
         * <code>[]</code>.
         *
         * @return the value; empty if it is absent
         */
        public List<String> origins() {
            return list(get("origins"), JsonValue::asText);
        }

        /** Sets {@code origins}.
         * @param value the new value
         * @return this */
        public Endpoint origins(List<String> value) {
            return set("origins", value);
        }

        /** Sets {@code origins}.
         * @param value the new value
         * @return this */
        public Endpoint origins(String... value) {
            return set("origins", List.of(value));
        }

        /**
         * The path of HTTP+SSE of 2024-11-05, beside Streamable HTTP.
         *
         * @return the value; null if it is absent
         */
        public String sse() {
            return one("sse", JsonValue::asText);
        }

        /** Sets {@code sse}.
         * @param value the new value
         * @return this */
        public Endpoint sse(String value) {
            return set("sse", value);
        }

        /**
         * The certificate of a URL with <code>https</code>, a PEM file.
         *
         * @return the value; null if it is absent
         */
        public String certificateFile() {
            return one("certificate_file", JsonValue::asText);
        }

        /** Sets {@code certificate_file}.
         * @param value the new value
         * @return this */
        public Endpoint certificateFile(String value) {
            return set("certificate_file", value);
        }

        /**
         * Its private key, a PEM file.
         *
         * @return the value; null if it is absent
         */
        public String keyFile() {
            return one("key_file", JsonValue::asText);
        }

        /** Sets {@code key_file}.
         * @param value the new value
         * @return this */
        public Endpoint keyFile(String value) {
            return set("key_file", value);
        }

        /**
         * The library accepts connections. Without, an HTTP server of the program gives requests to
         * <code>mcp_server_http</code>. Default: <code>true</code>.
         *
         * @return the value; null if it is absent
         */
        public Boolean listen() {
            return one("listen", JsonValue::asBoolean);
        }

        /** Sets {@code listen}.
         * @param value the new value
         * @return this */
        public Endpoint listen(boolean value) {
            return set("listen", value);
        }

        /**
         * The path at which the health of the server is told.
         *
         * @return the value; null if it is absent
         */
        public String health() {
            return one("health", JsonValue::asText);
        }

        /** Sets {@code health}.
         * @param value the new value
         * @return this */
        public Endpoint health(String value) {
            return set("health", value);
        }

        /**
         * The path at which counters are told, for Prometheus.
         *
         * @return the value; null if it is absent
         */
        public String metrics() {
            return one("metrics", JsonValue::asText);
        }

        /** Sets {@code metrics}.
         * @param value the new value
         * @return this */
        public Endpoint metrics(String value) {
            return set("metrics", value);
        }

        /**
         * A server card is served (SEP-2127).
         *
         * @return the value; null if it is absent
         */
        public EndpointCardConfig card() {
            return one("card", EndpointCardConfig::new);
        }

        /** Sets {@code card}.
         * @param value the new value
         * @return this */
        public Endpoint card(EndpointCardConfig value) {
            return set("card", value);
        }
    }

    /** The members of <code>card</code>. */
    public static final class EndpointCardConfig extends Members<EndpointCardConfig> {
        /** Makes one without members. */
        public EndpointCardConfig() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public EndpointCardConfig(JsonValue value) {
            super(value);
        }

        /**
         * The reversed name of your domain, a slash and the name of the server; necessary.
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public EndpointCardConfig name(String value) {
            return set("name", value);
        }

        /**
         * What the server is for; without it that of the server.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public EndpointCardConfig description(String value) {
            return set("description", value);
        }

        /**
         * The public URL, if it is another one than the one that is served.
         *
         * @return the value; null if it is absent
         */
        public String url() {
            return one("url", JsonValue::asText);
        }

        /** Sets {@code url}.
         * @param value the new value
         * @return this */
        public EndpointCardConfig url(String value) {
            return set("url", value);
        }
    }

    /** What a handler wants of the task that it becomes. */
    public static final class TaskOptions extends Members<TaskOptions> {
        /** Makes one without members. */
        public TaskOptions() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public TaskOptions(JsonValue value) {
            super(value);
        }

        /**
         * How long the task is kept. From 1 to 31536000000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration ttl() {
            return duration(get("ttl_ms"), 1);
        }

        /** Sets {@code ttl_ms}.
         * @param value the new value
         * @return this */
        public TaskOptions ttl(Duration value) {
            return set("ttl_ms", count(value, 1));
        }

        /**
         * How often the client should ask for it. From 1 to 31536000000 ms.
         *
         * @return the value; null if it is absent
         */
        public Duration pollInterval() {
            return duration(get("poll_interval_ms"), 1);
        }

        /** Sets {@code poll_interval_ms}.
         * @param value the new value
         * @return this */
        public TaskOptions pollInterval(Duration value) {
            return set("poll_interval_ms", count(value, 1));
        }

        /**
         * What a person may read about it.
         *
         * @return the value; null if it is absent
         */
        public String statusMessage() {
            return one("status_message", JsonValue::asText);
        }

        /** Sets {@code status_message}.
         * @param value the new value
         * @return this */
        public TaskOptions statusMessage(String value) {
            return set("status_message", value);
        }

        /**
         * With a store: how often its call may begin in all, each time in another process when the one before is gone.
         * From 1 to 100. Default: 1.
         *
         * @return the value; null if it is absent
         */
        public Long attempts() {
            return one("attempts", JsonValue::asLong);
        }

        /** Sets {@code attempts}.
         * @param value the new value
         * @return this */
        public TaskOptions attempts(long value) {
            return set("attempts", value);
        }
    }

    /** What the server is told about the program. The library fills in what is absent. */
    public static final class ClientInfo extends Members<ClientInfo> {
        /** Makes one without members. */
        public ClientInfo() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ClientInfo(JsonValue value) {
            super(value);
        }

        /**
         * An optional human-readable description of what this implementation does.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public ClientInfo description(String value) {
            return set("description", value);
        }

        /**
         * Optional set of sized icons that the client can display in a user interface.
         *
         * @return the value; empty if it is absent
         */
        public List<Protocol.Icon> icons() {
            return list(get("icons"), Protocol.Icon::new);
        }

        /** Sets {@code icons}.
         * @param value the new value
         * @return this */
        public ClientInfo icons(List<? extends Protocol.Icon> value) {
            return set("icons", value);
        }

        /**
         * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
         * isn't present).
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public ClientInfo name(String value) {
            return set("name", value);
        }

        /**
         * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
         * unfamiliar with domain-specific terminology.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public ClientInfo title(String value) {
            return set("title", value);
        }

        /**
         * The version of this implementation.
         *
         * @return the value; null if it is absent
         */
        public String version() {
            return one("version", JsonValue::asText);
        }

        /** Sets {@code version}.
         * @param value the new value
         * @return this */
        public ClientInfo version(String value) {
            return set("version", value);
        }

        /**
         * An optional URL of the website for this implementation.
         *
         * @return the value; null if it is absent
         */
        public String websiteUrl() {
            return one("websiteUrl", JsonValue::asText);
        }

        /** Sets {@code websiteUrl}.
         * @param value the new value
         * @return this */
        public ClientInfo websiteUrl(String value) {
            return set("websiteUrl", value);
        }
    }
}
