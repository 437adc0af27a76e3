//! Finds tools by words.

use crate::ordered::sort_by_key;
use mcp::client::json_text::{member, members, string};

/// The tools that have all the words, the best first: a word in the name counts most.
pub fn search<'a>(tools: &[&'a str], wanted: &str) -> Vec<&'a str> {
    search_by(tools.to_vec(), |tool| tool, wanted)
}

/// The same of things that have a tool.
pub fn search_by<T>(things: Vec<T>, tool_of: impl Fn(&T) -> &str, wanted: &str) -> Vec<T> {
    ranked(things, tool_of, &words(wanted), 0)
}

/// The tools that have any of the words, those with most of them first; all tools if there are none. Words that say little are left out.
pub fn search_any<'a>(tools: &[&'a str], wanted: &str) -> Vec<&'a str> {
    let all = words(wanted);
    let mut long: Vec<String> = all.iter().filter(|word| word.chars().count() > 2).cloned().collect();
    if long.is_empty() {
        long = all;
    }
    let most = long.len().saturating_sub(1);
    ranked(tools.to_vec(), |tool| tool, &long, most)
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

/// What lacks at most so many words, the best first.
fn ranked<T>(things: Vec<T>, tool_of: impl Fn(&T) -> &str, wanted: &[String], missing: usize) -> Vec<T> {
    let scored = things.into_iter().map(|thing| (score(tool_of(&thing), wanted), thing));
    let mut found: Vec<_> = scored.filter(|((lacks, _), _)| *lacks <= missing).collect();
    sort_by_key(&mut found, |((lacks, score), _)| (*lacks, std::cmp::Reverse(*score)));
    found.into_iter().map(|(_, thing)| thing).collect()
}

/// How many of the words a tool lacks, and how well it has the others.
fn score(tool: &str, wanted: &[String]) -> (usize, u32) {
    let word = |key: &str| member(tool, key).and_then(string).unwrap_or_default().to_lowercase();
    let name = word("name");
    let (title, description) = (word("title"), word("description"));
    let properties = member(tool, "inputSchema").and_then(|it| member(it, "properties")).unwrap_or("{}");
    let arguments: Vec<String> = members(properties).map(|(name, _)| name.to_lowercase()).collect();
    let (mut lacks, mut total) = (0, 0);
    for wanted in wanted {
        let mut one = 0;
        for (text, weight) in [(&name, 8), (&title, 4), (&description, 1)] {
            if text.contains(wanted.as_str()) {
                let is_word = text.split(|c: char| !c.is_alphanumeric()).any(|word| word == wanted);
                one += if is_word { weight * 2 } else { weight };
            }
        }
        if arguments.iter().any(|argument| argument.contains(wanted.as_str())) {
            one += 2;
        }
        lacks += usize::from(one == 0);
        total += one;
    }
    (lacks, total)
}

#[cfg(test)]
mod tests {
    use super::{search, search_any, search_by};

    #[test]
    fn a_word_in_the_name_counts_more_than_one_in_the_description() {
        let tools = [
            r#"{"name":"list_users","description":"Lists who can create an issue"}"#,
            r#"{"name":"create_issue","description":"Makes one"}"#,
            r#"{"name":"close","inputSchema":{"properties":{"issue":{}}}}"#,
        ];
        assert_eq!(search(&tools, "ISSUE"), [tools[1], tools[0], tools[2]]);
        assert_eq!(search(&tools, "create issue"), [tools[1], tools[0]]);
        assert!(search(&tools, "missing").is_empty());
        // Of several servers the best is first, whichever has it.
        let all = tools.map(|tool| ("server", tool)).to_vec();
        assert_eq!(search_by(all, |(_, tool)| tool, "issue")[0], ("server", tools[1]));
        assert_eq!(search_any(&tools, "please create an issue"), [tools[1], tools[0], tools[2]]);
        assert_eq!(search_any(&tools, "").len(), 3);
        assert!(search_any(&tools, "missing").is_empty());
    }
}
