//! Finds tools by words.

use mcp::client::json_text::{member, members, string};

/// The tools that have all the words, the best first: a word in the name counts most.
pub fn search<'a>(tools: &[&'a str], wanted: &str) -> Vec<&'a str> {
    search_by(tools.to_vec(), |tool| tool, wanted)
}

/// The same of things that have a tool.
pub fn search_by<T>(things: Vec<T>, tool_of: impl Fn(&T) -> &str, wanted: &str) -> Vec<T> {
    let wanted: Vec<String> = wanted.split_whitespace().map(str::to_lowercase).collect();
    let scored = things.into_iter().filter_map(|thing| Some((score(tool_of(&thing), &wanted)?, thing)));
    let mut found: Vec<(u32, T)> = scored.collect();
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found.into_iter().map(|(_, thing)| thing).collect()
}

fn score(tool: &str, wanted: &[String]) -> Option<u32> {
    let word = |key: &str| member(tool, key).and_then(string).unwrap_or_default().to_lowercase();
    let name = word("name");
    let (title, description) = (word("title"), word("description"));
    let properties = member(tool, "inputSchema").and_then(|it| member(it, "properties")).unwrap_or("{}");
    let arguments: Vec<String> = members(properties).map(|(name, _)| name.to_lowercase()).collect();
    let mut total = 0;
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
        if one == 0 {
            return None;
        }
        total += one;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::{search, search_by};

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
    }
}
