//! The runner: builds the contenders, lets them take turns in rounds, measures them from outside and reports
//! medians, spreads and ratios. Times of a shared machine mean little by themselves, so what counts is the
//! ratio to the floor in the same round. It knows contenders as programs only and depends on no client
//! library.
//!
//! `mcp-bench [--workload W]... [--peers] [--contender C]... [--era E] [--placement P] [--rounds N] [--quick]`, or
//! `mcp-bench --check [--write]` for the guard (`check.rs`), `mcp-bench --serve-http` for servers over HTTP (`serve_http`)

// The figures are far below where a float loses whole numbers.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]

mod chart;
mod check;
mod contender;
mod measure;
mod os;
mod peer;
mod report;
mod scale;
mod serve_http;
mod workload;

use contender::{Entrant, Workshop};
use measure::{Sample, Setting};
use report::Row;
use std::process::ExitCode;
use workload::{Against, ERAS, Effort, Placement, Workload};

/// What the command line asks for.
struct Wanted {
    workloads: Vec<&'static Workload>,
    contenders: Vec<String>,
    /// The clients of others too, which are installed if need be.
    peers: bool,
    eras: Vec<&'static str>,
    placements: Vec<Placement>,
    effort: Effort,
}

const USAGE: &str = "usage: mcp-bench [--workload seq|pipe|http-seq|http-pipe|sse-seq|sse-pipe|http-parts-seq|sse-bytes-seq|big|big-escapes|start|threads|rss|many|http-many|serve-seq|serve-pipe|serve-socket|serve-sessions|serve-rss|in-process|in-process-threads]... \
[--peers] [--contender floor|libmcp|rmcp|rmcp-tuned|go-sdk|typescript|python|cpp-mcp|rmcp-server|go-sdk-server|typescript-server|python-server|cpp-mcp-server]... [--era legacy|modern] [--placement one-cpu|free] [--rounds N] [--clients N] [--bytes N] [--quick], or: mcp-bench --serve-http [--part calls|paced|h2|sessions|streams]... [--peers] [--quick], mcp-bench --scale, mcp-bench --check [--write|--pieces]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--check"] => Workshop::find().and_then(|workshop| check::run(&workshop, false)),
        ["--check", "--write"] => Workshop::find().and_then(|workshop| check::run(&workshop, true)),
        ["--check", "--pieces"] => Workshop::find().and_then(|workshop| check::in_pieces(&workshop)),
        ["--scale"] => Workshop::find().and_then(|workshop| scale::bench(&workshop)),
        ["--serve-http", options @ ..] => served_over_http(options),
        _ => wanted(words.into_iter()).and_then(|wanted| bench(&wanted)),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(reason) => {
            eprintln!("mcp-bench: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn served_over_http(options: &[&str]) -> Result<bool, String> {
    let (mut parts, mut peers, mut quick) = (Vec::new(), false, false);
    let mut options = options.iter().copied();
    while let Some(option) = options.next() {
        match option {
            "--peers" => peers = true,
            "--quick" => quick = true,
            "--part" => {
                parts.push(options.next().filter(|part| serve_http::PARTS.contains(part)).ok_or(USAGE)?);
            }
            _ => return Err(USAGE.to_owned()),
        }
    }
    serve_http::bench(&Workshop::find()?, &parts, peers, quick)
}

fn wanted(mut arguments: impl Iterator<Item = String>) -> Result<Wanted, String> {
    let mut wanted = Wanted {
        workloads: Vec::new(),
        contenders: Vec::new(),
        peers: false,
        eras: Vec::new(),
        placements: Vec::new(),
        effort: Effort::FULL,
    };
    let (mut rounds, mut clients, mut bytes) = (None, None, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => {
                wanted.effort = Effort::QUICK;
                continue;
            }
            "--peers" => {
                wanted.peers = true;
                continue;
            }
            _ => {}
        }
        let value = arguments.next().ok_or(USAGE)?;
        let unknown = || format!("{argument} {value}?\n{USAGE}");
        match argument.as_str() {
            "--workload" => wanted.workloads.push(Workload::named(&value).ok_or_else(unknown)?),
            "--contender" if contender::ALL.iter().any(|known| known.name == value) => {
                wanted.contenders.push(value);
            }
            "--contender" => return Err(unknown()),
            "--era" => wanted.eras.push(ERAS.into_iter().find(|era| *era == value).ok_or_else(unknown)?),
            "--placement" => {
                let placement = Placement::ALL.into_iter().find(|placement| placement.name() == value);
                wanted.placements.push(placement.ok_or_else(unknown)?);
            }
            "--clients" => {
                clients = Some(value.parse().ok().filter(|clients| *clients > 0).ok_or_else(unknown)?);
            }
            "--bytes" => bytes = Some(value.parse().ok().filter(|bytes| *bytes > 0).ok_or_else(unknown)?),
            "--rounds" => rounds = Some(value.parse().ok().filter(|rounds| *rounds > 0).ok_or_else(unknown)?),
            _ => return Err(USAGE.to_owned()),
        }
    }
    if let Some(rounds) = rounds {
        wanted.effort.rounds = rounds;
    }
    if let Some(clients) = clients {
        wanted.effort.many_clients = clients;
    }
    if let Some(bytes) = bytes {
        wanted.effort.big = bytes;
    }
    if wanted.workloads.is_empty() {
        wanted.workloads.extend(&workload::ALL);
    }
    if wanted.eras.is_empty() {
        wanted.eras.extend(ERAS);
    }
    if wanted.placements.is_empty() {
        wanted.placements.extend(Placement::ALL);
    }
    Ok(wanted)
}

/// Whether everything that was asked for could be measured.
fn bench(wanted: &Wanted) -> Result<bool, String> {
    let workshop = Workshop::find()?;
    workshop.prepare()?;
    let mut entrants = Vec::new();
    let mut whole = true;
    for contender in &contender::ALL {
        // Ratios need the floor, whatever contenders were asked for.
        let asked = wanted.contenders.iter().any(|name| name == contender.name)
            || wanted.contenders.is_empty() && (wanted.peers || !contender.is_peer());
        if !asked && contender.name != "floor" {
            continue;
        }
        match workshop.build(contender) {
            Ok(entrant) => entrants.push(entrant),
            Err(reason) => {
                eprintln!("mcp-bench: without {}: {reason}", contender.name);
                // A machine need not have every language.
                whole &= contender.is_peer() && wanted.contenders.is_empty();
            }
        }
    }
    let facts = facts(&wanted.effort);
    for (name, value) in &facts {
        println!("{name}: {value}");
    }
    println!("\n{}", report::heading());
    let mut rows = Vec::new();
    for workload in &wanted.workloads {
        for era in &wanted.eras {
            for placement in workload.placements() {
                // A workload that is run in one placement only is run whatever was asked for.
                if workload.placements().len() > 1 && !wanted.placements.contains(placement) {
                    continue;
                }
                let setting = Setting {
                    workshop: &workshop,
                    workload,
                    era,
                    placement: *placement,
                    effort: &wanted.effort,
                };
                whole &= rounds(setting, &entrants, &mut rows);
            }
        }
        let own: Vec<&Row> = rows.iter().filter(|row| row.workload.name == workload.name).collect();
        let path = workshop.bench.join(format!("{}.json", workload.name));
        std::fs::write(&path, report::file(workload, &facts, &own))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if let Some(svg) = chart::draw(&rows, &facts) {
        let path = workshop.bench.join("chart.svg");
        std::fs::write(&path, svg).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    println!("\nwritten to {}", workshop.bench.join("*.json").display());
    Ok(whole)
}

/// All rounds of one workload in one era and placement: in each round every contender has its turn.
fn rounds(setting: Setting<'_>, entrants: &[Entrant], rows: &mut Vec<Row>) -> bool {
    let Setting { workload, era, placement, effort, .. } = setting;
    let own = match workload.against {
        Against::Floor => None,
        Against::Own(name) => Workload::named(name).map(|workload| Setting { workload, ..setting }),
    };
    let mut whole = true;
    let mut field = Vec::new();
    for entrant in entrants.iter().filter(|entrant| entrant.takes(workload, era)) {
        let calls = setting.calibrate(entrant);
        let own_calls = own.map_or(Ok(0), |own| own.calibrate(entrant));
        match calls.and_then(|calls| Ok((calls, own_calls?))) {
            Ok((calls, own_calls)) => {
                let row = Row {
                    workload,
                    era,
                    placement,
                    contender: entrant.name,
                    samples: Vec::new(),
                    ratios: Vec::new(),
                };
                field.push((entrant, calls, own_calls, row));
            }
            Err(reason) => whole = failed(entrant, &setting, &reason),
        }
    }
    for _ in 0..workload.rounds(effort) {
        let mut floor = None;
        for (entrant, calls, own_calls, row) in &mut field {
            let baseline = match own {
                None => Ok(floor),
                Some(own) => own.run(entrant, *own_calls).map(|sample: Sample| Some(sample.value)),
            };
            match baseline.and_then(|baseline| Ok((baseline, setting.run(entrant, *calls)?))) {
                Ok((baseline, sample)) => {
                    if entrant.name == "floor" {
                        floor = Some(sample.value);
                    }
                    row.ratios.extend(baseline.map(|baseline| sample.value / baseline));
                    row.samples.push(sample);
                }
                Err(reason) => whole = failed(entrant, &setting, &reason),
            }
        }
    }
    for (.., row) in field {
        println!("{}", row.line());
        rows.push(row);
    }
    whole
}

fn failed(entrant: &Entrant, setting: &Setting<'_>, reason: &str) -> bool {
    eprintln!("mcp-bench: {} failed at {} {}: {reason}", entrant.name, setting.workload.name, setting.era);
    false
}

/// What a figure needs to be understood later.
fn facts(effort: &Effort) -> Vec<(&'static str, String)> {
    let mut facts = os::machine();
    facts.push(("rustc", contender::version("rustc")));
    facts.push(("cc", contender::version("cc")));
    facts.push(("rounds", effort.rounds.to_string()));
    facts.push(("many_clients", effort.many_clients.to_string()));
    facts.push(("idle_clients", effort.idle_clients.to_string()));
    facts
}
