//! Patterns, and what they may cost. A few characters can stand for a program of megabytes (`(.{500}){200}`), and a match takes
//! as long as the program and the text together: so programs are bounded one by one and together, and each match pays with
//! steps for what it may take.

use regex_lite::{Regex, RegexBuilder};

/// The most bytes of one pattern.
const PATTERN: usize = 4096;
/// The bounds that programs are tried with, in bytes: the first, and the last.
const LEAST: usize = 4 * 1024;
const MOST: usize = 256 * 1024;
/// The most bytes that all programs of a schema may have.
pub(super) const PROGRAMS: usize = 4 * 1024 * 1024;
/// How much of a program can be gone through in the time of a step.
const IN_A_STEP: usize = 2048;

/// A pattern that text can be matched with.
#[derive(Debug)]
pub(super) struct Pattern {
    regex: Regex,
    /// What each byte of a text costs.
    steps: usize,
}

impl Pattern {
    /// Reads a pattern; its program takes of what is `left` for all of the schema.
    pub(super) fn new(text: &str, left: &mut usize) -> Result<Pattern, String> {
        if text.len() > PATTERN {
            return Err(format!("a pattern has more than {PATTERN} bytes"));
        }
        let mut size = LEAST;
        loop {
            match RegexBuilder::new(text).size_limit(size).build() {
                Ok(regex) => {
                    *left = left.checked_sub(size).ok_or("its patterns are too large together")?;
                    return Ok(Pattern { regex, steps: size / IN_A_STEP });
                }
                Err(_) if size < MOST => size *= 2,
                Err(error) => return Err(format!("the pattern {text} is not supported: {error}")),
            }
        }
    }

    /// What it costs to match a text.
    pub(super) fn steps(&self, text: &str) -> usize {
        self.steps.saturating_mul(text.len())
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    pub(super) fn as_str(&self) -> &str {
        self.regex.as_str()
    }
}
