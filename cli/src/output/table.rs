//! Rows in columns as wide as the terminal.

use super::{STRONG, Text, one_line, styled};
use comfy_table::{ContentArrangement, Table, presets};

/// A table with a heading; without a width no line is broken. Every line ends with a line break.
pub fn table(heading: &[&str], rows: &[Vec<String>], width: Option<u16>) -> Text {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    match width {
        // A column needs room for one character and its padding.
        Some(width) => {
            table.set_content_arrangement(ContentArrangement::Dynamic);
            table.set_width(width.max(20));
        }
        None => {
            table.set_content_arrangement(ContentArrangement::Disabled);
        }
    }
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
