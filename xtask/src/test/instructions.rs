//! What a call costs: instructions per call, counted by callgrind, against the baseline that the project keeps. Times are
//! not tested, since they say more of the machine than of the library.

use std::time::Duration;

use super::Stage;
use crate::bench;
use crate::machine::{CC, VALGRIND, is_ci};
use crate::process;

/// Twenty seconds of counting, and as long as it takes to build.
const LIMIT: Duration = Duration::from_secs(900);

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let name = "a call takes no more instructions than the baseline allows";
    let (Some(_), Some(_)) = (stage.tally.need(&VALGRIND, name), stage.tally.need(&CC, name)) else {
        return Ok(());
    };
    let log = stage.checkout.scratch("instructions")?.join("check");
    let finished = process::run(&mut bench::command(stage.checkout, &["--check"])?, LIMIT, &log)?;
    let lines: Vec<&str> = finished.stdout.lines().collect();
    let counted: Vec<(bool, &str)> = lines
        .iter()
        .filter_map(|line| match line.split_once(' ')? {
            ("ok", what) => Some((true, what)),
            ("over", what) => Some((false, what)),
            _ => None,
        })
        .collect();
    let note =
        lines.iter().find(|line| line.starts_with("note: the baseline was counted with another compiler"));
    if let Some(note) = note.filter(|_| !is_ci()) {
        // Another compiler makes another library: nothing that was changed here.
        stage.tally.skip(name, note);
        return Ok(());
    }
    for (is_well, what) in &counted {
        let why = || {
            "more than 5 % over the baseline; if that is its price: cargo xtask bench --check --write"
                .to_owned()
        };
        stage.tally.check(what, if *is_well { Ok(()) } else { Err(why()) });
    }
    // A count that is over ends it with a failure too, which is told above.
    let is_told = finished.succeeded() || counted.iter().any(|(is_well, _)| !is_well);
    if counted.is_empty() || !is_told { Err(finished.story()) } else { Ok(()) }
}
