//! The run as a picture: a panel for each figure, with the line through its second half.

use std::fmt::Write as _;

use super::sample::Sample;
use super::series;
use super::slope::{FIGURES, Finding};

const LEFT: f64 = 60.0;
const WIDTH: f64 = 640.0;
const PANEL: f64 = 80.0;
const GAP: f64 = 34.0;
const TOP: f64 = 50.0;
/// Points of one curve; more would only make the file longer.
const POINTS: usize = 320;

pub fn draw(title: &str, samples: &[Sample], found: &[Finding]) -> String {
    let end = samples.last().map_or(1.0, |sample| sample.second).max(1.0);
    let mut y = TOP;
    let mut panels = String::new();
    for figure in &FIGURES {
        let line = found.iter().find(|finding| finding.name == figure.name);
        let note = line.map_or_else(String::new, ToString::to_string);
        let points = series(samples, figure.of);
        panel(&mut panels, y, end, &note, &[(&points, "#1f6feb")], line.map(|finding| finding.line));
        y += PANEL + GAP;
    }
    let most = series(samples, |sample| sample.most_us / 1000.0);
    panel(
        &mut panels,
        y,
        end,
        "what 99 of 100 small calls of a second took at the most, ms",
        &[(&most, "#9a6700")],
        None,
    );
    y += PANEL + GAP;
    let rate: Vec<(f64, f64)> = samples
        .windows(2)
        .map(|two| {
            (two[1].second, (two[1].calls - two[0].calls) / (two[1].second - two[0].second).max(0.001))
        })
        .collect();
    panel(&mut panels, y, end, "calls ended each second", &[(&rate, "#57606a")], None);
    let height = y + PANEL + 20.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {height:.0}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"12\" y=\"20\" \
         font-size=\"14\" fill=\"#222222\">{title}</text>\n{panels}</svg>\n",
        LEFT + WIDTH + 20.0
    )
}

fn panel(
    svg: &mut String,
    top: f64,
    end: f64,
    note: &str,
    curves: &[(&[(f64, f64)], &str)],
    line: Option<[(f64, f64); 2]>,
) {
    let most =
        curves.iter().flat_map(|(points, _)| points.iter()).map(|(_, value)| *value).fold(1.0, f64::max);
    let place =
        |(x, y): (f64, f64)| (LEFT + x / end * WIDTH, top + PANEL - (y.max(0.0) / most).min(1.0) * PANEL);
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{:.1}\" fill=\"#222222\">{note}</text><rect x=\"{LEFT}\" y=\"{top}\" width=\"{WIDTH}\" \
         height=\"{PANEL}\" fill=\"none\" stroke=\"#dddddd\"/>",
        top - 6.0
    );
    for (value, at) in [(most, top + 9.0), (0.0, top + PANEL)] {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{at:.1}\" text-anchor=\"end\" fill=\"#666666\">{value:.0}</text>",
            LEFT - 5.0
        );
    }
    for (points, colour) in curves {
        let _ = write!(svg, "<polyline fill=\"none\" stroke=\"{colour}\" points=\"");
        for chunk in points.chunks(points.len().div_ceil(POINTS).max(1)) {
            let count = chunk.iter().map(|_| 1.0).sum::<f64>();
            let middle = chunk.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
            let (x, y) = place((middle.0 / count, middle.1 / count));
            let _ = write!(svg, "{x:.1},{y:.1} ");
        }
        let _ = writeln!(svg, "\"/>");
    }
    if let Some([from, to]) = line {
        let ((x1, y1), (x2, y2)) = (place(from), place(to));
        let _ = writeln!(
            svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#cf222e\" stroke-width=\"1.5\"/>"
        );
    }
}
