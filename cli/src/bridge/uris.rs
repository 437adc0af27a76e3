//! The URIs of resources in what a server sends: definitions, results, errors, questions. Each is written as clients know it, and the
//! rest stays.

use super::params::with;
use mcp::client::json_text::{Kind, elements, kind, member, quote, string};
use std::borrow::Cow;

/// What clients know a URI as.
pub type Shown<'a> = &'a dyn Fn(&str) -> String;

/// A result of any method: content blocks, messages of a prompt, contents of a resource, the page of a tool. The parameters of
/// `sampling/createMessage` have messages, too.
pub fn in_result(result: &str, shown: Shown<'_>) -> String {
    let result = changed(result, "content", |content| in_blocks(content, shown));
    let result = changed(&result, "messages", |messages| {
        each(messages, |message| change(message, "content", |content| in_blocks(content, shown)))
    });
    let result = changed(&result, "contents", |contents| each(contents, |one| uri(one, "uri", shown)));
    in_definition(&result, shown).into_owned()
}

/// The definition of an entry, which may name a page.
pub fn in_definition<'d>(definition: &'d str, shown: Shown<'_>) -> Cow<'d, str> {
    changed(definition, "_meta", |meta| {
        let ui = change(meta, "ui", |ui| uri(ui, "resourceUri", shown));
        let old = uri(ui.as_deref().unwrap_or(meta), "ui/resourceUri", shown);
        old.or(ui)
    })
}

/// What an error has besides its text: which resource was not found.
pub fn in_data<'d>(data: &'d str, shown: Shown<'_>) -> Cow<'d, str> {
    uri(data, "uri", shown).map_or(Cow::Borrowed(data), Cow::Owned)
}

/// The page that the definition of a tool names.
pub fn page_of(definition: &str) -> Option<Cow<'_, str>> {
    let meta = member(definition, "_meta")?;
    let page = member(meta, "ui").and_then(|ui| member(ui, "resourceUri"));
    page.or_else(|| member(meta, "ui/resourceUri")).and_then(string)
}

/// One block, or a list of them.
fn in_blocks(content: &str, shown: Shown<'_>) -> Option<String> {
    if kind(content) == Some(Kind::Array) {
        return each(content, |block| in_block(block, shown));
    }
    in_block(content, shown)
}

fn in_block(block: &str, shown: Shown<'_>) -> Option<String> {
    match member(block, "type").and_then(string).as_deref() {
        Some("resource_link") => uri(block, "uri", shown),
        Some("resource") => change(block, "resource", |resource| uri(resource, "uri", shown)),
        // What a client is to give to its model; such a block has no further results in it.
        Some("tool_result") => change(block, "content", |content| {
            each(content, |block| match member(block, "type").and_then(string).as_deref() {
                Some("tool_result") => None,
                _ => in_block(block, shown),
            })
        }),
        _ => None,
    }
}

/// An object whose member is a URI that clients know as another.
fn uri(object: &str, name: &str, shown: Shown<'_>) -> Option<String> {
    change(object, name, |value| {
        let uri = string(value)?;
        let shown = shown(&uri);
        (shown != uri).then(|| quote(&shown))
    })
}

/// An object with a changed member; `None` if nothing changes.
fn change(object: &str, name: &str, how: impl FnOnce(&str) -> Option<String>) -> Option<String> {
    how(member(object, name)?).map(|value| with(object, name, &value))
}

fn changed<'o>(object: &'o str, name: &str, how: impl FnOnce(&str) -> Option<String>) -> Cow<'o, str> {
    change(object, name, how).map_or(Cow::Borrowed(object), Cow::Owned)
}

/// A list with changed elements; `None` if none changes.
fn each(list: &str, how: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut is_changed = false;
    let elements = elements(list).map(|element| {
        let changed = how(element);
        is_changed |= changed.is_some();
        changed.map_or(Cow::Borrowed(element), Cow::Owned)
    });
    let elements: Vec<Cow<'_, str>> = elements.collect();
    is_changed.then(|| format!("[{}]", elements.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(uri: &str) -> String {
        if uri.starts_with("x:") { format!("a+{uri}") } else { uri.to_owned() }
    }

    #[test]
    fn uris_of_results_are_written_as_clients_know_them() {
        for (before, after) in [
            (r#"{"content":[{"type":"text","text":"x:1","uri":"x:1"}]}"#, None),
            (r#"{"content":[{"type":"resource_link","uri":"y:1"}],"structuredContent":{"uri":"x:1"}}"#, None),
            (r#"{"content":"x:1","contents":{"uri":"x:1"},"messages":7}"#, None),
            (
                r#"{"content":[ 1,{"type":"resource_link","name":"n","uri":"x:1"}, {"type":"t"}]}"#,
                Some(r#"{"content":[1,{"type":"resource_link","name":"n","uri":"a+x:1"},{"type":"t"}]}"#),
            ),
            (
                r#"{"content":[{"type":"resource","resource":{"uri":"\u0078:1","text":"t"}}],"isError":false}"#,
                Some(
                    r#"{"isError":false,"content":[{"type":"resource","resource":{"text":"t","uri":"a+x:1"}}]}"#,
                ),
            ),
            (
                r#"{"contents":[{"uri":"x:1","text":"t"},{"uri":"x:2"}]}"#,
                Some(r#"{"contents":[{"text":"t","uri":"a+x:1"},{"uri":"a+x:2"}]}"#),
            ),
            (
                r#"{"messages":[{"role":"user","content":{"type":"resource_link","uri":"x:1"}}]}"#,
                Some(r#"{"messages":[{"role":"user","content":{"type":"resource_link","uri":"a+x:1"}}]}"#),
            ),
            (
                r#"{"messages":[{"role":"user","content":[{"type":"tool_result","content":[{"type":"resource_link","uri":"x:1"}]}]}]}"#,
                Some(
                    r#"{"messages":[{"role":"user","content":[{"type":"tool_result","content":[{"type":"resource_link","uri":"a+x:1"}]}]}]}"#,
                ),
            ),
            (
                r#"{"content":[],"_meta":{"ui":{"resourceUri":"x:1"},"ui/resourceUri":"x:2"}}"#,
                Some(r#"{"content":[],"_meta":{"ui":{"resourceUri":"a+x:1"},"ui/resourceUri":"a+x:2"}}"#),
            ),
        ] {
            assert_eq!(in_result(before, &shown), after.unwrap_or(before));
        }
        assert_eq!(in_data(r#"{"uri":"x:1"}"#, &shown), r#"{"uri":"a+x:1"}"#);
        assert_eq!(in_data("7", &shown), "7");
    }

    #[test]
    fn of_a_member_that_is_there_twice_the_last_counts_and_the_other_is_gone() {
        // A host may take the first one.
        let twice = r#"{"content":[{"type":"resource_link","uri":"y:1","uri":"x:1"}]}"#;
        assert_eq!(in_result(twice, &shown), r#"{"content":[{"type":"resource_link","uri":"a+x:1"}]}"#);
    }

    #[test]
    fn the_page_of_a_tool_is_found_in_both_places() {
        let page = |text| page_of(text).map(Cow::into_owned);
        assert_eq!(page(r#"{"_meta":{"ui":{"resourceUri":"ui://x"}}}"#).as_deref(), Some("ui://x"));
        assert_eq!(page(r#"{"_meta":{"ui/resourceUri":"ui://y"}}"#).as_deref(), Some("ui://y"));
        assert_eq!(page(r#"{"name":"x"}"#), None);
    }
}
