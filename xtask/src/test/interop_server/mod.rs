//! Clients that others made use `tests/interop-server/server.c`, over standard input and output and over HTTP: every feature,
//! in each era that the client has.
//!
//! Each client is a program in `tests/interop-server` that is told what to start, or the URL of a server that runs. It writes a line for each feature, and
//! `cases.rs` says which features a client does not have, with the reason. A feature that is missing in the
//! output without a reason there fails, and so does one that works in spite of a reason.

mod cases;
mod clients;
mod over_http;
mod relay;

use std::process::Command;
use std::time::{Duration, Instant};

use self::cases::{CASES, Case, NAME, Over, Reason};
use self::clients::Clients;
use self::over_http::Stand;
use super::Stage;
use crate::checkout::Checkout;
use crate::lock::Lock;
use crate::{compiler, process};

/// A client has a time of its own for each feature; this ends one that hangs outside of them.
const LIMIT: Duration = Duration::from_secs(240);

/// The clients, before the step.
pub fn install(checkout: &Checkout) -> Result<(), String> {
    clients(checkout).map(drop)
}

/// The clients, unless another process installs them now.
fn clients(checkout: &Checkout) -> Result<Clients, String> {
    let lock = checkout.scratch("interop-server")?.join("lock");
    let _lock = Lock::if_there_is_one(&lock, "installs these clients")?;
    Ok(Clients::install(checkout))
}

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let source = stage.checkout.root.join("tests/interop-server/server.c");
    let server = compiler::program(stage.checkout, &stage.built()?, &source, "interop-server")?;
    let folder = stage.checkout.scratch("interop-server")?;
    println!("  installing and compiling the clients, unless they are there");
    let begun = Instant::now();
    let clients = clients(stage.checkout)?;
    println!("  that took {:.1} s", begun.elapsed().as_secs_f64());
    let mut ready = Vec::new();
    for case in &CASES {
        match clients::needs(case.client).iter().find(|tool| tool.find().is_err()) {
            Some(tool) => {
                let _ = stage.tally.need(tool, case.name);
            }
            None => ready.push((case, clients.command(case.client))),
        }
    }
    process::side_by_side(
        &ready,
        |(case, command)| {
            let command = command.as_ref().map_err(Clone::clone)?;
            let mut run = Command::new(&command[0]);
            run.args(&command[1..]).args([case.era.word(), case.era.revision(), NAME]);
            let name = case.name.replace([' ', '.'], "-");
            let stand = match case.over {
                Over::Pipes => None,
                Over::Http => Some(Stand::start(&server, &folder.join(format!("{name}-server")))?),
            };
            match &stand {
                None => run.arg(&server),
                Some(stand) => run.arg(stand.url()),
            };
            // The inspector keeps files in the person's folder.
            run.current_dir(&folder).env("HOME", &folder);
            let finished = process::run(&mut run, LIMIT, &folder.join(name))?;
            let seen = stand.map_or(Ok(String::new()), Stand::judge);
            let seen = seen.and_then(|seen| judge(case, &format!("{}\n{seen}", finished.stdout)));
            seen.map_err(|why| format!("{why}\n{}", finished.story()))
        },
        |(case, _), result: Result<(), String>| {
            stage.tally.check(case.name, result);
            for (feature, why) in case.cannot {
                println!("          not tried: {feature}: {why}");
            }
        },
    );
    Ok(())
}

/// Compares what a client wrote with what is expected.
fn judge(case: &Case, said: &str) -> Result<(), String> {
    let is_feature = |named: &str| case.over.features().any(|feature| feature == named);
    if let Some((unknown, _)) = case.cannot.iter().find(|(feature, _)| !is_feature(feature)) {
        return Err(format!("'{unknown}' in the table is no feature"));
    }
    let mut wrong = Vec::new();
    for feature in case.over.features() {
        let works = said.lines().any(|line| line.strip_prefix("ok ") == Some(feature));
        let reason: Option<&Reason> = case.cannot.iter().find(|(named, _)| *named == feature);
        match (works, reason) {
            (true, None) | (false, Some(_)) => {}
            (true, Some((_, why))) => {
                wrong.push(format!("'{feature}' works, and the table says that it cannot: {why}"));
            }
            (false, None) => {
                let start = format!("failed {feature}: ");
                let why = said.lines().find_map(|line| line.strip_prefix(&start));
                wrong.push(format!("'{feature}': {}", why.unwrap_or("the client wrote nothing about it")));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::cases::{CASES, Case};
    use super::judge;

    /// One case over pipes, and one over HTTP.
    fn some() -> [&'static Case; 2] {
        [&CASES[2], &CASES[16]]
    }

    /// What a client writes when all goes as the table says.
    fn as_expected(case: &Case) -> Vec<String> {
        let lacks = |feature: &str| case.cannot.iter().any(|(named, _)| *named == feature);
        let word = |feature| if lacks(feature) { "failed" } else { "ok" };
        case.over.features().map(|feature| format!("{} {feature}", word(feature))).collect()
    }

    #[test]
    fn nothing_is_left_out_without_a_reason() {
        for case in some() {
            let lines = as_expected(case);
            assert_eq!(judge(case, &lines.join("\n")), Ok(()));
            for line in lines.iter().filter(|line| line.starts_with("ok ")) {
                let fewer: Vec<&str> =
                    lines.iter().filter(|other| *other != line).map(String::as_str).collect();
                assert!(judge(case, &fewer.join("\n")).is_err(), "{line}");
            }
            assert!(judge(case, "").is_err());
        }
    }

    #[test]
    fn a_reason_that_holds_no_longer_is_told() {
        for case in some() {
            let Some((feature, _)) = case.cannot.first() else { continue };
            let lines = [as_expected(case), vec![format!("ok {feature}")]].concat();
            assert!(
                judge(case, &lines.join("\n")).is_err_and(|why| why.contains("works, and the table says"))
            );
        }
    }
}
