//! How a command fails: exit codes, the text for people, the JSON for programs.
//!
//! The codes and the envelope `{"error":{"code","message",…}}` are those of the official inspector's `--cli`.

use mcp::client::json_text::{member, quote, string};
use mcp::client::{Error, Message, Status, without_passwords};

/// Wrong arguments, and every failure that has no code of its own.
pub const OTHER: u8 = 1;
/// The server wants a login.
pub const AUTH: u8 = 3;
/// The server was not reached, or did not answer in time.
pub const UNREACHED: u8 = 4;
/// The tool reported an error.
pub const TOOL: u8 = 5;
/// `diff` found a change, or `doctor` a fault.
pub const FOUND: u8 = 6;
/// An entry of a project's file that the person has not approved.
pub const NOT_APPROVED: u8 = 7;
/// Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// What the library says of its parameters, and the option for it.
const OPTIONS: [(&str, &str); 35] = [
    (
        "with 'env', or give all variables with \"inherit_env\": \"all\"",
        "with --env, or give all variables with --set inherit_env=all",
    ),
    ("check 'command', 'args' or the address", "check the command or the address"),
    ("correct 'socket', or", "correct the address, or"),
    (
        "and the config permits only the modern one; set 'protocol' to \"auto\" or a legacy revision",
        "and only the modern one is permitted; give --protocol auto or legacy",
    ),
    ("give its full path as 'command', or set PATH in 'env'", "give its full path, or set PATH with --env"),
    (
        "give the program alone as 'command' and the words behind it as 'args'",
        "give the program and each of its words behind `--`",
    ),
    ("name the program behind it as 'command'", "name the program behind it"),
    ("its interpreter as 'command'", "its interpreter before it"),
    (
        "reach the server by 'url' or 'socket', or have it in this process",
        "reach the server at a URL or a socket",
    ),
    ("\"flow\":\"browser\" in 'auth' logs in", "`mcp login` without --device logs in"),
    (
        "are named in the config (capabilities.extensions, result_types)",
        "are named with --set capabilities.extensions and result_types",
    ),
    ("give 'tasks': true in the config", "give --set tasks=true"),
    ("raise timeout_ms for this call or timeouts in the config", "raise --timeout"),
    ("raise max_total_ms for this call or tasks.life_ms in the config", "raise --timeout"),
    ("raise max_total_ms for this call or timeouts.max_total_ms", "raise --timeout"),
    ("raise timeout_ms", "raise --timeout"),
    ("raise max_total_ms", "raise --timeout"),
    ("capability_checks false", "--set capability_checks=false"),
    (
        ". The result is in 'data'; with validate_results false results come unchecked",
        "; --no-validate takes such results",
    ),
    ("validate_results false", "--no-validate"),
    ("or correct 'socket'", "or correct the address"),
    ("(cwd) does not exist", "(--cwd) does not exist"),
    ("(cwd) cannot be entered", "(--cwd) cannot be entered"),
    ("timeouts in the config", "--timeout"),
    ("; change 'protocol' in the config if libmcp speaks it", ""),
    ("give 'roots' in the config, [] for none", "give --root FOLDER"),
    (
        "give 'auth' in the config, or a token of your own in 'headers'",
        "log in with `mcp login`, or give a token with -H 'Authorization: …'",
    ),
    ("the port in 'url'", "the port of the URL"),
    ("the host in 'url'", "the host of the URL"),
    ("the path in 'url'", "the path of the URL"),
    ("whether 'url' is", "whether the URL is"),
    ("set 'url' to that server", "name that server"),
    ("Set 'url' to the place", "Name the place"),
    ("Check 'url'", "Check the URL"),
    ("Use https in 'url'; 'auth.allow_http' permits", "Use https; --set auth.allow_http=true permits"),
];

/// Keys of logins that errors of logins name, and the option for each.
const LOGIN_OPTIONS: [(&str, &str); 8] = [
    ("'auth.client_id'", "--client-id"),
    ("'auth.client_secret'", "--client-secret-file"),
    ("'auth.redirect_uri'", "--callback"),
    ("'auth.issuer'", "--issuer"),
    ("'auth.scopes'", "--scope"),
    ("'auth.client_metadata_url'", "--set auth.client_metadata_url=URL"),
    ("auth.client_id and auth.token_endpoint_auth_method", "--set auth.token_endpoint_auth_method=METHOD"),
    ("'auth.allow_private_addresses'", "--set auth.allow_private_addresses=true"),
];

/// What the library says behind the command that makes a login, and what is behind the scopes.
const LACKS: (&str, &str) = ("; the login lacks the scopes '", "'");

/// Objects of the configuration whose members errors name, such as `limits.frame_bytes`.
const PARTS: [&str; 6] = ["limits.", "timeouts.", "tasks.", "reconnect.", "checks.", "keepalive."];

/// An error of the library with options of the program in the place of keys and parameters.
fn in_words_of_the_program(message: &str) -> String {
    let mut message = message.to_owned();
    for (theirs, ours) in OPTIONS {
        message = message.replace(theirs, ours);
    }
    // What is wrong with a configuration is told with its key.
    if message.contains("config key") {
        return message;
    }
    for (theirs, ours) in LOGIN_OPTIONS {
        message = message.replace(theirs, ours);
    }
    if let Some(command) = with_scopes(&message) {
        return command;
    }
    let is_of_key = |c: char| c.is_ascii_lowercase() || matches!(c, '_' | '.');
    let key = message
        .split(|c| !is_of_key(c))
        .map(|word| word.trim_end_matches('.'))
        .find(|word| PARTS.iter().any(|part| word.len() > part.len() && word.starts_with(part)));
    match key {
        Some("limits.frame_bytes") if !message.contains("--set") => {
            message.replace("limits.frame_bytes", "--max-message")
        }
        Some(key) if !message.contains("--set") => format!("{message} (--set {key}=VALUE)"),
        _ => message,
    }
}

/// The command that makes a login, with the scopes that it lacks. A server names these: only what means nothing to a shell becomes a part of a
/// command.
fn with_scopes(message: &str) -> Option<String> {
    let (command, rest) = message.split_once(LACKS.0)?;
    let command = command.strip_suffix('`')?;
    let scopes = rest.strip_suffix(LACKS.1)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | ' ');
    let may_begin = |scope: &str| !scope.starts_with('-');
    if !scopes.chars().all(is_plain) || !scopes.split(' ').all(may_begin) {
        return None;
    }
    let mut command = command.to_owned();
    for scope in scopes.split(' ').filter(|scope| !scope.is_empty()) {
        command.push_str(" --scope ");
        command.push_str(scope);
    }
    command.push('`');
    Some(command)
}

/// Why a command failed.
#[derive(Debug)]
pub struct Failure {
    pub exit: u8,
    code: &'static str,
    message: String,
    /// The library's error object, JSON text.
    details: Option<String>,
    /// Whether the person has been told already.
    pub is_told: bool,
}

impl Failure {
    /// A fault of the command line or of a file that it names.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { exit: OTHER, code: "usage", message: message.into(), details: None, is_told: false }
    }

    /// Something that the machine refused.
    pub fn machine(message: impl Into<String>) -> Failure {
        Failure { exit: OTHER, code: "error", message: message.into(), details: None, is_told: false }
    }

    /// The server is not there.
    pub fn unreached(message: impl Into<String>) -> Failure {
        Failure {
            exit: UNREACHED,
            code: "unreachable",
            message: message.into(),
            details: None,
            is_told: false,
        }
    }

    /// The tool said that it failed; its text is in the result.
    pub fn tool(name: &str) -> Failure {
        Failure {
            exit: TOOL,
            code: "tool_error",
            message: format!("the tool '{name}' reported an error"),
            details: None,
            is_told: false,
        }
    }

    /// A comparison or a check found something, which is in the result.
    pub fn found(message: impl Into<String>) -> Failure {
        Failure { exit: FOUND, code: "found", message: message.into(), details: None, is_told: false }
    }

    /// Something of a project that the person has not approved.
    pub fn not_approved(message: impl Into<String>) -> Failure {
        Failure {
            exit: NOT_APPROVED,
            code: "not_approved",
            message: message.into(),
            details: None,
            is_told: false,
        }
    }

    /// Ctrl-C.
    pub fn interrupted() -> Failure {
        Failure {
            exit: INTERRUPTED,
            code: "interrupted",
            message: "interrupted".to_owned(),
            details: None,
            is_told: false,
        }
    }

    /// Whether the server answered, with a refusal or against the protocol.
    pub fn is_of_answer(&self) -> bool {
        matches!(self.code, "server" | "protocol" | "unsupported")
    }

    /// The HTTP status that it is about.
    pub fn http_status(&self) -> Option<u16> {
        member(member(self.details.as_deref()?, "details")?, "http_status")?.parse().ok()
    }

    /// The outcome of a call that failed.
    pub fn reply(message: &Message) -> Failure {
        let details = message.json().to_owned();
        let said = member(&details, "message").and_then(string).unwrap_or_default().into_owned();
        Failure::library(message.status(), &said, details)
    }

    fn library(status: Status, message: &str, details: String) -> Failure {
        // What a server says stays as it is.
        let message = match status {
            Status::Server => message.to_owned(),
            _ => in_words_of_the_program(message),
        };
        let (exit, code) = match status {
            Status::Auth => (AUTH, "auth_required"),
            Status::Unavailable | Status::Transport | Status::Closed => (UNREACHED, "unreachable"),
            Status::Timeout => (UNREACHED, "timeout"),
            Status::Server => (OTHER, "server"),
            Status::Unsupported => (OTHER, "unsupported"),
            Status::Protocol => (OTHER, "protocol"),
            Status::InvalidArgument => (OTHER, "usage"),
            _ => (OTHER, "error"),
        };
        Failure { exit, code, message, details: Some(details), is_told: false }
    }

    /// The same failure of a session `@NAME`: its bridge, which is this program, says what is wrong with the server behind it. Of any
    /// other server such words are its own.
    pub fn of_session(self) -> Failure {
        if self.code != "server" {
            return self;
        }
        let (exit, code) = match self.details.as_deref().and_then(bridged).as_deref() {
            Some("auth_required") => (AUTH, "auth_required"),
            Some("unreachable") => (UNREACHED, "unreachable"),
            Some("timeout") => (UNREACHED, "timeout"),
            _ => return self,
        };
        Failure { exit, code, ..self }
    }

    /// The result of a call that the library would not give: what it says is wrong with it is the failure.
    pub fn result(&self) -> Option<&str> {
        member(self.details.as_deref()?, "data").filter(|data| member(data, "content").is_some())
    }

    /// The same failure in the words of another, which knows more; what is for programs stays.
    pub fn in_words_of(self, other: Failure) -> Failure {
        if self.code == "server" { Failure { message: other.message, ..self } } else { other }
    }

    /// The same failure with whose words they are: a text of a server may be that of a library in it, such as `fetch failed`.
    pub fn answered(self, method: &str) -> Failure {
        let code = self.details.as_deref().and_then(|details| member(details, "code")).unwrap_or("?");
        let said = match self.message.trim() {
            "" => format!("{code} without a text"),
            said => said.to_owned(),
        };
        Failure { message: format!("the server answered {method} with an error: {said}"), ..self }
    }

    /// The same failure with more text.
    pub fn and(self, more: &str) -> Failure {
        Failure { message: format!("{}; {more}", self.message), ..self }
    }

    /// Whether the name that was asked for may be the reason.
    pub fn may_be_a_name(&self) -> bool {
        matches!(self.code, "server" | "tool_error")
    }

    /// Whether another request of the same connection may work.
    pub fn is_of_one_request(&self) -> bool {
        matches!(self.code, "server" | "unsupported" | "protocol" | "error")
    }

    /// Whether the time was over.
    pub fn is_late(&self) -> bool {
        self.code == "timeout"
    }

    /// Whether the server does not have what was asked for.
    pub fn is_unsupported(&self) -> bool {
        self.code == "unsupported"
    }

    /// What is written for people, without a line break at the end. A word of the command line may be a URL with a password.
    pub fn text(&self) -> String {
        without_passwords(&self.message).into_owned()
    }

    /// What is written for programs: one line.
    pub fn json(&self) -> String {
        let mut text =
            format!("{{\"error\":{{\"code\":\"{}\",\"message\":{}", self.code, quote(&self.text()));
        if let Some(details) = &self.details {
            text.push_str(",\"details\":");
            let mut line = Vec::new();
            mcp::client::json_text::one_line_into(details, &mut line);
            text.push_str(&String::from_utf8_lossy(&line));
        }
        text.push_str("}}");
        text
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::library(error.status, &error.message, error.to_json())
    }
}

/// What a bridge says of the server behind it, in an error.
fn bridged(error: &str) -> Option<String> {
    let data = member(error, "data")?;
    member(data, "bridge").and_then(string).map(std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_inspector() {
        let exit = |status| Failure::from(Error::new(status, "connect", "why")).exit;
        assert_eq!(exit(Status::Auth), 3);
        assert_eq!(exit(Status::Transport), 4);
        assert_eq!(exit(Status::Timeout), 4);
        assert_eq!(exit(Status::Server), 1);
        assert_eq!(Failure::tool("x").exit, 5);
        assert_eq!(Failure::usage("x").exit, 1);
        assert_eq!(Failure::not_approved("x").exit, 7);
    }

    #[test]
    fn c27_a_dead_server_behind_a_session_is_one_that_is_not_reached() {
        for (data, exit) in [
            (r#"{"bridge":"unreachable"}"#, super::UNREACHED),
            (r#"{"bridge":"timeout"}"#, super::UNREACHED),
            (r#"{"bridge":"auth_required"}"#, super::AUTH),
            (r#"{"bridge":"other"}"#, super::OTHER),
            ("7", super::OTHER),
        ] {
            let error = format!(r#"{{"status":"server","message":"m","code":-32603,"data":{data}}}"#);
            let failure = || super::Failure::library(mcp::client::Status::Server, "m", error.clone());
            assert_eq!(failure().of_session().exit, exit, "{data}");
            assert_eq!(failure().exit, super::OTHER, "another server says {data}");
        }
    }

    #[test]
    fn no_error_has_the_password_of_a_url() {
        let failure = Failure::usage("'https://u:s3cret@h/' is one word too many");
        assert_eq!(failure.text(), "'https://****@h/' is one word too many");
        assert!(failure.json().contains("https://****@h/") && !failure.json().contains("s3cret"));
    }

    #[test]
    fn an_error_of_a_server_is_told_as_one_with_its_own_words() {
        for (said, told) in
            [("fetch failed", "fetch failed"), ("", "-32603 without a text"), (" ", "-32603 without a text")]
        {
            let details = "{\"code\":-32603}".to_owned();
            let failure = Failure::library(Status::Server, said, details).answered("tools/call");
            assert_eq!(failure.text(), format!("the server answered tools/call with an error: {told}"));
        }
    }

    #[test]
    fn the_envelope_is_one_line_of_json() {
        let json =
            Failure::from(Error::new(Status::Transport, "connect", "no \"one\"\nthere").with("n", 1)).json();
        assert!(!json.contains('\n'), "{json}");
        let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(value["error"]["code"], "unreachable");
        assert_eq!(value["error"]["message"], "no \"one\"\nthere");
        assert_eq!(value["error"]["details"]["details"]["n"], 1);
    }

    /// The texts of a folder of sources, with the lines of a text joined.
    fn texts_below(folder: &std::path::Path, all: &mut String) {
        for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
        {
            if entry.is_dir() {
                texts_below(&entry, all);
            } else {
                let text = std::fs::read_to_string(&entry).unwrap_or_default();
                let parts = text.split("\\\n").enumerate();
                let parts = parts.map(|(at, part)| if at == 0 { part } else { part.trim_start() });
                all.extend(parts.map(|part| part.replace("\\\"", "\"")));
            }
        }
    }

    #[test]
    fn the_library_says_what_is_told_as_an_option() {
        let mut all = String::new();
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for folder in ["src", "crates/base/src", "crates/core/src"].map(|folder| root.join(folder)) {
            if folder.is_dir() {
                texts_below(&folder, &mut all);
            }
        }
        for (theirs, _) in OPTIONS.iter().chain(&LOGIN_OPTIONS).chain([&LACKS]) {
            assert!(all.contains(theirs), "no error has this phrase any more: {theirs}");
        }
    }

    #[test]
    fn keys_of_the_library_are_told_as_options() {
        for (theirs, ours) in [
            (
                "the server did not answer within 2000 ms; raise timeout_ms for this call or timeouts in the config",
                "the server did not answer within 2000 ms; raise --timeout",
            ),
            (
                "Nothing was sent; with capability_checks false it is asked all the same",
                "Nothing was sent; with --set capability_checks=false it is asked all the same",
            ),
            (
                "the answer has 9 bytes, and limits.frame_bytes allows 8",
                "the answer has 9 bytes, and --max-message allows 8",
            ),
            ("config key 'limits.x': it is unknown", "config key 'limits.x': it is unknown"),
            ("config key 'auth.issuer': it is missing", "config key 'auth.issuer': it is missing"),
            ("give its id as 'auth.client_id'", "give its id as --client-id"),
            (
                "run `mcp login h`; the login lacks the scopes 'read notes:write'",
                "run `mcp login h --scope read --scope notes:write`",
            ),
            (
                "run `mcp login h`; the login lacks the scopes 'a;$(id)'",
                "run `mcp login h`; the login lacks the scopes 'a;$(id)'",
            ),
            (
                "run `mcp login h`; the login lacks the scopes '--set x'",
                "run `mcp login h`; the login lacks the scopes '--set x'",
            ),
            ("no TLS here; look at the port in 'url', or", "no TLS here; look at the port of the URL, or"),
        ] {
            assert_eq!(in_words_of_the_program(theirs), ours);
        }
    }

    /// The texts in double quotes of a source, without its comments and tests, with lines that go on joined.
    fn texts(source: &str) -> Vec<String> {
        let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let is_comment = |line: &&str| !line.trim_start().starts_with("//");
        let code: String = code.lines().filter(is_comment).flat_map(|line| [line, "\n"]).collect();
        let (mut all, mut inside, mut rest) = (Vec::new(), None::<String>, code.chars().peekable());
        while let Some(c) = rest.next() {
            match (&mut inside, c) {
                // A quote as a character.
                (None, '\'') if rest.peek() == Some(&'"') => {
                    rest.next();
                }
                (None, '"') => inside = Some(String::new()),
                (None, _) => {}
                (Some(_), '"') => all.extend(inside.take()),
                (Some(text), '\\') => match rest.next() {
                    Some('\n') => while rest.next_if(|c| c.is_whitespace()).is_some() {},
                    Some(c) => text.push(c),
                    None => {}
                },
                (Some(text), c) => text.push(c),
            }
        }
        all
    }

    #[test]
    fn no_error_of_the_library_names_a_key_where_the_program_has_an_option() {
        // They are for programs that use the library, and this one does not come to them.
        const OF_PROGRAMS: [&str; 2] =
            ["only the application can log out there", "give 'auth' together with 'url'"];
        const KEYS: [&str; 9] = [
            " in the config",
            "'url'",
            "'command'",
            "'args'",
            "'env'",
            "'protocol'",
            "'socket'",
            "timeout_ms",
            "max_total_ms",
        ];
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut open: Vec<std::path::PathBuf> = ["src", "crates/base/src", "crates/core/src"]
            .map(|folder| root.join(folder))
            .into_iter()
            .filter(|path| path.is_dir())
            .collect();
        let mut seen = 0;
        while let Some(path) = open.pop() {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            if path.is_dir() {
                // What is read of a configuration names its keys, and servers are another side.
                let is_other =
                    ["tests", "ffi", "server", "config", "simulation", "fuzzing"].contains(&name.as_str());
                let inner =
                    std::fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path());
                open.extend(inner.filter(|_| !is_other));
                continue;
            }
            if name.contains("test") || path.extension().is_none_or(|end| end != "rs") {
                continue;
            }
            for text in texts(&std::fs::read_to_string(&path).expect("a source")) {
                if !text.contains(' ') || text.len() < 20 || OF_PROGRAMS.iter().any(|own| text.contains(own))
                {
                    continue;
                }
                seen += 1;
                let said = in_words_of_the_program(&text);
                let key = KEYS.into_iter().find(|key| said.contains(key));
                assert_eq!(key, None, "{}: {said}", path.display());
            }
        }
        assert!(seen > 500, "{seen} texts");
    }
}
