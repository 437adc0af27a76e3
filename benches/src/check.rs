//! The guard: instructions per call of a client or of a server, counted by callgrind, against the numbers that the project keeps in
//! `benches/instructions.txt`. Unlike times they are the same in every run, so that a change which makes calls
//! more expensive is seen on the busiest machine.

use crate::contender::{self, Contender, Entrant, Workshop};
use crate::measure::Setting;
use crate::serve_http;
use crate::workload::{ERAS, Effort, Placement, Workload};
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What is counted. `pipe` is left out: how many answers one read brings is the scheduler's mood.
const WORKLOADS: [&str; 5] = ["seq", "http-seq", "sse-seq", "serve-seq", "in-process"];
/// Answers that come in pieces, and the same in one piece. They are not guarded: how many pieces one read takes is the scheduler's mood.
const IN_PIECES: [(&str, &str); 2] = [("http-parts-seq", "http-seq"), ("sse-bytes-seq", "sse-seq")];
/// The calls of the two runs of which the difference is taken, so that what happens once does not count.
const FEW: u64 = 1000;
const MANY: u64 = 3000;
/// A run also makes a twentieth of the calls before it is ready, and times a tenth of them after.
const SHARE: f64 = 1.15;
/// The server over HTTP, which no contender calls.
const SERVED_OVER_HTTP: &str = "serve-http";
/// What may be more than was kept before it is a failure, in percent.
const ALLOWED: f64 = 5.0;

/// One line of the baseline.
struct Count {
    workload: &'static str,
    era: &'static str,
    per_call: f64,
}

/// Counts and compares, or writes the baseline again. Says whether nothing became more expensive.
pub fn run(workshop: &Workshop, write: bool) -> Result<bool, String> {
    workshop.prepare()?;
    let libmcp = contender::ALL.iter().find(|contender| contender.name == "libmcp");
    let libmcp: &Contender = libmcp.ok_or("no contender libmcp")?;
    let plain = workshop.build(libmcp)?;
    // It calls the servers that are counted.
    let floor =
        contender::ALL.iter().find(|contender| contender.name == "floor").ok_or("no contender floor")?;
    workshop.build(floor)?;
    let path = workshop.root.join("benches/instructions.txt");
    let kept = if write { String::new() } else { read(&path)? };
    let compiler = contender::version("rustc");
    if !write && !kept.contains(&compiler) {
        println!("note: the baseline was counted with another compiler than {compiler}");
    }
    let mut counts = Vec::new();
    let mut cheap = true;
    for name in WORKLOADS {
        for era in ERAS {
            let count = count(workshop, &plain, name, era)?;
            if !write {
                cheap &= compare(&count, &kept);
            }
            counts.push(count);
        }
    }
    for era in ERAS {
        let count = |calls| {
            counted(workshop, |lead| serve_http::work(workshop, &lead, era, calls))
                .map_err(|why| format!("{SERVED_OVER_HTTP} {era} under callgrind: {why}"))
        };
        let (few, many) = (count(FEW)?, count(MANY)?);
        let count = Count { workload: SERVED_OVER_HTTP, era, per_call: (many - few) / (MANY - FEW) as f64 };
        if !write {
            cheap &= compare(&count, &kept);
        }
        counts.push(count);
    }
    if write {
        std::fs::write(&path, page(&counts, &compiler))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        println!("written to {}", path.display());
    }
    Ok(cheap)
}

/// Shows what a call takes whose answer comes in pieces, beside one whose answer comes in one.
pub fn in_pieces(workshop: &Workshop) -> Result<bool, String> {
    workshop.prepare()?;
    let libmcp = contender::ALL.iter().find(|contender| contender.name == "libmcp").ok_or("no libmcp")?;
    let plain = workshop.build(libmcp)?;
    for (pieces, whole) in IN_PIECES {
        for era in ERAS {
            let pieces = count(workshop, &plain, pieces, era)?;
            let whole = count(workshop, &plain, whole, era)?;
            println!(
                "{} {era}: {:.0} instructions a call, {:.2} times the {:.0} of {}",
                pieces.workload,
                pieces.per_call,
                pieces.per_call / whole.per_call,
                whole.per_call,
                whole.workload
            );
        }
    }
    Ok(true)
}

/// Counts a workload, as the difference of two runs.
fn count(
    workshop: &Workshop,
    plain: &Entrant,
    name: &'static str,
    era: &'static str,
) -> Result<Count, String> {
    let workload = Workload::named(name).ok_or("no such workload")?;
    let setting = Setting { workshop, workload, era, placement: Placement::OneCpu, effort: &Effort::QUICK };
    let few = instructions(&setting, plain, FEW)?;
    let many = instructions(&setting, plain, MANY)?;
    Ok(Count { workload: name, era, per_call: (many - few) / ((MANY - FEW) as f64 * SHARE) })
}

/// Says how a count stands to the baseline, and whether that is well.
fn compare(count: &Count, kept: &str) -> bool {
    let Count { workload, era, per_call } = count;
    let Some(before) = baseline(kept, workload, era) else {
        println!("over {workload} {era}: {per_call:.0} instructions a call, and no baseline for it");
        return false;
    };
    let more = (per_call / before - 1.0) * 100.0;
    let word = if more > ALLOWED { "over" } else { "ok" };
    println!("{word} {workload} {era}: {per_call:.0} instructions a call, {more:+.1} % of {before:.0}");
    if more < -ALLOWED {
        println!("note: keep that: cargo xtask bench --check --write");
    }
    more <= ALLOWED
}

fn baseline(kept: &str, workload: &str, era: &str) -> Option<f64> {
    kept.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let is_it = words.next() == Some(workload) && words.next() == Some(era);
        is_it.then(|| words.next()?.parse().ok())?
    })
}

fn page(counts: &[Count], compiler: &str) -> String {
    let mut page = String::from(
        "# Instructions per call of libmcp through the C API, user space only, counted by callgrind.\n\
         # cargo xtask bench --check compares, cargo xtask bench --check --write writes this again.\n",
    );
    let _ = writeln!(page, "# {compiler}");
    for Count { workload, era, per_call } in counts {
        let _ = writeln!(page, "{workload} {era} {per_call:.0}");
    }
    page
}

/// All instructions of one run of so many calls.
fn instructions(setting: &Setting<'_>, plain: &Entrant, calls: u64) -> Result<f64, String> {
    counted(setting.workshop, |lead| setting.work(&plain.led_by(lead), calls))
        .map_err(|why| format!("{} {} under callgrind: {why}", setting.workload.name, setting.era))
}

/// All instructions of what `run` starts led by the program and arguments that it gets.
fn counted(
    workshop: &Workshop,
    run: impl FnOnce(Vec<OsString>) -> Result<(), String>,
) -> Result<f64, String> {
    let report: PathBuf = workshop.bench.join("callgrind.out");
    let mut file = OsString::from("--callgrind-out-file=");
    file.push(&report);
    let log = workshop.bench.join("callgrind.log");
    let mut log_file = OsString::from("--log-file=");
    log_file.push(&log);
    run(vec!["valgrind".into(), "--tool=callgrind".into(), file, log_file]).map_err(|why| {
        let said = read(&log).unwrap_or_default();
        format!("{why}\n{said}")
    })?;
    let report = read(&report)?;
    let total = report.lines().find_map(|line| line.strip_prefix("totals:")?.trim().parse().ok());
    total.ok_or_else(|| "callgrind wrote no totals".to_owned())
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_found_again() {
        let counts = [
            Count { workload: "seq", era: "legacy", per_call: 9600.4 },
            Count { workload: "seq", era: "modern", per_call: 12000.0 },
        ];
        let kept = page(&counts, "rustc 1.95.0");
        assert_eq!(baseline(&kept, "seq", "legacy"), Some(9600.0));
        assert_eq!(baseline(&kept, "seq", "modern"), Some(12000.0));
        assert_eq!(baseline(&kept, "pipe", "legacy"), None);
    }

    #[test]
    fn more_than_the_allowance_fails_and_so_does_what_has_no_baseline() {
        let kept = "seq legacy 1000\n";
        let count = |per_call| Count { workload: "seq", era: "legacy", per_call };
        assert!(compare(&count(1049.0), kept));
        assert!(compare(&count(500.0), kept));
        assert!(!compare(&count(1051.0), kept));
        assert!(!compare(&count(1000.0), ""));
    }
}
