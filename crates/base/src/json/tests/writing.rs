//! Splicing members into objects, and values on one line.

use super::super::{one_line_into, splice_into};

fn spliced(object: &str, add: &[(&str, &str)]) -> String {
    let mut out = Vec::new();
    splice_into(object, add, &mut out);
    String::from_utf8(out).unwrap()
}

fn one_line(value: &str) -> String {
    let mut out = b"> ".to_vec();
    one_line_into(value, &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn members_are_appended() {
    assert_eq!(spliced("{}", &[]), "{}");
    assert_eq!(spliced("{}", &[("a", "1")]), r#"{"a":1}"#);
    assert_eq!(spliced(r#"{"a":1}"#, &[]), r#"{"a":1}"#);
    assert_eq!(spliced(r#"{"a":1}"#, &[("b", "{}"), ("c", "[2]")]), r#"{"a":1,"b":{},"c":[2]}"#);
}

#[test]
fn an_added_member_takes_the_place_of_one_of_the_same_name() {
    let object = r#"{"a":1,"_meta":{"x":1},"b":2,"\u005fmeta":3}"#;
    assert_eq!(spliced(object, &[("_meta", "{}")]), r#"{"a":1,"b":2,"_meta":{}}"#);
    assert_eq!(spliced(r#"{"_meta":1}"#, &[("_meta", "2")]), r#"{"_meta":2}"#);
}

#[test]
fn of_two_added_members_of_one_name_the_later_stays() {
    assert_eq!(spliced("{}", &[("a", "1"), ("b", "2"), ("a", "3")]), r#"{"b":2,"a":3}"#);
}

#[test]
fn members_that_are_kept_stay_as_they_are_written() {
    assert_eq!(spliced(r#"{ "\u0061" : 1.50 , "s":"\u00e9\n" }"#, &[]), r#"{"\u0061":1.50,"s":"\u00e9\n"}"#);
    assert_eq!(spliced(r#"{"a":1,"a":2}"#, &[]), r#"{"a":1,"a":2}"#);
}

#[test]
fn added_names_are_quoted() {
    assert_eq!(spliced("{}", &[("a\"\n", "1")]), r#"{"a\"\n":1}"#);
}

#[test]
fn everything_comes_on_one_line() {
    assert_eq!(spliced("{\n \"a\":\r\n[1,\n2]\n}\n", &[("b", "{\n}")]), "{\"a\":[1, 2],\"b\":{ }}");
    assert_eq!(one_line("{\r\n\t\"a\": \"b\\n\"\n}"), "> {  \t\"a\": \"b\\n\" }");
}

#[test]
fn what_is_not_an_object_counts_as_an_empty_one() {
    for object in ["", "null", "[1]", "\"x\"", "{broken"] {
        assert_eq!(spliced(object, &[("a", "1")]), r#"{"a":1}"#, "{object}");
    }
}
