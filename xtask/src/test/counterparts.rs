//! The comparison programs of the bindings are no longer than the same programs on the official SDKs, in `tests/counterparts`.

use std::path::Path;

use super::Stage;
use crate::checkout::read;

const FOLDER: &str = "tests/counterparts";

/// Counts every pair of the table again.
pub fn check(stage: &mut Stage) -> Result<(), String> {
    let root = &stage.checkout.root;
    let rows = rows(&read(&root.join(FOLDER).join("README.md"))?);
    if rows.is_empty() {
        return Err(format!("{FOLDER}/README.md has no table of programs"));
    }
    for row in rows {
        let result = counted(root, &row);
        stage.tally.check(&format!("{}: ours is no longer than on the official SDK", row.program), result);
    }
    Ok(())
}

/// A row of the table.
struct Row {
    program: String,
    ours: String,
    our_lines: usize,
    theirs: String,
    their_lines: usize,
}

/// The rows with two files and two numbers.
fn rows(page: &str) -> Vec<Row> {
    let row = |line: &str| {
        let cells: Vec<&str> =
            line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [program, ours, our_lines, theirs, their_lines] = cells[..] else { return None };
        Some(Row {
            program: program.to_owned(),
            ours: ours.to_owned(),
            our_lines: our_lines.parse().ok()?,
            theirs: theirs.to_owned(),
            their_lines: their_lines.parse().ok()?,
        })
    };
    page.lines().filter_map(row).collect()
}

fn counted(root: &Path, row: &Row) -> Result<(), String> {
    let count = |path: &Path| {
        Ok::<usize, String>(lines(&read(path)?, path.extension().is_some_and(|kind| kind == "py")))
    };
    let ours = count(&root.join(&row.ours))?;
    let theirs = count(&root.join(FOLDER).join(&row.theirs))?;
    if (ours, theirs) != (row.our_lines, row.their_lines) {
        return Err(format!(
            "the table says {} and {}, but they have {ours} and {theirs}: write that into {FOLDER}/README.md",
            row.our_lines, row.their_lines
        ));
    }
    if ours > theirs {
        Err(format!("{} has {ours} lines, {} {theirs}", row.ours, row.theirs))
    } else {
        Ok(())
    }
}

/// The lines with code. In Python a text that begins a line with three quotes is documentation.
fn lines(source: &str, is_python: bool) -> usize {
    let (line_comment, begin, end) = if is_python { ("#", "\"\"\"", "\"\"\"") } else { ("//", "/*", "*/") };
    let mut is_inside = false;
    let mut count = 0;
    for line in source.lines().map(str::trim) {
        if is_inside {
            is_inside = !line.contains(end);
        } else if let Some(rest) = line.strip_prefix(begin) {
            is_inside = !rest.contains(end);
        } else if !line.is_empty() && !line.starts_with(line_comment) {
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::{lines, rows};

    #[test]
    fn blank_lines_comments_and_documentation_do_not_count() {
        assert_eq!(lines("// a\n\n/* b\n c */\nd() // e\n/** f */\n\tg()\n", false), 2);
        assert_eq!(
            lines("\"\"\"a\n\nb\"\"\"\n# c\nd = 1  # e\n\ndef f():\n    \"\"\"g\"\"\"\n    h()\n", true),
            3
        );
    }

    #[test]
    fn a_row_has_two_files_and_two_numbers() {
        let page = "| program | ours | our lines | theirs | their lines |\n|---|---|---|---|---|\n| A | `b` | 1 | `c` | 2 |\n| a | b |\n";
        let found = rows(page);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].ours.as_str(), found[0].our_lines, found[0].their_lines), ("b", 1, 2));
    }
}
