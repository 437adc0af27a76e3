//! JSON text indented, in its own order and with its own numbers: a tree would sort members and round numbers.

/// The text of a valid JSON value with two spaces for each level. Empty objects and arrays stay on their line.
pub fn indented(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut level = 0_usize;
    let mut rest = text.char_indices().peekable();
    while let Some((start, c)) = rest.next() {
        match c {
            ' ' | '\t' | '\n' | '\r' => {}
            '"' => {
                let mut end = text.len();
                let mut escaped = false;
                for (at, c) in rest.by_ref() {
                    match c {
                        _ if escaped => escaped = false,
                        '\\' => escaped = true,
                        '"' => {
                            end = at + 1;
                            break;
                        }
                        _ => {}
                    }
                }
                out.push_str(text.get(start..end).unwrap_or_default());
            }
            '{' | '[' => {
                out.push(c);
                while rest.next_if(|(_, c)| c.is_ascii_whitespace()).is_some() {}
                if let Some((_, close)) = rest.next_if(|(_, c)| matches!(c, '}' | ']')) {
                    out.push(close);
                } else {
                    level += 1;
                    line(level, &mut out);
                }
            }
            '}' | ']' => {
                level = level.saturating_sub(1);
                line(level, &mut out);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(level, &mut out);
            }
            ':' => out.push_str(": "),
            _ => out.push(c),
        }
    }
    out
}

fn line(level: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", level));
}

#[cfg(test)]
mod tests {
    use super::indented;

    #[test]
    fn order_and_numbers_stay_as_they_are() {
        let text = r#"{"b":[1.50,{"x":1e400}],"a":"{\"[,:" , "e":{ },"f":[]}"#;
        let wanted = "{\n  \"b\": [\n    1.50,\n    {\n      \"x\": 1e400\n    }\n  ],\n  \"a\": \"{\\\"[,:\",\n  \
                      \"e\": {},\n  \"f\": []\n}";
        assert_eq!(indented(text), wanted);
        assert_eq!(indented("\"ü\\\\\""), "\"ü\\\\\"");
        assert_eq!(indented(&indented(text)), wanted);
    }
}
