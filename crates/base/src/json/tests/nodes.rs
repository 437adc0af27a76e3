//! Reading by nodes and writing by a builder, against the trees of `serde_json`.

use super::super::{Builder, Kind, Misuse, Node, Part, Span, double, scan_value, whole};
use super::arbitrary::{NAMES, damaged, soup, value, written};
use proptest::prelude::*;
use serde_json::{Map, Value};

/// The tree at a node, taken apart as a program does it.
fn tree(text: &[u8], node: Node) -> Value {
    let string = |node: Node| {
        let mut out = Vec::new();
        let raw = node.string(text).unwrap();
        raw.decode_into(&mut out);
        assert!(raw.plain().is_none_or(|plain| plain == out) && out.len() <= raw.written_length());
        String::from_utf8(out).unwrap()
    };
    let children = || std::iter::successors(node.first(text), |node| node.next(text));
    let kind = node.kind(text).unwrap();
    if !matches!(kind, Kind::Object | Kind::Array) {
        assert_eq!((node.first(text), node.count(text)), (None, 0));
    }
    match kind {
        Kind::Null => Value::Null,
        Kind::True => true.into(),
        Kind::False => false.into(),
        Kind::Number => serde_json::from_slice(node.written(text)).unwrap(),
        Kind::String => string(node).into(),
        Kind::Array => {
            assert_eq!(children().count(), node.count(text));
            for (index, child) in children().enumerate() {
                assert_eq!((node.element(text, index), child.name(text)), (Some(child), None));
            }
            assert_eq!(node.element(text, node.count(text)), None);
            children().map(|child| tree(text, child)).collect()
        }
        Kind::Object => {
            assert_eq!(children().count(), node.count(text));
            let mut object = Map::new();
            for child in children() {
                object.insert(string(child.name(text).unwrap()), tree(text, child));
            }
            for (name, value) in &object {
                assert_eq!(node.member(text, name).map(|found| tree(text, found)).as_ref(), Some(value));
            }
            assert_eq!(node.element(text, 0), None);
            Value::Object(object)
        }
    }
}

fn build(builder: &mut Builder, value: &Value, raw: bool) -> Result<(), Misuse> {
    match value {
        Value::String(text) if !raw => builder.add(Part::String(text.as_bytes())),
        Value::Array(elements) => {
            builder.add(Part::Begin(Kind::Array))?;
            elements.iter().try_for_each(|element| build(builder, element, raw))?;
            builder.add(Part::End)
        }
        Value::Object(members) => {
            builder.add(Part::Begin(Kind::Object))?;
            for (name, value) in members {
                builder.add(Part::Name(name.as_bytes()))?;
                build(builder, value, raw)?;
            }
            builder.add(Part::End)
        }
        Value::Number(number) if !raw && number.is_i64() => {
            builder.add(Part::Integer(number.as_i64().unwrap_or(0)))
        }
        // A double is written without a fraction where it has none, unlike that of `serde_json`.
        other => builder.add(Part::Json(other.to_string().as_bytes())),
    }
}

/// Everything that can be asked of a node, wherever it is.
fn ask(text: &[u8], node: Node) {
    let (_, _) = (node.kind(text), node.count(text));
    let found =
        [node.first(text), node.next(text), node.name(text), node.member(text, "a"), node.element(text, 1)];
    for node in found.into_iter().flatten() {
        assert!(node.span.start < node.span.end && node.span.end <= text.len() && node.name < text.len());
    }
    let mut out = Vec::new();
    if let Some(raw) = node.string(text) {
        raw.decode_into(&mut out);
    }
    let (_, _) = (whole(node.written(text)), double(node.written(text)));
}

#[test]
fn a_builder_bounds_its_text_and_stays_as_it_was_after_a_mistake() {
    let mut builder = Builder::new(2, 10);
    builder.add(Part::Begin(Kind::Array)).unwrap();
    builder.add(Part::String(b"abcd")).unwrap();
    assert_eq!(builder.add(Part::Integer(123)), Err(Misuse::Length(10)));
    assert_eq!(builder.add(Part::String(b"")), Ok(()), "after a mistake it is as it was");
    assert_eq!(builder.add(Part::String(b"")), Err(Misuse::Length(10)));
    let mut builder = Builder::new(2, 10);
    builder.add(Part::Begin(Kind::Array)).unwrap();
    builder.add(Part::Begin(Kind::Array)).unwrap();
    assert_eq!(builder.add(Part::Begin(Kind::Array)), Err(Misuse::Depth(2)));
    builder.add(Part::End).unwrap();
    builder.add(Part::End).unwrap();
    assert_eq!(builder.add(Part::End), Err(Misuse::End));
    assert_eq!(builder.text_with_nul(), Ok("[[]]\0"));
    assert_eq!(builder.add(Part::Integer(1)), Err(Misuse::SecondRoot));
    let mut builder = Builder::new(2, 10);
    assert_eq!(builder.text_with_nul(), Err(Misuse::Empty));
    builder.add(Part::Integer(1)).unwrap();
    assert_eq!(builder.text_with_nul(), Ok("1\0"));
}

proptest! {
    #[test]
    fn nodes_show_the_tree(text in written(value())) {
        let root = Node::root(text.as_bytes()).unwrap();
        prop_assert_eq!(root.span, scan_value(text.as_bytes(), 64).unwrap().span);
        prop_assert_eq!((root.next(text.as_bytes()), root.name(text.as_bytes())), (None, None));
        prop_assert_eq!(tree(text.as_bytes(), root), serde_json::from_str::<Value>(&text).unwrap());
    }

    #[test]
    fn what_is_built_is_the_tree(text in written(value()), raw in any::<bool>()) {
        let tree: Value = serde_json::from_str(&text).unwrap();
        let mut builder = Builder::new(64, 1 << 20);
        build(&mut builder, &tree, raw).unwrap();
        let built = builder.text_with_nul().unwrap().strip_suffix('\0').unwrap();
        prop_assert_eq!(built, tree.to_string());
    }

    #[test]
    fn nodes_that_were_made_up_do_no_harm(
        text in prop_oneof![damaged(written(value())), soup(), any::<Vec<u8>>()],
        place in prop_oneof![0_usize..200, Just(usize::MAX), Just(usize::MAX - 1)],
        end in prop_oneof![0_usize..200, Just(usize::MAX)],
        name in prop_oneof![0_usize..200, Just(usize::MAX)],
    ) {
        ask(&text, Node { name, span: Span { start: place, end } });
        if let Some(root) = Node::root(&text) {
            ask(&text, root);
            for name in NAMES {
                let _ = root.member(&text, name);
            }
        }
    }

    #[test]
    fn any_calls_of_a_builder_end_in_valid_text_or_in_a_mistake(calls in prop::collection::vec((0..9, "[a\"\\[\\]{}:,0]{0,4}"), 0..30)) {
        let mut builder = Builder::new(4, 60);
        for (call, text) in &calls {
            let text = text.as_bytes();
            let _refused = builder.add(match call {
                0 => Part::Begin(Kind::Object),
                1 => Part::End,
                2 => Part::Begin(Kind::Array),
                3 => Part::Integer(3),
                4 => Part::Name(text),
                5 => Part::String(text),
                6 => Part::Double(0.5),
                7 => Part::Json(text),
                _ => Part::Literal("null"),
            });
        }
        if let Ok(built) = builder.text_with_nul() {
            let built = built.strip_suffix('\0').unwrap();
            prop_assert!(built.len() <= 60);
            prop_assert!(scan_value(built.as_bytes(), 4).is_ok(), "{}", built);
        }
    }
}
