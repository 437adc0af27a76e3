//! Builds beside the steps: a step often waits for servers, timers and package registries, and leaves a processor idle, while a
//! whole library that is optimized keeps one processor busy for minutes.
//!
//! A child at the lowest priority builds in the folders in which the steps build, in their order. A step finds there what is done
//! already and builds what is not; what does not build here fails once more in the step, which tells it.

use std::process::{Child, Command, Stdio};

use super::{sanitize, size};
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

/// `cargo xtask build-ahead STEP…`: what the child does. A build that fails does not keep the others from being tried.
pub fn build(checkout: &Checkout, steps: &[&str]) -> Result<(), String> {
    let chosen = BUILDS.iter().filter(|(step, _)| steps.contains(step));
    let failed: Vec<String> = chosen.filter_map(|(_, build)| build(checkout).err()).collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// The child while the steps run.
pub struct Ahead(Option<Child>);

impl Ahead {
    /// Begins with what these steps need. A run of one step builds for itself, and so does a machine with one processor or
    /// without the program `nice`.
    pub fn begin(checkout: &Checkout, steps: &[&str]) -> Ahead {
        let wanted: Vec<&str> =
            BUILDS.iter().map(|(step, _)| *step).filter(|it| steps.contains(it)).collect();
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        if wanted.is_empty() || steps.len() < 2 || processors < 2 {
            return Ahead(None);
        }
        let started = checkout.scratch("ahead").and_then(|folder| {
            let log = folder.join("log");
            let log = std::fs::File::create(&log)
                .map_err(|error| format!("cannot create {}: {error}", log.display()))?;
            let also = log.try_clone().map_err(|error| format!("cannot share the log: {error}"))?;
            let own =
                std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
            let mut nice = Command::new("nice");
            nice.args(["-n", "19"]).arg(own).arg("build-ahead").args(&wanted);
            nice.current_dir(&checkout.root).stdin(Stdio::null()).stdout(log).stderr(also);
            nice.spawn().map_err(|error| format!("cannot start nice: {error}"))
        });
        match started {
            Ok(child) => Ahead(Some(child)),
            Err(why) => {
                println!("  nothing is built ahead: {why}");
                Ahead(None)
            }
        }
    }
}

impl Drop for Ahead {
    /// The last step that wanted a build has it, so this hardly waits.
    fn drop(&mut self) {
        // The steps have told what failed.
        let _ended = self.0.as_mut().map(Child::wait);
    }
}
