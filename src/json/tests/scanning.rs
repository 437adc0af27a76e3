//! What `scan_object` finds.

use super::super::{ErrorKind, Kind, ScanError, Span, Value, Wanted, scan_object, scan_value};

const WANTED: &[Wanted] = &[
    Wanted { name: "id", inner: &[] },
    Wanted { name: "params", inner: &["_meta", "name"] },
    Wanted { name: "result", inner: &[] },
];
const ID: usize = 0;
const PARAMS: usize = 1;
const META: usize = 2;
const NAME: usize = 3;
const RESULT: usize = 4;
const SLOTS: usize = 5;

fn scan(text: &str) -> Result<[Option<Value>; SLOTS], ScanError> {
    let mut found = [None; SLOTS];
    scan_object(text.as_bytes(), WANTED, 16, &mut found)?;
    Ok(found)
}

fn found(text: &str) -> [Option<&str>; SLOTS] {
    scan(text).unwrap().map(|value| value.map(|value| value.span.str(text)))
}

fn error(text: &str) -> ScanError {
    scan(text).unwrap_err()
}

#[test]
fn wanted_members_are_found_in_any_order_with_others_between() {
    let text = r#" { "x" : [1, {"id": 9}], "result" : true , "y":null, "id" : "seven" } "#;
    assert_eq!(found(text), [Some("\"seven\""), None, None, None, Some("true")]);
}

#[test]
fn names_inside_a_wanted_member_are_found_one_level_down_only() {
    let text = r#"{"_meta":1,"params":{"a":{"name":2},"name":"n","_meta":{"_meta":3}},"name":4}"#;
    assert_eq!(
        found(text),
        [
            None,
            Some(r#"{"a":{"name":2},"name":"n","_meta":{"_meta":3}}"#),
            Some(r#"{"_meta":3}"#),
            Some("\"n\""),
            None
        ]
    );
}

#[test]
fn a_wanted_member_that_is_not_an_object_has_nothing_inside() {
    assert_eq!(found(r#"{"params":[{"name":1}]}"#), [None, Some(r#"[{"name":1}]"#), None, None, None]);
    assert_eq!(found(r#"{"params":{}}"#), [None, Some("{}"), None, None, None]);
}

#[test]
fn kinds_and_places_are_recorded() {
    let text = r#"{"id":-1,"params":{"name":[],"_meta":false},"result":null}"#;
    let found = scan(text).unwrap();
    assert_eq!(found[ID], Some(Value { span: Span { start: 6, end: 8 }, kind: Kind::Number }));
    assert_eq!(found[PARAMS].map(|value| value.kind), Some(Kind::Object));
    assert_eq!(found[NAME].map(|value| value.kind), Some(Kind::Array));
    assert_eq!(found[META].map(|value| value.kind), Some(Kind::False));
    assert_eq!(found[RESULT].map(|value| value.kind), Some(Kind::Null));
}

#[test]
fn names_are_compared_unescaped() {
    let text = r#"{"\u0069d":1,"p\u0061rams":{"\u006eam\u0065":2,"na\me":3}}"#;
    assert!(scan(text).is_err(), "\\m is no escape");
    let text = r#"{"\u0069d":1,"p\u0061rams":{"\u006eam\u0065":2}}"#;
    assert_eq!(found(text)[ID], Some("1"));
    assert_eq!(found(text)[NAME], Some("2"));
    assert_eq!(found(r#"{"i\u0064\u0000":1,"\"id":2,"ID":3,"i":4,"idd":5}"#)[ID], None);
}

#[test]
fn a_wanted_member_that_occurs_twice_is_an_error_whichever_way_it_is_escaped() {
    let duplicate = |offset| ScanError { kind: ErrorKind::Duplicate("id"), offset };
    assert_eq!(error(r#"{"id":1,"id":1}"#), duplicate(8));
    assert_eq!(error(r#"{"id":null, "\u0069d":2}"#), duplicate(12));
    assert_eq!(duplicate(8).to_string(), "invalid JSON at byte 8: the member 'id' occurs twice");
}

#[test]
fn of_an_inner_member_that_occurs_twice_the_last_counts() {
    assert_eq!(found(r#"{"params":{"name":1,"name":2}}"#)[NAME], Some("2"));
}

#[test]
fn other_members_may_occur_twice() {
    assert_eq!(found(r#"{"x":1,"x":2,"id":3}"#)[ID], Some("3"));
}

#[test]
fn members_nobody_wants_are_checked_all_the_same() {
    for text in
        [r#"{"x":01}"#, r#"{"x":[1,]}"#, r#"{"x":{"y":tru}}"#, r#"{"x":"\q"}"#, r#"{"params":{"x":+1}}"#]
    {
        assert!(scan(text).is_err(), "{text}");
    }
}

#[test]
fn slots_are_reset_first() {
    let mut found = [Some(Value { span: Span { start: 0, end: 0 }, kind: Kind::Null }); SLOTS];
    scan_object(b"{}", WANTED, 16, &mut found).unwrap();
    assert_eq!(found, [None; SLOTS]);
}

#[test]
fn slots_that_are_missing_do_no_harm() {
    let text = br#"{"id":1,"params":{"_meta":1,"name":2},"result":3}"#;
    for slots in 0..SLOTS {
        let mut found = vec![None; slots];
        scan_object(text, WANTED, 16, &mut found).unwrap();
        assert!(found.iter().all(Option::is_some));
    }
}

#[test]
fn a_valid_text_that_is_no_object_is_named_for_what_it_is() {
    for (text, kind) in [
        ("[{}]", Kind::Array),
        (" \"x\"", Kind::String),
        ("7", Kind::Number),
        ("null", Kind::Null),
        ("true", Kind::True),
        ("false", Kind::False),
    ] {
        assert_eq!(error(text).kind, ErrorKind::NotAnObject(kind), "{text}");
    }
    assert_eq!(error("[1]").to_string(), "invalid JSON at byte 0: expected an object, found an array");
    assert!(matches!(error("[1,").kind, ErrorKind::Syntax(_)));
    assert_eq!(error("7 {}").kind, ErrorKind::Trailing);
}

#[test]
fn nothing_at_all_and_too_much_are_errors() {
    assert_eq!(error("").kind, ErrorKind::Empty);
    assert_eq!(error("  ").kind, ErrorKind::Empty);
    assert_eq!(error("{} {}"), ScanError { kind: ErrorKind::Trailing, offset: 3 });
}

#[test]
fn depth_counts_from_the_outermost_object() {
    let mut found = [None; SLOTS];
    for (text, depth) in
        [("{}", 1), (r#"{"params":{}}"#, 2), (r#"{"params":{"name":[]}}"#, 3), (r#"{"x":[[]]}"#, 3)]
    {
        assert!(scan_object(text.as_bytes(), WANTED, depth, &mut found).is_ok(), "{text}");
        let error = scan_object(text.as_bytes(), WANTED, depth - 1, &mut found).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Depth(depth - 1), "{text}");
    }
}

#[test]
fn any_value_is_given_without_the_white_space_around_it() {
    let value = scan_value(b" \n[1, 2]\t", 16).unwrap();
    assert_eq!(value, Value { span: Span { start: 2, end: 8 }, kind: Kind::Array });
}

#[test]
fn spans_slice_safely() {
    let span = Span { start: 1, end: 3 };
    assert_eq!((span.of(b"abcd"), span.str("abcd"), span.range()), (b"bc".as_slice(), "bc", 1..3));
    assert_eq!((span.of(b"ab"), span.str("ab"), span.str("aä")), (b"".as_slice(), "", "ä"));
    let backwards = Span { start: 3, end: 1 };
    assert!(backwards.of(b"abcd").is_empty() && backwards.str("abcd").is_empty());
}
