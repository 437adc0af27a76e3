//! Rows in columns as wide as the terminal.

use super::{STRONG, Text, one_line, styled};
use comfy_table::{ContentArrangement, Table, presets};

/// A cell that has more characters pushes the rest of its own line aside, and that of no other.
const ALIGNED: usize = 32;

/// What the columns beside the first need at least, in characters, for a table that can be read.
const BESIDE: usize = 44;

/// A table with a heading; without a width no line is broken. Every line ends with a line break.
pub fn table(heading: &[&str], rows: &[Vec<String>], width: Option<u16>) -> Text {
    let Some(width) = width else { return unbroken(heading, rows) };
    if heading.first() == Some(&"URI") && is_narrow(rows, width) {
        return stacked(rows, width);
    }
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

/// Whether addresses, which a person copies, would be broken.
fn is_narrow(rows: &[Vec<String>], width: u16) -> bool {
    let longest = rows.iter().filter_map(|row| Some(one_line(row.first()?).chars().count())).max();
    longest.unwrap_or(0) + BESIDE > usize::from(width)
}

/// Each row as its first cell, in one piece, and the others below it, as wide as the terminal.
fn stacked(rows: &[Vec<String>], width: u16) -> Text {
    let width = usize::from(width.max(20));
    let mut out = Text::default();
    for row in rows {
        let Some((first, rest)) = row.split_first() else { continue };
        out.push(styled(STRONG, one_line(first)));
        out.push("\n");
        let rest: Vec<String> =
            rest.iter().map(|cell| one_line(cell)).filter(|cell| !cell.is_empty()).collect();
        let mut line = String::new();
        for word in rest.join("  ").split(' ') {
            if !line.trim().is_empty() && line.chars().count() + word.chars().count() >= width - 4 {
                out.push(format!("    {}\n", line.trim()));
                line.clear();
            }
            line.push_str(word);
            line.push(' ');
        }
        if !line.trim().is_empty() {
            out.push(format!("    {}\n", line.trim()));
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_in_one_piece_however_narrow_the_terminal_is() {
        let uri = format!("demo://resource/{}", "x".repeat(60));
        let rows = [vec![uri.clone(), "name".to_owned(), String::new(), "what it is ".repeat(9)]];
        for width in [20, 40, 80, 200] {
            let text = table(&["URI", "NAME", "TYPE", "DESCRIPTION"], &rows, Some(width));
            let text = super::super::image::without_styles(text.as_str());
            assert!(text.lines().any(|line| line.contains(&uri)), "{width}: {text}");
            let others = text.lines().filter(|line| !line.contains(&uri));
            assert!(others.clone().all(|line| line.chars().count() <= usize::from(width)), "{width}: {text}");
            assert_eq!(text.contains("NAME"), width == 200, "{text}");
        }
    }
}
