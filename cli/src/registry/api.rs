//! The API of a registry (v0.1): requests, bounds, errors, and answers that are kept for ten minutes.
//! <https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/api/openapi.yaml>

use super::download::is_safe;
use crate::arguments::Common;
use crate::failure::Failure;
use crate::folders;
use crate::output::{beginning, one_line};
use crate::session::Session;
use mcp::client::{WebRequest, web};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The registry of the project.
pub const OFFICIAL: &str = "https://registry.modelcontextprotocol.io";
/// The most bytes of an answer.
const MOST_BYTES: usize = 8 << 20;
/// How long an answer is kept, and the most that are.
const KEPT: Duration = Duration::from_secs(600);
const MOST_KEPT: usize = 100;
/// How often a busy registry is asked, and the wait before it is asked again at first.
const TRIES: u32 = 3;
const WAIT: Duration = Duration::from_millis(500);
/// How much of an error is shown.
const SHOWN: usize = 500;

/// A registry.
pub struct Registry<'a> {
    /// Its URL without a slash at the end.
    pub url: String,
    common: &'a Common,
}

impl<'a> Registry<'a> {
    /// The one that an option names, or that of the project.
    pub fn of(url: Option<&str>, common: &'a Common) -> Result<Registry<'a>, Failure> {
        let url = url.unwrap_or(OFFICIAL).trim_end_matches('/');
        if !is_safe(url) || url.contains(['?', '#']) {
            let shown = one_line(&mcp::client::without_passwords(url));
            return Err(Failure::usage(format!(
                "--registry '{shown}': write a URL with https and without a query"
            )));
        }
        Ok(Registry { url: url.to_owned(), common })
    }

    /// Its scheme and host, for which a credential is made.
    pub fn origin(&self) -> &str {
        let end = self.url.find("://").map_or(0, |at| at + 3);
        let behind = self.url[end..].find('/').map_or(self.url.len(), |at| end + at);
        &self.url[..behind]
    }

    /// What a path gives, from the last ten minutes or now.
    pub fn get(&self, path: &str) -> Result<Value, Failure> {
        let url = format!("{}{path}", self.url);
        let kept = kept_at(&url);
        if let Some(value) = kept.as_deref().and_then(fresh) {
            return Ok(value);
        }
        let (status, value) = self.ask("GET", path, None, None)?;
        if status != 200 {
            return Err(self.refused(status, &value));
        }
        if let Some(path) = kept {
            remove_old(path.parent().unwrap_or(&path));
            // Without it the next command asks again.
            let _unkept: Result<(), Failure> = folders::replace(&path, &value.to_string());
        }
        Ok(value)
    }

    /// Sends JSON, with a credential for this registry alone; the status and the answer. It is sent once.
    pub fn send(
        &self,
        method: &str,
        path: &str,
        body: &Value,
        token: Option<&str>,
    ) -> Result<(u16, Value), Failure> {
        self.ask(method, path, Some(body), token)
    }

    fn ask(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        token: Option<&str>,
    ) -> Result<(u16, Value), Failure> {
        let mut headers =
            vec![("accept".to_owned(), "application/json, application/problem+json".to_owned())];
        if body.is_some() {
            headers.push(("content-type".to_owned(), "application/json".to_owned()));
        }
        headers.extend(token.map(|token| ("authorization".to_owned(), format!("Bearer {token}"))));
        let mut wait = WAIT;
        let mut left = if method == "GET" { TRIES } else { 1 };
        loop {
            left -= 1;
            let timeout = self.common.timeout();
            let request = WebRequest {
                method: method.to_owned(),
                url: format!("{}{path}", self.url),
                headers: headers.clone(),
                body: body.map(|body| body.to_string().into_bytes()).unwrap_or_default(),
                most_bytes: MOST_BYTES,
                timeout: if timeout.is_zero() { Duration::from_secs(86_400) } else { timeout },
                refuse_private: false,
            };
            let answer = web(request, &json!({}))?;
            if left > 0 && (answer.status == 429 || answer.status >= 500) {
                Session::pause(wait)?;
                wait *= 2;
                continue;
            }
            if (300..400).contains(&answer.status) {
                return Err(Failure::unreached(format!(
                    "{}: the answer is a redirect ({}), which is not followed; name the registry itself with --registry",
                    self.url, answer.status
                )));
            }
            let value = match serde_json::from_slice(&answer.body) {
                Ok(value) => value,
                Err(_) if answer.status != 200 => json!({"error": String::from_utf8_lossy(&answer.body)}),
                Err(error) => {
                    return Err(Failure::unreached(format!(
                        "{}{path}: the answer is not valid JSON: {error}",
                        self.url
                    )));
                }
            };
            return Ok((answer.status, value));
        }
    }

    /// What a registry says of a request that it did not do.
    pub fn refused(&self, status: u16, answer: &Value) -> Failure {
        let mut said: Vec<&str> = Vec::new();
        for key in ["detail", "error", "title", "message"] {
            said.extend(answer[key].as_str().filter(|text| said.is_empty() && !text.is_empty()));
        }
        said.extend(
            answer["errors"].as_array().into_iter().flatten().filter_map(|one| one["message"].as_str()),
        );
        let said = beginning(&one_line(&said.join("; ")), SHOWN);
        let said = if said.is_empty() { String::new() } else { format!(": {said}") };
        Failure::unreached(format!("the registry {} answers with the status {status}{said}", self.url))
    }
}

/// The file in which an answer is kept.
fn kept_at(url: &str) -> Option<PathBuf> {
    let name = folders::sha256(url.as_bytes());
    Some(folders::cache()?.join("libmcp").join("registry").join(&name[..32]))
}

/// What is kept and not too old.
fn fresh(path: &Path) -> Option<Value> {
    let modified = path.metadata().ok()?.modified().ok()?;
    // A date that is to come says nothing.
    let age = SystemTime::now().duration_since(modified).ok()?;
    let text = folders::read(path, MOST_BYTES as u64).ok().flatten().filter(|_| age < KEPT)?;
    serde_json::from_str(&text).ok()
}

/// Removes the answers of a folder that has many. What cannot be removed stays.
fn remove_old(folder: &Path) {
    let files: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    if files.len() < MOST_KEPT {
        return;
    }
    for file in files {
        if fresh(&file).is_none() {
            let _stays = std::fs::remove_file(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    #[test]
    fn a_registry_is_at_https_and_says_why_it_refuses() {
        let common = crate::arguments::Arguments::try_parse_from(["mcp", "servers"]).expect("options").common;
        for url in ["http://a.example", "https://u:p@a.example", "https://a.example/?x", "a.example"] {
            assert!(Registry::of(Some(url), &common).is_err(), "{url}");
        }
        let registry = Registry::of(Some("https://a.example:1/x/"), &common).expect("a registry");
        assert_eq!(
            (registry.url.as_str(), registry.origin()),
            ("https://a.example:1/x", "https://a.example:1")
        );
        for (answer, said) in [
            (
                json!({"title": "T", "detail": "D", "errors": [{"message": "m\u{1b}1"}, {"message": "m2"}]}),
                ": D; m␛1; m2",
            ),
            (json!({"error": "E"}), ": E"),
            (json!([]), "422"),
        ] {
            let text = registry.refused(422, &answer).text();
            assert!(text.ends_with(said), "{text}");
        }
    }
}
