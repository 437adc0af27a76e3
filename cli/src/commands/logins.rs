//! `login`, `logout`.

use crate::arguments::{Common, Format, Login, Logout};
use crate::failure::Failure;
use crate::login::Person;
use crate::output::Screen;
use crate::questions::Questions;
use crate::session::Session;
use crate::target::{Target, named};
use serde_json::Value;
use std::time::Duration;

/// How long a logout may take where no limit was given.
const LOGOUT: Duration = Duration::from_secs(60);

pub fn login(screen: Screen, login: &Login, common: &Common) -> Result<(), Failure> {
    let mut target = at_url(&login.target, common)?;
    let folder = crate::login::folder()?;
    let auth = target.config.entry("auth").or_insert_with(|| crate::login::settings(folder));
    let Value::Object(auth) = auth else {
        return Err(Failure::usage(format!("the key 'auth' of {} is no object", target.shown)));
    };
    if !login.scopes.is_empty() {
        auth.insert("scopes".to_owned(), login.scopes.iter().map(String::as_str).collect());
    }
    if login.no_browser {
        auth.insert("redirect_uri".to_owned(), "http://127.0.0.1/callback".into());
        auth.insert("listen".to_owned(), false.into());
    }
    let shown = target.shown.clone();
    let person = if login.no_browser { Person::Paste } else { Person::Browser };
    let session = Session::open(target, common, Questions::new(None), Some(person))?;
    // A server may answer the handshake without a login, and ask for the login at the first request.
    let _pong = session.request(&mcp::client::features::Request::Ping)?;
    match screen.format {
        Format::Text => screen.write(&format!("logged in to {shown}\n")),
        _ => screen.json(&serde_json::json!({"logged_in": true, "server": shown}).to_string()),
    }
}

pub fn logout(screen: Screen, logout: &Logout, common: &Common) -> Result<(), Failure> {
    let target = at_url(&logout.target, common)?;
    let shown = target.shown.clone();
    let client = Session::unconnected(target, common)?;
    client.forget_login(Some(if common.timeout.is_zero() { LOGOUT } else { common.timeout }))?;
    match screen.format {
        Format::Text => screen.write(&format!("logged out of {shown}\n")),
        _ => screen.json(&serde_json::json!({"logged_in": false, "server": shown}).to_string()),
    }
}

fn at_url(word: &str, common: &Common) -> Result<Target, Failure> {
    let target = named(word, common)?;
    match target.config.get("url") {
        Some(Value::String(_)) => Ok(target),
        _ => Err(Failure::usage(format!(
            "{} is no server at a URL; a server that is started gets its credentials by --env",
            target.shown
        ))),
    }
}
