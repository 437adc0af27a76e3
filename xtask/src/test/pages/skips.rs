//! `docs/reference/platforms.md` names every C and C++ program that a tool cannot run, and no other.

use std::collections::BTreeSet;

/// The heading above the table. Its rows have the tools, the programs and the reason.
const HEADING: &str = "### Programs that a tool cannot run";

/// The steps that a program may opt out of, as its source and the table say them.
const TOOLS: [&str; 3] = ["asan", "tsan", "valgrind"];

type Skips<'a> = BTreeSet<(&'a str, &'a str)>;

/// Where the table and the sources differ, in lines for the reader. A source comes with its name.
pub fn differences(page: &str, sources: &[(String, String)]) -> Vec<String> {
    let listed = listed(page);
    let found: Skips = sources
        .iter()
        .flat_map(|(name, text)| {
            let is_skipped = |tool: &&str| text.contains(&format!("/* {tool}: skip "));
            TOOLS.into_iter().filter(is_skipped).map(move |tool| (tool, name.as_str()))
        })
        .collect();
    let missing = found
        .difference(&listed)
        .map(|(tool, name)| format!("{name} is skipped under {tool}, which the page does not say"));
    let stale = listed
        .difference(&found)
        .map(|(tool, name)| format!("{name} is not skipped under {tool}, as the page says"));
    missing.chain(stale).collect()
}

fn listed(page: &str) -> Skips<'_> {
    let section = page.split_once(HEADING).map_or("", |(_, rest)| rest);
    let section = section.split_once("\n#").map_or(section, |(section, _)| section);
    let mut listed = Skips::new();
    for line in section.lines().filter(|line| line.starts_with('|')) {
        let mut cells = line.trim_matches('|').split('|');
        let (Some(tools), Some(programs)) = (cells.next(), cells.next()) else { continue };
        for tool in tools.split('`').skip(1).step_by(2) {
            listed.extend(programs.split('`').skip(1).step_by(2).map(|name| (tool, name)));
        }
    }
    listed
}

#[cfg(test)]
mod tests {
    use super::differences;

    fn source(name: &str, text: &str) -> (String, String) {
        (name.to_owned(), text.to_owned())
    }

    #[test]
    fn the_table_and_the_sources_say_the_same() {
        let page = "`asan` `before_the_table`\n### Programs that a tool cannot run\n\n| tool | programs | reason |\n|---|---|---|\n\
                    | `asan`, `tsan` | `one`, `two` | memory |\n\n## Next\n\n| `tsan` | `three` | x |\n";
        let both = "/* asan: skip it measures */\n/* tsan: skip it measures */\n";
        let sources = [source("one", both), source("two", both), source("four", "int main(void) {}")];
        assert_eq!(differences(page, &sources), Vec::<String>::new());
    }

    #[test]
    fn a_row_that_is_missing_and_one_too_many_are_told() {
        let page = "### Programs that a tool cannot run\n| `asan` | `one` | memory |\n";
        let sources = [source("one", ""), source("two", "/* valgrind: skip it is slow */")];
        assert_eq!(
            differences(page, &sources),
            [
                "two is skipped under valgrind, which the page does not say",
                "one is not skipped under asan, as the page says"
            ]
        );
    }
}
