//! What the page reads and does: one name each, JSON in and out. A body names servers by their numbers, never by a command, URL or path.

use super::served::Served;
use super::{Page, apps, secret};
use crate::checked::Findings;
use crate::failure::Failure;
use crate::login::Person;
use crate::output::one_line;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcp::apps::{GUARD, MIME_TYPE};
use mcp::client::json_text::{elements, member, members, quote, string};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

/// How much of a text of an app is kept.
const SHOWN: usize = 300;

/// What is read without changing anything.
pub fn read(page: &Page, name: &str, query: &str) -> Result<String, Failure> {
    match name {
        "state" => Ok(state(page)),
        "record" => {
            let number = query.strip_prefix("n=").and_then(|number| number.parse().ok()).unwrap_or(0);
            page.records.one(number).ok_or_else(|| Failure::usage("this record is no longer in memory"))
        }
        "trace" => page.records.file(&page.title, page.began),
        "html" => page.records.file(&page.title, page.began).map(|trace| super::with_trace(&trace)),
        other => Err(unknown(other)),
    }
}

fn unknown(name: &str) -> Failure {
    Failure::usage(format!("the page's server has nothing that is called '{name}'"))
}

fn state(page: &Page) -> String {
    let server = |served: &Arc<Served>| {
        json!({
            "server": served.number,
            "name": served.shown,
            "place": served.place,
            "is_file": matches!(served.origin, super::Origin::Trace),
            "login": served.login(),
        })
    };
    let servers: Vec<Value> = page.servers.iter().map(server).collect();
    json!({"version": env!("CARGO_PKG_VERSION"), "servers": servers, "dev": page.dev, "began": page.began.to_string()})
        .to_string()
}

/// What is done: `body` is a JSON object.
pub fn done(page: &Arc<Page>, name: &str, body: &str, port: &str) -> Result<String, Failure> {
    let _valid: serde::de::IgnoredAny = serde_json::from_str(body)
        .map_err(|error| Failure::usage(format!("the body of this request is not valid JSON: {error}")))?;
    if let Some(name) = repeated(body) {
        return Err(Failure::usage(format!(
            "the body of this request has the name '{}' more than once: each name may be there once",
            one_line(&name)
        )));
    }
    let number = |key: &str| member(body, key).and_then(|number| number.parse::<u64>().ok());
    let needed = |key: &str| {
        number(key).ok_or_else(|| Failure::usage(format!("this request needs the number '{key}'")))
    };
    let text = |key: &str| member(body, key).and_then(string).map(Cow::into_owned);
    let named =
        |key: &str| text(key).ok_or_else(|| Failure::usage(format!("this request needs the text '{key}'")));
    let is = |key: &str| member(body, key) == Some("true");
    let at = usize::try_from(needed("server")?).unwrap_or(usize::MAX);
    let served = page.servers.get(at).ok_or_else(|| Failure::usage(format!("there is no server {at}")))?;
    let called = |number: u64| Ok(json!({ "call": number }).to_string());
    let nothing = || Ok("{}".to_owned());
    let told = |found: &Findings| json!({"faults": found.faults, "notes": found.notes}).to_string();
    match name {
        "call" => {
            let method = named("method")?;
            let params = member(body, "params").unwrap_or("{}");
            if method == "tools/call" && !is("unchecked") {
                let tool = member(params, "name").and_then(string).unwrap_or_default();
                let found = served.check(&tool, member(params, "arguments").unwrap_or("{}"))?;
                if !found.faults.is_empty() {
                    return Ok(told(&found));
                }
            }
            called(served.call(&method, params, is("task"))?)
        }
        "again" => called(served.again(needed("call")?)?),
        "cancel" => served.cancel(needed("call")?).and_then(|()| nothing()),
        "check" => {
            let found = served.check(&named("tool")?, member(body, "arguments").unwrap_or("{}"))?;
            Ok(told(&found))
        }
        "answer" => served.answer(needed("question")?, body).and_then(|()| nothing()),
        "connect" => served.connect(is("login").then_some(Person::Browser)).and_then(|()| nothing()),
        "logout" => served.logout().and_then(|()| nothing()),
        "disconnect" => {
            served.disconnect();
            nothing()
        }
        "doctor" => examine(page, served).and_then(|()| nothing()),
        "raw" => match number("call") {
            Some(call) => served.raw(call),
            None => served.raw_question(needed("question")?),
        },
        "app" => app(page, served, &served.raw(needed("call")?)?, port),
        "html" => html(page, served.number, &served.raw(needed("call")?)?, needed("block")?, port),
        other => Err(unknown(other)),
    }
}

/// A name that an object has more than once, however it is escaped: which of the values counts would be a matter of the reader.
fn repeated(object: &str) -> Option<String> {
    let mut seen = BTreeSet::new();
    members(object)
        .filter_map(|(name, _)| string(&format!("\"{name}\"")).map(Cow::into_owned))
        .find(|name| !seen.insert(name.clone()))
}

/// Runs `mcp doctor` for a server; what it finds is a record.
fn examine(page: &Arc<Page>, served: &Arc<Served>) -> Result<(), Failure> {
    let target = served.target()?;
    if page.is_examining.swap(true, Ordering::AcqRel) {
        return Err(Failure::usage("a server is being examined: wait for what is found"));
    }
    let (examined, served) = (Arc::clone(page), Arc::clone(served));
    let run = move || {
        let page = examined;
        page.records.add(Instant::now(), served.number, "doctor", "program", "{\"state\":\"running\"}");
        let found = match crate::commands::examine(target, &served.common) {
            Ok(report) => format!("{{\"state\":\"done\",\"report\":{report}}}"),
            Err(failure) => format!("{{\"state\":\"failed\",\"message\":{}}}", quote(&failure.text())),
        };
        page.records.add(Instant::now(), served.number, "doctor", "program", &found);
        page.is_examining.store(false, Ordering::Release);
    };
    std::thread::Builder::new().name("mcp-page-doctor".to_owned()).spawn(run).map(|_| ()).map_err(|error| {
        page.is_examining.store(false, Ordering::Release);
        Failure::machine(format!("cannot start a thread for the examination: {error}"))
    })
}

/// Keeps the document of an app for a frame: what `resources/read` of its server gave, as it was spoken, with the policy of its `_meta`, or
/// of that of its entry in the list.
fn app(page: &Page, served: &Served, read: &str, port: &str) -> Result<String, Failure> {
    let outcome = member(read, "outcome").unwrap_or("{}");
    if let Some(error) = member(outcome, "error") {
        let why = member(error, "message").and_then(string).unwrap_or_default();
        return Err(Failure::usage(format!("the document of the app cannot be read: {why}")));
    }
    let contents = member(outcome, "result").and_then(|result| member(result, "contents"));
    let content = contents.and_then(|contents| elements(contents).next()).unwrap_or("{}");
    let kind = member(content, "mimeType").and_then(string).unwrap_or_default();
    if kind != MIME_TYPE {
        return Err(Failure::usage(format!("an app has the type {MIME_TYPE}, and this one has '{kind}'")));
    }
    let document = match (member(content, "text").and_then(string), member(content, "blob").and_then(string))
    {
        (Some(text), _) => text.into_owned().into_bytes(),
        (None, Some(blob)) => STANDARD
            .decode(&*blob)
            .map_err(|error| Failure::usage(format!("the app's blob is not Base64: {error}")))?,
        (None, None) => return Err(Failure::usage("the app has neither text nor blob")),
    };
    let own = |of: &str| member(of, "_meta").and_then(|meta| member(meta, "ui")).map(str::to_owned);
    // What was read wins as a whole over what the list says.
    let uri =
        member(read, "params").and_then(|params| member(params, "uri")).and_then(string).unwrap_or_default();
    let ui = own(content).or_else(|| own(&served.listed_resource(&uri)?));
    let (policy, refused) = apps::policy(ui.as_deref(), &format!("http://127.0.0.1:{port}"));
    let name = secret()?;
    let reports = format!("{policy}; report-uri {}{name}", super::gate::APP);
    let document = [b"<!doctype html>", GUARD.as_bytes(), &document].concat();
    page.apps.lock().unwrap_or_else(PoisonError::into_inner).add(&name, served.number, reports, document);
    Ok(json!({
        "url": format!("http://localhost:{port}{}{name}", super::gate::APP),
        "policy": policy,
        "refused": refused,
    })
    .to_string())
}

/// Keeps a text of HTML, a block of a result, for a frame in which no script runs and which reaches nothing.
fn html(page: &Page, server: usize, read: &str, block: u64, port: &str) -> Result<String, Failure> {
    let result = member(read, "outcome").and_then(|outcome| member(outcome, "result")).unwrap_or("{}");
    let blocks = member(result, "content").or_else(|| member(result, "contents")).unwrap_or("[]");
    let block = elements(blocks).nth(usize::try_from(block).unwrap_or(usize::MAX)).unwrap_or("{}");
    let text = member(member(block, "resource").unwrap_or(block), "text").and_then(string);
    let text = text.ok_or_else(|| Failure::usage("this block of the result has no text"))?;
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; \
         frame-ancestors http://127.0.0.1:{port}; sandbox"
    );
    let name = secret()?;
    let document = text.into_owned().into_bytes();
    page.apps.lock().unwrap_or_else(PoisonError::into_inner).add(&name, server, policy, document);
    Ok(json!({"url": format!("http://localhost:{port}{}{name}", super::gate::APP)}).to_string())
}

/// Keeps what the policy of an app refused, as the browser tells it.
pub fn reported(page: &Page, name: &str, report: &str) {
    let server = page.apps.lock().unwrap_or_else(PoisonError::into_inner).report(name);
    let report = member(report, "csp-report").unwrap_or("{}");
    let text = |key: &str| member(report, key).and_then(string).filter(|text| !text.is_empty());
    let (Some(server), Some(blocked)) = (server, text("blocked-uri")) else { return };
    let directive = text("effective-directive").or_else(|| text("violated-directive")).unwrap_or_default();
    let short = |text: &str| quote(&crate::output::beginning(&one_line(text), SHOWN));
    let data = format!(
        "{{\"app\":{},\"blocked\":{},\"directive\":{}}}",
        quote(name),
        short(&blocked),
        short(&directive)
    );
    page.records.add(Instant::now(), server, "policy", "browser", &data);
}
