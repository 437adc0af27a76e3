//! What was seen: messages, exchanges of HTTP, standard error, calls and their outcomes, in one order, each with a number. A page reads
//! them from a number on, so that one that is loaded again, or a second one, has all of it.

use crate::failure::Failure;
use crate::redact;
use mcp::client::json_text::quote;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;

/// What is kept in memory; older records are in a file.
const MOST: usize = 20_000;
const MOST_BYTES: usize = 64 << 20;
/// What that file has at most; then the oldest half of it is given up.
const MOST_IN_FILE: u64 = 256 << 20;
/// Longer data is read by itself: a page shows its beginning.
const LONG: usize = 256 << 10;
/// How much of it the page gets at first.
const BEGINNING: usize = 4 << 10;
/// About how much one answer carries.
const ANSWER: usize = 4 << 20;

/// One record: JSON text of its members, and of its data.
#[derive(Debug)]
struct Record {
    /// `"t":…,"kind":…`, without what encloses it.
    head: String,
    data: String,
}

impl Record {
    fn bytes(&self) -> usize {
        self.head.len() + self.data.len()
    }

    fn line(&self, number: u64, is_whole: bool, out: &mut String) {
        let beginning;
        let (cut, data) = match self.data.len() > LONG && !is_whole {
            false => (String::new(), &self.data),
            true => {
                beginning = quote(&self.data.chars().take(BEGINNING).collect::<String>());
                (format!(",\"cut\":{}", self.data.len()), &beginning)
            }
        };
        // Writing to a text does not fail.
        let _infallible = writeln!(out, "{{\"n\":{number},{}{cut},\"data\":{data}}}", self.head);
    }
}

/// Records in a file, which has no name and ends with the program.
#[derive(Clone, Debug, Default)]
struct Older {
    file: Option<Arc<File>>,
    bytes: u64,
    count: u64,
}

impl Older {
    fn write(&mut self, line: &[u8]) -> std::io::Result<()> {
        let file = match &self.file {
            Some(file) => file,
            // Without a name: only this process reaches it.
            None => self.file.insert(Arc::new(tempfile::tempfile()?)),
        };
        file.write_all_at(line, self.bytes)?;
        self.bytes += line.len() as u64;
        self.count += 1;
        Ok(())
    }

    /// All that was written until now, behind a text.
    fn read(&self, text: &mut Vec<u8>) -> std::io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let begin = text.len();
        text.resize(begin + usize::try_from(self.bytes).unwrap_or(usize::MAX), 0);
        file.read_exact_at(&mut text[begin..], 0)
    }
}

#[derive(Debug, Default)]
struct Kept {
    records: VecDeque<Arc<Record>>,
    bytes: usize,
    /// The number of the first record in memory.
    first: u64,
    /// The older ones, for a file that is saved: what was written before, and what is written now. Each has half of the room, so that the
    /// oldest go together and no hole is left.
    older: [Older; 2],
    /// How many are nowhere any more.
    lost: u64,
}

/// All records.
#[derive(Debug)]
pub struct Records {
    begin: Instant,
    most: (usize, usize),
    most_in_file: u64,
    kept: Mutex<Kept>,
    added: Notify,
}

impl Default for Records {
    fn default() -> Records {
        Records::with(MOST, MOST_BYTES)
    }
}

impl Records {
    fn with(most: usize, bytes: usize) -> Records {
        let kept = Kept { first: 1, ..Kept::default() };
        Records {
            begin: Instant::now(),
            most: (most, bytes),
            most_in_file: MOST_IN_FILE,
            kept: Mutex::new(kept),
            added: Notify::new(),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds one. `data` is JSON text as it was spoken: secrets are masked here, before anything has it.
    pub fn add(&self, at: Instant, server: usize, kind: &str, from: &str, data: &str) {
        let ms = at.saturating_duration_since(self.begin).as_secs_f64() * 1000.0;
        self.add_at(ms, server, kind, from, data);
    }

    /// Adds one of a file.
    pub fn read(&self, record: &crate::recording::Record) {
        self.add_at(record.t, 0, word(&record.kind), word(&record.from), &record.data);
    }

    fn add_at(&self, ms: f64, server: usize, kind: &str, from: &str, data: &str) {
        let head = format!("\"t\":{ms:.3},\"server\":{server},\"kind\":\"{kind}\",\"from\":\"{from}\"");
        let record = Record { head, data: redact::message(data) };
        {
            let mut kept = self.kept();
            kept.bytes += record.bytes();
            kept.records.push_back(Arc::new(record));
            while kept.records.len() > self.most.0 || (kept.bytes > self.most.1 && kept.records.len() > 1) {
                kept.put_away(self.most_in_file);
            }
        }
        self.added.notify_waiters();
    }

    /// A message, or a text that stands in its place.
    pub fn frame(&self, at: Instant, server: usize, from: &str, text: &str) {
        match serde_json::from_str::<serde::de::IgnoredAny>(text) {
            Ok(_) => self.add(at, server, "message", from, text),
            Err(_) => self.add(at, server, "text", from, &quote(text)),
        }
    }

    /// The records after a number, one a line, and the number of the last one. It waits until there is one.
    pub async fn after(&self, after: u64) -> String {
        loop {
            let mut added = pin!(self.added.notified());
            // What is added from here on wakes it.
            added.as_mut().enable();
            let lines = self.lines(after);
            if !lines.is_empty() {
                return lines;
            }
            added.await;
        }
    }

    fn lines(&self, after: u64) -> String {
        let kept = self.kept();
        let mut lines = String::new();
        let next = after.saturating_add(1).max(kept.first);
        if next > after.saturating_add(1) {
            let _infallible = writeln!(lines, "{{\"kind\":\"older\",\"count\":{}}}", next - 1 - after);
        }
        let skipped = usize::try_from(next - kept.first).unwrap_or(usize::MAX);
        for (number, record) in (next..).zip(kept.records.iter().skip(skipped)) {
            record.line(number, false, &mut lines);
            if lines.len() > ANSWER {
                break;
            }
        }
        lines
    }

    /// One record with all of its data.
    pub fn one(&self, number: u64) -> Option<String> {
        let kept = self.kept();
        let at = usize::try_from(number.checked_sub(kept.first)?).ok()?;
        let mut line = String::new();
        kept.records.get(at)?.line(number, true, &mut line);
        Some(line)
    }

    /// All that is kept, the older ones, too, in the form of `mcp trace --to`. Records are added while it is read.
    pub fn file(&self, server: &str, began: u128) -> Result<String, Failure> {
        let (lost, older, first, records) = {
            let kept = self.kept();
            (kept.lost, kept.older.clone(), kept.first, kept.records.clone())
        };
        let mut text = crate::recording::first_line(server, began);
        if lost > 0 {
            let _infallible =
                writeln!(text, "{{\"t\":0,\"kind\":\"lost\",\"from\":\"server\",\"data\":{lost}}}");
        }
        let failed =
            |why: &dyn std::fmt::Display| Failure::machine(format!("older records cannot be read: {why}"));
        let mut bytes = text.into_bytes();
        for older in &older {
            older.read(&mut bytes).map_err(|error| failed(&error))?;
        }
        let mut text = String::from_utf8(bytes).map_err(|error| failed(&error))?;
        for (number, record) in (first..).zip(&records) {
            record.line(number, true, &mut text);
        }
        Ok(text)
    }
}

/// A word of a file that stands in a record as it is.
fn word(text: &str) -> &str {
    if text.bytes().all(|byte| byte.is_ascii_lowercase()) { text } else { "text" }
}

impl Kept {
    /// Moves the oldest record into the file. Where that fails it is counted, and the page says so.
    fn put_away(&mut self, most: u64) {
        let Some(record) = self.records.pop_front() else { return };
        self.bytes -= record.bytes();
        let mut line = String::new();
        record.line(self.first, true, &mut line);
        self.first += 1;
        let [before, now] = &mut self.older;
        if now.bytes + line.len() as u64 > most / 2 {
            self.lost += before.count;
            *before = std::mem::take(now);
        }
        if now.write(line.as_bytes()).is_err() {
            self.lost += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(records: &Records, data: &str) {
        records.add(Instant::now(), 0, "message", "server", data);
    }

    #[test]
    fn w25_memory_has_a_bound_and_the_rest_is_in_the_file() {
        let records = Records::with(3, 1 << 20);
        for number in 1..=5 {
            add(&records, &number.to_string());
        }
        let lines = records.lines(0);
        assert!(lines.starts_with("{\"kind\":\"older\",\"count\":2}\n{\"n\":3,"), "{lines}");
        assert_eq!(records.lines(4).lines().count(), 1);
        assert_eq!(records.lines(5), "");
        assert_eq!(records.one(2), None);
        assert!(records.one(5).is_some_and(|line| line.contains("\"data\":5")));
        let file = records.file("x", 0).expect("written");
        let all: Vec<&str> = file.lines().collect();
        assert_eq!(all.len(), 6, "{file}");
        for (number, line) in (1..=5).zip(&all[1..]) {
            assert!(line.starts_with(&format!("{{\"n\":{number},")), "{line}");
        }
        let by_bytes = Records::with(100, 600);
        for _ in 0..20 {
            add(&by_bytes, &format!("\"{}\"", "x".repeat(100)));
        }
        assert!(by_bytes.kept().bytes <= 600);
        assert!(by_bytes.kept().records.len() >= 2);
    }

    #[test]
    fn w25_what_a_saved_file_lacks_is_at_its_beginning() {
        let records = Records { most_in_file: 1000, ..Records::with(3, 1 << 20) };
        for number in 1..=100 {
            add(&records, &number.to_string());
        }
        let file = records.file("x", 0).expect("written");
        let mut lines = file.lines().skip(1);
        let lost = lines.next().and_then(|line| line.rsplit_once(':')).map(|(_, count)| count.to_owned());
        let lost: u64 = lost.and_then(|count| count.trim_end_matches('}').parse().ok()).expect("a count");
        let kept: Vec<String> = lines.map(str::to_owned).collect();
        assert!(lost > 0 && kept.len() > 6 && file.len() < 2000, "{lost} {file}");
        for (number, line) in (lost + 1..=100).zip(&kept) {
            assert!(line.starts_with(&format!("{{\"n\":{number},")), "{number}: {line}");
        }
        assert_eq!(kept.len() as u64, 100 - lost);
    }

    #[test]
    fn w25_secrets_are_masked_before_a_record_is_there() {
        let records = Records::default();
        add(&records, r#"{"params":{"arguments":{"password":"s3cret"}}}"#);
        records.frame(Instant::now(), 0, "server", "no JSON, Bearer s3crets3crets3crets3cret");
        assert!(!records.lines(0).contains("s3cret"));
        assert!(!records.file("x", 0).expect("written").contains("s3cret"));
    }

    #[test]
    fn w8_long_data_comes_by_itself() {
        let records = Records::default();
        let long = quote(&"ä".repeat(LONG));
        add(&records, &long);
        let lines = records.lines(0);
        assert!(lines.len() < 4 * BEGINNING && lines.contains(",\"cut\":"), "{}", lines.len());
        assert!(records.one(1).is_some_and(|line| line.contains(&long)));
        let many = Records::default();
        for _ in 0..20 {
            add(&many, &quote(&"x".repeat(LONG - 10)));
        }
        assert!(many.lines(0).len() < ANSWER + LONG + 100, "an answer has a bound");
    }
}
