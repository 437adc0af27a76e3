//! Logins with an authorization server that is as the test wants it: what the program shows, what it keeps, and what the server gets.

#![cfg(unix)]

use serde_json::{Map, Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};

/// What the authorization server has, and what it got.
#[derive(Default)]
struct Site {
    base: String,
    /// Members of its metadata besides the usual ones.
    metadata: Map<String, Value>,
    /// What the endpoint for devices answers.
    device: Value,
    /// What the token endpoint answers first.
    refusals: Vec<(u16, Value)>,
    /// Whether it says 403 instead of 401, as some gateways do.
    forbids: bool,
    /// Whether a ping is answered once a refresh has come, and the refresh once that answer has gone out.
    is_slow: bool,
    refreshes: usize,
    pings: usize,
    /// The path and the form of each request.
    got: Vec<(String, String)>,
}

type Shared = Arc<Mutex<Site>>;

/// An MCP server that is its own authorization server.
fn server(metadata: &Value, device: &Value) -> Shared {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let text = |value: &Value| value.to_string().replace("BASE", &base);
    let read = |value: &Value| serde_json::from_str(&text(value)).expect("JSON");
    let site = Site {
        metadata: serde_json::from_str(&text(metadata)).expect("JSON"),
        device: read(device),
        base,
        refusals: Vec::new(),
        forbids: false,
        is_slow: false,
        refreshes: 0,
        pings: 0,
        got: Vec::new(),
    };
    let shared = Arc::new(Mutex::new(site));
    let own = Arc::clone(&shared);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let site = Arc::clone(&own);
            std::thread::spawn(move || serve(stream, &site));
        }
    });
    shared
}

fn serve(mut stream: TcpStream, site: &Shared) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let path = first.split(' ').nth(1)?.to_owned();
    let (mut length, mut has_token) = (0, false);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim().split_once(':').unwrap_or_default() {
            ("", _) => break,
            (name, value) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok()?;
            }
            (name, value) if name.eq_ignore_ascii_case("authorization") => {
                has_token = value.trim() == "Bearer good";
            }
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8_lossy(&body).into_owned();
    let is_refresh = body.contains("grant_type=refresh_token");
    let is_ping = body.contains("\"ping\"") && has_token;
    site.lock().expect("unharmed").refreshes += usize::from(is_refresh);
    let waits = || {
        let site = site.lock().expect("unharmed");
        site.is_slow && (is_refresh && site.pings == 0 || is_ping && site.refreshes == 0)
    };
    while waits() {
        std::thread::yield_now();
    }
    let (status, more, answer) = {
        let mut site = site.lock().expect("unharmed");
        site.got.push((path.clone(), body.clone()));
        match site.refusals.first().cloned().filter(|_| path == "/token") {
            Some((status, body)) => {
                site.refusals.remove(0);
                (status, String::new(), body)
            }
            None => answer(&site, &path, &body, has_token),
        }
    };
    let answer = if answer.is_null() { String::new() } else { answer.to_string() };
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n{more}\r\n",
        answer.len()
    );
    stream.write_all((head + &answer).as_bytes()).ok()?;
    site.lock().expect("unharmed").pings += usize::from(is_ping);
    Some(())
}

fn answer(site: &Site, path: &str, body: &str, has_token: bool) -> (u16, String, Value) {
    let Site { base, metadata, device, .. } = site;
    let ok = |value: Value| (200, String::new(), value);
    match path {
        "/mcp" if !has_token => {
            let where_from = format!("WWW-Authenticate: Bearer resource_metadata=\"{base}/resource\"\r\n");
            (if site.forbids { 403 } else { 401 }, where_from, Value::Null)
        }
        "/mcp" => {
            let message: Value = serde_json::from_str(body).unwrap_or_default();
            let result = match message["method"].as_str() {
                Some("initialize") => {
                    json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}})
                }
                Some("ping") => json!({}),
                Some(_) if message["id"].is_null() => return (202, String::new(), Value::Null),
                _ => {
                    return ok(
                        json!({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "unknown"}}),
                    );
                }
            };
            ok(json!({"jsonrpc": "2.0", "id": message["id"], "result": result}))
        }
        "/resource" => ok(json!({"resource": format!("{base}/mcp"), "authorization_servers": [base]})),
        "/.well-known/oauth-authorization-server" => {
            let mut all = json!({"issuer": base, "authorization_endpoint": format!("{base}/authorize"),
                "token_endpoint": format!("{base}/token"), "registration_endpoint": format!("{base}/register"),
                "code_challenge_methods_supported": ["S256"]});
            all.as_object_mut().expect("an object").extend(metadata.clone());
            ok(all)
        }
        "/register" => {
            let number = site.got.iter().filter(|(path, _)| path == "/register").count();
            (201, String::new(), json!({"client_id": format!("client-{number}")}))
        }
        "/device" => ok(device.clone()),
        "/token" => {
            let refresh = if body.contains("refresh_token") { "second" } else { "first" };
            ok(
                json!({"access_token": "good", "token_type": "bearer", "expires_in": 3600, "refresh_token": refresh}),
            )
        }
        _ => (404, String::new(), Value::Null),
    }
}

fn url(site: &Shared) -> String {
    format!("{}/mcp", site.lock().expect("unharmed").base)
}

/// The forms that came to a path.
fn got(site: &Shared, path: &str) -> Vec<String> {
    let site = site.lock().expect("unharmed");
    site.got.iter().filter(|(own, _)| own == path).map(|(_, body)| body.clone()).collect()
}

/// Runs the program on a machine without a screen.
fn mcp(home: &Path, words: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp"));
    command.args(words).current_dir(home).stdin(Stdio::null()).env_clear().env("HOME", home);
    let Output { status, stdout, stderr } = command.output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

const DEVICE: &str = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code";

fn codes() -> Value {
    json!({"device_code": "secret-device-code", "user_code": "WDJB-MJHT", "verification_uri": "https://login.example/enter",
        "verification_uri_complete": "https://login.example/enter?user_code=WDJB-MJHT", "expires_in": 600, "interval": 1})
}

#[test]
fn a_device_shows_a_code_and_logs_in_when_it_was_entered() {
    let offers = json!({"device_authorization_endpoint": "BASE/device"});
    // By itself where there is no screen, and where it is asked for.
    for more in [&[][..], &["--device"]] {
        let (site, folder) = (server(&offers, &codes()), tempfile::tempdir().expect("a folder"));
        let url = url(&site);
        let (code, stdout, stderr) = mcp(folder.path(), &[&["login", &url][..], more].concat());
        assert_eq!((code, stdout), (0, format!("logged in to {url}\n")), "{stderr}");
        for shown in [
            "at login.example (",
            "https://login.example/enter\n",
            "the code WDJB-MJHT there",
            "enter?user_code=WDJB-MJHT",
        ] {
            assert!(stderr.contains(shown), "{shown} in {stderr}");
        }
        assert!(!stderr.contains("secret-device-code"), "{stderr}");
        assert!(got(&site, "/device")[0].contains("client_id=client-1"), "{:?}", got(&site, "/device"));
        let [token] = &got(&site, "/token")[..] else { panic!("{:?}", got(&site, "/token")) };
        assert!(token.contains(DEVICE) && token.contains("device_code=secret-device-code"), "{token}");
        // The login is kept.
        assert_eq!(mcp(folder.path(), &["ping", &url]).0, 0);
        assert_eq!(got(&site, "/device").len(), 1);
    }
}

#[test]
fn a_login_that_no_device_can_make_says_so_and_credentials_of_a_program_are_no_device() {
    let (site, folder) = (server(&json!({}), &Value::Null), tempfile::tempdir().expect("a folder"));
    let url = url(&site);
    let (code, _, stderr) = mcp(folder.path(), &["login", &url, "--device"]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("'device_authorization_endpoint'"), "{stderr}");
    assert!(got(&site, "/register").is_empty(), "for nothing");
    std::fs::write(folder.path().join("secret"), "s3cret").expect("written");
    let words = ["login", &url, "--client-id", "mine", "--secret-file", "secret"];
    let (code, stdout, stderr) = mcp(folder.path(), &words);
    assert_eq!((code, stdout), (0, format!("logged in to {url}\n")), "{stderr}");
    assert!(got(&site, "/token")[0].contains("client_credentials"));
    // The credentials that are kept are no person's.
    let (code, _, stderr) = mcp(folder.path(), &["login", &url, "--device"]);
    assert!(code == 1 && stderr.contains("--device"), "{code} {stderr}");
    let (code, _, stderr) = mcp(folder.path(), &["login", &url]);
    assert_eq!(code, 0, "{stderr}");
}

#[test]
fn what_a_device_shows_changes_nothing_at_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    for (member, value) in [
        ("user_code", "A\u{1b}]0;OWNED\u{7}"),
        ("verification_uri", "http://login.example/"),
        ("verification_uri", "https://login.example/\u{1b}[2J"),
    ] {
        let mut codes = codes();
        codes[member] = value.into();
        let site = server(&json!({"device_authorization_endpoint": "BASE/device"}), &codes);
        let (code, _, stderr) = mcp(folder.path(), &["login", &url(&site), "--device"]);
        assert!(code == 3 && stderr.contains(member) && !stderr.contains('\u{1b}'), "{code} {stderr}");
        assert!(got(&site, "/token").is_empty(), "no person was asked");
    }
}

#[test]
fn a_registration_is_used_again_by_the_next_command_until_the_server_does_not_know_it() {
    let site = server(&json!({"device_authorization_endpoint": "BASE/device"}), &codes());
    let (folder, url) = (tempfile::tempdir().expect("a folder"), url(&site));
    let login = |error: &str, exit: i32| {
        let refusals = [(400, json!({"error": error}))].into_iter().filter(|_| !error.is_empty()).collect();
        site.lock().expect("unharmed").refusals = refusals;
        let (code, _, stderr) = mcp(folder.path(), &["login", &url, "--device"]);
        assert_eq!(code, exit, "{error}: {stderr}");
        got(&site, "/register").len()
    };
    // No person can log in with these, and none is registered for.
    for words in [&["ping", &url][..], &["auth", "status", &url], &["list", &url]] {
        assert_eq!(mcp(folder.path(), words).0, 3, "{words:?}");
    }
    assert_eq!(got(&site, "/register").len(), 0);
    assert_eq!(login("access_denied", 3), 1);
    assert_eq!(login("access_denied", 3), 1);
    assert_eq!(login("invalid_client", 3), 1);
    assert_eq!(login("", 0), 2);
}

/// Logs in by the URL that a person pastes: `answer` is what the authorization server says behind the code.
fn pasted(home: &Path, url: &str) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp"));
    command.args(["login", url, "--no-browser"]).current_dir(home).env_clear().env("HOME", home);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut said = String::new();
    while !said.contains("paste the URL") {
        assert!(lines.read_line(&mut said).expect("text") > 0, "{said}");
    }
    let state = said.split("&state=").nth(1).and_then(|rest| rest.split('&').next()).expect("a state");
    let line = format!("http://127.0.0.1/callback?code=c0de&state={state}\n");
    child.stdin.take().expect("a pipe").write_all(line.as_bytes()).expect("written");
    said.clear();
    lines.read_to_string(&mut said).expect("text");
    (child.wait().expect("an end").code().unwrap_or(-1), said)
}

#[test]
fn c29_the_answer_of_the_token_endpoint_is_shown() {
    let answers = json!({"error": "invalid_grant", "error_description": "that code is of another client"});
    for way in ["paste", "device", "program"] {
        let site = server(&json!({"device_authorization_endpoint": "BASE/device"}), &codes());
        let (folder, url) = (tempfile::tempdir().expect("a folder"), url(&site));
        site.lock().expect("unharmed").refusals = vec![(400, answers.clone())];
        std::fs::write(folder.path().join("secret"), "s3cret-of-mine").expect("written");
        let (code, said) = match way {
            "paste" => pasted(folder.path(), &url),
            "device" => {
                let (code, _, said) = mcp(folder.path(), &["login", &url, "--device"]);
                (code, said)
            }
            _ => {
                let words = ["login", &url, "--client-id", "mine", "--secret-file", "secret"];
                let (code, _, said) = mcp(folder.path(), &words);
                (code, said)
            }
        };
        assert_eq!(code, 3, "{way}: {said}");
        for part in ["/token", "400", "invalid_grant", "that code is of another client"] {
            assert!(said.contains(part), "{way}: {part} in {said}");
        }
        for secret in ["c0de", "secret-device-code", "s3cret-of-mine"] {
            assert!(!said.lines().last().unwrap_or_default().contains(secret), "{way}: {said}");
        }
    }
}

#[test]
fn c29_no_command_registers_where_no_person_can_log_in() {
    let site = server(&json!({"device_authorization_endpoint": "BASE/device"}), &codes());
    let (folder, url) = (tempfile::tempdir().expect("a folder"), url(&site));
    let config = json!({"mcpServers": {"mine": {"url": url}}}).to_string();
    std::fs::write(folder.path().join("servers.json"), config).expect("written");
    for words in [
        &["call", &url, "x"][..],
        &["tools", &url],
        &["resources", &url],
        &["prompts", &url],
        &["read", &url, "a:b"],
        &["get", &url, "x"],
        &["info", &url],
        &["ping", &url],
        &["auth", "status", &url],
        &["log", &url],
        &["watch", &url],
        &["bench", &url, "x"],
        &["doctor", &url],
        &["snapshot", &url],
        &["trace", &url],
        &["generate", "python", &url, "--into", "made"],
        &["bridge", &url],
        &["logout", &url],
        &["list", "--config", "servers.json"],
        &["config", "check", "--connect", "--config", "servers.json"],
        &["tools", "--all", "--config", "servers.json"],
    ] {
        let before = got(&site, "/mcp").len();
        let (code, stdout, stderr) = mcp(folder.path(), words);
        assert!((0..=6).contains(&code), "{words:?}: {code} {stderr}");
        let is_asked = got(&site, "/mcp").len() > before;
        assert_eq!(is_asked, words[0] != "logout", "{words:?}: {code} {stdout} {stderr}");
        for path in ["/register", "/device", "/token"] {
            assert!(got(&site, path).is_empty(), "{words:?} asked {path}");
        }
    }
}

#[test]
fn c33_the_error_that_ends_the_wait_has_the_page_and_the_code() {
    let last = |said: &str| said.lines().last().unwrap_or_default().to_owned();
    for words in [&["login", "URL", "--device"][..], &["bridge", "--login", "URL"]] {
        for why in ["expired_token", "access_denied"] {
            let site = server(&json!({"device_authorization_endpoint": "BASE/device"}), &codes());
            let (folder, url) = (tempfile::tempdir().expect("a folder"), url(&site));
            site.lock().expect("unharmed").refusals = vec![(400, json!({"error": why}))];
            let words: Vec<&str> =
                words.iter().map(|word| if *word == "URL" { &*url } else { word }).collect();
            let (_, _, stderr) = mcp(folder.path(), &words);
            let end = stderr.lines().find(|line| line.contains(why)).unwrap_or_default();
            assert!(
                end.ends_with("the person was to enter the code WDJB-MJHT at https://login.example/enter"),
                "{words:?}: {stderr}"
            );
        }
    }
    let (site, folder) = (server(&json!({}), &Value::Null), tempfile::tempdir().expect("a folder"));
    let (code, _, stderr) = mcp(folder.path(), &["login", &url(&site), "--no-browser"]);
    let page = format!("the person was to open {}/authorize?", site.lock().expect("unharmed").base);
    assert!(code == 3 && last(&stderr).contains(&page), "{stderr}");
    // A login that worked is told of in no later error.
    let site = server(&json!({"device_authorization_endpoint": "BASE/device"}), &codes());
    let url = url(&site);
    assert_eq!(mcp(folder.path(), &["login", &url, "--device"]).0, 0);
    let (code, _, stderr) = mcp(folder.path(), &["call", &url, "x"]);
    assert!(code != 0 && !stderr.contains("WDJB"), "{stderr}");
}

/// The files of logins below a home.
fn kept(home: &Path) -> Vec<std::path::PathBuf> {
    let folder = home.join(".local/share/libmcp/tokens");
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    files.filter(|path| path.extension().is_some_and(|it| it == "json")).collect()
}

/// The only one, and what it has.
fn record(home: &Path) -> (std::path::PathBuf, Value) {
    let [file] = &kept(home)[..] else { panic!("{:?}", kept(home)) };
    let text = std::fs::read_to_string(file).expect("read");
    (file.clone(), serde_json::from_str(&text).expect("JSON"))
}

/// Has the token of the only login end in so many seconds.
fn expire(home: &Path, seconds: i64) {
    let (file, mut record) = record(home);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("later").as_secs();
    let end = now.saturating_add_signed(seconds);
    let tokens = &mut record["logins"][0]["tokens"];
    assert_eq!(tokens["refresh"], "first");
    (tokens["obtained"], tokens["expires"]) = ((end - 3600).into(), end.into());
    std::fs::write(file, record.to_string()).expect("written");
}

#[test]
#[cfg(target_os = "linux")]
fn a_command_that_ends_while_its_token_is_renewed_keeps_the_new_one() {
    let site = server(&json!({"device_authorization_endpoint": "BASE/device"}), &codes());
    let (folder, url) = (tempfile::tempdir().expect("a folder"), url(&site));
    assert_eq!(mcp(folder.path(), &["login", &url, "--device"]).0, 0);
    // Its end is near: it is still good, and renewed beside the request that it goes out with.
    expire(folder.path(), 40);
    {
        let mut site = site.lock().expect("unharmed");
        (site.is_slow, site.pings) = (true, 0);
    }
    let (code, _, stderr) = mcp(folder.path(), &["ping", &url]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(site.lock().expect("unharmed").refreshes, 1);
    assert_eq!(record(folder.path()).1["logins"][0]["tokens"]["refresh"], "second");
}

#[test]
fn a_kept_login_that_cannot_be_renewed_now_is_the_error_however_the_server_asks_for_one() {
    for forbids in [false, true] {
        let site = server(&json!({"device_authorization_endpoint": "BASE/device"}), &codes());
        let (folder, url) = (tempfile::tempdir().expect("a folder"), url(&site));
        site.lock().expect("unharmed").forbids = forbids;
        let (code, _, stderr) = mcp(folder.path(), &["login", &url, "--device"]);
        assert_eq!(code, 0, "{stderr}");
        expire(folder.path(), -40);
        let away = json!({"error": "temporarily_unavailable", "error_description": "we are away"});
        site.lock().expect("unharmed").refusals = vec![(503, away)];
        let (code, _, stderr) = mcp(folder.path(), &["ping", &url]);
        assert_eq!(code, 3, "{forbids}: {stderr}");
        assert!(stderr.contains("503") && stderr.contains("we are away"), "{forbids}: {stderr}");
        assert_eq!(site.lock().expect("unharmed").refreshes, 1, "{forbids}: no second login is begun");
        let (code, _, stderr) = mcp(folder.path(), &["ping", &url]);
        assert_eq!((code, site.lock().expect("unharmed").refreshes), (0, 2), "{forbids}: {stderr}");
    }
}

#[test]
fn bridges_that_begin_at_the_same_time_have_the_person_log_in_once() {
    let site = server(&json!({"device_authorization_endpoint": "BASE/device"}), &codes());
    let (folder, url) = (tempfile::tempdir().expect("a folder"), url(&site));
    // Without the option none asks for a login.
    let (_, _, stderr) = mcp(folder.path(), &["bridge", &url]);
    assert!(stderr.contains("mcp login") && got(&site, "/device").is_empty(), "{stderr}");
    let bridges: Vec<_> = (0..3)
        .map(|_| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_mcp"));
            command.args(["bridge", "--login", &url]).current_dir(folder.path()).env_clear();
            command.env("HOME", folder.path()).stdin(Stdio::null()).stdout(Stdio::piped());
            command.stderr(Stdio::piped()).spawn().expect("it runs")
        })
        .collect();
    for bridge in bridges {
        let Output { status, stdout, stderr } = bridge.wait_with_output().expect("an end");
        let stderr = String::from_utf8_lossy(&stderr);
        assert!(status.success() && stdout.is_empty() && !stderr.contains("mcp login"), "{status} {stderr}");
    }
    assert_eq!((got(&site, "/device").len(), got(&site, "/register").len()), (1, 1));
}
