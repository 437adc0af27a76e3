//! Rounds become figures here, and figures a plain table and JSON text. Knows nothing of how they were
//! measured.

use crate::measure::Sample;
use crate::workload::{Against, Kind, Placement, Workload};
use std::fmt::Write;

/// All rounds of one contender in one setting.
pub struct Row {
    pub workload: &'static Workload,
    pub era: &'static str,
    pub placement: Placement,
    pub contender: &'static str,
    pub samples: Vec<Sample>,
    /// One per round in which there was something to compare with.
    pub ratios: Vec<f64>,
}

/// Median, least and greatest of the rounds.
struct Figure {
    median: f64,
    least: f64,
    greatest: f64,
}

fn figure(values: impl Iterator<Item = f64>) -> Option<Figure> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let (least, greatest) = (*sorted.first()?, *sorted.last()?);
    let middle = sorted.len() / 2;
    let even = sorted.len().is_multiple_of(2);
    let median = if even { f64::midpoint(sorted[middle - 1], sorted[middle]) } else { sorted[middle] };
    Some(Figure { median, least, greatest })
}

impl Row {
    fn of(&self, what: impl Fn(&Sample) -> Option<f64>) -> Option<Figure> {
        figure(self.samples.iter().filter_map(what))
    }

    fn value(&self) -> Option<Figure> {
        self.of(|sample| Some(sample.value))
    }

    /// Its median share of the floor's figure, if that is what it is compared with.
    pub fn share(&self) -> Option<f64> {
        let is_share = self.workload.against == Against::Floor;
        figure(self.ratios.iter().copied().filter(|_| is_share)).map(|figure| figure.median)
    }

    fn against(&self) -> &'static str {
        match self.workload.against {
            Against::Floor => "floor",
            Against::Own(name) => name,
        }
    }

    /// One line of the table.
    pub fn line(&self) -> String {
        let digits = usize::from(self.workload.kind == Kind::Start) * 2;
        let mut line = format!(
            "{:<19}{:<8}{:<9}{:<18}",
            self.workload.name,
            self.era,
            self.placement.name(),
            self.contender
        );
        let _ = write!(line, "{:<36}", spread(self.value(), digits, self.workload.unit()));
        let _ = write!(line, "{:<26}", spread(figure(self.ratios.iter().copied()), 3, ""));
        let _ = write!(line, "{:>8}", one(self.of(|sample| sample.cpu_us), 2));
        let _ = write!(line, "{:>10}", one(self.of(|sample| sample.p50_us), 1));
        let _ = write!(line, "{:>10}", one(self.of(|sample| sample.p99_us), 1));
        let peak = self.of(|sample| sample.peak_kib.map(|kib| kib as f64 / 1024.0));
        let _ = write!(line, "{:>9}", one(peak, 1));
        if let Some(each) = self.of(|sample| sample.each_kib) {
            let _ = write!(line, "  {:.0} KiB per server", each.median);
        }
        if let Some(wakes) = self.of(|sample| sample.wakes) {
            let _ = write!(line, "  {:.1} wake-ups/s idle", wakes.median);
        }
        line
    }

    /// The row as a JSON object.
    pub fn json(&self) -> String {
        let rounds = |values: &mut dyn Iterator<Item = f64>| {
            let texts: Vec<String> = values.map(|value| format!("{value:.4}")).collect();
            format!("[{}]", texts.join(","))
        };
        let mut members = vec![
            ("era", quoted(self.era)),
            ("placement", quoted(self.placement.name())),
            ("contender", quoted(self.contender)),
            ("unit", quoted(self.workload.unit())),
            ("rounds", rounds(&mut self.samples.iter().map(|sample| sample.value))),
            ("ratio_to", quoted(self.against())),
            ("ratio_rounds", rounds(&mut self.ratios.iter().copied())),
        ];
        if let Some(sample) = self.samples.last() {
            members.push(("version", quoted(&sample.version)));
            members.push(("calls", sample.calls.to_string()));
        }
        let figures = [
            ("value", self.value()),
            ("ratio", figure(self.ratios.iter().copied())),
            ("cpu_us_per_call", self.of(|sample| sample.cpu_us)),
            ("p50_us", self.of(|sample| sample.p50_us)),
            ("p99_us", self.of(|sample| sample.p99_us)),
            ("peak_kib", self.of(|sample| sample.peak_kib.map(|kib| kib as f64))),
            ("kib_per_server", self.of(|sample| sample.each_kib)),
            ("idle_wakeups_per_second", self.of(|sample| sample.wakes)),
        ];
        for (name, figure) in figures {
            if let Some(Figure { median, least, greatest }) = figure {
                members.push((
                    name,
                    format!("{{\"median\":{median:.4},\"min\":{least:.4},\"max\":{greatest:.4}}}"),
                ));
            }
        }
        object(&members)
    }
}

/// What stands over the lines.
pub fn heading() -> String {
    format!(
        "{:<19}{:<8}{:<9}{:<18}{:<36}{:<26}{:>8}{:>10}{:>10}{:>9}",
        "workload",
        "era",
        "placed",
        "who",
        "median [min - max]",
        "ratio [min - max]",
        "cpu us",
        "p50 us",
        "p99 us",
        "MiB"
    )
}

/// A whole file: what was measured where, and the rows of one workload.
pub fn file(workload: &Workload, facts: &[(&str, String)], rows: &[&Row]) -> String {
    let facts: Vec<(&str, String)> = facts.iter().map(|(name, value)| (*name, quoted(value))).collect();
    let rows: Vec<String> = rows.iter().map(|row| row.json()).collect();
    let all = object(&[
        ("workload", quoted(workload.name)),
        ("machine", object(&facts)),
        ("rows", format!("[\n  {}\n]", rows.join(",\n  "))),
    ]);
    all + "\n"
}

fn spread(figure: Option<Figure>, digits: usize, unit: &str) -> String {
    figure.map_or_else(
        || "-".to_owned(),
        |Figure { median, least, greatest }| {
            format!("{median:.digits$} [{least:.digits$} - {greatest:.digits$}] {unit}")
        },
    )
}

fn one(figure: Option<Figure>, digits: usize) -> String {
    figure.map_or_else(|| "-".to_owned(), |figure| format!("{:.digits$}", figure.median))
}

fn object(members: &[(&str, String)]) -> String {
    let texts: Vec<String> =
        members.iter().map(|(name, value)| format!("{}:{value}", quoted(name))).collect();
    format!("{{{}}}", texts.join(","))
}

fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            control if control < ' ' => {
                let _ = write!(json, "\\u{:04x}", u32::from(control));
            }
            other => json.push(other),
        }
    }
    json + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between() {
        let figure = figure([4.0, 1.0, 3.0, 2.0].into_iter()).expect("four values");
        assert_eq!((figure.median, figure.least, figure.greatest), (2.5, 1.0, 4.0));
    }

    #[test]
    fn text_is_quoted_for_json() {
        assert_eq!(quoted("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000a\"");
    }
}
