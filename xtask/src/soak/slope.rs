//! Whether something goes on growing: a line through the second half of the run, fitted so that single moments do not
//! bend it (Theil and Sen: the middle one of the slopes between all pairs), against what it may grow in that time. The load
//! looks by itself whether all of it was given back at the end, to the last descriptor; here is found what is kept until
//! then.

use std::fmt;

use super::sample::Sample;
use super::series;

/// A figure that is watched, and how much it may grow over the second half of the run: by this share of its middle value,
/// or by so much, whichever is more.
pub struct Figure {
    pub name: &'static str,
    pub unit: &'static str,
    pub of: fn(&Sample) -> f64,
    share: f64,
    least: f64,
    /// How many seconds a run has that is judged by it.
    judged_from: f64,
}

/// From when on the time of a call says more of the library than of what else the machine does in that minute.
const LONG: f64 = 600.0;

pub const FIGURES: [Figure; 7] = [
    Figure {
        name: "resident memory",
        unit: "MiB",
        of: |sample| sample.rss_kib / 1024.0,
        share: 0.15,
        least: 8.0,
        judged_from: 0.0,
    },
    Figure {
        name: "heap in use",
        unit: "MiB",
        of: |sample| sample.heap_kib / 1024.0,
        share: 0.25,
        least: 6.0,
        judged_from: 0.0,
    },
    Figure {
        name: "threads",
        unit: "",
        of: |sample| sample.threads,
        share: 0.0,
        least: 2.0,
        judged_from: 0.0,
    },
    Figure {
        name: "descriptors",
        unit: "",
        of: |sample| sample.descriptors,
        share: 0.25,
        least: 32.0,
        judged_from: 0.0,
    },
    Figure {
        name: "children",
        unit: "",
        of: |sample| sample.children,
        share: 0.05,
        least: 4.0,
        judged_from: 0.0,
    },
    Figure {
        name: "processor time of a call",
        unit: "ms",
        of: |sample| sample.cost_us / 1000.0,
        share: 0.25,
        least: 0.2,
        judged_from: 0.0,
    },
    Figure {
        name: "middle time of a small call",
        unit: "ms",
        of: |sample| sample.half_us / 1000.0,
        share: 0.5,
        least: 2.0,
        judged_from: LONG,
    },
];

/// What one figure did.
pub struct Finding {
    pub name: &'static str,
    unit: &'static str,
    /// The middle value of the second half, and the least and most of the whole run.
    middle: f64,
    least: f64,
    most: f64,
    /// How much the line grows over the second half, and how much it may.
    growth: f64,
    allowed: f64,
    is_judged: bool,
    /// The line: where it begins and ends.
    pub line: [(f64, f64); 2],
}

impl Finding {
    pub fn grows(&self) -> bool {
        self.is_judged && self.growth > self.allowed
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Self { name, unit, middle, least, most, growth, allowed, .. } = self;
        let verdict = match (self.is_judged, self.grows()) {
            (false, _) => "not judged in a run so short",
            (true, false) => "steady",
            (true, true) => "GROWS",
        };
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        write!(
            out,
            "{verdict}: {name} {middle:.1}{unit} ({least:.1} to {most:.1}); over the second half {growth:+.2}{unit}, \
             allowed {allowed:.2}"
        )
    }
}

pub fn judge(samples: &[Sample]) -> Vec<Finding> {
    let seconds = samples.last().map_or(0.0, |sample| sample.second);
    FIGURES.iter().filter_map(|figure| find(figure, &series(samples, figure.of), seconds)).collect()
}

fn find(figure: &Figure, points: &[(f64, f64)], seconds: f64) -> Option<Finding> {
    let begin = points.last()?.0 / 2.0;
    let half: Vec<(f64, f64)> = points.iter().copied().filter(|(at, _)| *at >= begin).collect();
    let slope = slope(&half);
    let values: Vec<f64> = half.iter().map(|(_, value)| *value).collect();
    let middle = median(values)?;
    let offset = median(half.iter().map(|(at, value)| value - slope * at).collect())?;
    let (from, to) = (half.first()?.0, half.last()?.0);
    let values = points.iter().map(|(_, value)| *value);
    Some(Finding {
        name: figure.name,
        unit: figure.unit,
        middle,
        least: values.clone().fold(f64::INFINITY, f64::min),
        most: values.fold(f64::NEG_INFINITY, f64::max),
        growth: slope * (to - from),
        allowed: figure.least.max(figure.share * middle),
        is_judged: seconds >= figure.judged_from,
        line: [(from, offset + slope * from), (to, offset + slope * to)],
    })
}

/// The middle one of the slopes between all pairs; of long runs every few seconds are one point.
fn slope(points: &[(f64, f64)]) -> f64 {
    let step = points.len().div_ceil(1000).max(1);
    let points: Vec<(f64, f64)> = points
        .chunks(step)
        .filter_map(|chunk| {
            Some((chunk[chunk.len() / 2].0, median(chunk.iter().map(|(_, y)| *y).collect())?))
        })
        .collect();
    let mut slopes = Vec::new();
    for (index, (x, y)) in points.iter().enumerate() {
        slopes.extend(
            points[index + 1..].iter().filter(|(later, _)| later > x).map(|(later, z)| (z - y) / (later - x)),
        );
    }
    median(slopes).unwrap_or(0.0)
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
