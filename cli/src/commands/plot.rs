//! The distribution of times: bars in a terminal, and an SVG.

use std::fmt::Write as _;

/// How many bars at most.
const BARS: usize = 16;

/// How many values lie in each of some ranges of equal width on a logarithmic scale, with the ends of the ranges.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "small numbers of bars"
)]
fn ranges(sorted: &[f64]) -> Vec<(f64, f64, usize)> {
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else { return Vec::new() };
    let (low, high) = (first.max(1e-6).ln(), last.max(1e-6).ln());
    let bars = if high - low < 1e-9 { 1 } else { BARS };
    let step = (high - low) / bars as f64;
    let mut counts = vec![0_usize; bars];
    for value in sorted {
        let place = if step > 0.0 { ((value.max(1e-6).ln() - low) / step) as usize } else { 0 };
        if let Some(count) = counts.get_mut(place.min(bars - 1)) {
            *count += 1;
        }
    }
    let edge = |number: usize| (low + step * number as f64).exp();
    counts.into_iter().enumerate().map(|(number, count)| (edge(number), edge(number + 1), count)).collect()
}

/// Bars for a terminal of some width.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "widths of terminals"
)]
pub fn bars(sorted: &[f64], width: usize) -> String {
    let ranges = ranges(sorted);
    let most = ranges.iter().map(|(.., count)| *count).max().unwrap_or(0).max(1);
    let room = width.saturating_sub(26).clamp(4, 60);
    let mut text = String::new();
    for (from, _, count) in ranges {
        let length = (count as f64 / most as f64 * room as f64).round() as usize;
        let length = if count > 0 { length.max(1) } else { 0 };
        let line = format!("{from:>10.3} ms {} {count}", "#".repeat(length));
        let _infallible = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// A drawing of its own, without fonts or scripts from elsewhere.
#[expect(clippy::cast_precision_loss, reason = "coordinates")]
pub fn svg(title: &str, sorted: &[f64]) -> String {
    let ranges = ranges(sorted);
    let most = ranges.iter().map(|(.., count)| *count).max().unwrap_or(0).max(1) as f64;
    let title: String = title
        .chars()
        .filter(|c| !c.is_control())
        .map(|c| match c {
            '&' => "&amp;".to_owned(),
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            c => c.to_string(),
        })
        .collect();
    let mut text = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 320\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"720\" height=\"320\" fill=\"white\"/>\n",
    );
    let _infallible = writeln!(text, "<text x=\"40\" y=\"24\" font-size=\"15\">{title}</text>");
    let wide = 640.0 / ranges.len().max(1) as f64;
    for (number, (from, to, count)) in ranges.iter().enumerate() {
        let high = *count as f64 / most * 220.0;
        let left = 40.0 + wide * number as f64;
        let _infallible = writeln!(
            text,
            "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{high:.1}\" fill=\"#36c\"><title>{from:.3} to {to:.3} ms: {count}</title></rect>",
            270.0 - high,
            (wide - 2.0).max(1.0)
        );
        if number % 4 == 0 || number + 1 == ranges.len() {
            let _infallible = writeln!(text, "<text x=\"{left:.1}\" y=\"286\">{from:.3}</text>");
        }
    }
    text.push_str(
        "<line x1=\"40\" y1=\"270\" x2=\"680\" y2=\"270\" stroke=\"black\"/>\n\
         <text x=\"40\" y=\"306\">milliseconds for a call, logarithmic</text>\n</svg>\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_one_bar() {
        let values: Vec<f64> = (1..=500).map(|n| f64::from(n) / 10.0).collect();
        let shown = ranges(&values);
        assert_eq!(shown.len(), BARS);
        assert_eq!(shown.iter().map(|(.., count)| count).sum::<usize>(), 500);
        assert_eq!(ranges(&[2.0, 2.0]).len(), 1);
        assert!(ranges(&[]).is_empty() && bars(&[], 80).is_empty());
        assert!(bars(&values, 10).lines().all(|line| line.chars().count() <= 26 + 4));
    }

    #[test]
    fn a_drawing_has_the_title_as_text() {
        let drawn = svg("a<b>&c", &[1.0, 2.0]);
        assert!(drawn.contains("a&lt;b&gt;&amp;c") && drawn.ends_with("</svg>\n"));
    }
}
