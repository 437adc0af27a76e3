//! Counting: what passed, failed and was skipped, said in one line each as it happens.

use std::path::PathBuf;

use crate::machine::{Tool, is_ci};

/// The results of one step.
#[derive(Default)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
    /// The missing tools that a person has been told how to get.
    told: Vec<&'static str>,
}

impl Tally {
    /// What another process has counted.
    pub fn of(passed: usize, failed: usize, skipped: usize) -> Self {
        Self { passed, failed, skipped, told: Vec::new() }
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
    }

    /// The line that ends a test run.
    pub fn closing_line(&self) -> String {
        let skipped = if self.skipped == 0 { String::new() } else { format!(", {} skipped", self.skipped) };
        format!("{} passed, {} failed{skipped}", self.passed, self.failed)
    }
}
