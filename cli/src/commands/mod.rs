//! The commands. Each opens a session, asks, and writes the result in the format that was asked for.
//!
//! The files:
//!
//! * `lists`: `list`, `tools`, `resources`, `prompts`
//! * `calls`: `call`, `read`, `get`
//! * `completing`: `complete`
//! * `watching`: `watch`, `subscribe`, `log`
//! * `tasks`: `tasks`, and what `call --detach` writes
//! * `connection`: `info`, `ping`
//! * `configured`: `servers`, `config list`
//! * `catalog`: `list` of a domain
//! * `edit`: `add`, `remove`
//! * `check`: `config check`
//! * `import`: `config import`
//! * `trust`: `config trust`
//! * `overview`: `list` without a server
//! * `logins`: `login`, `logout`, `auth`
//! * `snapshot`: `snapshot`, `diff`
//! * `trace`: `trace`
//! * `replay`: `replay`
//! * `doctor`: `doctor`
//! * `expected`: `test`
//! * `bench`: `bench`
//! * `plot`: what `bench` draws
//! * `shell`: `shell`
//! * `pages`: `completion`, `manual`

mod bench;
mod calls;
mod catalog;
mod check;
mod completing;
mod configured;
mod connection;
mod doctor;
pub mod edit;
mod expected;
mod import;
mod lists;
pub mod logins;
mod overview;
mod pages;
mod plot;
mod replay;
mod shell;
pub mod snapshot;
mod tasks;
mod trace;
mod trust;
mod watching;

use crate::arguments::{Arguments, Command, Common, Config, Output, Place};
use crate::failure::Failure;
use crate::output::Screen;
use crate::questions::Questions;
use crate::session::Session;
use crate::target::split;
pub use doctor::Host;
#[cfg(feature = "page")]
pub use doctor::examine;
#[cfg(feature = "page")]
pub use lists::declares;
pub use lists::{named_tool, write_tools, write_tools_of_all};
pub use overview::tools_of_all;

/// Runs a command.
pub fn run(arguments: Arguments) -> Result<(), Failure> {
    let Arguments { command, common } = arguments;
    let screen = Screen { format: common.output.format() };
    report_is_written(&command, common.output)?;
    match command {
        Command::List(place) if place.words.is_empty() && place.program.is_empty() => {
            overview::overview(screen, &common)
        }
        Command::List(place) => match domain_of(&place, &common)? {
            Some(domain) => catalog::list(screen, &domain, &common),
            None => lists::everything_of(screen, &place, &common),
        },
        Command::Tools(tools) => crate::generate::tools(screen, &tools, &common),
        Command::Generate(generate) => crate::generate::generate(screen, &generate, &common),
        Command::Resources(place) => lists::resources(screen, &place, &common),
        Command::Prompts(place) => lists::prompts(screen, &place, &common),
        Command::Call(call) => calls::call(screen, &call, &common),
        Command::Read(read) => calls::read(screen, &read, &common),
        Command::Get(read) => calls::prompt(screen, &read, &common),
        Command::Complete(place) => completing::complete(screen, &place, &common),
        Command::Subscribe(watch) => watching::subscribe(screen, &watch, &common),
        Command::Watch(watch) => watching::watch(screen, &watch, &common),
        Command::Log(log) => watching::log(screen, &log, &common),
        Command::Tasks(tasks) => tasks::tasks(screen, &tasks, &common),
        Command::Info(place) => connection::info(screen, &place, &common),
        Command::Ping(ping) => connection::ping(screen, &ping, &common),
        Command::Servers(servers) => configured::servers(screen, &servers, &common),
        Command::Config(Config::List(servers)) => configured::servers(screen, &servers, &common),
        Command::Config(Config::Import(import)) => import::import(screen, &import, &common),
        Command::Config(Config::Check(check)) => check::check(screen, &check, &common),
        Command::Add(add) => edit::add(screen, &add, &common),
        Command::Remove(remove) => edit::remove(screen, &remove),
        Command::Init(init) => crate::init::init(screen, &init),
        Command::Search(search) => crate::registry::search(screen, &search, &common),
        Command::Publish(publish) => crate::registry::publish(screen, &publish, &common),
        Command::Pack(pack) => crate::bundle::pack(screen, &pack, &common),
        Command::Install(install) => crate::bundle::install(screen, &install, &common),
        Command::Uninstall(uninstall) => crate::bundle::uninstall(screen, &uninstall),
        Command::Config(Config::Trust(trust)) => trust::trust(screen, &trust, &common),
        Command::Snapshot(snapshot) => snapshot::snapshot(screen, &snapshot, &common),
        Command::Diff(place) => snapshot::diff(screen, &place, &common),
        Command::Trace(trace) => trace::trace(screen, &trace, &common),
        Command::Replay(replay) => replay::replay(screen, &replay, &common),
        Command::Doctor(doctor) => doctor::of_session(screen, &doctor, &common),
        Command::Test(test) => expected::test(screen, &test, &common),
        Command::Bench(bench) => bench::bench(screen, &bench, &common),
        Command::Auth(auth) => logins::auth(screen, &auth, &common),
        Command::Login(login) => logins::login(screen, &login, &common),
        Command::Logout(logout) => logins::logout(screen, &logout, &common),
        Command::Shell(place) => shell::shell(screen, &place, &common),
        Command::Bridge(bridge) => crate::bridge::bridge(screen, &bridge, &common),
        Command::Run(run) => crate::run::run(&run, &common),
        #[cfg(feature = "page")]
        Command::Inspect(inspect) => crate::inspect::inspect(screen, &inspect, common),
        #[cfg(feature = "page")]
        Command::Dev(dev) => crate::inspect::dev(screen, &dev, common),
        Command::Serve(serve) => crate::serve::serve(screen, &common, &serve),
        Command::Session(session) => crate::session_daemon::session(screen, &session, &common),
        Command::Completion(completion) => pages::completion(screen, &completion),
        Command::Manual(manual) => pages::manual(screen, &manual),
    }
}

/// Refuses a report of findings from a command that writes none.
fn report_is_written(command: &Command, output: Output) -> Result<(), Failure> {
    match (output, command) {
        (Output::Sarif, Command::Doctor(_)) | (Output::Junit, Command::Doctor(_) | Command::Test(_)) => {
            Ok(())
        }
        (Output::Sarif, _) => Err(Failure::usage("-o sarif is for `mcp doctor`")),
        (Output::Junit, _) => Err(Failure::usage("-o junit is for `mcp doctor` and `mcp test`")),
        _ => Ok(()),
    }
}

/// The domain that `list` is about: a word that is one, and the name of no configured server. One that may have been meant as something
/// else, as `server.py` is, asks no host of that name.
fn domain_of(place: &Place, common: &Common) -> Result<Option<String>, Failure> {
    let [word] = &place.words[..] else { return Ok(None) };
    if !place.program.is_empty() || common.config.is_some() || crate::servers::has_name(word, None) {
        return Ok(None);
    }
    if crate::bundle::is_bundle(word) {
        return Ok(None);
    }
    if let Some(domain) = catalog::named_by(word) {
        return Ok(Some(domain.to_owned()));
    }
    if !catalog::is_domain(word) {
        return Ok(None);
    }
    let (servers, _) = crate::servers::found();
    let near = nearest(word, servers.iter().map(|one| one.name.as_str()));
    let is_file = std::path::Path::new(word).symlink_metadata().is_ok();
    let other = match (is_file, near) {
        (true, _) => format!("; for the program in this folder write ./{word}"),
        (false, Some(near)) => format!("; did you mean '{}'?", crate::output::one_line(near)),
        (false, None) => return Ok(Some(word.clone())),
    };
    Err(Failure::usage(format!(
        "there is no server '{word}'{other} (a server at a URL is https://{word}, and the catalog of a domain {})",
        catalog::url_of(word)
    )))
}

/// Connects to the server of a command that takes at most `most` more words; gives these.
pub fn open(place: &Place, common: &Common, most: usize) -> Result<(Session, Vec<String>), Failure> {
    let (target, rest) = split(&place.words, &place.program, common)?;
    if let Some(extra) = rest.get(most) {
        return Err(Failure::usage(format!("'{extra}' is one word too many; see --help")));
    }
    Ok((Session::open(target, common, Questions::new(None), None)?, rest))
}

/// The entry of a list that has this name, or an error that says which is near.
fn named<'a>(entries: &[&'a str], key: &str, name: &str, what: &str) -> Result<&'a str, Failure> {
    use mcp::client::json_text::{member, string};
    let name_of = |entry: &'a str| member(entry, key).and_then(string).unwrap_or_default();
    if let Some(entry) = entries.iter().find(|entry| name_of(entry) == name) {
        return Ok(entry);
    }
    let names: Vec<_> = entries.iter().map(|entry| name_of(entry)).collect();
    let advice = match nearest(name, names.iter().map(|name| &**name)) {
        Some(near) => format!("did you mean '{near}'?"),
        None if !names.is_empty() => format!("`mcp {what}s` lists those that it has"),
        None => format!("it has no {what}s"),
    };
    Err(Failure::usage(format!("the server has no {what} '{name}'; {advice}")))
}

/// The end of an error about a name that is not known: the one that was most likely meant, if there is one.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near = nearest(name, known).map(crate::output::one_line);
    near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default()
}

/// The name that one with a slip of the pen most likely means.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Other letters are a slip; the case of a letter, and what stands between words, is hardly one.
    let plain = |text: &str| text.to_lowercase().replace(['-', ' ', '.'], "_");
    let wanted = plain(name);
    let known: Vec<&str> = known.into_iter().collect();
    let near = known.iter().map(|other| (distance(&wanted, &plain(other)), *other)).min();
    // `repo` for `repo_path`: the only one with this word.
    let mut with_word =
        known.iter().filter(|other| wanted.len() > 2 && plain(other).split('_').any(|word| word == wanted));
    if let (Some(one), None) = (with_word.next(), with_word.next()) {
        return Some(one);
    }
    // Of the longer one: what was abbreviated lacks many letters of its own length.
    let is_near = |(distance, other): &(usize, &str)| *distance <= name.len().max(other.len()).div_ceil(3);
    near.filter(is_near).map(|(_, name)| name)
}

/// The Levenshtein distance, with bytes as letters.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let cost = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, named, nearest};

    #[test]
    fn a_mistyped_name_is_told_with_the_near_one() {
        assert_eq!(distance("kitten", "sitting"), 3);
        let known = ["repo_path", "max_count", "start_timestamp", "end_timestamp"];
        for (name, near) in [
            ("repo", Some("repo_path")),
            ("Path", Some("repo_path")),
            ("timestamp", Some("end_timestamp")),
            ("xyz", None),
        ] {
            assert_eq!(nearest(name, known), near, "{name}");
        }
        let entries = [r#"{"name":"echo"}"#, r#"{"name":"add"}"#];
        assert_eq!(named(&entries, "name", "add", "tool").expect("there"), entries[1]);
        let why = |name| named(&entries, "name", name, "tool").expect_err("not there").text();
        assert!(why("eco").contains("did you mean 'echo'?"), "{}", why("eco"));
        for (name, near) in [("ECHO", "echo"), ("ad", "add"), ("Add", "add")] {
            assert!(why(name).contains(&format!("did you mean '{near}'?")), "{}", why(name));
        }
        assert!(why("something").contains("`mcp tools` lists"));
    }
}
