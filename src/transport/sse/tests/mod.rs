//! Every stream gives the same events however it is cut, and the same as a reader of the standard's words would find.

mod bounds;
mod properties;
mod reference;

use super::*;

/// What a stream gives when it comes in these parts.
fn read(bounds: Bounds, parts: &[&[u8]]) -> (Vec<Piece>, Parser) {
    let mut parser = Parser::new(bounds);
    let mut pieces = Vec::new();
    for part in parts {
        let mut rest = *part;
        while let Some(piece) = parser.next_piece(&mut rest) {
            pieces.push(piece);
        }
        assert!(rest.is_empty(), "everything is taken");
    }
    (pieces, parser)
}

fn pieces(stream: &str) -> Vec<Piece> {
    read(Bounds::of_messages(1000), &[stream.as_bytes()]).0
}

fn event(data: &str) -> Piece {
    typed("message", data)
}

fn typed(kind: &'static str, data: &str) -> Piece {
    Piece::Event(Event { kind: kind.into(), data: data.as_bytes().to_vec(), id: None, retry: None })
}

#[test]
fn an_event_ends_with_a_blank_line_of_any_kind() {
    for stream in ["data: {}\n\n", "data: {}\r\r", "data: {}\r\n\r\n", "data: {}\n\r\n", "data: {}\r\n\n"] {
        assert_eq!(pieces(stream), [event("{}")], "{stream:?}");
    }
    assert_eq!(pieces("data: {}\n"), [], "not complete, so never given");
}

#[test]
fn the_last_event_of_a_stream_that_ended_needs_no_blank_line() {
    let last = |stream: &str| {
        let (_, mut parser) = read(Bounds::of_messages(1000), &[stream.as_bytes()]);
        let last = parser.end(|data| data == b"{}").map(Piece::Event);
        assert_eq!(parser.end(|_| true), None, "once");
        (last, parser.last_id().map(str::to_owned))
    };
    for stream in ["data: {}\n", "data: {}\r\n", "data: {}\r", "event: message\ndata: {}\n"] {
        assert_eq!(last(stream), (Some(event("{}")), None), "{stream:?}");
    }
    let taken_up = |stream: &str| last(stream).1;
    assert_eq!(
        taken_up("id: 1\ndata: 1\n\nid: 2\ndata: {}\n").as_deref(),
        Some("2"),
        "it is not wanted a second time"
    );
    assert_eq!(taken_up("id: 1\ndata: 1\n\nid: 2\ndata: {\n").as_deref(), Some("1"), "it is sent once more");
    for stream in ["", "data: {}", "data: {}\n\n", "data: {}\nda", ": x\n", "data\n", "id: 1\n"] {
        assert_eq!(last(stream).0, None, "{stream:?}");
    }
}

#[test]
fn one_space_after_the_colon_is_not_of_the_value_and_none_is_needed() {
    assert_eq!(pieces("data:{}\n\ndata: {}\n\ndata:  {} \n\n"), [event("{}"), event("{}"), event(" {} ")]);
}

#[test]
fn many_lines_of_data_are_joined_by_line_feeds() {
    assert_eq!(pieces("data: {\r\ndata: \"a\":1\r\ndata:}\r\n\r\n"), [event("{\n\"a\":1\n}")]);
    assert_eq!(pieces("data\ndata\n\n"), [event("\n")]);
}

#[test]
fn comments_and_unknown_fields_are_ignored() {
    let stream = ": keep-alive\n\n:\n\ndate: 1\ndatadata: 2\n data: 3\nDATA: 4\ndata: {}\nx\n\n";
    assert_eq!(pieces(stream), [event("{}")]);
}

#[test]
fn a_byte_order_mark_is_ignored_at_the_start_only() {
    assert_eq!(pieces("\u{feff}data: 1\n\n\u{feff}data: 2\n\ndata: 3\n\n"), [event("1"), event("3")]);
    assert_eq!(pieces("\u{feff}\u{feff}data: 1\n\n"), []);
    assert_eq!(pieces("\u{feff}: hello\ndata: 1\n\n"), [event("1")]);
}

#[test]
fn the_type_is_kept_for_its_event_only() {
    assert_eq!(
        pieces("event: endpoint\ndata: /post\n\ndata: 1\n\nevent:\ndata: 2\n\nevent: message\ndata: 3\n\n"),
        [typed("endpoint", "/post"), event("1"), event("2"), event("3")]
    );
}

#[test]
fn an_event_without_data_goes_to_nobody_but_its_id_and_retry_count() {
    let (pieces, parser) =
        read(Bounds::of_messages(1000), &[b"id: 7\nretry: 500\ndata: \n\n", b"event: x\ndata\n\n"]);
    assert_eq!(pieces, []);
    assert_eq!((parser.last_id(), parser.last_retry()), (Some("7"), Some(Duration::from_millis(500))));
}

#[test]
fn an_id_stays_until_another_is_given_and_an_empty_one_takes_it_away() {
    let stream =
        "id: a\ndata: 1\n\ndata: 2\n\nid: b\u{0}\ndata: 3\n\nid\ndata: 4\n\nid: c\ndata: 5\n\nid: d\n";
    let (pieces, parser) = read(Bounds::of_messages(1000), &[stream.as_bytes()]);
    let ids: Vec<_> = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Event(event) => event.id.as_deref(),
            Piece::Oversized { .. } => panic!("{piece:?}"),
        })
        .collect();
    assert_eq!(ids, [Some("a"), Some("a"), Some("a"), None, Some("c")]);
    assert_eq!(parser.last_id(), Some("c"), "an event that is not complete has given no id");
}

#[test]
fn only_digits_are_a_time_to_wait() {
    let retry = |value: &str| {
        let stream = format!("retry: {value}\ndata: 1\n\n");
        match pieces(&stream).as_slice() {
            [Piece::Event(event)] => event.retry,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(retry("500"), Some(Duration::from_millis(500)));
    assert_eq!(retry("99999999999999999999999"), Some(Duration::from_millis(u64::MAX)));
    for nothing in ["", "-1", "1.5", "5s", " 5", "\u{665}"] {
        assert_eq!(retry(nothing), None, "{nothing:?}");
    }
}

#[test]
fn a_resumed_stream_keeps_the_id_and_drops_what_was_begun() {
    let (_, mut parser) =
        read(Bounds::of_messages(1000), &[b"id: 9\nretry: 20\ndata: 1\n\nid: 10\ndata: {\"half"]);
    assert!(parser.is_partial());
    parser.reopen();
    assert!(!parser.is_partial());
    let mut rest = "\u{feff}data: 2\n\n".as_bytes();
    let Some(Piece::Event(event)) = parser.next_piece(&mut rest) else { panic!("an event") };
    assert_eq!((event.data.as_slice(), event.id.as_deref()), (b"2".as_slice(), Some("9")));
    assert_eq!(parser.last_retry(), Some(Duration::from_millis(20)));
}

#[test]
fn data_that_is_not_utf_8_is_handed_on_as_it_is() {
    let (pieces, _) = read(Bounds::of_messages(1000), &[b"event: \xff\ndata: \xff\xfe\n\n"]);
    let [Piece::Event(event)] = pieces.as_slice() else { panic!("{pieces:?}") };
    assert_eq!((event.data.as_slice(), &*event.kind), (b"\xff\xfe".as_slice(), "\u{fffd}"));
}
