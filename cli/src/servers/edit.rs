//! Changes of a JSON file with comments: one entry more or less, and everything else as it stands there.

use super::read::{at, joined, jsonc};
use jsonc_parser::ast::{Object, Value as Node};
use jsonc_parser::{CollectOptions, parse_to_ast};
use serde_json::Value;
use std::ops::Range;

/// Where the indentation is not seen.
const INDENT: &str = "  ";
/// The bytes of the two escapes of one character, such as `\ud83c\udf0a`.
const ESCAPES: usize = 12;

/// The text with a server more below a key such as `mcp.servers`. `entry` is JSON text, indented by two spaces.
pub fn added(text: &str, key: &str, name: &str, entry: &str) -> Result<String, String> {
    let before = jsonc(text)?;
    if at(&before, key).is_some_and(|servers| servers.get(name).is_some()) {
        return Err(format!("it has a server '{name}' already; `mcp remove` takes it out"));
    }
    let name_text = Value::from(name).to_string();
    let keys: Vec<&str> = if before.get(key).is_some() { vec![key] } else { key.split('.').collect() };
    let (mark, body) = bare(text);
    let made = if before.is_null() {
        let mut made = format!("{name_text}: {entry}");
        for key in keys.iter().rev() {
            made = format!("{}: {{\n{}\n}}", Value::from(*key), indented(&made, INDENT));
        }
        format!("{body}{{\n{}\n}}\n", indented(&made, INDENT))
    } else {
        let whole = joined(body);
        let tree = parse_to_ast(&whole, &CollectOptions::default(), &super::read::OPTIONS)
            .map_err(|error| error.to_string())?;
        let Some(Node::Object(root)) = &tree.value else { return Err("it is not an object".to_owned()) };
        let mut object = root;
        let mut rest = keys.as_slice();
        while let Some((key, further)) = rest.split_first() {
            match object.properties.iter().find(|it| it.name.as_str() == *key).map(|it| &it.value) {
                Some(Node::Object(inner)) => object = inner,
                Some(_) => return Err(format!("its '{key}' is not an object")),
                None => break,
            }
            rest = further;
        }
        let mut member = format!("{name_text}: {entry}");
        for key in rest.iter().rev() {
            member = format!("{}: {{\n{}\n}}", Value::from(*key), indented(&member, INDENT));
        }
        with_member(body, &Members::of(object, body, &whole), &member)
    };
    let made = format!("{mark}{made}");
    let after = jsonc(&made)?;
    let servers = at(&after, key).cloned().unwrap_or_default();
    let old = at(&before, key).and_then(Value::as_object).map_or(0, serde_json::Map::len);
    let is_right = servers.as_object().is_some_and(|all| all.len() == old + 1)
        && servers.get(name).map(Value::to_string) == jsonc(entry).ok().map(|entry| entry.to_string());
    if is_right { Ok(made) } else { Err("its form is not understood well enough to change it".to_owned()) }
}

/// The text without a server, and its entry.
pub fn removed(text: &str, key: &str, name: &str) -> Result<(String, Value), String> {
    let before = jsonc(text)?;
    let (mark, body) = bare(text);
    let whole = joined(body);
    let tree = parse_to_ast(&whole, &CollectOptions::default(), &super::read::OPTIONS)
        .map_err(|error| error.to_string())?;
    let missing = || format!("it has no server '{name}'");
    let Some(Node::Object(root)) = &tree.value else { return Err(missing()) };
    let mut object = root;
    let keys: Vec<&str> = if before.get(key).is_some() { vec![key] } else { key.split('.').collect() };
    for key in keys {
        match object.properties.iter().find(|it| it.name.as_str() == key).map(|it| &it.value) {
            Some(Node::Object(inner)) => object = inner,
            _ => return Err(missing()),
        }
    }
    let names = || object.properties.iter().map(|it| it.name.as_str());
    let at_place = names()
        .position(|it| it == name)
        .ok_or_else(|| format!("{}{}", missing(), crate::commands::did_you_mean(name, names())))?;
    let made = format!("{mark}{}", without_member(body, &Members::of(object, body, &whole), at_place));
    let after = jsonc(&made)?;
    let mut expected = before;
    let is_list = expected.get(key).is_some();
    let servers = if is_list {
        expected.get_mut(key)
    } else {
        expected.pointer_mut(&format!("/{}", key.replace('.', "/")))
    };
    let gone = servers.and_then(Value::as_object_mut).and_then(|servers| servers.remove(name));
    if after != expected {
        return Err("its form is not understood well enough to change it".to_owned());
    }
    Ok((made, gone.unwrap_or_default()))
}

/// The byte order mark, and the text behind it.
fn bare(text: &str) -> (&str, &str) {
    text.strip_prefix('\u{feff}').map_or(("", text), |body| ("\u{feff}", body))
}

fn indented(text: &str, by: &str) -> String {
    text.lines().map(|line| format!("{by}{line}")).collect::<Vec<_>>().join("\n")
}

/// The white space at the beginning of the line with this byte.
fn indent_at(text: &str, at: usize) -> &str {
    let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
    &line[..line.len() - line.trim_start().len()]
}

/// The byte of a comma behind a member, if there is one.
fn comma_behind(text: &str, mut at: usize, end: usize) -> Option<usize> {
    while at < end {
        let rest = &text[at..end];
        let first = rest.chars().next()?;
        at += match first {
            ',' => return Some(at),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            other => other.len_utf8(),
        };
    }
    None
}

/// Where an object of a file and its members stand, in bytes.
struct Members {
    whole: Range<usize>,
    all: Vec<Range<usize>>,
}

impl Members {
    /// Those of an object that was read from the text with its escapes joined, in the text as it is.
    fn of(object: &Object<'_>, text: &str, joined: &str) -> Members {
        let (mut at, mut read) = (0, 0);
        let mut place = |wanted: usize| {
            for c in joined[read..wanted].chars() {
                // What is another character there is two escapes.
                at += if text[at..].starts_with(c) { c.len_utf8() } else { ESCAPES };
            }
            read = wanted;
            at
        };
        let start = place(object.range.start);
        let all = object.properties.iter().map(|one| place(one.range.start)..place(one.range.end)).collect();
        Members { whole: start..place(object.range.end), all }
    }
}

fn with_member(text: &str, object: &Members, member: &str) -> String {
    let (start, end) = (object.whole.start, object.whole.end);
    let Some(last) = object.all.last() else {
        let outer = indent_at(text, start);
        let inner = format!("{outer}{INDENT}");
        return format!(
            "{}\n{}\n{outer}{}",
            &text[..=start],
            indented(member, &inner),
            text[start + 1..].trim_start_matches([' ', '\t', '\r', '\n'])
        );
    };
    let comma = comma_behind(text, last.end, end);
    let first = object.all.first().unwrap_or(last);
    if !text[start..first.start].contains('\n') {
        let member = jsonc(&format!("{{{member}}}")).map(|it| it.to_string()).unwrap_or_default();
        let inner = member.trim_start_matches('{').strip_suffix('}').unwrap_or(&member).to_owned();
        let at = comma.map_or(last.end, |comma| comma + 1);
        let separator = if comma.is_some() { " " } else { ", " };
        return format!("{}{separator}{inner}{}", &text[..at], &text[at..]);
    }
    let member = indented(member, indent_at(text, first.start));
    let behind = comma.map_or(last.end, |comma| comma + 1);
    // A comment at the end of the line is about what is there already.
    let line = &text[behind..behind + text[behind..].find('\n').unwrap_or(text.len() - behind)];
    let rest = if line.trim_start().starts_with("//") { line.len() } else { 0 };
    let (first_comma, last_comma) = if comma.is_some() { ("", ",") } else { (",", "") };
    format!(
        "{}{first_comma}{}\n{member}{last_comma}{}",
        &text[..behind],
        &text[behind..behind + rest],
        &text[behind + rest..]
    )
}

fn without_member(text: &str, object: &Members, place: usize) -> String {
    let gone = &object.all[place];
    let mut end = gone.end;
    let mut text = text.to_owned();
    match comma_behind(&text, end, object.whole.end) {
        Some(comma) => end = comma + 1,
        None => {
            // The one before it becomes the last one.
            let before = place.checked_sub(1).and_then(|before| object.all.get(before));
            let comma = before.and_then(|before| comma_behind(&text, before.end, gone.start));
            if let Some(comma) = comma {
                text.replace_range(comma..=comma, " ");
            }
        }
    }
    let mut start = gone.start;
    let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
    if text[line..start].trim().is_empty() {
        start = line.saturating_sub(usize::from(line > 0));
    }
    text.replace_range(start..end, "");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "{\n  \"command\": \"x\"\n}";

    #[test]
    fn an_entry_is_added_and_all_else_stays() {
        for (text, key, is) in [
            (
                "",
                "mcpServers",
                "{\n  \"mcpServers\": {\n    \"n\": {\n      \"command\": \"x\"\n    }\n  }\n}\n",
            ),
            (
                "{\n\t// mine\n\t\"mcpServers\": {\n\t\t\"a\": {} // first\n\t},\n\t\"z\": 1\n}\n",
                "mcpServers",
                "{\n\t// mine\n\t\"mcpServers\": {\n\t\t\"a\": {}, // first\n\t\t\"n\": {\n\t\t  \"command\": \"x\"\n\t\t}\n\t},\n\t\"z\": 1\n}\n",
            ),
            (
                "{\n  \"servers\": {\n    \"a\": {}, /* , */\n  },\n}",
                "servers",
                "{\n  \"servers\": {\n    \"a\": {},\n    \"n\": {\n      \"command\": \"x\"\n    }, /* , */\n  },\n}",
            ),
            (
                "{\"mcpServers\":{\"a\":{}}}",
                "mcpServers",
                "{\"mcpServers\":{\"a\":{}, \"n\":{\"command\":\"x\"}}}",
            ),
            (
                "{\n  \"theme\": \"dark\"\n}",
                "mcp.servers",
                "{\n  \"theme\": \"dark\",\n  \"mcp\": {\n    \"servers\": {\n      \"n\": {\n        \"command\": \"x\"\n      }\n    }\n  }\n}",
            ),
            (
                "{\n  \"mcpServers\": {}\n}",
                "mcpServers",
                "{\n  \"mcpServers\": {\n    \"n\": {\n      \"command\": \"x\"\n    }\n  }\n}",
            ),
        ] {
            let made = added(text, key, "n", ENTRY).expect("added");
            assert_eq!(made, is);
            assert!(added(&made, key, "n", ENTRY).is_err_and(|why| why.contains("already")));
            let (back, gone) = removed(&made, key, "n").expect("removed");
            assert_eq!(gone, serde_json::json!({"command": "x"}));
            assert_eq!(at(&jsonc(&back).expect("JSON"), key).map(|it| it.get("n").is_some()), Some(false));
        }
    }

    #[test]
    fn a_character_of_two_escapes_stays_as_it_is_written() {
        let wave = r"\ud83c\udf0a";
        let text = format!(
            "\u{feff}{{\n  \"{wave}\": \"🌊{wave} \\\\{wave}\", // {wave}\n  \"mcpServers\": {{\n    \"{wave}\": {{\"command\": \"{wave}\"}}, // {wave}\n    \"b\": {{\"a\": \"{wave}\"}}\n  }},\n  \"z\": \"{wave}\"\n}}\n"
        );
        let made = added(&text, "mcpServers", "n", ENTRY).expect("added");
        let end = format!("{{\"a\": \"{wave}\"}}");
        let entry = indented(&format!("\"n\": {ENTRY}"), "    ");
        assert_eq!(made, text.replace(&end, &format!("{end},\n{entry}")));
        // The comma before the last one becomes a space.
        let (back, _) = removed(&made, "mcpServers", "n").expect("removed");
        assert_eq!(back, text.replace(&end, &format!("{end} ")));
        let (made, gone) = removed(&text, "mcpServers", "🌊").expect("removed");
        assert_eq!(made, text.replace(&format!("\n    \"{wave}\": {{\"command\": \"{wave}\"}},"), ""));
        assert_eq!(gone, serde_json::json!({"command": "🌊"}));
        assert!(added(&text, "mcpServers", "🌊", ENTRY).is_err_and(|why| why.contains("already")));
    }

    #[test]
    fn an_entry_is_removed_and_comments_stay() {
        let text = "{\n  \"mcpServers\": {\n    // one\n    \"a\": {\"command\": \"x\"},\n    // two\n    \"b\": {}\n  }\n}\n";
        let (made, _) = removed(text, "mcpServers", "a").expect("removed");
        assert_eq!(made, "{\n  \"mcpServers\": {\n    // one\n    // two\n    \"b\": {}\n  }\n}\n");
        let (made, gone) = removed(text, "mcpServers", "b").expect("removed");
        assert!(made.contains("// two") && jsonc(&made).is_ok() && gone == serde_json::json!({}));
        assert!(removed(text, "mcpServers", "c").is_err_and(|why| why.contains("no server 'c'")));
        assert!(added("[1]", "mcpServers", "n", ENTRY).is_err());
        assert!(added("{\"mcpServers\": 3}", "mcpServers", "n", ENTRY).is_err());
    }
}
