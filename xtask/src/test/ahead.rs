//! Builds beside the steps: a step often waits for servers, timers and package registries, and leaves a processor idle, while a
//! whole library that is optimized keeps one processor busy for minutes.
//!
//! A child at the lowest priority builds in the folders in which the steps build, in their order. A step finds there what is done
//! already and builds what is not; what does not build here fails once more in the step, which tells it. Another child makes the
//! chroots, most of whose time is that of downloads; a step waits for the one that it needs.

use std::process::{Child, Command, Stdio};

use super::{linux_targets, macos, sanitize, size, swift, windows};
use crate::checkout::Checkout;
use crate::fuzz;

type Build = fn(&Checkout) -> Result<(), String>;

/// What can be built before its step, in the order of the steps.
const BUILDS: [(&str, Build); 4] = [
    ("asan", sanitize::build_asan),
    ("tsan", sanitize::build_tsan),
    ("fuzz", |checkout| fuzz::build(checkout, None).map(drop)),
    ("size", size::build_all),
];

/// The chroots, in the order of the steps.
const CHROOTS: [(&str, Build); 4] = [
    ("swift", swift::make_chroot),
    ("macos", macos::make_chroot),
    ("windows", windows::make_chroot),
    ("linux-targets", linux_targets::make_chroots),
];

/// `cargo xtask build-ahead STEP…`: what a child does. A build that fails does not keep the others from being tried.
pub fn build(checkout: &Checkout, steps: &[&str]) -> Result<(), String> {
    let chosen = BUILDS.iter().chain(&CHROOTS).filter(|(step, _)| steps.contains(step));
    let failed: Vec<String> = chosen.filter_map(|(_, build)| build(checkout).err()).collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// The children while the steps run.
pub struct Ahead(Vec<Child>);

impl Ahead {
    /// Begins with what these steps need. A run of one step builds for itself, and so does a machine with one processor or
    /// without the program `nice`.
    pub fn begin(checkout: &Checkout, steps: &[&str]) -> Ahead {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        if steps.len() < 2 || processors < 2 {
            return Ahead(Vec::new());
        }
        let parts: [(&str, &[(&str, Build)]); 2] = [("builds", &BUILDS), ("chroots", &CHROOTS)];
        let mut children = Vec::new();
        for (part, builds) in parts {
            let wanted: Vec<&str> =
                builds.iter().map(|(step, _)| *step).filter(|it| steps.contains(it)).collect();
            if wanted.is_empty() {
                continue;
            }
            match begin(checkout, part, &wanted) {
                Ok(child) => children.push(child),
                Err(why) => println!("  no {part} are made ahead: {why}"),
            }
        }
        Ahead(children)
    }
}

fn begin(checkout: &Checkout, part: &str, wanted: &[&str]) -> Result<Child, String> {
    let log = checkout.scratch("ahead")?.join(part);
    let log =
        std::fs::File::create(&log).map_err(|error| format!("cannot create {}: {error}", log.display()))?;
    let also = log.try_clone().map_err(|error| format!("cannot share the log: {error}"))?;
    let own = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let mut nice = Command::new("nice");
    nice.args(["-n", "19"]).arg(own).arg("build-ahead").args(wanted);
    nice.current_dir(&checkout.root).stdin(Stdio::null()).stdout(log).stderr(also);
    nice.spawn().map_err(|error| format!("cannot start nice: {error}"))
}

impl Drop for Ahead {
    /// The last step that wanted a build has it, so this hardly waits.
    fn drop(&mut self) {
        for child in &mut self.0 {
            // The steps have told what failed.
            let _ended = child.wait();
        }
    }
}
