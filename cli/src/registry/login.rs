//! Logins at a registry: each ends in a token of the registry, which lives some minutes. A credential goes to where it was made for alone.

use super::api::Registry;
use crate::arguments::Publish;
use crate::failure::Failure;
use crate::folders::{self, encoded, hex};
use crate::output::{Screen, one_line};
use crate::session::Session;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcp::client::{WebRequest, timestamp, web};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The most bytes of a token or key, and of the answer with one.
const MOST_TOKEN: usize = 64 << 10;
/// How long one answer of GitHub is waited for.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Where a person logs in at GitHub, and what a registry has to know of the login.
const GITHUB: &str = "https://github.com";
const SCOPE: &str = "read:org read:user";
/// How long a person may take to log in, and the wait between two questions: at least, and more after each `slow_down`.
const PATIENCE: Duration = Duration::from_secs(900);
const LEAST: Duration = Duration::from_secs(1);
const SLOWER: Duration = Duration::from_secs(5);
const MOST: Duration = Duration::from_secs(60);

/// What a person is at a registry.
pub enum Login {
    /// A token of the registry.
    Own(String),
    /// One of GitHub, for which the registry gives one of its own.
    GitHub(String),
    /// A person at a browser, at GitHub.
    Device,
    /// The identity of a job: where it is, and what opens that.
    Job { url: String, token: String },
    /// The owner of a domain: the way in which the registry finds the public key, the domain, the private key.
    Domain { way: &'static str, domain: String, key: Box<Key> },
}

/// The private key of a domain.
pub enum Key {
    Ed25519(Ed25519KeyPair),
    P384(EcdsaKeyPair),
}

impl Key {
    /// A key in PKCS #8, as PEM, or the 32 bytes of an Ed25519 key in hexadecimal digits.
    fn of(text: &str) -> Result<Key, &'static str> {
        let wrong =
            "it is neither a private key in PKCS #8 (PEM; Ed25519 or P-384) nor 64 hexadecimal digits";
        let text = text.trim();
        if let Some(seed) = bytes_of(text) {
            return Ed25519KeyPair::from_seed_unchecked(&seed).map(Key::Ed25519).map_err(|_| wrong);
        }
        let inside = text.strip_prefix("-----BEGIN PRIVATE KEY-----");
        let inside = inside.and_then(|rest| rest.split_once("-----END")).ok_or(wrong)?.0;
        let inside: String = inside.split_whitespace().collect();
        let der = STANDARD.decode(inside).map_err(|_| wrong)?;
        if let Ok(pair) = Ed25519KeyPair::from_pkcs8_maybe_unchecked(&der) {
            return Ok(Key::Ed25519(pair));
        }
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P384_SHA384_FIXED_SIGNING, &der, &SystemRandom::new());
        pair.map(Key::P384).map_err(|_| wrong)
    }

    /// What the domain has to publish.
    fn published(&self) -> String {
        let (kind, public) = match self {
            Key::Ed25519(pair) => ("ed25519", pair.public_key().as_ref().to_vec()),
            Key::P384(pair) => ("ecdsap384", compressed(pair.public_key().as_ref())),
        };
        format!("v=MCPv1; k={kind}; p={}", STANDARD.encode(public))
    }

    fn sign(&self, text: &str) -> Result<Vec<u8>, Failure> {
        match self {
            Key::Ed25519(pair) => Ok(pair.sign(text.as_bytes()).as_ref().to_vec()),
            Key::P384(pair) => pair
                .sign(&SystemRandom::new(), text.as_bytes())
                .map(|signature| signature.as_ref().to_vec())
                .map_err(|_| Failure::machine("the key cannot sign: the system gives no random numbers")),
        }
    }
}

/// A point of a curve by its first coordinate and the parity of the second one.
fn compressed(point: &[u8]) -> Vec<u8> {
    let half = point.len() / 2;
    let parity = point.last().map_or(0, |last| last & 1);
    std::iter::once(2 + parity).chain(point.iter().skip(1).take(half).copied()).collect()
}

/// The 32 bytes that 64 hexadecimal digits are.
fn bytes_of(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    let digits = text.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

/// The login that a command line asks for.
pub fn of(publish: &Publish) -> Result<Login, Failure> {
    if let Some(path) = &publish.token_file {
        return Ok(Login::Own(secret(path)?));
    }
    if let Some(path) = &publish.github_token_file {
        return Ok(Login::GitHub(secret(path)?));
    }
    for (way, domain) in [("dns", &publish.dns), ("http", &publish.http)] {
        if let (Some(domain), Some(path)) = (domain, &publish.key_file) {
            let key = Key::of(&text_of(path)?)
                .map_err(|why| Failure::usage(format!("--key-file {}: {why}", path.display())))?;
            return Ok(Login::Domain { way, domain: domain.clone(), key: Box::new(key) });
        }
    }
    if publish.github {
        return Ok(Login::Device);
    }
    if !publish.github_oidc {
        return Err(Failure::usage(
            "how do you log in? give --github, --github-token-file FILE, --token-file FILE, --dns DOMAIN or --http DOMAIN with --key-file \
             FILE, or in a job of GitHub Actions --github-oidc",
        ));
    }
    let variable = |name: &str| {
        std::env::var(name).ok().filter(|value| !value.is_empty()).ok_or_else(|| {
            Failure::usage(format!(
                "--github-oidc: {name} is not set: this is not a job of GitHub Actions, or the job has no `permissions: id-token: write`"
            ))
        })
    };
    let url = variable("ACTIONS_ID_TOKEN_REQUEST_URL")?;
    Ok(Login::Job { url, token: variable("ACTIONS_ID_TOKEN_REQUEST_TOKEN")? })
}

/// The text of a file or of standard input.
fn text_of(path: &Path) -> Result<String, Failure> {
    if path == Path::new("-") {
        let mut text = String::new();
        let read = std::io::stdin().lock().take(MOST_TOKEN as u64).read_to_string(&mut text);
        read.map_err(|error| Failure::usage(format!("cannot read standard input: {error}")))?;
        return Ok(text);
    }
    folders::read_given(path, MOST_TOKEN as u64)?
        .ok_or_else(|| Failure::usage(format!("the file of the login, {}, is not there", path.display())))
}

/// A secret that is a word.
fn secret(path: &Path) -> Result<String, Failure> {
    let text = text_of(path)?;
    let text = text.trim();
    if text.is_empty() || text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(Failure::usage(format!("{} has no token: one is a word", path.display())));
    }
    Ok(text.to_owned())
}

/// A token of the registry.
pub fn token(registry: &Registry<'_>, login: Login) -> Result<String, Failure> {
    let (path, body, hint) = match login {
        Login::Own(token) => return Ok(token),
        Login::GitHub(token) => ("github-at", json!({"github_token": token}), String::new()),
        Login::Device => ("github-at", json!({"github_token": device(registry)?}), String::new()),
        Login::Job { url, token } => {
            ("github-oidc", json!({"oidc_token": identity(&url, &token, registry.origin())?}), String::new())
        }
        Login::Domain { way, domain, key } => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
            let timestamp = timestamp(now);
            let signed = hex(&key.sign(&timestamp)?);
            let place = match way {
                "dns" => format!("as a TXT record of {}", one_line(&domain)),
                _ => format!("at https://{}/.well-known/mcp-registry-auth", one_line(&domain)),
            };
            let hint = format!("the domain publishes this, {place}: {}", key.published());
            (way, json!({"domain": domain, "timestamp": timestamp, "signed_timestamp": signed}), hint)
        }
    };
    let (status, answer) = registry.send("POST", &format!("/v0.1/auth/{path}"), &body, None)?;
    let token = answer["registry_token"].as_str().filter(|token| status == 200 && !token.is_empty());
    token.map(str::to_owned).ok_or_else(|| {
        let failure = registry.refused(status, &answer).and("the login failed, and nothing was published");
        if hint.is_empty() { failure } else { failure.and(&hint) }
    })
}

/// A token of GitHub, which a person grants in a browser of any machine (RFC 8628).
fn device(registry: &Registry<'_>) -> Result<String, Failure> {
    let health = registry.get("/v0.1/health")?;
    let client = health["github_client_id"].as_str().filter(|id| !id.is_empty()).ok_or_else(|| {
        Failure::unreached(format!("{} has no login at GitHub: its health names no client", registry.url))
    })?;
    let tell = &mut |code: &str, address: &str| {
        Screen::said(format!("open {} and enter the code {}", one_line(address), one_line(code)));
    };
    let begin = Instant::now();
    granted(GITHUB, client, tell, &mut |wait| Session::pause(wait).map(|()| begin.elapsed()))
}

/// Asks for a code, tells it, and asks for the token until the person has decided. `pause` waits, and gives how long all took so far. The
/// person may be at the browser while one answer is lost: it counts as `slow_down`, and is the reason if none comes in time.
fn granted(
    github: &str,
    client: &str,
    tell: &mut dyn FnMut(&str, &str),
    pause: &mut dyn FnMut(Duration) -> Result<Duration, Failure>,
) -> Result<String, Failure> {
    let failed = |what: &str| Failure::unreached(format!("GitHub, {github}: {what}"));
    let begun = ask(github, "/login/device/code", &[("client_id", client), ("scope", SCOPE)])?;
    let text =
        |value: &Value, key: &str| value[key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let named = |key: &str| text(&begun, key).ok_or_else(|| failed(&format!("its answer has no '{key}'")));
    let (code, user_code, address) = (named("device_code")?, named("user_code")?, named("verification_uri")?);
    if !super::download::is_safe(&address) {
        return Err(failed("its address for the code is not a URL with https"));
    }
    tell(&user_code, &address);
    let seconds = |key: &str| begun[key].as_f64().and_then(|it| Duration::try_from_secs_f64(it).ok());
    let limit = seconds("expires_in").unwrap_or(PATIENCE).min(PATIENCE);
    let mut wait = seconds("interval").unwrap_or(SLOWER).clamp(LEAST, MOST);
    let (mut elapsed, mut lost) = (Duration::ZERO, None);
    while elapsed < limit {
        elapsed = pause(wait)?;
        let grant = "urn:ietf:params:oauth:grant-type:device_code";
        let fields = [("client_id", client), ("device_code", &code), ("grant_type", grant)];
        let answer = match ask(github, "/login/oauth/access_token", &fields) {
            Ok(answer) => {
                lost = None;
                answer
            }
            Err(failure) => {
                lost = Some(failure.text());
                json!({"error": "slow_down"})
            }
        };
        if let Some(token) = text(&answer, "access_token") {
            return Ok(token);
        }
        match text(&answer, "error").as_deref() {
            Some("authorization_pending") => {}
            Some("slow_down") => wait = (wait + SLOWER).min(MOST),
            Some("access_denied") => return Err(Failure::usage("the login was refused at GitHub")),
            Some("expired_token") => break,
            other => {
                return Err(failed(&format!(
                    "the login ends with '{}'",
                    one_line(other.unwrap_or_default())
                )));
            }
        }
    }
    let expired = Failure::unreached("the code of the login has expired: begin again");
    Err(match lost {
        Some(why) => expired.and(&format!("no answer came to the last question: {}", one_line(&why))),
        None => expired,
    })
}

/// A form that is sent, and the JSON that is the answer.
fn ask(github: &str, path: &str, fields: &[(&str, &str)]) -> Result<Value, Failure> {
    let body: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    let request = WebRequest {
        method: "POST".to_owned(),
        url: format!("{github}{path}"),
        headers: vec![
            ("accept".to_owned(), "application/json".to_owned()),
            ("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned()),
        ],
        body: body.join("&").into_bytes(),
        most_bytes: MOST_TOKEN,
        timeout: TIMEOUT,
        refuse_private: false,
    };
    let answer = web(request, &json!({}))?;
    serde_json::from_slice(&answer.body).map_err(|error| {
        Failure::unreached(format!(
            "GitHub, {github}: the answer ({}) is not valid JSON: {error}",
            answer.status
        ))
    })
}

/// The identity of this job, made for one registry.
fn identity(url: &str, token: &str, audience: &str) -> Result<String, Failure> {
    if !super::download::is_safe(url) {
        return Err(Failure::usage("ACTIONS_ID_TOKEN_REQUEST_URL is not a URL with https"));
    }
    let mark = if url.contains('?') { '&' } else { '?' };
    let request = WebRequest {
        method: "GET".to_owned(),
        url: format!("{url}{mark}audience={}", encoded(audience)),
        headers: vec![
            ("accept".to_owned(), "application/json".to_owned()),
            ("authorization".to_owned(), format!("Bearer {token}")),
        ],
        body: Vec::new(),
        most_bytes: MOST_TOKEN,
        timeout: TIMEOUT,
        refuse_private: false,
    };
    let answer = web(request, &json!({}))?;
    let value: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let token = value["value"].as_str().filter(|_| answer.status == 200);
    token.map(str::to_owned).ok_or_else(|| {
        let status = answer.status;
        Failure::unreached(format!("GitHub gives no identity for this job: the status is {status}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::TcpListener;

    #[test]
    fn a_token_is_one_word_of_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("token");
        for (text, is) in [("abc\n", Some("abc")), ("\u{feff}abc", Some("abc")), ("", None), ("a b", None)] {
            std::fs::write(&path, text).expect("written");
            assert_eq!(secret(&path).ok().as_deref(), is);
        }
        assert!(secret(&folder.path().join("none")).is_err());
    }

    #[test]
    fn the_key_of_a_domain_is_published_and_signs() {
        use ring::signature::{ECDSA_P384_SHA384_FIXED, ED25519, UnparsedPublicKey};
        let seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
        let key = Key::of(seed).expect("a key");
        // RFC 8032, 7.1.
        let public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
        let public = bytes_of(public).expect("bytes");
        assert_eq!(key.published(), format!("v=MCPv1; k=ed25519; p={}", STANDARD.encode(public)));
        let signature = key.sign("x").expect("signed");
        assert!(UnparsedPublicKey::new(&ED25519, public).verify(b"x", &signature).is_ok());
        let der = EcdsaKeyPair::generate_pkcs8(&ECDSA_P384_SHA384_FIXED_SIGNING, &SystemRandom::new());
        let der = STANDARD.encode(der.expect("made"));
        let (begin, end) = der.split_at(64);
        let pem = format!("-----BEGIN PRIVATE KEY-----\n{begin}\n{end}\n-----END PRIVATE KEY-----\n");
        let key = Key::of(&pem).expect("a key");
        let Key::P384(pair) = &key else { panic!("another kind of key") };
        let signature = key.sign("x").expect("signed");
        assert_eq!(signature.len(), 96);
        let point = pair.public_key().as_ref();
        assert!(UnparsedPublicKey::new(&ECDSA_P384_SHA384_FIXED, point).verify(b"x", &signature).is_ok());
        let short = compressed(point);
        assert_eq!((short.len(), short[0]), (49, 2 + (point[96] & 1)));
        assert_eq!(short[1..], point[1..49]);
        for text in ["", "x", &seed[1..], "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"] {
            assert!(Key::of(text).is_err(), "{text}");
        }
    }

    /// A GitHub that gives these answers, one after the other.
    fn github(answers: &'static [&'static str]) -> (String, std::thread::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("known"));
        let served = std::thread::spawn(move || {
            let mut asked = Vec::new();
            for text in answers {
                let (mut stream, _) = listener.accept().expect("a client");
                let mut reader = BufReader::new(stream.try_clone().expect("cloned"));
                let mut length = 0;
                let mut line = String::new();
                while reader.read_line(&mut line).expect("read") > 2 {
                    let small = line.to_ascii_lowercase();
                    let number = small.strip_prefix("content-length: ").map(|it| it.trim().to_owned());
                    length = number.and_then(|it| it.parse().ok()).unwrap_or(length);
                    line.clear();
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).expect("a body");
                asked.push(String::from_utf8(body).expect("text"));
                let answer = format!(
                    "HTTP/1.1 200 X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}",
                    text.len()
                );
                if *text != GONE {
                    stream.write_all(answer.as_bytes()).expect("written");
                }
            }
            asked
        });
        (address, served)
    }

    /// No answer: the connection ends.
    const GONE: &str = "";
    const BRIEF: &str = r#"{"device_code":"d s3cret","user_code":"AB-12","verification_uri":"https://github.com/login/device","expires_in":7,"interval":1}"#;
    const BEGUN: &str = r#"{"device_code":"d s3cret","user_code":"AB-12","verification_uri":"https://github.com/login/device","expires_in":900,"interval":0}"#;

    #[test]
    fn a_person_grants_a_login_at_another_browser() {
        let (address, served) =
            github(&[BEGUN, r#"{"error":"authorization_pending"}"#, r#"{"access_token":"gh-s3cret"}"#]);
        let mut told = Vec::new();
        let tell = &mut |code: &str, url: &str| told.push(format!("{code} {url}"));
        let token = granted(&address, "c 1", tell, &mut |_| Ok(Duration::ZERO));
        assert_eq!(token.expect("granted"), "gh-s3cret");
        assert_eq!(told, ["AB-12 https://github.com/login/device"]);
        let asked = served.join().expect("ended");
        assert_eq!(asked[0], "client_id=c%201&scope=read%3Aorg%20read%3Auser");
        assert!(asked[2].contains("device_code=d%20s3cret") && asked[2].contains("device_code"), "{asked:?}");
        for (answers, said) in [
            (&[BEGUN, r#"{"error":"access_denied"}"#][..], "refused at GitHub"),
            (&[BEGUN, r#"{"error":"expired_token"}"#], "has expired"),
            (&[BEGUN, r#"{"error":"incorrect_client"}"#], "'incorrect_client'"),
            (&[r#"{"error":"not_found"}"#], "no 'device_code'"),
            (&["no JSON"], "not valid JSON"),
            // Until the time is over: 1 s, then 5 s more after each.
            (&[BRIEF, "<html>", "<html>"], "expired: begin again; no answer came to the last question"),
            (&[BRIEF, "<html>", r#"{"error":"authorization_pending"}"#], "expired: begin again"),
        ] {
            let (address, served) = github(answers);
            let mut elapsed = Duration::ZERO;
            let pause = &mut |wait| {
                elapsed += wait;
                Ok(elapsed)
            };
            let why = granted(&address, "c", &mut |_, _| {}, pause).expect_err(said).text();
            assert!(why.contains(said) && !why.contains("s3cret"), "{why}");
            assert_eq!(served.join().expect("ended").len(), answers.len());
        }
    }

    #[test]
    fn an_answer_that_is_lost_does_not_end_a_login_at_another_browser() {
        const GRANTED: &str = r#"{"access_token":"gh-s3cret"}"#;
        for answers in [&[BEGUN, "<html>502</html>", GRANTED], &[BEGUN, GONE, GRANTED]] {
            let (address, served) = github(answers);
            let mut waited = Vec::new();
            let pause = &mut |wait: Duration| {
                waited.push(wait.as_secs());
                Ok(Duration::ZERO)
            };
            let token = granted(&address, "c", &mut |_, _| {}, pause);
            assert_eq!((token.expect("granted").as_str(), waited), ("gh-s3cret", vec![1, 6]), "{answers:?}");
            assert_eq!(served.join().expect("ended").len(), answers.len());
        }
    }
}
