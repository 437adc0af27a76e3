//! Counting: what passed, failed and was skipped, said in one line each as it happens.

use std::path::PathBuf;

use crate::machine::{Tool, is_ci};

/// How many programs of a step may need a second run: more of them are no accident.
const MOST_SECOND_RUNS: usize = 2;

/// How a program ended that a tool slows down many times.
pub enum Watched {
    Clean,
    /// A check of its own failed in the first run, which is told here, and nothing did in the second.
    CleanAtSecond(String),
}

/// The results of one step.
#[derive(Default)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
    /// Programs that needed a second run.
    pub second_runs: usize,
    /// The missing tools that a person has been told how to get.
    told: Vec<&'static str>,
}

impl Tally {
    /// What another process has counted.
    pub fn of(passed: usize, failed: usize, skipped: usize, second_runs: usize) -> Self {
        Self { passed, failed, skipped, second_runs, told: Vec::new() }
    }

    pub fn pass(&mut self, name: &str) {
        self.passed += 1;
        println!("  ok    {name}");
    }

    pub fn fail(&mut self, name: &str, why: &str) {
        self.failed += 1;
        println!("  FAIL  {name}");
        for line in why.lines() {
            println!("        {line}");
        }
    }

    pub fn skip(&mut self, name: &str, why: &str) {
        self.skipped += 1;
        println!("  skip  {name}: {why}");
    }

    pub fn check(&mut self, name: &str, result: Result<(), String>) {
        match result {
            Ok(()) => self.pass(name),
            Err(why) => self.fail(name, &why),
        }
    }

    /// The result of a program under a tool. One that passed in its second run is named, with what failed in the first.
    pub fn check_watched(&mut self, name: &str, result: Result<Watched, String>) {
        match result {
            Ok(Watched::Clean) => self.pass(name),
            Ok(Watched::CleanAtSecond(why)) if self.second_runs < MOST_SECOND_RUNS => {
                self.second_runs += 1;
                self.passed += 1;
                println!("  ok    {name}, in its second run; this failed in the first:");
                for line in why.lines() {
                    println!("        {line}");
                }
            }
            Ok(Watched::CleanAtSecond(why)) => {
                let many =
                    format!("more than {MOST_SECOND_RUNS} programs of this step needed a second run\n{why}");
                self.fail(name, &many);
            }
            Err(why) => self.fail(name, &why),
        }
    }

    /// The tool's path. Without it, what needs it is skipped; where all tools must be there, it fails.
    pub fn need(&mut self, tool: &Tool, what: &str) -> Option<PathBuf> {
        let mut why = match tool.find() {
            Ok(path) => return Some(path),
            Err(why) => why,
        };
        if self.told.contains(&tool.is) {
            why = format!("{} is missing", tool.is);
        } else {
            self.told.push(tool.is);
        }
        self.lack(what, &why);
        None
    }

    /// Something is missing: what needs it is skipped; where everything must be there, it fails.
    pub fn lack(&mut self, what: &str, why: &str) {
        if is_ci() {
            self.fail(what, why);
        } else {
            self.skip(what, why);
        }
    }

    pub fn add(&mut self, other: &Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.second_runs += other.second_runs;
    }

    /// The line that ends a test run.
    pub fn closing_line(&self) -> String {
        let skipped = if self.skipped == 0 { String::new() } else { format!(", {} skipped", self.skipped) };
        format!("{} passed, {} failed{skipped}", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_SECOND_RUNS, Tally, Watched};

    #[test]
    fn few_programs_may_need_a_second_run() {
        let mut tally = Tally::default();
        for _ in 0..=MOST_SECOND_RUNS {
            tally.check_watched("late", Ok(Watched::CleanAtSecond("3 is not 4".to_owned())));
        }
        assert_eq!((tally.passed, tally.failed, tally.second_runs), (MOST_SECOND_RUNS, 1, MOST_SECOND_RUNS));
        tally.check_watched("never", Err("3 is not 4".to_owned()));
        assert_eq!(tally.failed, 2);
    }
}
