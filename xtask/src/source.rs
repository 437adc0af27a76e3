//! Rust source as far as the checks of the architecture need it, by proc-macro2 and syn: never a word of a comment or a string is code.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// The tokens of a text; a text that is no Rust has none.
pub fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}

/// What the tokens of a file say. Where it does not parse, the compiler tells.
pub fn parsed(code: TokenStream) -> Result<syn::File, String> {
    syn::parse2(code).map_err(|error| format!("line {}: {error}", error.span().start().line))
}

/// The code without everything under a `#[cfg(test)]`.
pub fn without_tests(code: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    let mut code = code.into_iter().peekable();
    while let Some(tree) = code.next() {
        match (tree, code.peek()) {
            (TokenTree::Punct(sign), Some(TokenTree::Group(attribute)))
                if sign.as_char() == '#' && is_for_tests(attribute) =>
            {
                code.next();
                skip(&mut code);
                // So go its other attributes, such as its comment.
                while ends_with_attribute(&kept) {
                    kept.truncate(kept.len() - 2);
                }
            }
            (TokenTree::Group(group), _) => {
                let mut inside = Group::new(group.delimiter(), without_tests(group.stream()));
                inside.set_span(group.span());
                kept.push(inside.into());
            }
            (tree, _) => kept.push(tree),
        }
    }
    kept.into_iter().collect()
}

/// Whether this is `[cfg(test)]`, or a condition with more in it.
fn is_for_tests(attribute: &Group) -> bool {
    let condition: String = attribute.stream().to_string().split_whitespace().collect();
    let mut words = condition.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.next() == Some("cfg") && words.any(|word| word == "test") && !condition.contains("not(test")
}

fn ends_with_attribute(code: &[TokenTree]) -> bool {
    let [.., TokenTree::Punct(sign), TokenTree::Group(group)] = code else { return false };
    sign.as_char() == '#' && group.delimiter() == Delimiter::Bracket
}

/// Takes the thing that begins here: an item as far as its braces or semicolon, a field or a match arm as far as its comma.
fn skip(code: &mut impl Iterator<Item = TokenTree>) {
    const ITEMS: [&str; 10] =
        ["fn", "impl", "struct", "enum", "trait", "mod", "use", "type", "const", "static"];
    let mut first = None;
    for tree in code {
        match tree {
            TokenTree::Ident(word) if first.is_none() && ITEMS.iter().any(|item| word == item) => {
                first = Some(word);
            }
            // `const fn` has a body.
            TokenTree::Ident(word) if word == "fn" => first = Some(word),
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::Brace && !ends_late(first.as_ref()) =>
            {
                return;
            }
            TokenTree::Punct(sign) if sign.as_char() == ';' || sign.as_char() == ',' && first.is_none() => {
                return;
            }
            _ => {}
        }
    }
}

/// Whether braces are not the end: those of `use a::{b, c};` are not.
fn ends_late(first: Option<&Ident>) -> bool {
    first.is_some_and(|word| word == "use" || word == "const" || word == "static")
}

/// Each token with what follows it, also those within brackets.
pub fn each(code: &TokenStream, seen: &mut impl FnMut(&TokenTree, &[TokenTree])) {
    let trees: Vec<TokenTree> = code.clone().into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        seen(tree, &trees[at + 1..]);
        if let TokenTree::Group(group) = tree {
            each(&group.stream(), seen);
        }
    }
}

/// The names in `mod name;`, also where a macro is given them.
pub fn declared_modules(code: &TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    each(code, &mut |tree, after| {
        if let [TokenTree::Ident(name), TokenTree::Punct(end), ..] = after
            && is_word(Some(tree), "mod")
            && end.as_char() == ';'
        {
            found.push(name.to_string());
        }
    });
    found
}

/// Whether a token is this word.
pub fn is_word(tree: Option<&TokenTree>, wanted: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(word)) if word == wanted)
}

/// Whether a token is something in parentheses.
pub fn is_call(tree: Option<&TokenTree>) -> bool {
    matches!(tree, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
}

#[cfg(test)]
mod tests {
    use super::{tokens, without_tests};

    fn left(code: &str) -> String {
        without_tests(tokens(code)).to_string().split_whitespace().collect()
    }

    #[test]
    fn test_modules_go_and_the_code_after_them_stays() {
        let code = "a;\n#[cfg(test)]\nmod tests { fn f() { b } }\nc;\n#[cfg(all(test, unix))]\nmod more;\nd; mod e { #[cfg(test)] use x::{y}; f }";
        assert_eq!(left(code), "a;c;d;mode{f}");
        assert_eq!(left("#[cfg(not(test))] fn f() {}"), "#[cfg(not(test))]fnf(){}");
        assert_eq!(left("#[cfg(test)] pub const fn f() {} a"), "a");
        assert_eq!(left("#[cfg(test)] const A: B = B { c: 1 }; a"), "a");
        assert_eq!(left("// #[cfg(test)]\na \"#[cfg(test)]\" b"), "a\"#[cfg(test)]\"b");
    }

    #[test]
    fn a_test_only_field_ends_at_its_comma_and_a_function_does_not() {
        assert_eq!(left("struct S { #[cfg(test)] seen: [u8; 2], kept: u8 } also"), "structS{kept:u8}also");
        assert_eq!(left("struct S { /** It. */ #[cfg(test)] seen: u8 } also"), "structS{}also");
        assert_eq!(left("#[cfg(test)] fn f<A, B>(a: A, b: B) -> (u8, u8) { c }"), "");
    }
}
