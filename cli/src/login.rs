//! Logins: where they are kept, and what a login asks of the person.

use crate::failure::Failure;
use crate::folders;
use crate::output::{Screen, one_line};
#[cfg(unix)]
use crate::session::Session;
use mcp::client::json_text::{member, string};
use mcp::client::{Client, Message, visible};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::time::{Duration, Instant};

/// What a person may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Person {
    /// A browser is opened on this machine.
    Browser,
    /// The URL is printed; the one to which the browser was redirected comes on standard input.
    Paste,
}

/// The folder in which logins are kept, made if it is not there; `None` without a home: then they last as long as the program.
pub fn folder() -> Result<Option<String>, Failure> {
    let Some(data) = data_folder() else { return Ok(None) };
    let folder = data.join("libmcp").join("tokens");
    make(&folder).map_err(|error| Failure::machine(format!("cannot make {}: {error}", folder.display())))?;
    Ok(folder.to_str().map(str::to_owned))
}

/// Completes the configuration of a server at a URL: what its login was made with, where logins are kept, and whether a person is there.
/// What the configuration itself says of a login counts.
pub fn complete(config: &mut Map<String, Value>, person: Option<Person>, shown: &str) -> Result<(), Failure> {
    let Some(url) = config.get("url").and_then(Value::as_str).map(str::to_owned) else { return Ok(()) };
    let headers = config.get("headers").and_then(Value::as_object);
    if headers.is_some_and(|headers| headers.keys().any(|name| name.eq_ignore_ascii_case("authorization"))) {
        return Ok(());
    }
    if !config.contains_key("auth") {
        config.insert("auth".to_owned(), Value::Object(credentials(&url)?.unwrap_or_default()));
    }
    let Some(Value::Object(auth)) = config.get_mut("auth") else { return Ok(()) };
    let kind = auth.get("type").and_then(Value::as_str).unwrap_or("interactive").to_owned();
    if kind != "bearer"
        && kind != "none"
        && !auth.contains_key("store")
        && !auth.contains_key("store_directory")
    {
        auth.extend(folder()?.map(|folder| ("store_directory".to_owned(), folder.into())));
    }
    if kind == "interactive" && person.is_none() {
        let why = format!("the server wants a login: run `mcp login {shown}`");
        auth.entry("no_login").or_insert_with(|| why.into());
    }
    Ok(())
}

/// The most bytes of the file of credentials, and of a secret.
const MOST_BYTES: u64 = 1024 * 1024;

/// The file that says with which credentials the program logs in where. It has no secret, only where that is.
fn credentials_file() -> Option<PathBuf> {
    Some(folders::configurations()?.join("libmcp").join("credentials.json"))
}

fn all_credentials() -> Result<Map<String, Value>, Failure> {
    let Some(path) = credentials_file() else { return Ok(Map::new()) };
    let Some(text) = folders::read(&path, MOST_BYTES)? else { return Ok(Map::new()) };
    serde_json::from_str(&text)
        .map_err(|error| Failure::usage(format!("{} is not a JSON object: {error}", path.display())))
}

/// The credentials for a server, with the secret from where it is.
pub fn credentials(url: &str) -> Result<Option<Map<String, Value>>, Failure> {
    match all_credentials()?.remove(url) {
        Some(Value::Object(entry)) => Ok(Some(with_secret(entry)?)),
        _ => Ok(None),
    }
}

/// An entry of the file with its secret.
pub fn with_secret(mut entry: Map<String, Value>) -> Result<Map<String, Value>, Failure> {
    let mut taken = |key: &str| entry.remove(key).and_then(|value| value.as_str().map(str::to_owned));
    let secret = match (taken("secret_file"), taken("secret_env")) {
        (Some(path), _) => {
            let text = folders::read_given(Path::new(&path), MOST_BYTES)?;
            Some(text.ok_or_else(|| Failure::usage(format!("the file of the secret, {path}, is not there")))?)
        }
        (None, Some(name)) => Some(std::env::var(&name).map_err(|_| {
            Failure::usage(format!("the secret for this server is in the variable {name}, which is not set"))
        })?),
        (None, None) => None,
    };
    if let Some(secret) = secret {
        if secret.trim().is_empty() {
            return Err(Failure::usage("the secret for this server is empty where it is to be read"));
        }
        entry.insert("client_secret".to_owned(), secret.trim().into());
    }
    Ok(entry)
}

/// Keeps, or with `None` forgets, the credentials for a server.
pub fn keep_credentials(url: &str, entry: Option<&Map<String, Value>>) -> Result<(), Failure> {
    let Some(path) = credentials_file() else {
        return Err(Failure::machine("there is no folder for configurations: HOME is not set"));
    };
    let mut all = all_credentials()?;
    match entry {
        Some(entry) => {
            all.insert(url.to_owned(), Value::Object(entry.clone()));
        }
        None if all.remove(url).is_none() => return Ok(()),
        None => {}
    }
    folders::replace(&path, &format!("{:#}\n", Value::Object(all)))
}

/// How long a login of another program is waited for: as long as a person may take.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(300);

/// Makes logins that begin by themselves wait for one another: what is given is held until the login is over.
#[cfg(unix)]
pub fn one_at_a_time() -> Result<Option<std::os::fd::OwnedFd>, Failure> {
    use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
    let Some(folder) = folder()? else { return Ok(None) };
    let path = Path::new(&folder).join("browser.lock");
    let failed = |error| Failure::machine(format!("cannot lock {}: {error}", path.display()));
    let flags = OFlags::CREATE | OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let file = open(&path, flags, Mode::RUSR | Mode::WUSR).map_err(failed)?;
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(Some(file)),
            Err(rustix::io::Errno::WOULDBLOCK | rustix::io::Errno::INTR) => Session::pause(LOOK)?,
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(None)
}

/// How often it is looked whether the login of another program is over.
#[cfg(unix)]
const LOOK: Duration = Duration::from_millis(100);

/// The same where there are no such locks.
#[cfg(not(unix))]
pub fn one_at_a_time() -> Result<Option<()>, Failure> {
    Ok(None)
}

/// Where programs keep what they know of this person.
pub fn data_folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || variable("HOME");
    variable("XDG_DATA_HOME").or_else(|| {
        let below = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
        Some(home()?.join(below))
    })
}

/// Makes a folder that only the person may look into.
pub fn make(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// A login needs the person. Gives what the error says that ends the wait for it, where no browser here showed the page.
pub fn asked(
    client: &Client,
    message: &Message,
    person: Option<Person>,
    shown: &str,
) -> Result<Option<String>, Failure> {
    let text = |name: &str| member(message.json(), name).and_then(string).unwrap_or_default().into_owned();
    let kind = text("kind");
    if kind != "authorize" {
        client.give_up_login(&format!("the program has no answer to '{}'", one_line(&kind)))?;
        return Ok(None);
    }
    let Some(person) = person else {
        client.give_up_login(&format!("the server wants a login: run `mcp login {shown}`"))?;
        return Ok(None);
    };
    let url = visible::url(&text("url"));
    let code = one_line(&text("user_code"));
    if !code.is_empty() {
        let page = visible::url(&text("verification_uri"));
        let whole = if url == page { String::new() } else { format!("It is filled in at:\n\n  {url}\n") };
        Screen::note(format!(
            "Log in with a browser of any device, at {} ({}):\n\n  {page}\n\nEnter the code {code} there. {whole}",
            host_of(&page),
            one_line(&text("issuer"))
        ));
        return Ok(Some(format!("the person was to enter the code {code} at {page}")));
    }
    Screen::note(format!("Log in with a browser ({}):\n\n  {}\n", one_line(&text("issuer")), url));
    let told = format!("the person was to open {url}");
    if person == Person::Browser {
        let is_open = open(&url);
        if !is_open {
            Screen::note("No browser could be started; open the URL yourself.");
        }
        return Ok((!is_open || !can_open()).then_some(told));
    }
    Screen::note("Then paste the URL to which the browser was redirected:");
    let mut line = String::new();
    match std::io::stdin().read_line(&mut line) {
        Ok(_) if !line.trim().is_empty() => {
            client.complete_login(line.trim())?;
            return Ok(None);
        }
        Ok(_) => client.give_up_login("standard input ended without a URL")?,
        Err(error) => client.give_up_login(&format!("cannot read standard input: {error}"))?,
    }
    Ok(Some(told))
}

/// The host of a URL, which the person is to know, with its port.
fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

/// Whether this machine has a screen for a browser, which is before the person.
pub fn can_open() -> bool {
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_remote = ["SSH_CONNECTION", "SSH_TTY"].iter().any(is_set);
    let has_screen =
        !cfg!(target_os = "linux") || ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].iter().any(is_set);
    has_screen && !is_remote
}

/// Opens a URL without a shell. Whether a program for that was started.
pub fn open(url: &str) -> bool {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let started = Command::new(program)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    started.is_ok()
}
