//! Rows in columns as wide as the terminal.

use super::{STRONG, Text, one_line, styled};
use comfy_table::{ContentArrangement, Table, presets};

/// A cell that has more characters pushes the rest of its own line aside, and that of no other.
const ALIGNED: usize = 32;

/// A table with a heading; without a width no line is broken. Every line ends with a line break.
pub fn table(heading: &[&str], rows: &[Vec<String>], width: Option<u16>) -> Text {
    let Some(width) = width else { return unbroken(heading, rows) };
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    // A column needs room for one character and its padding.
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(width.max(20));
    table.set_header(heading);
    for row in rows {
        table.add_row(row.iter().map(|cell| one_line(cell)));
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let text = table.trim_fmt();
    let mut lines = text.lines();
    let mut out = Text::default();
    if let Some(first) = lines.next() {
        out.push(styled(STRONG, first));
        out.push("\n");
    }
    for line in lines {
        out.push(line);
        out.push("\n");
    }
    out
}

/// A line for each row, as another program reads it.
fn unbroken(heading: &[&str], rows: &[Vec<String>]) -> Text {
    let heading: Vec<String> = heading.iter().map(|&cell| cell.to_owned()).collect();
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| one_line(cell)).collect()).collect();
    let length = |cell: &String| cell.chars().count();
    let widths: Vec<usize> = (0..heading.len())
        .map(|column| {
            let cells = rows.iter().chain([&heading]).filter_map(|row| row.get(column)).map(length);
            cells.filter(|&length| length <= ALIGNED).max().unwrap_or(0)
        })
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut out = Text::default();
    out.push(styled(STRONG, line(&heading)));
    out.push("\n");
    for row in &rows {
        out.push(line(row));
        out.push("\n");
    }
    out
}
