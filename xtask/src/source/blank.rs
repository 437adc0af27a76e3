//! Blanking out what is not code. Lines keep their numbers, so that a finding can be shown where it stands.

use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};

/// The text with the insides of comments, strings and characters replaced by spaces, byte by byte. The quotes stay. A text that is
/// no Rust has no code.
pub fn code_only(text: &str) -> String {
    let mut code: Vec<u8> = text.bytes().map(|byte| if byte == b'\n' { byte } else { b' ' }).collect();
    keep(text, text.parse().unwrap_or_default(), &mut code);
    // What it knows of this text would be kept as long as this process lives.
    proc_macro2::extra::invalidate_current_thread_spans();
    String::from_utf8(code).unwrap_or_default()
}

fn put(text: &str, code: &mut [u8], range: Range<usize>) {
    code[range.clone()].copy_from_slice(&text.as_bytes()[range]);
}

/// Puts the tokens where they stand in the text.
fn keep(text: &str, tokens: TokenStream, code: &mut [u8]) {
    for token in tokens {
        let range = token.span().byte_range();
        match token {
            // A comment of documentation is tokens of an attribute that all stand where it does.
            _ if text[range.clone()].starts_with("//") || text[range.clone()].starts_with("/*") => {}
            TokenTree::Group(group) => {
                put(text, code, group.span_open().byte_range());
                put(text, code, group.span_close().byte_range());
                keep(text, group.stream(), code);
            }
            TokenTree::Literal(_) if text[range.clone()].contains(['"', '\'']) => {
                let quotes = text[range.clone()].match_indices(['"', '\'']).map(|(at, _)| range.start + at);
                let (first, last) = (quotes.clone().next(), quotes.clone().next_back());
                put(text, code, range.start..first.map_or(range.end, |at| at + 1));
                put(text, code, last.unwrap_or(range.end)..range.end);
            }
            _ => put(text, code, range),
        }
    }
}

/// The code with everything under a `#[cfg(test)]` blanked out. Takes what `code_only` gives.
pub fn without_tests(code: &str) -> String {
    let mut out = code.to_owned();
    let mut from = 0;
    while let Some(found) = out[from..].find("#[cfg(") {
        let start = from + found;
        let Some(end) = out[start..].find(']').map(|length| start + length + 1) else { break };
        from = end;
        let condition = &out[start..end];
        let is_test = condition.split(|c: char| !is_word(c)).any(|word| word == "test");
        if is_test && !condition.contains("not(test") {
            let stop = end + item_length(&out[end..]);
            let blanked: String =
                out[start..stop].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
            out.replace_range(start..stop, &blanked);
            from = start + blanked.len();
        }
    }
    out
}

/// How far the thing that begins here reaches: an item to its closing brace or semicolon, a field or a match arm to
/// its comma or the end of what it stands in.
fn item_length(code: &str) -> usize {
    const ITEMS: [&str; 9] = ["fn", "impl", "struct", "enum", "trait", "mod", "use", "type", "const"];
    let mut depth = 0_usize;
    let mut is_item = false;
    let mut word = String::new();
    for (at, c) in code.char_indices() {
        if is_word(c) {
            word.push(c);
            continue;
        }
        is_item |= depth == 0 && ITEMS.contains(&word.as_str());
        word.clear();
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' if depth == 0 => return at,
            '}' if depth == 1 => return at + 1,
            '}' | ')' | ']' => depth -= 1,
            ';' if depth == 0 => return at + 1,
            ',' if depth == 0 && !is_item => return at + 1,
            _ => {}
        }
    }
    code.len()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::{code_only, without_tests};

    #[test]
    fn comments_are_blanked_and_lines_stay() {
        let code = code_only("a // b\n/* c /* d */\n e */ f");
        assert_eq!(code.lines().count(), 3);
        assert_eq!(code.split_whitespace().collect::<Vec<_>>(), ["a", "f"]);
    }

    #[test]
    fn strings_of_every_kind_are_blanked() {
        for text in [r#"x("a \" b") y"#, r##"x(r#"a " b"#) y"##, r#"x(b"a b") y"#, r##"x(cr#"a"#) y"##] {
            let code = code_only(text);
            assert!(!code.contains('a') && !code.contains(" b "), "{code}");
            assert!(code.starts_with('x') && code.ends_with('y'), "{code}");
        }
    }

    #[test]
    fn a_quote_may_be_a_character_or_a_lifetime() {
        assert_eq!(code_only("f::<'a>('\"') g"), "f::<'a>(' ') g");
        assert_eq!(code_only(r"f('\'', '\\', '\u{41}') g").split_whitespace().last(), Some("g"));
        assert_eq!(code_only("'outer: loop { b'{' }"), "'outer: loop { b' ' }");
    }

    #[test]
    fn test_modules_go_and_the_code_after_them_stays() {
        let code = "a\n#[cfg(test)]\nmod tests { fn f() { b } }\nc\n#[cfg(all(test, unix))]\nmod more;\nd";
        let words = without_tests(code);
        assert_eq!(words.split_whitespace().collect::<Vec<_>>(), ["a", "c", "d"]);
        assert_eq!(words.lines().count(), code.lines().count());
        assert!(without_tests("#[cfg(not(test))] fn f() {}").contains('f'));
    }

    #[test]
    fn a_test_only_field_ends_at_its_comma_and_a_function_does_not() {
        let field = without_tests("struct S { #[cfg(test)] seen: [u8; 2], kept: u8 } also");
        assert_eq!(
            field.split_whitespace().collect::<Vec<_>>(),
            ["struct", "S", "{", "kept:", "u8", "}", "also"]
        );
        let last = without_tests("struct S { #[cfg(test)] seen: u8 } also");
        assert_eq!(last.split_whitespace().collect::<Vec<_>>(), ["struct", "S", "{", "}", "also"]);
        assert_eq!(without_tests("#[cfg(test)] fn f<A, B>(a: A, b: B) -> (u8, u8) { c }").trim(), "");
    }
}
