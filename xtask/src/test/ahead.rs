//! Builds beside the steps: a step often waits for servers, timers and package registries, and leaves a processor idle, while a
//! whole library that is optimized keeps one processor busy for minutes.
//!
//! Two children at a low priority build in the folders in which the steps build, in their order. A step finds there what is done
//! already, waits for what is being built, and builds what is not begun, which the child then leaves out; what does not build here fails
//! once more in the step, which tells it. A third child makes the chroots, and a fourth one gets clients and servers of others: most of their
//! time is that of downloads. A step waits for what it needs.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::time::Clock;
use super::{pytest, sanitize, script, swift, threads};
use crate::checkout::{Checkout, read, write};
use crate::{lock, release, systems};

type Build = fn(&Checkout) -> Result<(), String>;

/// What can be built before the first step that needs it, in the order of the steps: by two children, as the optimization over all
/// crates keeps one processor busy for minutes while a step may wait for it. Each build has a folder of its own.
const BUILDS: [(&str, Build); 6] = [
    ("header", |checkout| release::library_alone(checkout).map(drop)),
    ("cli", |checkout| release::program(checkout).map(drop)),
    ("tsan", sanitize::build_tsan),
    ("fuzz", |checkout| script::fuzz_with(checkout, &["--seconds", "0", "--little"])),
    ("swift", swift::build_all),
    ("windows", |checkout| pytest::build_ahead(checkout, "windows")),
];
const MORE_BUILDS: [(&str, Build); 3] = [
    ("asan", sanitize::build_asan),
    ("threads", threads::build),
    ("size", |checkout| pytest::build_ahead(checkout, "size")),
];

/// The chroots, in the order of the steps.
const CHROOTS: [(&str, Build); 4] = [
    ("swift", swift::make_chroot),
    ("macos", |checkout| systems::make_chroot(checkout, "macos")),
    ("windows", |checkout| systems::make_chroot(checkout, "windows")),
    ("linux-targets", |checkout| systems::make_chroot(checkout, "linux")),
];

/// What others have made and tests talk to, and what is compiled of it. What fails here fails again in its step.
const PEERS: [(&str, Build); 4] = [
    ("interop-server", |checkout| pytest::install(checkout, "interop-server")),
    ("login", |checkout| pytest::install(checkout, "login")),
    ("login-others", |checkout| pytest::install(checkout, "login-others")),
    ("conformance", |checkout| pytest::install(checkout, "conformance")),
];

/// What each child makes.
const PARTS: [(&str, &[(&str, Build)]); 4] =
    [("builds", &BUILDS), ("more-builds", &MORE_BUILDS), ("chroots", &CHROOTS), ("peers", &PEERS)];

/// `cargo xtask build-ahead PART STEP…`: what a child does. A build that fails does not keep the others from being tried, and one whose step
/// has begun is that step's.
pub fn build(checkout: &Checkout, part: &str, steps: &[&str]) -> Result<(), String> {
    let (_, builds) = PARTS
        .iter()
        .find(|(name, _)| *name == part)
        .ok_or_else(|| format!("nothing is made ahead as {part}"))?;
    let begun = begun(checkout)?;
    let mut failed = Vec::new();
    for (step, build) in builds.iter().filter(|(step, _)| steps.contains(step)) {
        if read(&begun)?.lines().any(|it| it == *step) {
            println!("{step} has begun");
            continue;
        }
        let clock = Clock::start();
        if let Err(why) = build(checkout) {
            failed.push(why);
        }
        println!("{step} took{}", clock.took());
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// The file with the steps that have begun, one a line.
fn begun(checkout: &Checkout) -> Result<PathBuf, String> {
    Ok(checkout.scratch("ahead")?.join("begun"))
}

/// The children while the steps run.
pub struct Ahead {
    children: Vec<Child>,
    begun: Option<PathBuf>,
}

impl Ahead {
    /// Begins with what these steps need. A run of one step builds for itself, and so does a machine with one processor or
    /// without the program `nice`.
    pub fn begin(checkout: &Checkout, steps: &[&str]) -> Ahead {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let mut ahead = Ahead { children: Vec::new(), begun: None };
        if steps.len() < 2 || processors < 2 {
            return ahead;
        }
        match begun(checkout).and_then(|file| write(&file, "").map(|()| file)) {
            Ok(file) => ahead.begun = Some(file),
            Err(why) => {
                println!("  nothing is built ahead: {why}");
                return ahead;
            }
        }
        for (part, builds) in PARTS {
            let wanted: Vec<&str> =
                builds.iter().map(|(step, _)| *step).filter(|it| steps.contains(it)).collect();
            if wanted.is_empty() || part == "peers" && !lock::is_there() {
                continue;
            }
            match begin(checkout, part, &wanted) {
                Ok(child) => ahead.children.push(child),
                Err(why) => println!("  no {part} are made ahead: {why}"),
            }
        }
        ahead
    }

    /// For a child that runs steps beside those of its parent, which keeps the list of those that have begun.
    pub fn of_another(checkout: &Checkout) -> Ahead {
        Ahead { children: Vec::new(), begun: begun(checkout).ok() }
    }

    /// Before a step: what it needs is not begun here any more.
    pub fn step_begins(&self, step: &str) {
        let Some(file) = &self.begun else { return };
        let opened = OpenOptions::new().append(true).open(file);
        if let Err(error) = opened.and_then(|mut file| writeln!(file, "{step}")) {
            println!("  cannot write to {}: {error}; {step} may be built a second time", file.display());
        }
    }
}

/// What the next steps wait for comes before what later ones do.
fn niceness(part: &str) -> &'static str {
    match part {
        "builds" => "5",
        "more-builds" => "10",
        _ => "19",
    }
}

fn begin(checkout: &Checkout, part: &str, wanted: &[&str]) -> Result<Child, String> {
    let log = checkout.scratch("ahead")?.join(part);
    let log =
        std::fs::File::create(&log).map_err(|error| format!("cannot create {}: {error}", log.display()))?;
    let also = log.try_clone().map_err(|error| format!("cannot share the log: {error}"))?;
    let own = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let mut nice = Command::new("nice");
    nice.args(["-n", niceness(part)]).arg(own).args(["build-ahead", part]).args(wanted);
    nice.current_dir(&checkout.root).stdin(Stdio::null()).stdout(log).stderr(also);
    nice.spawn().map_err(|error| format!("cannot start nice: {error}"))
}

impl Drop for Ahead {
    /// The last step that wanted a build has it, so this hardly waits.
    fn drop(&mut self) {
        for child in &mut self.children {
            // The steps have told what failed.
            let _ended = child.wait();
        }
    }
}
