//! `bench`: how many calls a server answers in a second, and how long they take.

use super::lists::list;
use super::plot;
use super::{calls, named};
use crate::arguments::{Bench, Common, Format};
use crate::failure::Failure;
use crate::folders;
use crate::output::{FAINT, STRONG, Screen, Text, counted, styled, text};
use crate::questions::Questions;
use crate::session::Session;
use crate::target::split;
use crate::values;
use mcp::client::features::Request;
use mcp::client::{Kind, Status};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Calls of the bench have tags from here on.
const FIRST_TAG: u64 = 1 << 32;
/// The shares of the calls whose times are shown.
const SHARES: [(&str, f64); 5] = [("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999)];

/// What was measured.
struct Measured {
    /// The times of the calls that were answered, in milliseconds, in order of size.
    times: Vec<f64>,
    elapsed: Duration,
    tool_errors: u64,
    failures: u64,
    /// The first failure.
    why: Option<Failure>,
}

pub fn bench(screen: Screen, bench: &Bench, common: &Common) -> Result<(), Failure> {
    let (target, rest) = split(&bench.place.words, &bench.place.program, common)?;
    let Some((tool, words)) = rest.split_first() else {
        return Err(Failure::usage("no tool is named; `mcp tools` lists those of a server"));
    };
    let base =
        bench.json.as_deref().map_or_else(|| Ok("{}".to_owned()), |json| values::object("--json", json))?;
    let given = values::parse(words)?;
    let session = Session::open(target, common, Questions::new(None), None)?;
    let tools = session.request(&Request::ToolsList)?;
    named(&list(tools.json(), "tools"), "name", tool, "tool")?;
    let arguments = calls::arguments(&session, tool, base, given)?;
    let request = Request::ToolsCall { name: tool, arguments: Some(&arguments) };
    if bench.warm_up > 0 {
        measure(&session, &request, bench.warm_up, bench.parallel)?;
    }
    let measured = measure(&session, &request, bench.calls, bench.parallel)?;
    if let (true, Some(why)) = (measured.times.is_empty(), measured.why) {
        return Err(why);
    }
    let measured = Measured { why: None, ..measured };
    if let Some(path) = &bench.svg {
        let title = format!("{tool}: {:.0} calls/s, {} at a time", measured.rate(), bench.parallel);
        folders::replace(path, &plot::svg(&title, &measured.times))?;
        Screen::note(styled(FAINT, format!("drawn into {}", path.display())));
    }
    match screen.format {
        Format::Json | Format::Yaml => screen.json(&measured.json(bench.parallel).to_string())?,
        Format::Names => screen.names(&[format!("{:.0}", measured.rate())])?,
        Format::Text => screen.write(measured.text(screen.width()))?,
    }
    if measured.failures > 0 {
        return Err(Failure::machine(format!("{} failed", counted(measured.failures, "call"))));
    }
    if measured.tool_errors > 0 { Err(Failure::tool(tool)) } else { Ok(()) }
}

/// Keeps `parallel` calls under way until all have been answered.
fn measure(session: &Session, request: &Request<'_>, calls: u32, parallel: u32) -> Result<Measured, Failure> {
    let mut began: Vec<Instant> = Vec::with_capacity(calls as usize);
    let mut times = Vec::with_capacity(calls as usize);
    let (mut tool_errors, mut failures, mut why) = (0, 0, None);
    let begin = Instant::now();
    let start = |began: &mut Vec<Instant>| -> Result<(), Failure> {
        let tag = FIRST_TAG + began.len() as u64;
        began.push(Instant::now());
        session.start(request, tag)
    };
    while began.len() < parallel.min(calls) as usize {
        start(&mut began)?;
    }
    let mut open = began.len();
    while open > 0 {
        let Some(message) = session.next(None)? else { continue };
        let at = Instant::now();
        if message.kind() != Kind::Reply {
            continue;
        }
        let number = message.tag().checked_sub(FIRST_TAG).and_then(|number| usize::try_from(number).ok());
        let Some(started) = number.and_then(|number| began.get(number)) else { continue };
        open -= 1;
        match message.status() {
            Status::Ok => {
                times.push(at.saturating_duration_since(*started).as_secs_f64() * 1000.0);
                tool_errors += u64::from(message.is_tool_error());
            }
            _ => {
                failures += 1;
                let failure = session.failed(&message);
                // A connection that is gone answers nothing more.
                if failure.exit == crate::failure::UNREACHED && !times.is_empty() && failures > 100 {
                    return Err(failure);
                }
                why.get_or_insert(failure);
            }
        }
        if began.len() < calls as usize {
            start(&mut began)?;
            open += 1;
        }
    }
    let elapsed = begin.elapsed();
    times.sort_by(f64::total_cmp);
    Ok(Measured { times, elapsed, tool_errors, failures, why })
}

impl Measured {
    #[expect(clippy::cast_precision_loss, reason = "at most a million calls")]
    fn rate(&self) -> f64 {
        self.times.len() as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// The time that this share of the calls kept.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "between 0 and a million"
    )]
    fn at(&self, share: f64) -> f64 {
        let rank = (share * self.times.len() as f64).ceil() as usize;
        self.times.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    }

    #[expect(clippy::cast_precision_loss, reason = "at most a million calls")]
    fn mean(&self) -> f64 {
        self.times.iter().sum::<f64>() / (self.times.len() as f64).max(1.0)
    }

    fn least(&self) -> f64 {
        self.times.first().copied().unwrap_or_default()
    }

    fn most(&self) -> f64 {
        self.times.last().copied().unwrap_or_default()
    }

    fn json(&self, parallel: u32) -> Value {
        let rounded = |value: f64| (value * 1e6).round() / 1e6;
        let mut times = json!({
            "min": rounded(self.least()), "mean": rounded(self.mean()), "max": rounded(self.most())
        });
        for (name, share) in SHARES {
            times[name] = rounded(self.at(share)).into();
        }
        json!({
            "calls": self.times.len(),
            "parallel": parallel,
            "seconds": rounded(self.elapsed.as_secs_f64()),
            "calls_per_second": rounded(self.rate()),
            "tool_errors": self.tool_errors,
            "failures": self.failures,
            "milliseconds": times,
        })
    }

    fn text(&self, width: Option<u16>) -> Text {
        let counts = format!(
            "{:.0} calls/s ({} in {:.3} s)",
            self.rate(),
            counted(self.times.len(), "call"),
            self.elapsed.as_secs_f64()
        );
        let mut text = text![styled(STRONG, "rate"), " ", counts, "\n\n"];
        let rows = [("min", self.least()), ("mean", self.mean())]
            .into_iter()
            .chain(SHARES.map(|(name, share)| (name, self.at(share))))
            .chain([("max", self.most())]);
        for (name, time) in rows {
            text.push(text![styled(STRONG, format!("{name:<6}")), format!(" {time:>10.3} ms\n")]);
        }
        for (count, what) in [(self.tool_errors, "reported an error"), (self.failures, "failed")] {
            if count > 0 {
                text.push(format!("{} {what}\n", counted(count, "call")));
            }
        }
        text.push("\n");
        text.push(plot::bars(&self.times, width.map_or(80, usize::from)));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_that_were_measured() {
        let times: Vec<f64> = (1..=1000).map(f64::from).collect();
        let measured =
            Measured { times, elapsed: Duration::from_secs(2), tool_errors: 0, failures: 0, why: None };
        assert!((measured.at(0.5) - 500.0).abs() < f64::EPSILON);
        assert!((measured.at(0.999) - 999.0).abs() < f64::EPSILON);
        assert!((measured.rate() - 500.0).abs() < f64::EPSILON);
        assert_eq!(measured.json(4)["milliseconds"]["p99"], 990.0);
        let none =
            Measured { times: vec![], elapsed: Duration::ZERO, tool_errors: 0, failures: 0, why: None };
        assert!(none.text(Some(80)).as_str().contains("0 calls"));
    }
}
