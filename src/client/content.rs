//! The text in a result, for programs that want nothing else of it.

use crate::json;

/// The text content of a tool result (`content`), a resource (`contents`) or a prompt (`messages`), blocks joined by line
/// feeds; `None` if there is none.
pub fn text_of(result: &str) -> Option<String> {
    let mut text: Option<String> = None;
    let mut add = |block: &str| {
        if let Some(part) = json::member(block, "text").and_then(json::string) {
            match &mut text {
                Some(text) => {
                    text.push('\n');
                    text.push_str(&part);
                }
                None => text = Some(part.into_owned()),
            }
        }
    };
    for (name, value) in json::members(result) {
        match name {
            "content" => json::elements(value)
                .filter(|block| json::member(block, "type") == Some("\"text\""))
                .for_each(&mut add),
            "contents" => json::elements(value).for_each(&mut add),
            "messages" => json::elements(value)
                .filter_map(|message| json::member(message, "content"))
                .for_each(&mut add),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_blocks_are_joined_and_others_left_out() {
        let result = r#"{"content":[{"type":"text","text":"a\n"},{"type":"image","data":""},{"text":"b","type":"text"}]}"#;
        assert_eq!(text_of(result).as_deref(), Some("a\n\nb"));
    }

    #[test]
    fn resources_and_prompts_have_text_too() {
        assert_eq!(text_of(r#"{"contents":[{"uri":"x","text":"r"},{"blob":""}]}"#).as_deref(), Some("r"));
        assert_eq!(
            text_of(r#"{"messages":[{"role":"user","content":{"type":"text","text":"p"}}]}"#).as_deref(),
            Some("p")
        );
    }

    #[test]
    fn a_result_without_text_has_none() {
        assert_eq!(text_of(r#"{"content":[]}"#), None);
        assert_eq!(text_of(r#"{"tools":[{"text":"x"}]}"#), None);
    }
}
