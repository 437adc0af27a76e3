use super::*;
use serde_json::json;
use std::time::Duration;

fn by(name: &str) -> String {
    json!({ "name": name }).to_string()
}

fn page(asked: Instant) -> Page {
    Page { is_first: true, asked, own: false }
}

#[test]
fn only_tools_that_say_so_are_safe_and_only_as_long_as_they_do() {
    let now = Instant::now();
    let mut catalog = ToolCatalog::new(false, true);
    catalog.note(
        r#"{"tools":[{"name":"r","annotations":{"readOnlyHint":true}},{"name":"i","annotations":{"idempotentHint":true}},
           {"name":"w","annotations":{"destructiveHint":true}},{"name":"n"}]}"#,
        page(now),
    );
    let safe = |catalog: &ToolCatalog, name: &str| catalog.is_safe(&by(name));
    assert!(safe(&catalog, "r") && safe(&catalog, "i"));
    assert!(!safe(&catalog, "w") && !safe(&catalog, "n") && !safe(&catalog, "x"));
    catalog.note(r#"{"tools":[{"name":"r"}]}"#, page(now));
    assert!(!safe(&catalog, "r") && safe(&catalog, "i"));
    catalog.connection_ended();
    assert!(safe(&catalog, "i"), "it says which calls of that connection are sent again");
    catalog.forget();
    assert!(!safe(&catalog, "i"));
}

#[test]
fn definitions_that_nothing_uses_are_not_kept() {
    let mut catalog = ToolCatalog::new(false, false);
    let list = r#"{"tools":[{"name":"r","annotations":{"readOnlyHint":true}}]}"#;
    catalog.note(list, page(Instant::now()));
    assert!(!catalog.is_safe(&by("r")));
    catalog.use_definitions();
    catalog.note(list, page(Instant::now()));
    assert!(catalog.is_safe(&by("r")));
}

#[test]
fn calls_of_unknown_tools_wait_for_one_list_and_the_last_that_leaves_ends_it() {
    let now = Instant::now();
    let mut catalog = ToolCatalog::new(false, true);
    assert!(catalog.delays(Some(&by("a"))));
    assert_eq!((catalog.wait(1), catalog.wait(2)), (Wait::Begins, Wait::Joins));
    catalog.asked(7, now);
    catalog.waits_for_login(true);
    assert_eq!(catalog.wait(3), Wait::JoinsLogin);
    assert_eq!((catalog.stop_waiting(1), catalog.stop_waiting(3)), (None, None));
    assert_eq!((catalog.stop_waiting(2), catalog.stop_waiting(2)), (Some(7), None));
}

#[test]
fn a_list_is_followed_to_its_end_and_then_no_call_waits() {
    let now = Instant::now();
    let mut catalog = ToolCatalog::new(false, true);
    catalog.wait(1);
    catalog.asked(7, now);
    let next = catalog.listed(now, r#"{"tools":[{"name":"a"}],"nextCursor":"2"}"#);
    assert_eq!(next, Next::Page { cursor: "\"2\"".to_owned(), begun: now });
    catalog.asked(8, now);
    assert_eq!(catalog.listed(now, r#"{"tools":[{"name":"b"}]}"#), Next::Done);
    assert!(!catalog.is_settled() && catalog.take_waiting() == [1] && catalog.is_settled());
    assert!(!catalog.delays(Some(&by("c"))), "every page was seen");
    catalog.changed(now);
    assert!(catalog.delays(Some(&by("a"))));
}

#[test]
fn a_list_without_end_is_followed_for_a_bounded_number_of_pages() {
    let now = Instant::now();
    let mut catalog = ToolCatalog::new(false, true);
    let pages = (0..PAGES * 2)
        .take_while(|_| {
            catalog.asked(1, now);
            catalog.listed(now, r#"{"tools":[],"nextCursor":"x"}"#) != Next::Done
        })
        .count();
    assert_eq!(pages, PAGES as usize - 1);
    assert!(!catalog.is_settled());
}

#[test]
fn stateful_tools_are_known_until_a_whole_list_replaces_them() {
    let now = Instant::now();
    let later = now + Duration::from_secs(1);
    let mut catalog = ToolCatalog::new(true, true);
    let list = r#"{"tools":[{"name":"s","mode":"stateful"},{"name":"t"}]}"#;
    catalog.note(list, page(now));
    assert!(catalog.is_stateful(Some(&by("s"))) && !catalog.is_stateful(Some(&by("t"))));
    catalog.changed(now);
    assert!(catalog.has_stateful(), "the list is stale, and its tools are what is known");
    catalog.note(r#"{"tools":[{"name":"x"}]}"#, page(now));
    assert!(catalog.has_stateful(), "what was asked for before the change replaces nothing");
    catalog.note(r#"{"tools":[{"name":"t"}]}"#, page(later));
    assert!(!catalog.has_stateful() && catalog.is_settled());
}

#[test]
fn what_is_kept_is_bounded_and_too_many_stateful_tools_make_all_stateful() {
    let mut catalog = ToolCatalog::new(true, true);
    let many: Vec<_> = (0..=STATEFUL).map(|i| json!({"name": i.to_string(), "mode": "stateful"})).collect();
    catalog.note(&json!({ "tools": many }).to_string(), page(Instant::now()));
    assert_eq!(catalog.count_stateful(), STATEFUL);
    assert!(catalog.is_stateful(Some(&by("other"))));
    let mut catalog = ToolCatalog::new(false, true);
    let many: Vec<_> = (0..=TOOLS).map(|i| json!({"name": i.to_string()})).collect();
    catalog.note(&json!({ "tools": many }).to_string(), page(Instant::now()));
    assert_eq!(catalog.tools.len(), TOOLS);
}
