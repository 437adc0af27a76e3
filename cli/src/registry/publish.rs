//! `publish`: a record of a server, made of what is in its folder, checked, shown and sent. A credential goes to the registry that it is for.

use super::api::Registry;
use super::record::{SCHEMA, check};
use crate::arguments::{Common, Format, Publish};
use crate::bundle::{Described, checked_bytes, confirm, described};
use crate::failure::Failure;
use crate::folders::{self, encoded, sha256};
use crate::output::{Screen, json_text, one_line};
use crate::shape::Finding;
use mcp::client::{WebRequest, web};
use serde_json::{Map, Value, json};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file of the record, and the most bytes of it.
const FILE: &str = "server.json";
const MOST_RECORD: u64 = 1 << 20;
/// The most bytes of a token, and of the answer with one.
const MOST_TOKEN: usize = 64 << 10;
/// How long the identity of a job is waited for.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The longest description that a registry takes.
const MOST_DESCRIPTION: usize = 100;

pub fn publish(screen: Screen, publish: &Publish, common: &Common) -> Result<(), Failure> {
    let registry = Registry::of(publish.registry.as_deref(), common)?;
    let folder = publish.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let record = record(&folder, publish)?;
    let found = check(&record);
    let lines: Vec<String> = found.iter().map(Finding::line).collect();
    if publish.dry_run {
        write(screen, &record, &registry.url, false, &lines)?;
    }
    if !lines.is_empty() {
        return Err(Failure::usage(format!("the record cannot be published: {}", lines.join("; "))));
    }
    if publish.dry_run {
        return Ok(());
    }
    let login = login_of(publish)?;
    Screen::note(json_text(&record.to_string(), |_| false));
    Screen::said(format!("this is published at {}; a version is final", registry.url));
    confirm(publish.yes)?;
    let token = token(&registry, login)?;
    let (status, answer) = registry.post("/v0.1/publish", &record, Some(&token))?;
    if status != 200 && status != 201 {
        let failure = registry.refused(status, &answer);
        return Err(match status {
            401 => failure.and("a token of a registry lives some minutes: log in again"),
            403 => failure.and(
                "the login may not publish names that begin so; io.github.OWNER/… is for the login of the owner",
            ),
            _ => failure,
        });
    }
    write(screen, &record, &registry.url, true, &[])
}

fn write(screen: Screen, record: &Value, url: &str, is_sent: bool, faults: &[String]) -> Result<(), Failure> {
    let text = |key: &str| one_line(record[key].as_str().unwrap_or_default());
    match screen.format {
        Format::Json | Format::Yaml => screen
            .json(&json!({"registry": url, "sent": is_sent, "record": record, "faults": faults}).to_string()),
        Format::Names => screen.names(&[text("name")]),
        Format::Text if is_sent => {
            screen.write(format!("{} {}: published at {}\n", text("name"), text("version"), one_line(url)))
        }
        Format::Text => {
            Screen::said(format!("this would be sent to {url}"));
            screen.write(json_text(&record.to_string(), |_| false))
        }
    }
}

/// The record of the folder, or one made of its package file, with what the command line says.
fn record(folder: &Path, publish: &Publish) -> Result<Value, Failure> {
    let path = folder.join(FILE);
    let mut record = match folders::read(&path, MOST_RECORD)? {
        Some(text) => serde_json::from_str(&text)
            .map_err(|error| Failure::usage(format!("{} is not valid JSON: {error}", path.display())))?,
        None => made(&described(folder)?.unwrap_or_default()),
    };
    let Some(members) = record.as_object_mut() else {
        return Err(Failure::usage(format!("{} is not an object", path.display())));
    };
    for word in &publish.record {
        let (name, text) = word.split_once('=').ok_or_else(|| {
            Failure::usage(format!(
                "--record {word}: there is no '='; write --record name=io.github.owner/name"
            ))
        })?;
        let json = Some(text).filter(|text| text.starts_with(['{', '[']));
        let value = json.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(|| text.into());
        members.insert(name.to_owned(), value);
    }
    if let (Some(path), Some(url)) = (&publish.bundle, &publish.bundle_url) {
        let package = json!({"registryType": "mcpb", "identifier": url, "fileSha256": sha256(&checked_bytes(path)?),
            "transport": {"type": "stdio"}});
        match members.entry("packages").or_insert_with(|| json!([])) {
            Value::Array(list) => list.push(package),
            _ => return Err(Failure::usage("'packages' of the record is not a list")),
        }
    }
    Ok(record)
}

/// A record from a package file.
fn made(about: &Described) -> Value {
    let mut members = Map::new();
    members.insert("$schema".to_owned(), SCHEMA.into());
    let mut description = about.description.clone();
    if description.chars().count() > MOST_DESCRIPTION {
        description = description.chars().take(MOST_DESCRIPTION - 1).chain(['…']).collect();
    }
    for (key, text) in [
        ("name", &about.server_name),
        ("description", &description),
        ("version", &about.version),
        ("websiteUrl", &about.homepage),
    ] {
        if !text.is_empty() {
            members.insert(key.to_owned(), text.as_str().into());
        }
    }
    if !about.repository.is_empty() {
        let host = super::download::host_of(&about.repository);
        let source = host.strip_suffix(".com").filter(|source| ["github", "gitlab"].contains(source));
        let source = source.unwrap_or(&host);
        members.insert("repository".to_owned(), json!({"url": about.repository, "source": source}));
    }
    // A crate has to be compiled before it runs, which hosts do not do.
    if matches!(about.registry, "npm" | "pypi") && !about.name.is_empty() {
        let package = json!({"registryType": about.registry, "identifier": about.name, "version": about.version,
            "transport": {"type": "stdio"}});
        members.insert("packages".to_owned(), json!([package]));
    }
    Value::Object(members)
}

/// What a person is at a registry.
enum Login {
    /// A token of the registry.
    Own(String),
    /// One of GitHub, for which the registry gives one of its own.
    GitHub(String),
    /// The identity of a job: where it is, and what opens that.
    Job { url: String, token: String },
}

fn login_of(publish: &Publish) -> Result<Login, Failure> {
    if let Some(path) = &publish.token_file {
        return Ok(Login::Own(secret(path)?));
    }
    if let Some(path) = &publish.github_token_file {
        return Ok(Login::GitHub(secret(path)?));
    }
    if !publish.github_oidc {
        return Err(Failure::usage(
            "how do you log in? give --github-token-file FILE, --token-file FILE, or in a job of GitHub Actions --github-oidc",
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

/// A secret of a file or of standard input.
fn secret(path: &Path) -> Result<String, Failure> {
    let text = if path == Path::new("-") {
        let mut text = String::new();
        let read = std::io::stdin().lock().take(MOST_TOKEN as u64).read_to_string(&mut text);
        read.map_err(|error| Failure::usage(format!("cannot read standard input: {error}")))?;
        text
    } else {
        folders::read(path, MOST_TOKEN as u64)?.ok_or_else(|| {
            Failure::usage(format!("the file of the token, {}, is not there", path.display()))
        })?
    };
    let text = text.trim();
    if text.is_empty() || text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(Failure::usage(format!("{} has no token: one is a word", path.display())));
    }
    Ok(text.to_owned())
}

/// A token of the registry.
fn token(registry: &Registry<'_>, login: Login) -> Result<String, Failure> {
    let (path, body) = match login {
        Login::Own(token) => return Ok(token),
        Login::GitHub(token) => ("/v0.1/auth/github-at", json!({"github_token": token})),
        Login::Job { url, token } => {
            ("/v0.1/auth/github-oidc", json!({"oidc_token": identity(&url, &token, registry.origin())?}))
        }
    };
    let (status, answer) = registry.post(path, &body, None)?;
    let token = answer["registry_token"].as_str().filter(|token| status == 200 && !token.is_empty());
    token
        .map(str::to_owned)
        .ok_or_else(|| registry.refused(status, &answer).and("the login failed, and nothing was published"))
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

    fn about(server_name: &str, registry: &'static str) -> Described {
        Described {
            registry,
            name: "@me/y".to_owned(),
            version: "1.2.3".to_owned(),
            description: "d".repeat(300),
            repository: "https://github.com/me/y".to_owned(),
            server_name: server_name.to_owned(),
            ..Described::default()
        }
    }

    #[test]
    fn a_package_becomes_a_record_that_lacks_only_what_the_person_says() {
        let record = made(&about("io.github.me/y", "npm"));
        assert_eq!(check(&record), []);
        assert_eq!(record["repository"]["source"], "github");
        assert_eq!(record["packages"][0]["identifier"], "@me/y");
        let lines: Vec<String> = check(&made(&about("", "npm"))).iter().map(Finding::line).collect();
        assert_eq!(lines, ["name is missing"]);
        let of_cargo = check(&made(&about("io.github.me/y", "cargo")));
        assert!(of_cargo.iter().any(|one| one.what.contains("no way to use")), "{of_cargo:?}");
    }

    #[test]
    fn a_token_is_one_word_of_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("token");
        for (text, is) in [("abc\n", Some("abc")), ("", None), ("a b", None)] {
            std::fs::write(&path, text).expect("written");
            assert_eq!(secret(&path).ok().as_deref(), is);
        }
        assert!(secret(&folder.path().join("none")).is_err());
    }
}
