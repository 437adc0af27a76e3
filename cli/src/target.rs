//! Which server a command line means, as the configuration of a client.
//!
//! A command behind `--`; a bundle (`.mcpb`); a session (`@NAME`); a URL; a socket (`unix:`, `tcp:`); a program (a path, or a command line in one word); the name of a
//! configured server.

use crate::arguments::Common;
use crate::failure::Failure;
use crate::servers;
use mcp::client::without_password;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// A server, and how people call it.
#[derive(Clone, Debug)]
pub struct Target {
    /// For messages to a person.
    pub shown: String,
    /// The configuration of a client.
    pub config: Map<String, Value>,
}

/// Splits the words of a command into the server and the rest.
pub fn split(
    words: &[String],
    program: &[String],
    common: &Common,
) -> Result<(Target, Vec<String>), Failure> {
    if !program.is_empty() {
        return Ok((configured(command(program)?, common, &Own::all(common))?, words.to_vec()));
    }
    let Some((target, rest)) = words.split_first() else {
        return Err(Failure::usage(
            "no server is named: give the name of a configured server (`mcp servers` lists them), a URL, a program, or \
             `-- COMMAND`",
        ));
    };
    Ok((named(target, common)?, rest.to_vec()))
}

/// The server that one word names.
pub fn named(word: &str, common: &Common) -> Result<Target, Failure> {
    configured(find(word, common)?, common, &Own::all(common))
}

/// One of several servers, as the command line has it.
pub struct Behind {
    /// How the others tell it apart.
    pub name: String,
    /// The word for it, which an option may call it by, too.
    pub word: String,
    /// Without what the options add.
    pub target: Target,
}

/// Several servers, each with what the options add for it.
pub fn several(all: &mut [Behind], common: &Common) -> Result<(), Failure> {
    let called: Vec<[String; 2]> =
        all.iter().map(|behind| [behind.name.clone(), behind.word.clone()]).collect();
    for (at, behind) in all.iter_mut().enumerate() {
        let own = Own::of(common, &called, at)?;
        behind.target = configured(behind.target.clone(), common, &own)?;
    }
    Ok(())
}

/// The server behind `--`, without what the options add.
pub fn started(program: &[String]) -> Result<Target, Failure> {
    command(program)
}

/// What the options say for one server: the rest is for all of them.
struct Own<'a> {
    headers: Vec<&'a str>,
    environment: Vec<&'a str>,
    set: Vec<&'a str>,
}

impl<'a> Own<'a> {
    /// All there is, where there is one server.
    fn all(common: &'a Common) -> Own<'a> {
        let all = |words: &'a [String]| words.iter().map(String::as_str).collect();
        Own { headers: all(&common.headers), environment: all(&common.environment), set: all(&common.set) }
    }

    /// What is for the server at `at`. A credential is made for one place: with several servers each header and variable says for which
    /// it is, and so does a key of the configuration that may be one.
    fn of(common: &'a Common, called: &[[String; 2]], at: usize) -> Result<Own<'a>, Failure> {
        let own = |words: &'a [String],
                   option: &str,
                   end: char,
                   value: &str,
                   is_for_all: fn(&str) -> bool| {
            let mut own = Vec::new();
            for word in words {
                // One server may be called `a`, and another one `a:b`.
                let names = called.iter().flatten().map(String::as_str);
                let rest = |name: &str| word.strip_prefix(name).and_then(|rest| rest.strip_prefix(':'));
                let chosen = names.filter(|name| rest(name).is_some()).max_by_key(|name| name.len());
                match chosen {
                    Some(name) => {
                        let meant: Vec<&[String; 2]> =
                            called.iter().filter(|own| own.iter().any(|own| own == name)).collect();
                        // One server may have the name by which the line calls another one. Twice the same word is one place.
                        if meant.windows(2).any(|two| two[0][1] != two[1][1]) {
                            let which: Vec<String> = meant
                                .iter()
                                .map(|[name, word]| format!("'{name}' ({})", servers::masked_url(word)))
                                .collect();
                            // The value may be a secret.
                            let key = rest(name)
                                .and_then(|rest| rest.split_once(end))
                                .map_or("NAME", |(key, _)| key);
                            return Err(Failure::usage(format!(
                                "{option} {}:{key}: '{}' may be each of {}; call the one that is meant by what no other is called",
                                servers::masked_url(name),
                                servers::masked_url(name),
                                which.join(" and ")
                            )));
                        }
                        if called.get(at).is_some_and(|own| own.iter().any(|own| own == name)) {
                            own.extend(rest(name));
                        }
                    }
                    None if is_for_all(word) => own.push(word),
                    None => {
                        // The value may be a secret.
                        let key = word.split_once(end).map_or("NAME", |(key, _)| key);
                        let known: Vec<&str> = called.iter().map(|[name, _]| name.as_str()).collect();
                        return Err(Failure::usage(format!(
                            "{option} {key}: there are several servers; write {option} 'SERVER:{key}{value}', where SERVER is one of {}",
                            known.join(", ")
                        )));
                    }
                }
            }
            Ok(own)
        };
        Ok(Own {
            headers: own(&common.headers, "--header", ':', ": VALUE", |_| false)?,
            environment: own(&common.environment, "--env", '=', "=VALUE", |_| false)?,
            set: own(&common.set, "--set", '=', "=VALUE", |word| !may_be_secret(word))?,
        })
    }
}

/// Whether a key of the configuration may have a credential in it.
fn may_be_secret(setting: &str) -> bool {
    let key = setting.split('=').next().unwrap_or_default();
    ["headers", "env", "auth", "proxy"].contains(&key.split('.').next().unwrap_or_default())
        || key.starts_with("tls.client")
        || key == "tls"
}

/// The server that one word names, without what the options add.
pub fn find(word: &str, common: &Common) -> Result<Target, Failure> {
    // A URL may be copied with the spaces around it.
    let is_url = |text: &str| text.contains("://") && !text.contains(char::is_whitespace);
    let word = Some(word.trim()).filter(|text| is_url(text)).unwrap_or(word);
    let one = |key: &str| {
        let config = Map::from_iter([(key.to_owned(), Value::from(word))]);
        Target { shown: servers::masked_url(word), config }
    };
    let is_odd = word.starts_with('@') || word.contains(|c: char| c.is_whitespace() || c == '/');
    if is_odd && servers::has_name(word, common.config.as_deref()) {
        return servers::find(word, common);
    }
    if crate::bundle::is_bundle(word) && !servers::has_name(word, common.config.as_deref()) {
        return crate::bundle::target(word, common);
    }
    if let Some(session) = word.strip_prefix('@') {
        return crate::session_daemon::target(session).map_err(|failure| {
            let meant = servers::did_you_mean(word, common.config.as_deref());
            match meant.strip_prefix("; ") {
                Some(meant) if !failure.text().contains("did you mean") => failure.and(meant),
                _ => failure,
            }
        });
    }
    if let Some(mistyped) = mistyped_url(word).filter(|_| !servers::has_name(word, common.config.as_deref()))
    {
        return Err(mistyped);
    }
    let scheme = word.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    if matches!(scheme.as_deref(), Some("http" | "https")) {
        let shown = without_password(word);
        if shown.contains("://****@") {
            return Err(Failure::usage(format!(
                "'{shown}' has a user name or password in it; give them with --header 'Authorization: …' (for a name and a password: \
                 Basic and both, with a colon between them, in Base64), or log in with `mcp login`"
            )));
        }
        return Ok(one("url"));
    }
    if word.starts_with("unix:") || word.starts_with("tcp:") {
        return Ok(one("socket"));
    }
    // A command line may have a URL among its words.
    let scheme = word.find("://").map(|at| &word[..at]);
    if let Some(scheme) = scheme.filter(|scheme| !scheme.contains(char::is_whitespace)) {
        return Err(Failure::usage(format!(
            "'{}' is a URL with the scheme '{scheme}'; a server has http, https, or a socket (unix:PATH, tcp:HOST:PORT)",
            without_password(word)
        )));
    }
    if word.contains(char::is_whitespace) {
        let parts = shlex::split(word).filter(|parts| !parts.is_empty());
        let parts = parts
            .ok_or_else(|| Failure::usage("this looks like a command line, but a quote in it has no end"))?;
        return command_or_name(word, &parts, common);
    }
    if word.contains(std::path::MAIN_SEPARATOR) && !word.contains(':') {
        return command_or_name(word, &[word.to_owned()], common);
    }
    servers::find(word, common)
}

/// The failure of a word that is a URL with a mistyped scheme. The word itself is not told: where its password ends is known of the URL
/// that was meant.
pub fn mistyped_url(word: &str) -> Option<Failure> {
    let meant = without_password(&with_scheme(word)?);
    Some(Failure::usage(format!("this is not a URL; did you mean '{meant}'?")))
}

/// The URL that a word would be if its scheme were written right: `http:/host`, `https//host`, `http:\\host`.
fn with_scheme(word: &str) -> Option<String> {
    ["https", "http"].into_iter().find_map(|scheme| {
        let (start, rest) = word.split_at_checked(scheme.len())?;
        let is_mistyped =
            [":", "//", "\\\\"].iter().any(|begin| rest.starts_with(begin)) && !rest.starts_with("://");
        let rest = rest.trim_start_matches([':', '/', '\\']);
        let is_host = rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[');
        (start.eq_ignore_ascii_case(scheme) && is_mistyped && is_host).then(|| format!("{scheme}://{rest}"))
    })
}

/// Whether a path begins with what looks like the name of a host, such as `mcp.example.com/mcp`.
fn begins_with_host(path: &str) -> bool {
    let host = path.split('/').next().unwrap_or_default();
    let mut labels = host.split('.');
    let is_label = |label: &str| {
        !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
    };
    let is_top = |label: &str| label.len() > 1 && label.chars().all(|c| c.is_ascii_alphabetic());
    labels.next_back().is_some_and(is_top) && host.contains('.') && labels.all(is_label)
}

/// A command line. Where its program cannot be found, the error says which configured server or URL was probably meant.
fn command_or_name(word: &str, parts: &[String], common: &Common) -> Result<Target, Failure> {
    let target = command(parts)?;
    if parts.first().is_some_and(|program| !can_start(program)) {
        let meant = servers::did_you_mean(word, common.config.as_deref());
        if !meant.is_empty() {
            return Err(Failure::usage(format!(
                "'{word}' is neither a server that a file here has nor a program{meant}"
            )));
        }
        if parts.len() == 1 && begins_with_host(word) && common.cwd.is_none() {
            return Err(Failure::usage(format!(
                "there is no program '{word}'; for a server at a URL write https://{word} or http://{word}"
            )));
        }
    }
    Ok(target)
}

/// Whether there is a file that a program of this name would be.
fn can_start(program: &str) -> bool {
    if program.contains(std::path::MAIN_SEPARATOR) {
        return std::path::Path::new(program).exists();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).exists())
}

fn command(words: &[String]) -> Result<Target, Failure> {
    let Some((program, arguments)) = words.split_first().filter(|(program, _)| !program.is_empty()) else {
        return Err(Failure::usage("the command behind `--` is empty"));
    };
    let mut config = Map::new();
    config.insert("command".to_owned(), json!(program));
    config.insert("args".to_owned(), json!(arguments));
    Ok(Target { shown: program.clone(), config })
}

/// The target with what the options add.
fn configured(mut target: Target, common: &Common, own: &Own<'_>) -> Result<Target, Failure> {
    let config = &mut target.config;
    let starts = config.contains_key("command");
    let reaches = config.contains_key("url");
    if !own.headers.is_empty() {
        if !reaches {
            return Err(Failure::usage(
                "--header is for a server at a URL; this one is started or reached by a socket",
            ));
        }
        let mut headers = taken(config, "headers");
        for header in &own.headers {
            let (name, value) = header
                .split_once(':')
                .ok_or_else(|| Failure::usage("--header needs 'NAME: VALUE'; there is no colon"))?;
            servers::put_header(&mut headers, name.trim(), value.trim().into());
        }
        config.insert("headers".to_owned(), Value::Object(headers));
    }
    if !starts && (!own.environment.is_empty() || common.cwd.is_some()) {
        return Err(Failure::usage("--env and --cwd are for a server that is started; this one is reached"));
    }
    let mut variables = taken(config, "env");
    for &variable in &own.environment {
        let (name, value) = match variable.split_once('=') {
            Some((name, value)) => (name, value.to_owned()),
            None => (
                variable,
                std::env::var(variable).map_err(|_| {
                    Failure::usage(format!(
                        "--env {variable}: there is no such variable here; give {variable}=VALUE"
                    ))
                })?,
            ),
        };
        variables.insert(name.to_owned(), value.into());
    }
    if !variables.is_empty() {
        config.insert("env".to_owned(), Value::Object(variables));
    }
    if let Some(cwd) = &common.cwd {
        config.insert("cwd".to_owned(), cwd.display().to_string().into());
    }
    if common.protocol != "auto" {
        config.insert("protocol".to_owned(), common.protocol.as_str().into());
    }
    if !common.roots.is_empty() {
        let roots =
            common.roots.iter().map(|folder| root(folder)).collect::<Result<Vec<Value>, Failure>>()?;
        config.insert("roots".to_owned(), Value::Array(roots));
    }
    if let Some(size) = common.max_message {
        set(config, &format!("limits.frame_bytes={size}"))?;
    }
    if common.no_validate {
        config.insert("validate_results".to_owned(), false.into());
    }
    for setting in &own.set {
        set(config, setting)?;
    }
    Ok(target)
}

/// A folder as a server gets it.
fn root(folder: &std::path::Path) -> Result<Value, Failure> {
    let refused = |why: &str| Failure::usage(format!("--root {}: {why}", folder.display()));
    let path = folder.canonicalize().map_err(|error| refused(&error.to_string()))?;
    let path = path.to_str().ok_or_else(|| refused("its path is not UTF-8, and a URI has no other text"))?;
    let mut uri = "file://".to_owned();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(byte.into());
        } else {
            // Writing to a text does not fail.
            let _infallible = write!(uri, "%{byte:02X}");
        }
    }
    Ok(uri.into())
}

/// Sets what `KEY=VALUE` says, where KEY may name a member of an object: `limits.frame_bytes`. A VALUE that is not valid JSON is text.
pub fn set(config: &mut Map<String, Value>, setting: &str) -> Result<(), Failure> {
    // The value may be a secret.
    let shown = setting.split('=').next().unwrap_or_default();
    let wrong =
        |why: &str| Failure::usage(format!("--set {shown}: {why}; write --set limits.frame_bytes=67108864"));
    let (key, value) = setting.split_once('=').ok_or_else(|| wrong("there is no '='"))?;
    // Variables and headers are texts.
    let is_text = ["env.", "headers."].iter().any(|part| key.starts_with(part));
    let read = serde_json::from_str(value).ok().filter(|_| !is_text);
    let value = read.unwrap_or_else(|| Value::from(value));
    let mut members = config;
    let mut parts = key.split('.').peekable();
    while let Some(part) = parts.next() {
        if part.is_empty() {
            return Err(wrong("a part of the key is empty"));
        }
        if parts.peek().is_none() {
            members.insert(part.to_owned(), value);
            break;
        }
        let inner = members.entry(part).or_insert_with(|| json!({}));
        members = inner.as_object_mut().ok_or_else(|| wrong("a part of the key has no members"))?;
    }
    Ok(())
}

/// An object of the configuration, to be changed and put back.
fn taken(config: &mut Map<String, Value>, key: &str) -> Map<String, Value> {
    match config.remove(key) {
        Some(Value::Object(object)) => object,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    fn common(words: &[&str]) -> Common {
        let line = ["mcp", "completion", "bash"].iter().chain(words);
        crate::arguments::Arguments::try_parse_from(line).expect("options").common
    }

    fn config(word: &str) -> Value {
        Value::Object(named(word, &common(&[])).expect("a target").config)
    }

    #[test]
    fn a_url_without_its_scheme_or_with_a_mistyped_one_is_known() {
        for (word, url) in [
            ("http:/127.0.0.1:1/mcp", "http://127.0.0.1:1/mcp"),
            ("HTTPS//a.example", "https://a.example"),
            ("https:a.example", "https://a.example"),
            ("mcp.example.com/mcp", "https://mcp.example.com/mcp"),
        ] {
            let why = named(word, &common(&[])).map(|_| ()).expect_err("refused").text();
            assert!(why.contains(url), "{why}");
        }
        for word in [
            "https:/ann:s3cret@h/mcp",
            "https//ann:s3cret@h/mcp",
            "https:ann:s3cret@h/mcp",
            "https:\\\\ann:s3cret@h/mcp",
            "https:/ann:s3 cr/et@h/mcp",
        ] {
            let why = named(word, &common(&[])).map(|_| ()).expect_err("refused").text();
            assert!(why.contains("did you mean 'https://****@h/mcp'?"), "{why}");
            assert!(!why.contains("ann") && !why.contains("s3") && !why.contains("cr/et"), "{why}");
        }
        for word in ["ann:s3cret@h/mcp", "htps:/ann:s3cret@h/mcp", "ftp://ann:s3 cret@h/"] {
            let why = named(word, &common(&["--config", "/nonexistent"])).map(|_| ()).expect_err("refused");
            assert!(!why.text().contains("s3") && !why.text().contains("cret"), "{}", why.text());
        }
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("servers.json");
        std::fs::write(&file, r#"{"mcpServers": {"http:api": {"command": "true"}}}"#).expect("written");
        let own = common(&["--config", file.to_str().expect("text")]);
        assert_eq!(named("http:api", &own).expect("the server").config["command"], "true");
        for word in ["./a.example/x", "bin/server", "dist.d/server", "http/server", "a.b.c1/x"] {
            assert_eq!(config(word)["command"], word);
        }
        let elsewhere = common(&["--cwd", "/opt"]);
        assert!(named("mcp.example.com/mcp", &elsewhere).is_ok());
    }

    #[test]
    fn any_key_can_be_set() {
        let of =
            |options: &[&str]| named("unix:/x", &common(options)).map(|target| Value::Object(target.config));
        let both = of(&["--set", "limits.frame_bytes=1024", "--set", "client.name=x"]).expect("a target");
        assert_eq!(
            both,
            json!({"socket": "unix:/x", "limits": {"frame_bytes": 1024}, "client": {"name": "x"}})
        );
        assert_eq!(of(&["--set", "env.PORT=80"]).expect("a target")["env"], json!({"PORT": "80"}));
        let size = of(&["--max-message", "64M", "--no-validate"]).expect("a target");
        assert_eq!(
            (&size["limits"]["frame_bytes"], &size["validate_results"]),
            (&json!(64 << 20), &json!(false))
        );
        for wrong in ["limits", "limits..x=s3cret", "socket.x=s3cret"] {
            let why = of(&["--set", wrong]).expect_err("refused").text();
            assert!(why.contains(wrong.trim_end_matches("=s3cret")) && !why.contains("s3cret"), "{why}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        let odd = folder.path().join("a b%");
        std::fs::create_dir(&odd).expect("a folder");
        let with_root = of(&["--root", odd.to_str().expect("text")]).expect("a target");
        assert!(with_root["roots"][0].as_str().expect("a URI").ends_with("/a%20b%25"), "{with_root}");
        assert!(of(&["--root", "/nonexistent"]).is_err());
    }

    #[test]
    fn the_form_of_a_word_says_what_it_is() {
        for url in ["https://x.example/mcp", " https://x.example/mcp\n"] {
            assert_eq!(config(url), json!({"url": "https://x.example/mcp"}));
        }
        assert_eq!(config("unix:/run/x"), json!({"socket": "unix:/run/x"}));
        assert_eq!(config("./server"), json!({"command": "./server", "args": []}));
        assert_eq!(config("npx -y 'a b'"), json!({"command": "npx", "args": ["-y", "a b"]}));
        assert_eq!(
            config("mcp bridge https://x"),
            json!({"command": "mcp", "args": ["bridge", "https://x"]})
        );
    }

    #[test]
    fn what_is_no_target_is_refused_with_the_fix() {
        let why =
            |word: &str| named(word, &common(&["--config", "/nonexistent"])).expect_err("refused").text();
        assert!(why("ftp://x").contains("scheme 'ftp'"));
        for url in ["https://u:s3cret@h/", "HTTP://u:s3 cret@h/", "ftp://u:s3cret@h/"] {
            assert!(why(url).contains("****@h/") && !why(url).contains("cret"), "{}", why(url));
        }
        assert!(why("https://u:pw@h/").contains("--header"));
        assert!(why("a 'b").contains("quote"));
        assert!(why("github").contains("/nonexistent"), "{}", why("github"));
        assert!(split(&[], &[], &common(&[])).expect_err("nothing").text().contains("mcp servers"));
    }

    #[test]
    fn c10_a_word_that_is_nearly_the_name_of_a_server_is_told_in_each_form() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("servers.json");
        let one = json!({"command": "true"});
        let all = json!({"mcpServers": {"Tide Tables": one, "com.example/tides": one, "@example/tides": one, "tides": one}});
        std::fs::write(&file, all.to_string()).expect("written");
        let common = common(&["--config", file.to_str().expect("text")]);
        for (word, meant) in [
            ("tide tables", "Tide Tables"),
            ("com.example/tide", "com.example/tides"),
            ("@example/tide", "@example/tides"),
            ("tidse", "tides"),
        ] {
            let why = named(word, &common).expect_err("no server").text();
            assert!(why.contains(&format!("did you mean '{meant}'?")), "{word}: {why}");
            assert!(named(meant, &common).is_ok(), "{meant}");
        }
        // What a program is for is started, whatever is near.
        std::fs::create_dir_all(folder.path().join("com.example")).expect("a folder");
        let there = folder.path().join("com.example/tide").display().to_string();
        std::fs::write(&there, "").expect("written");
        assert!(named(&there, &common).is_ok());
        assert!(named("sh -c true", &common).is_ok());
    }

    #[test]
    fn with_several_servers_a_credential_goes_to_the_one_that_it_names() {
        let with = |options: &[&str]| {
            let common = common(options);
            let servers = [("a", "https://one/mcp"), ("b", "https://two/mcp"), ("c", "./server")];
            let mut all: Vec<Behind> = servers
                .iter()
                .map(|(name, word)| Behind {
                    name: (*name).to_owned(),
                    word: (*word).to_owned(),
                    target: find(word, &common).expect("a target"),
                })
                .collect();
            let done = several(&mut all, &common).map_err(|failure| failure.text());
            done.map(|()| {
                all.into_iter().map(|behind| Value::Object(behind.target.config)).collect::<Vec<_>>()
            })
        };
        let all = with(&[
            "-H",
            "a:X-Key: one",
            "-H",
            "https://two/mcp:X-Key: two",
            "-e",
            "c:TOKEN=three",
            "-e",
            "c:PATH",
            "--set",
            "a:auth.scope=s",
            "--set",
            "limits.frame_bytes=4096",
            "--set",
            "c:env.MORE=4",
        ])
        .expect("each has its own");
        let limits = json!({"frame_bytes": 4096});
        assert_eq!(
            all[0],
            json!({"url": "https://one/mcp", "headers": {"X-Key": "one"}, "auth": {"scope": "s"}, "limits": limits})
        );
        assert_eq!(all[1], json!({"url": "https://two/mcp", "headers": {"X-Key": "two"}, "limits": limits}));
        assert_eq!(all[2]["limits"], limits);
        let variables = all[2]["env"].as_object().expect("variables");
        let names: Vec<&str> = variables.keys().map(String::as_str).collect();
        assert_eq!((names, &variables["TOKEN"]), (vec!["MORE", "PATH", "TOKEN"], &json!("three")));
        for (option, word, form) in [
            ("-H", "Authorization: s3cret", "--header 'SERVER:Authorization: VALUE'"),
            ("-H", "d:X-Key: s3cret", "one of a, b, c"),
            ("-H", "s3cret", "SERVER:NAME: VALUE"),
            ("-e", "TOKEN=s3cret", "--env 'SERVER:TOKEN=VALUE'"),
            ("-e", "PATH", "several servers"),
            ("--set", "headers.X=s3cret", "--set 'SERVER:headers.X=VALUE'"),
            ("--set", "env.X=s3cret", "SERVER:"),
            ("--set", "auth={\"token\":\"s3cret\"}", "SERVER:"),
            ("--set", "proxy=http://u:s3cret@p/", "SERVER:"),
            ("--set", "tls.client_key=s3cret", "SERVER:"),
        ] {
            let why = with(&[option, word]).expect_err("refused");
            assert!(
                why.contains("several servers") && why.contains(form) && !why.contains("s3cret"),
                "{why}"
            );
        }
        assert!(with(&["-H", "c:X-Key: s3cret"]).is_err_and(|why| why.contains("at a URL")));
    }

    #[test]
    fn a_credential_whose_server_may_be_either_of_two_goes_to_neither() {
        let of = |servers: &[(&str, &str)], option: &str, word: &str| {
            let called: Vec<[String; 2]> =
                servers.iter().map(|(name, word)| [(*name).to_owned(), (*word).to_owned()]).collect();
            let common = common(&[option, word]);
            let own = |at| {
                Own::of(&common, &called, at)
                    .map(|own| [own.headers.len(), own.environment.len(), own.set.len()].iter().sum())
                    .map_err(|failure| failure.text())
            };
            (0..servers.len()).map(own).collect::<Result<Vec<usize>, String>>()
        };
        let crossed = [("x", "https://one/mcp"), ("y", "x"), ("z", "https://two/mcp")];
        for (option, word) in
            [("-H", "x:A: s3cret"), ("-H", "x:s3cret"), ("-e", "x:A=s3cret"), ("--set", "x:env.A=s3cret")]
        {
            let why = of(&crossed, option, word).expect_err("refused");
            assert!(why.contains("'x' (https://one/mcp) and 'y' (x)") && !why.contains("s3cret"), "{why}");
        }
        assert_eq!(of(&crossed, "-H", "y:A: b"), Ok(vec![0, 1, 0]));
        assert_eq!(of(&crossed, "-H", "https://one/mcp:A: b"), Ok(vec![1, 0, 0]));
        let longer = [("a", "./a"), ("a:b", "./b")];
        assert_eq!(of(&longer, "-H", "a:b:A: c"), Ok(vec![0, 1]));
        let twice = [("s", "https://one/mcp"), ("s-2", "https://one/mcp")];
        assert_eq!(of(&twice, "-H", "https://one/mcp:A: b"), Ok(vec![1, 1]));
        assert_eq!(of(&twice, "-H", "s-2:A: b"), Ok(vec![0, 1]));
    }

    #[test]
    fn options_go_with_their_kind_of_server() {
        let with = |word: &str, words: &[&str]| {
            named(word, &common(words)).map(|target| Value::Object(target.config))
        };
        assert_eq!(
            with("https://x/", &["-H", "A: b", "-H", "a: c"]).expect("headers"),
            json!({"url": "https://x/", "headers": {"a": "c"}})
        );
        assert!(with("https://x/", &["-H", "A"]).is_err());
        assert!(with("https://x/", &["-e", "A=1"]).is_err());
        assert!(with("./x", &["-H", "A: b"]).is_err());
        let started =
            with("./x", &["-e", "A=1=2", "--cwd", "/tmp", "--protocol", "legacy"]).expect("options");
        assert_eq!(
            started,
            json!({"command": "./x", "args": [], "env": {"A": "1=2"}, "cwd": "/tmp", "protocol": "legacy"})
        );
    }
}
