//! What is seen of the load's process at one moment, from outside: /proc, and the line that it prints each second.

use std::fmt::Write as _;
use std::path::Path;

use crate::process;

#[derive(Clone, Copy, Default)]
pub struct Sample {
    pub second: f64,
    /// Calls that have ended so far.
    pub calls: f64,
    /// What half, and 99 of 100, of the good small calls of this second took at the most; -1 if there were none.
    pub half_us: f64,
    pub most_us: f64,
    /// The processor time that the process has used so far.
    pub used_us: f64,
    /// The processor time of a call that ended since the sample before this; -1 in the first, and where none ended.
    pub cost_us: f64,
    /// What the process says it has allocated and not freed; -1 where its C library does not tell.
    pub heap_kib: f64,
    pub rss_kib: f64,
    pub threads: f64,
    pub descriptors: f64,
    pub children: f64,
}

impl Sample {
    /// A line "sample SECONDS CALLS HALF MOST HEAP", and what /proc says of the process at this moment.
    pub fn take(line: &str, process: u32) -> Option<Self> {
        let mut numbers = line.strip_prefix("sample ")?.split(' ').map(str::parse::<f64>);
        let mut next = || numbers.next()?.ok();
        let (second, calls, half_us, most_us, heap_kib) = (next()?, next()?, next()?, next()?, next()?);
        let place = Path::new("/proc").join(process.to_string());
        let status = std::fs::read_to_string(place.join("status")).ok()?;
        let of_status = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse::<f64>().ok()
        };
        Some(Self {
            second,
            calls,
            half_us,
            most_us,
            used_us: used(&std::fs::read_to_string(place.join("stat")).ok()?)?,
            cost_us: -1.0,
            heap_kib,
            rss_kib: of_status("VmRSS:")?,
            threads: of_status("Threads:")?,
            descriptors: entries(&place.join("fd"))?,
            children: children(&place)?,
        })
    }

    /// With what a call has cost since another sample.
    pub fn after(self, before: &Sample) -> Self {
        let calls = self.calls - before.calls;
        let cost_us = if calls > 0.0 { (self.used_us - before.used_us) / calls } else { -1.0 };
        Self { cost_us, ..self }
    }
}

/// The time of the process alone, in microseconds: its servers end and are waited for.
fn used(stat: &str) -> Option<f64> {
    let [user, kernel, ..] = process::processor_times(stat)?;
    Some((user + kernel).as_secs_f64() * 1e6)
}

fn entries(folder: &Path) -> Option<f64> {
    Some(std::fs::read_dir(folder).ok()?.map(|_| 1.0).sum())
}

fn children(process: &Path) -> Option<f64> {
    let mut count = 0.0;
    for task in std::fs::read_dir(process.join("task")).ok()?.flatten() {
        // A thread may have ended since; then its children are another's.
        let list = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        count += list.split_whitespace().map(|_| 1.0).sum::<f64>();
    }
    Some(count)
}

/// All samples as text, one a line.
pub fn table(samples: &[Sample]) -> String {
    let mut text =
        "second calls half_us most_us used_us cost_us heap_kib rss_kib threads descriptors children\n"
            .to_owned();
    for it in samples {
        let _ = writeln!(
            text,
            "{} {} {} {} {} {:.0} {} {} {} {} {}",
            it.second,
            it.calls,
            it.half_us,
            it.most_us,
            it.used_us,
            it.cost_us,
            it.heap_kib,
            it.rss_kib,
            it.threads,
            it.descriptors,
            it.children
        );
    }
    text
}
