//! `login`, `logout`, `auth`.

use crate::arguments::{Auth, Common, Format, Login, Logout};
use crate::failure::{AUTH, Failure, INTERRUPTED};
use crate::folders;
use crate::login::Person;
use crate::ordered::sort_by_key;
use crate::output::{Screen, one_line, table};
use crate::questions::Questions;
use crate::session::Session;
use crate::target::{Target, named};
use serde_json::{Map, Value};
use std::time::Duration;

/// How long a logout may take where no limit was given.
const LOGOUT: Duration = Duration::from_secs(60);

pub fn login(screen: Screen, login: &Login, common: &Common) -> Result<(), Failure> {
    let mut target = at_url(&login.target, common)?;
    let url = target.config.get("url").and_then(Value::as_str).map(str::to_owned);
    let alone = credentials(login);
    let is_alone = alone.is_some();
    check_callback(login)?;
    let given = alone.or_else(|| of_person(login));
    let person = if login.no_browser { Person::Paste } else { Person::Browser };
    if given.is_some() && !target.config.contains_key("auth") {
        target.config.insert("auth".to_owned(), Value::Object(Map::new()));
    }
    crate::login::complete(&mut target.config, Some(person), &target.shown)?;
    let Some(Value::Object(auth)) = target.config.get_mut("auth") else {
        return Err(Failure::usage(format!("the configuration of {} has a token of its own", target.shown)));
    };
    if let Some(entry) = &given {
        auth.extend(crate::login::with_secret(entry.clone())?);
    }
    let is_of_person = auth.get("type").and_then(Value::as_str).is_none_or(|kind| kind == "interactive");
    if login.device && !is_of_person {
        return Err(Failure::usage(format!(
            "--device: no person logs in at {}; the program does",
            target.shown
        )));
    }
    if login.device {
        auth.insert("flow".to_owned(), "device".into());
    } else if is_of_person && !login.no_browser && !crate::login::can_open() {
        auth.entry("flow").or_insert_with(|| "auto".into());
    }
    if login.no_browser && !is_alone {
        auth.entry("redirect_uri").or_insert_with(|| "http://127.0.0.1/callback".into());
        auth.insert("listen".to_owned(), false.into());
    }
    let shown = target.shown.clone();
    let session = Session::open(target, common, Questions::new(None), Some(person))?;
    // A server may answer the handshake without a login, and ask for the login at the first request.
    let _pong = session.request(&mcp::client::features::Request::Ping)?;
    // A login is kept under the server's name where there was one.
    if url.as_ref().is_some_and(|url| !is_kept(url).unwrap_or(true)) {
        Screen::note(format!("{} wants no login: it answers without one", one_line(&shown)));
        return Ok(());
    }
    if let (Some(entry), Some(url)) = (&given, &url) {
        crate::login::keep_credentials(url, Some(entry))?;
    }
    match screen.format {
        Format::Text => screen.write(format!("logged in to {shown}\n")),
        Format::Names => screen.names(&[shown]),
        _ => screen.json(&serde_json::json!({"logged_in": true, "server": shown}).to_string()),
    }
}

/// Has a person log in at a server that wants a login and takes none that is kept. One browser is opened at a time, whatever number of
/// programs wants that. What is wrong with the server otherwise is for who uses it next.
pub fn where_missing(target: &Target, common: &Common) -> Result<(), Failure> {
    if !target.config.contains_key("url") || !wants_login(target, common, None)? {
        return Ok(());
    }
    let _held = crate::login::one_at_a_time()?;
    // The one before may have been for the same server.
    if !wants_login(target, common, None)? {
        return Ok(());
    }
    let mut target = target.clone();
    crate::login::complete(&mut target.config, Some(Person::Browser), &target.shown)?;
    if let Some(Value::Object(auth)) = target.config.get_mut("auth").filter(|_| !crate::login::can_open()) {
        auth.entry("flow").or_insert_with(|| "auto".into());
    }
    wants_login(&target, common, Some(Person::Browser)).map(drop)
}

/// Whether a server refuses what there is for it; tells why it is not reached or used otherwise.
fn wants_login(target: &Target, common: &Common, person: Option<Person>) -> Result<bool, Failure> {
    let session = Session::open(target.clone(), common, Questions::new(None), person);
    let answer = session.and_then(|session| session.request(&mcp::client::features::Request::Ping));
    match answer {
        Ok(_) => Ok(false),
        Err(failure) if failure.exit == INTERRUPTED => Err(failure),
        Err(failure) => {
            if person.is_some() {
                Screen::note(one_line(&failure.text()));
            }
            Ok(failure.exit == AUTH)
        }
    }
}

pub fn logout(screen: Screen, logout: &Logout, common: &Common) -> Result<(), Failure> {
    let target = at_url(&logout.target, common)?;
    let shown = target.shown.clone();
    let url = target.config.get("url").and_then(Value::as_str).map(str::to_owned);
    let client = Session::unconnected(target, common)?;
    let was_kept = url.as_ref().is_none_or(|url| is_kept(url).unwrap_or(true));
    if let Some(url) = url {
        crate::login::keep_credentials(&url, None)?;
    }
    client.forget_login(Some(if common.timeout().is_zero() { LOGOUT } else { common.timeout() }))?;
    if !was_kept {
        Screen::note(format!("no login is kept for {}", one_line(&shown)));
        return Ok(());
    }
    match screen.format {
        Format::Text => screen.write(format!("logged out of {shown}\n")),
        Format::Names => screen.names(&[shown]),
        _ => screen.json(&serde_json::json!({"logged_in": false, "server": shown}).to_string()),
    }
}

fn absolute(path: &std::path::Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()).display().to_string()
}

/// The URL to which the browser is redirected, and its parts beside it, say the same.
fn check_callback(login: &Login) -> Result<(), Failure> {
    let (Some(url), Some(port)) = (&login.callback, login.callback_port) else { return Ok(()) };
    let begin = format!("http://{}:{port}/", login.callback_host);
    if url.starts_with(&begin) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "--callback {} does not begin with {begin}, which --callback-host and --callback-port say: give the URL alone",
        one_line(url)
    )))
}

/// With what a person logs in, as it is kept for later commands: without the secret. None where nothing was said of it.
fn of_person(login: &Login) -> Option<Map<String, Value>> {
    let mut entry = Map::new();
    for (key, value) in [("client_id", &login.client_id), ("issuer", &login.issuer)] {
        entry.extend(value.as_deref().map(|value| (key.to_owned(), value.into())));
    }
    let secret = [
        ("secret_file", login.client_secret_file.as_deref().map(absolute)),
        ("secret_env", login.client_secret_env.clone()),
    ];
    for (key, value) in secret.into_iter().filter_map(|(key, value)| Some((key, value?))) {
        entry.insert(key.to_owned(), value.into());
        if login.issuer.is_none() {
            entry.insert("allow_any_issuer".to_owned(), true.into());
        }
    }
    let at_port = |port| format!("http://{}:{port}/callback", login.callback_host);
    if let Some(uri) = login.callback.clone().or_else(|| login.callback_port.map(at_port)) {
        entry.insert("redirect_uri".to_owned(), uri.into());
        entry.insert("listen".to_owned(), true.into());
    }
    if !login.scopes.is_empty() {
        entry.insert("scopes".to_owned(), login.scopes.iter().map(String::as_str).collect());
    }
    (!entry.is_empty()).then_some(entry)
}

/// With what the program itself logs in, as it is kept: without the secret.
fn credentials(login: &Login) -> Option<Map<String, Value>> {
    let proof = [
        ("secret_file", login.secret_file.as_deref().map(absolute)),
        ("secret_env", login.secret_env.clone()),
        ("private_key_file", login.key_file.as_deref().map(absolute)),
    ];
    let (key, value) = proof.into_iter().find_map(|(key, value)| Some((key, value?)))?;
    let mut entry = Map::new();
    entry.insert("type".to_owned(), "client_credentials".into());
    entry.insert(key.to_owned(), value.into());
    for (key, value) in [("client_id", &login.client_id), ("issuer", &login.issuer)] {
        if let Some(value) = value {
            entry.insert(key.to_owned(), value.as_str().into());
        }
    }
    if login.issuer.is_none() {
        // The person has named this server and no other; its metadata says where it logs in.
        entry.insert("allow_any_issuer".to_owned(), true.into());
    }
    if !login.scopes.is_empty() {
        entry.insert("scopes".to_owned(), login.scopes.iter().map(String::as_str).collect());
    }
    Some(entry)
}

/// The most bytes of a file of logins.
const MOST_BYTES: u64 = 1024 * 1024;

pub fn auth(screen: Screen, auth: &Auth, common: &Common) -> Result<(), Failure> {
    let Auth::Status(status) = auth;
    match &status.target {
        Some(target) => accepted(screen, target, common),
        None => kept(screen),
    }
}

/// Whether the server accepts the login that is kept for it.
fn accepted(screen: Screen, word: &str, common: &Common) -> Result<(), Failure> {
    let target = at_url(word, common)?;
    let shown = target.shown.clone();
    let session = Session::open(target, common, Questions::new(None), None)?;
    // A server may answer the handshake without a login, and ask for the login at the first request.
    let _pong = session.request(&mcp::client::features::Request::Ping)?;
    match screen.format {
        Format::Text => screen.write(format!("{shown} accepts the requests of this program\n")),
        Format::Names => screen.names(&[shown]),
        _ => screen.json(&serde_json::json!({"accepted": true, "server": shown}).to_string()),
    }
}

/// Whether a login with a token is kept for a URL.
fn is_kept(url: &str) -> Result<bool, Failure> {
    let is_for = |login: &Value| {
        let resource = login["resource"].as_str().unwrap_or_default().trim_end_matches('/');
        let rest = url.strip_prefix(resource).filter(|_| !resource.is_empty());
        // A longer last part of the path is another server.
        let is_it = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']));
        login["tokens"]["access"].is_string() && is_it
    };
    Ok(all_kept()?.iter().any(is_for))
}

/// The records of all logins that are kept.
fn all_kept() -> Result<Vec<Value>, Failure> {
    let Some(folder) = crate::login::folder()?.map(std::path::PathBuf::from) else {
        return Err(Failure::machine("there is no folder for logins: HOME is not set"));
    };
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| Failure::machine(format!("cannot read {}: {error}", folder.display())))?;
    let mut logins = Vec::new();
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let Some(text) = folders::read(&path, MOST_BYTES)? else { continue };
        let record: Value = serde_json::from_str(&text).unwrap_or_default();
        logins.extend(record["logins"].as_array().cloned().unwrap_or_default());
    }
    Ok(logins)
}

/// The logins that are kept, without their tokens.
fn kept(screen: Screen) -> Result<(), Failure> {
    let shown = |login: &Value| {
        let word = |name: &str| login[name].as_str().unwrap_or_default();
        let tokens = &login["tokens"];
        serde_json::json!({
            "server": crate::servers::masked_url(word("resource")),
            "issuer": crate::servers::masked_url(word("issuer")),
            "scopes": word("asked"),
            "expires": tokens["expires"],
            "renews": tokens["refresh"].is_string(),
            "has_token": tokens["access"].is_string(),
        })
    };
    let mut logins: Vec<Value> = all_kept()?.iter().map(shown).collect();
    sort_by_key(&mut logins, |login| login["server"].to_string());
    let word = |login: &Value, name: &str| login[name].as_str().unwrap_or_default().to_owned();
    match screen.format {
        Format::Names => screen.names(&logins.iter().map(|login| word(login, "server")).collect::<Vec<_>>()),
        Format::Text if logins.is_empty() => {
            Screen::note("no login is kept; `mcp login TARGET` makes one");
            Ok(())
        }
        Format::Text => {
            let rows: Vec<Vec<String>> = logins.iter().map(row).collect();
            screen.write(table(&["SERVER", "ISSUER", "TOKEN", "SCOPES"], &rows, screen.width()))
        }
        _ => screen.json(&serde_json::json!({"logins": logins}).to_string()),
    }
}

fn row(login: &Value) -> Vec<String> {
    let word = |name: &str| login[name].as_str().unwrap_or_default().to_owned();
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs();
    let token = match (login["has_token"] == true, login["expires"].as_u64(), login["renews"] == true) {
        (false, ..) => "none".to_owned(),
        (true, Some(end), true) if end <= now => "is renewed at the next use".to_owned(),
        (true, Some(end), false) if end <= now => "has expired".to_owned(),
        (true, Some(end), renews) => {
            format!("for {} min{}", (end - now) / 60, if renews { ", is renewed" } else { "" })
        }
        (true, None, _) => "without an end".to_owned(),
    };
    vec![word("server"), word("issuer"), token, word("scopes")]
}

fn at_url(word: &str, common: &Common) -> Result<Target, Failure> {
    let target = named(word, common)?;
    match target.config.get("url") {
        Some(Value::String(_)) => Ok(target),
        _ => Err(Failure::usage(format!(
            "{} is not a server at a URL; a server that is started gets its credentials by --env",
            target.shown
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Arguments, Command};
    use clap::Parser as _;
    use serde_json::json;

    #[test]
    fn c29_a_login_is_kept_with_what_it_was_made_with() {
        for (words, kept) in [
            (&[][..], None),
            (&["--client-id", "c"], Some(json!({"client_id": "c"}))),
            (
                &["--client-id", "c", "--client-secret-file", "/s"],
                Some(json!({"client_id": "c", "secret_file": "/s", "allow_any_issuer": true})),
            ),
            (
                &["--client-id", "c", "--client-secret-env", "S", "--issuer", "https://i"],
                Some(json!({"client_id": "c", "secret_env": "S", "issuer": "https://i"})),
            ),
            (
                &["--callback-port", "7", "--callback-host", "localhost"],
                Some(json!({"redirect_uri": "http://localhost:7/callback", "listen": true})),
            ),
            (
                &["--callback", "http://localhost:3118/oauth/done", "--scope", "a", "--scope", "b"],
                Some(
                    json!({"redirect_uri": "http://localhost:3118/oauth/done", "listen": true, "scopes": ["a", "b"]}),
                ),
            ),
        ] {
            let read =
                Arguments::try_parse_from(["mcp", "login", "https://h/"].iter().chain(words)).expect("words");
            let Command::Login(login) = read.command else { panic!("another command") };
            assert_eq!(of_person(&login).map(Value::Object), kept, "{words:?}");
        }
        for words in [
            &["--client-secret-env", "S"][..],
            &["--client-id", "c", "--client-secret-env", "S", "--client-secret-file", "/s"],
            &["--callback", "http://localhost:1/", "--device"],
        ] {
            assert!(
                Arguments::try_parse_from(["mcp", "login", "https://h/"].iter().chain(words)).is_err(),
                "{words:?}"
            );
        }
    }

    #[test]
    fn c29_a_callback_and_its_parts_say_the_same() {
        for (words, is_right) in [
            (&["--callback", "http://localhost:1/"][..], true),
            (&["--callback", "http://127.0.0.1:1/a", "--callback-port", "1"], true),
            (
                &[
                    "--callback",
                    "http://localhost:1/a",
                    "--callback-port",
                    "1",
                    "--callback-host",
                    "localhost",
                ],
                true,
            ),
            (
                &[
                    "--callback",
                    "http://localhost:1/a",
                    "--callback-port",
                    "2",
                    "--callback-host",
                    "localhost",
                ],
                false,
            ),
            (&["--callback", "http://127.0.0.1:11/a", "--callback-port", "1"], false),
        ] {
            let read =
                Arguments::try_parse_from(["mcp", "login", "https://h/"].iter().chain(words)).expect("words");
            let Command::Login(login) = read.command else { panic!("another command") };
            assert_eq!(check_callback(&login).is_ok(), is_right, "{words:?}");
        }
    }

    #[test]
    fn an_empty_secret_is_refused_before_a_server_is_asked() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("secret");
        for (text, kept) in [("s3cret\n", Some("s3cret")), ("\n", None), ("", None), ("\u{feff}", None)] {
            std::fs::write(&path, text).expect("written");
            let entry = json!({"secret_file": path.display().to_string()});
            let read = crate::login::with_secret(entry.as_object().expect("an object").clone());
            match kept {
                Some(kept) => assert_eq!(read.expect("a secret")["client_secret"], kept),
                None => assert!(read.expect_err("empty").text().contains("is empty"), "{text:?}"),
            }
        }
    }
}
