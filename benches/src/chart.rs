//! The figures as a picture: for each workload one bar a contender, as long as its share of the floor's work in
//! the same round, on a logarithmic scale.

use crate::report::Row;
use crate::workload::Kind;
use std::fmt::Write;

const LEFT: f64 = 190.0;
const WIDTH: f64 = 480.0;
const RIGHT: f64 = 70.0;
const BAR: f64 = 15.0;
const GAP: f64 = 12.0;
const TOP: f64 = 46.0;
/// The least share that is drawn.
const LEAST: f64 = 0.001;

/// The bars of one workload.
struct Group<'a> {
    title: String,
    bars: Vec<(&'a str, f64)>,
}

/// The chart of all rows that are calls compared with the floor; `None` if there are none.
pub fn draw(rows: &[Row], facts: &[(&str, String)]) -> Option<String> {
    let groups = groups(rows);
    if groups.is_empty() {
        return None;
    }
    let bars: usize = groups.iter().map(|group| group.bars.len() + 1).sum();
    let height = TOP + bars as f64 * BAR + groups.len() as f64 * GAP + 34.0;
    let width = LEFT + WIDTH + RIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"12\" y=\"20\" font-size=\"14\" fill=\"#222222\">Share of the floor's calls per second (logarithmic; 1 is no client at all)</text>\n"
    );
    let bottom = height - 30.0;
    for mark in [0.001, 0.01, 0.1, 1.0] {
        let x = LEFT + length(mark);
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" stroke=\"#dddddd\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#666666\">{mark}</text>",
            TOP - 10.0,
            TOP - 14.0
        );
    }
    let mut y = TOP;
    for group in &groups {
        let _ = writeln!(
            svg,
            "<text x=\"12\" y=\"{:.1}\" font-weight=\"bold\" fill=\"#222222\">{}</text>",
            y + 11.0,
            group.title
        );
        y += BAR;
        for (name, share) in &group.bars {
            let colour = if *name == "libmcp" { "#1f6feb" } else { "#9aa4b2" };
            let long = length(*share);
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#222222\">{name}</text>\
                 <rect x=\"{LEFT}\" y=\"{:.1}\" width=\"{long:.1}\" height=\"{:.1}\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" fill=\"#222222\">{share:.3}</text>",
                LEFT - 6.0,
                y + 11.0,
                y + 2.0,
                BAR - 4.0,
                LEFT + long + 5.0,
                y + 11.0
            );
            y += BAR;
        }
        y += GAP;
    }
    let machine: Vec<&str> = facts
        .iter()
        .filter(|(name, _)| ["processor", "processors", "kernel", "rounds"].contains(name))
        .map(|(_, value)| value.as_str())
        .collect();
    let _ = writeln!(
        svg,
        "<text x=\"12\" y=\"{:.1}\" fill=\"#666666\">{} (processor, how many, kernel, rounds)</text>\n</svg>",
        height - 10.0,
        escaped(&machine.join(" · "))
    );
    Some(svg)
}

fn groups(rows: &[Row]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for row in rows {
        let Some(share) = row.share().filter(|_| row.workload.kind == Kind::Calls) else { continue };
        let title = format!("{}, {} era, {}", row.workload.name, row.era, row.placement.name());
        match groups.last_mut().filter(|group| group.title == title) {
            Some(group) => group.bars.push((row.contender, share)),
            None => groups.push(Group { title, bars: vec![(row.contender, share)] }),
        }
    }
    groups
}

fn length(share: f64) -> f64 {
    (share.clamp(LEAST, 1.0) / LEAST).log10() / (1.0 / LEAST).log10() * WIDTH
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_is_two_thirds_of_the_way() {
        assert!((length(1.0) - WIDTH).abs() < 1e-9);
        assert!((length(0.1) - WIDTH * 2.0 / 3.0).abs() < 1e-9);
        assert!(length(0.000_01).abs() < 1e-9);
    }

    #[test]
    fn without_rows_there_is_no_chart() {
        assert!(draw(&[], &[]).is_none());
    }
}
