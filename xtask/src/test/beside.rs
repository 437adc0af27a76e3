//! Steps that run beside others: most wait for package managers, servers and programs of one thread, and two of them at a time use both
//! processors. One child runs them in their order, as a run of these steps alone would. No step waits for one of the child: what the child
//! prints is printed when this process has run its own steps. Those that need the machine for themselves come last.

use std::process::{Command, Stdio};
use std::thread;

use super::options::Options;
use super::time::Took;
use super::{When, find};
use crate::checkout::Checkout;
use crate::lock;
use crate::process::{self, LEFT_BEHIND, Next, Output};
use crate::release::Release;
use crate::tally::Tally;

/// The step with which they begin: what is built ahead is there by then, or nearly.
const FIRST: &str = "readme";

/// How a line of the child begins that has the result of a step. No step begins a line with this character.
const RESULT: char = '\u{1f}';

/// How many lines are read before their turn: some ten times as many as a run prints. With more the child waits.
const LINES_AHEAD: usize = 50_000;

/// The steps that are left to the child.
pub struct Beside<'a> {
    checkout: &'a Checkout,
    options: &'a Options,
    /// Those of which it has not told yet.
    steps: Vec<&'static str>,
    running: Option<Output>,
}

impl<'a> Beside<'a> {
    /// No step if the run does not have [`FIRST`], the machine has one processor, or nothing keeps two processes from installing the same. Nor with `--deep`: then some have limits of time that a busy machine does not keep.
    pub fn new(checkout: &'a Checkout, options: &'a Options, steps: &[&'static str]) -> Self {
        let processors = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let steps = if lock::is_there() && !options.deep { chosen(steps, processors) } else { Vec::new() };
        Self { checkout, options, steps, running: None }
    }

    /// Where a step comes in the order of the run: after those of this process come those of the child, and then those that run alone.
    pub fn place(&self, step: &str) -> usize {
        match self.steps.contains(&step) {
            true => 1,
            false if !self.steps.is_empty() && is(step, When::Alone) => 2,
            false => 0,
        }
    }

    /// Before each step; with one of them the child begins.
    pub fn step_begins(&mut self, step: &str, release: &Release) {
        if step != FIRST || self.steps.is_empty() || self.running.is_some() {
            return;
        }
        // Both would compile it at once otherwise. The steps tell what fails here.
        let started = release.get(self.checkout).and_then(|_| self.start());
        match started {
            Ok(running) => self.running = Some(running),
            Err(why) => {
                println!("  no steps run beside this one: {why}");
                self.steps.clear();
            }
        }
    }

    fn start(&self) -> Result<Output, String> {
        let own = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
        let cannot = |error| format!("cannot start {}: {error}", own.display());
        let (reader, writer) = std::io::pipe().map_err(cannot)?;
        let mut child = Command::new(&own);
        child.args(["test", "--beside", "--only", &self.steps.join(",")]).args(self.options.words());
        child.current_dir(&self.checkout.root).stdin(Stdio::null());
        child.stderr(writer.try_clone().map_err(cannot)?).stdout(writer);
        let child = child.spawn().map_err(cannot)?;
        Ok(Output::of(child, reader, LINES_AHEAD, LEFT_BEHIND))
    }

    /// The result of a step that the child runs, when it has ended; what it prints is printed.
    pub fn result(&mut self, step: &str) -> Option<Result<(Tally, Took), String>> {
        let running = self.running.as_mut()?;
        let place = self.steps.iter().position(|its| *its == step)?;
        self.steps.remove(place);
        Some(printed(running).and_then(|result| parse(step, &result)))
    }
}

/// Prints what the child prints up to the result of a step, and gives that.
fn printed(running: &mut Output) -> Result<String, String> {
    running.resume();
    let failed = |error| format!("cannot wait for the process that runs it beside other steps: {error}");
    loop {
        let status = match running.next().map_err(failed)? {
            Next::Line(line) => match line.strip_prefix(RESULT) {
                None => {
                    println!("{line}");
                    continue;
                }
                Some(result) => return Ok(result.to_owned()),
            },
            Next::End => running.child.wait().map_err(failed)?,
            Next::LeftBehind(status) => status,
        };
        return Err(format!("the process that ran it beside other steps has ended before it: {status}"));
    }
}

fn is(step: &str, when: When) -> bool {
    find(step).is_ok_and(|step| step.when == when)
}

/// Which of a run's steps run beside the others, in the order of the run.
fn chosen(steps: &[&'static str], processors: usize) -> Vec<&'static str> {
    let mut chosen = Vec::new();
    for step in steps.iter().copied().skip_while(|step| processors < 2 || *step != FIRST) {
        if is(step, When::Beside) && !chosen.contains(&step) {
            chosen.push(step);
        }
    }
    chosen
}

impl Drop for Beside<'_> {
    /// With steps left a step of this process has panicked. Otherwise the child ends now, or has ended.
    fn drop(&mut self) {
        if let Some(Output { child, .. }) = &mut self.running {
            // One that has been waited for has no number of its own any more.
            if !self.steps.is_empty() && matches!(child.try_wait(), Ok(None)) {
                process::kill_with_children(child);
            }
            let _ended = child.wait();
        }
    }
}

/// The line with the result of a step, which the child prints.
pub fn line(step: &str, tally: &Tally, took: &Took) -> String {
    let Tally { passed, failed, skipped, .. } = tally;
    format!("{RESULT}{step} {passed} {failed} {skipped} {}", took.text())
}

fn parse(step: &str, line: &str) -> Result<(Tally, Took), String> {
    let mut words = line.split_whitespace();
    let named = words.next() == Some(step);
    let mut number = || words.next()?.parse().ok();
    let counts = (|| Some(Tally::of(number()?, number()?, number()?)))();
    let took = words.next().zip(words.next()).and_then(|(time, used)| Took::parse(time, used));
    match counts.zip(took) {
        Some(result) if named => Ok(result),
        _ => Err(format!("the process that runs steps beside others tells '{line}' of it")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Beside, Checkout, FIRST, Options, When, chosen, is};

    #[test]
    fn steps_run_beside_others_from_the_first_one_on_in_the_order_of_the_run() {
        assert_eq!(chosen(&["lua", FIRST, "page", "node", "store", "page"], 2), ["page", "node"]);
        assert!(chosen(&["lua", "java"], 2).is_empty() && chosen(&[FIRST, "lua"], 1).is_empty());
        let all: Vec<&str> = super::super::STEPS.iter().map(|step| step.name).collect();
        let beside = all.iter().filter(|step| is(step, When::Beside));
        assert!(beside.eq(&chosen(&all, 2)), "each comes after the first one");
    }

    #[test]
    fn no_step_waits_for_the_program_while_others_could_run_without() {
        let mut early = super::super::STEPS.iter().take_while(|step| step.name != FIRST);
        assert!(early.all(|step| step.tests.is_empty()), "tests in Python wait for the program");
    }

    #[test]
    fn no_step_of_this_process_waits_for_one_of_the_child() {
        let checkout = Checkout { root: "/".into(), target: "/".into() };
        let options = Options::default();
        let beside = |steps| Beside { checkout: &checkout, options: &options, steps, running: None };
        let in_order = |beside: Beside, mut steps: Vec<&'static str>| {
            steps.sort_by_key(|step| beside.place(step));
            steps
        };
        let steps = vec!["c", "lua", "conformance", "node", "size"];
        assert_eq!(
            in_order(beside(vec!["lua", "node"]), steps.clone()),
            ["c", "size", "lua", "node", "conformance"]
        );
        assert_eq!(
            in_order(beside(vec![]), steps.clone()),
            steps,
            "without a child they run as they are named"
        );
    }
}
