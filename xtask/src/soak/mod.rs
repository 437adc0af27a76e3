//! `cargo xtask soak`: fifty servers under mixed load with random faults (`tests/soak`), watched from outside. Fails when a
//! call has not exactly one outcome in its time, when something is left at the end, or when memory, threads, descriptors,
//! children, the processor time of a call or its time go on growing.

mod chart;
mod sample;
mod slope;
mod watch;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::checkout::{Checkout, write};
use crate::compiler;
use crate::release::{self, Built};

use sample::Sample;

const USAGE: &str = "\
usage: cargo xtask soak [--minutes N] [--seed N] [--record]

  --minutes N   how long the load lasts (2)
  --seed N      what chance begins with (1)
  --record      write the picture to docs/history/soak.svg, not only to target/xtask/soak
";

/// What is asked of one run.
pub struct Plan {
    pub seconds: u64,
    pub seed: u64,
    /// A fault planted in the load: `leak` or `lost`.
    pub plant: Option<&'static str>,
    pub picture: PathBuf,
}

impl Plan {
    pub fn new(checkout: &Checkout, seconds: u64) -> Result<Self, String> {
        let picture = checkout.scratch("soak")?.join("soak.svg");
        Ok(Self { seconds, seed: 1, plant: None, picture })
    }
}

pub fn run(checkout: &Checkout, words: &[&str]) -> Result<(), String> {
    let mut plan = Plan::new(checkout, 120)?;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut number = || {
            let text = words.next().ok_or_else(|| format!("{word} needs a number"))?;
            text.parse::<u64>().map_err(|_| format!("{word} needs a number, not {text}"))
        };
        match *word {
            "--minutes" => plan.seconds = 60 * number()?.clamp(1, 60 * 24 * 7),
            "--seed" => plan.seed = number()?,
            "--record" => plan.picture = checkout.root.join("docs/history/soak.svg"),
            _ => return Err(format!("soak does not know {word}\n\n{USAGE}")),
        }
    }
    println!("  building the release library and the test servers");
    let built = release::everything(checkout)?;
    let report = soak(checkout, &built, &plan)?;
    print!("{report}");
    Ok(())
}

/// One run. Gives the report, or what was wrong with the report behind it.
pub fn soak(checkout: &Checkout, built: &Built, plan: &Plan) -> Result<String, String> {
    let program = compiler::program(checkout, built, &checkout.root.join("tests/soak/load.c"), "soak")?;
    let mut command = Command::new(&program);
    command.args([&built.example_server, &built.scripted_server, &built.scripted_http]);
    // Each arena of malloc keeps the most that it ever held; with few of them memory follows what is used.
    command.env("MALLOC_ARENA_MAX", "2");
    command.arg(plan.seconds.to_string()).arg(plan.seed.to_string()).args(plan.plant);
    println!("  {} s of load with seed {}", plan.seconds, plan.seed);
    let run =
        watch::run(&mut command, Duration::from_secs(plan.seconds + 90), &program.with_extension("err"))?;
    write(&program.with_file_name("samples.txt"), &sample::table(&run.samples))?;
    if let Some(why) = run.failure {
        return Err(format!("{why}\n{}", run.totals.join("\n")));
    }
    let found = slope::judge(&run.samples);
    let title = format!("libmcp: {} minutes, 50 servers, seed {}", plan.seconds.div_ceil(60), plan.seed);
    write(&plan.picture, &chart::draw(&title, &run.samples, &found))?;
    let mut report = String::new();
    for line in &found {
        let _ = writeln!(report, "  {line}");
    }
    let _ = writeln!(report, "  {}\n  picture: {}", run.totals.join(", "), plan.picture.display());
    if found.iter().any(slope::Finding::grows) { Err(report) } else { Ok(report) }
}

/// The figures of one kind over the run.
fn series(samples: &[Sample], figure: fn(&Sample) -> f64) -> Vec<(f64, f64)> {
    samples.iter().map(|sample| (sample.second, figure(sample))).filter(|(_, value)| *value >= 0.0).collect()
}
