//! The process that keeps a connection: a bridge at the socket of the session. It ends when it is told to, when the server is gone,
//! or when no client has used it for a time.

use super::folder::Place;
use crate::arguments::{Common, SessionStart};
use crate::bridge::{self, Told};
use crate::failure::Failure;
use crate::servers::have_secrets;
use rustix::fs::{Mode, OFlags, open};
use serde_json::json;
use std::cell::RefCell;
use std::io::Write as _;
use std::rc::Rc;
use std::time::{SystemTime, UNIX_EPOCH};

/// What it says when clients may connect.
pub const READY: &str = "ready";

/// Runs it.
pub fn run(start: &SessionStart, common: &Common) -> Result<(), Failure> {
    let place = Place::of(&start.name)?;
    place.prepare()?;
    let Some(lock) = place.lock()? else {
        return Err(Failure::usage(format!(
            "the session '{0}' runs already, or is being started; `mcp session stop {0}` ends it",
            start.name
        )));
    };
    // The end of the terminal, and Ctrl-C in it, are not for this process. A leader of a group has no need of it.
    let _is_alone = rustix::process::setsid();
    let socket = place.socket();
    let bridge = start.bridge(common.config.as_deref());
    let shown = bridge.place.program.first().cloned().or(bridge.place.words.first().map(|word| shown(word)));
    let started = SystemTime::now().duration_since(UNIX_EPOCH).map(|time| time.as_secs()).unwrap_or_default();
    let withheld = withheld(start, common);
    let words: Option<Vec<String>> =
        std::env::args_os().skip(1).map(|word| word.into_string().ok()).collect();
    let words = words.filter(|_| withheld.is_empty());
    let about = json!({
        "target": shown,
        "pid": std::process::id(),
        "version": env!("CARGO_PKG_VERSION"),
        "started": started,
        // For `doctor`, which starts the server once more; without a credential, which no file keeps.
        "words": words,
        "withheld": withheld,
        "folder": std::env::current_dir().map(|folder| folder.display().to_string()).unwrap_or_default(),
        "state": "ready",
        "restarts": 0,
    });
    let about = Rc::new(RefCell::new(about));
    let told = {
        let (about, place) = (Rc::clone(&about), place.clone());
        Told(Box::new(move |gone, restarts| {
            let mut about = about.borrow_mut();
            about["state"] = gone.map_or_else(|| "ready".to_owned(), |why| format!("gone: {why}")).into();
            about["restarts"] = restarts.into();
            // The list of sessions is then of before, and the session goes on.
            let _is_written = place.describe(&about);
        }))
    };
    let idle = (!start.idle.is_zero()).then_some(start.idle);
    let ended = bridge::run(&bridge, common, idle, Some(told), |server, _, behind| {
        let endpoint = json!({ "socket": format!("unix:{}", socket.display()), "same_user": true });
        server.serve(&endpoint.to_string())?;
        let mut about = about.borrow_mut();
        for key in ["revision", "era", "transport"] {
            about["behind"][key] = behind[key].clone();
        }
        super::messages::offer(&place, common.verbose)?;
        place.describe(&about)?;
        detach(&place)
    });
    place.clear();
    drop(lock);
    ended
}

/// What of the command line may be a credential.
fn withheld(start: &SessionStart, common: &Common) -> Vec<&'static str> {
    let has_value = common.environment.iter().any(|variable| variable.contains('='));
    let has_argument = have_secrets(&start.place.words) || have_secrets(&start.place.program);
    [
        (!common.headers.is_empty(), "--header"),
        (has_value, "--env NAME=VALUE"),
        (!common.set.is_empty(), "--set"),
        (!common.inputs.is_empty(), "--input"),
        (has_argument, "a word that looks like a secret"),
    ]
    .into_iter()
    .filter_map(|(is_there, what)| is_there.then_some(what))
    .collect()
}

/// What a list of sessions shows of a target: of a command line the program alone, as its words may be secrets.
fn shown(target: &str) -> String {
    if !target.contains(char::is_whitespace) {
        return crate::servers::masked_url(target);
    }
    let words = shlex::split(target).unwrap_or_default();
    words.into_iter().next().unwrap_or_default()
}

/// Says that the session is there, and leaves the streams of the program that started it.
fn detach(place: &Place) -> Result<(), Failure> {
    let failed = |error: rustix::io::Errno| Failure::machine(format!("cannot leave the terminal: {error}"));
    let flags = OFlags::CREATE | OFlags::TRUNC | OFlags::WRONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let log = open(place.log(), flags, Mode::RUSR | Mode::WUSR).map_err(failed)?;
    let mut out = std::io::stdout();
    // The program that waits for it may have been ended.
    let _is_heard = out.write_all(format!("{READY}\n").as_bytes()).and_then(|()| out.flush());
    let nothing = open("/dev/null", OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty()).map_err(failed)?;
    rustix::stdio::dup2_stdout(&nothing).map_err(failed)?;
    rustix::stdio::dup2_stderr(&log).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Arguments, Command, Session};
    use clap::Parser as _;

    #[test]
    fn what_may_be_a_credential_is_named_and_not_kept() {
        for (words, kept_back) in [
            (&["./srv"][..], &[][..]),
            (&["--", "srv", "--port", "80"], &[]),
            (&["-e", "HOME", "--timeout", "5", "./srv"], &[]),
            (&["-H", "A: b", "https://h/"], &["--header"]),
            (&["-e", "A=b", "./srv"], &["--env NAME=VALUE"]),
            (&["--set", "env.A=b", "--input", "k=v", "x"], &["--set", "--input"]),
            (&["--", "srv", "--api-key", "k"], &["a word that looks like a secret"]),
            (&["srv --api-key k"], &["a word that looks like a secret"]),
            (&["https://h/?token=t"], &["a word that looks like a secret"]),
        ] {
            let line = ["mcp", "session", "run", "s"].iter().chain(words);
            let read = Arguments::try_parse_from(line).expect("words");
            let Command::Session(Session::Run(start)) = read.command else { panic!("another command") };
            assert_eq!(withheld(&start, &read.common), kept_back, "{words:?}");
        }
    }

    #[test]
    fn a_list_of_sessions_shows_no_secret_of_a_command_line() {
        assert_eq!(shown("srv --token=s3cret"), "srv");
        assert_eq!(shown("srv --url=https://x/ --token=s3cret"), "srv");
        assert_eq!(shown("srv 'no end s3cret"), "");
        assert_eq!(shown("./srv"), "./srv");
        assert!(!shown("https://user:s3cret@host/mcp?key=s3cret").contains("s3cret"));
    }
}
