//! Every stream gives the same events however it is cut, and the same as a reader of the standard's words would find.

mod reference;

use super::*;
use proptest::prelude::*;
use proptest::sample::select;
use reference::Plain;

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
fn an_event_without_data_is_not_delivered_but_its_id_and_retry_count() {
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

/// The bounds with one of them smaller.
fn with(change: impl FnOnce(&mut Bounds)) -> Bounds {
    let mut bounds = Bounds::of_messages(1000);
    change(&mut bounds);
    bounds
}

#[test]
fn an_event_at_the_bound_passes_and_one_byte_more_does_not() {
    let stream = |bytes: usize| format!("data: {}\n\n", "x".repeat(bytes));
    assert_eq!(pieces(&stream(1000)), [event(&"x".repeat(1000))]);
    assert_eq!(
        pieces(&stream(1001)),
        [Piece::Oversized { id: None, bytes: 1001, over: EventTooLarge::Event(1000) }]
    );
    let lines = format!("data: {}\ndata: {}\n\n", "x".repeat(500), "x".repeat(500));
    assert!(matches!(pieces(&lines)[..], [Piece::Oversized { bytes: 1001, .. }]), "the joint counts");
}

#[test]
fn an_event_over_the_bound_tells_the_call_it_answers_and_the_next_one_is_whole() {
    let mut message = br#"{"jsonrpc":"2.0","id":5,"result":""#.to_vec();
    message.extend(std::iter::repeat_n(b'x', 300_000));
    message.extend_from_slice(b"\"}");
    let stream = [b"id: 3\ndata: ", message.as_slice(), b"\n\ndata: {}\n\n"].concat();
    let (pieces, parser) = read(Bounds::of_messages(1000), &stream.chunks(777).collect::<Vec<_>>());
    let oversized =
        Piece::Oversized { id: Some(5), bytes: message.len() as u64, over: EventTooLarge::Event(1000) };
    let next = Event { kind: "message".into(), data: b"{}".to_vec(), id: Some("3".into()), retry: None };
    assert_eq!(pieces, [oversized, Piece::Event(next)]);
    assert_eq!(parser.last_id(), Some("3"), "resuming goes on behind it, not before it again and again");
}

#[test]
fn an_endless_line_of_any_field_holds_no_memory() {
    for start in ["data: ", "id: ", "event: ", "retry: 1", ": ", "other: ", "nocolon", "\u{feff}"] {
        let mut parser = Parser::new(Bounds::of_messages(100_000));
        let mut most = 0;
        assert_eq!(parser.next_piece(&mut start.as_bytes()), None);
        for _ in 0..200 {
            assert_eq!(parser.next_piece(&mut [b'1'; 10_000].as_slice()), None);
            most = most.max(parser.held());
        }
        assert!(most <= 100_001 + 6 * 4096, "{start:?} held {most} bytes");
        assert!(parser.held() < 30_000, "{start:?} holds {} bytes once it is over", parser.held());
        assert!(matches!(
            parser.next_piece(&mut b"\n\n".as_slice()),
            Some(Piece::Oversized { over: EventTooLarge::Event(_) | EventTooLarge::Line(_), .. })
        ));
        assert!(!parser.is_partial());
    }
}

#[test]
fn each_bound_names_itself() {
    let over = |bounds: Bounds, stream: &str| match read(bounds, &[stream.as_bytes()]).0.as_slice() {
        [Piece::Oversized { over, .. }] => over.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(over(with(|b| b.event = 3), "data: 1234\n\n"), "an event with more than 3 bytes of data");
    assert_eq!(over(with(|b| b.line = 8), "data: 123\n\n"), "an event with a line of more than 8 bytes");
    assert_eq!(over(with(|b| b.fields = 2), "x\ny\ndata: 1\n\n"), "an event with more than 2 fields");
    assert_eq!(
        over(with(|b| b.word = 4), "event: fives\ndata: 1\n\n"),
        "an event whose type has more than 4 bytes"
    );
}

#[test]
fn an_id_over_the_bound_is_ignored_like_one_with_a_nul() {
    let (pieces, parser) =
        read(with(|b| b.word = 4), &[b"id: 1234\ndata: 1\n\nid: 12345\nretry: 123456\ndata: 2\n\n"]);
    assert_eq!(pieces.len(), 2);
    assert_eq!((parser.last_id(), parser.last_retry()), (Some("1234"), None));
}

#[test]
fn comments_of_a_quiet_stream_are_no_fields() {
    let (pieces, parser) =
        read(with(|b| b.fields = 2), &[": hello\n".repeat(100).as_bytes(), b"id: 1\ndata: {}\n\n"]);
    assert!(matches!(pieces[..], [Piece::Event(_)]), "{pieces:?}");
    assert!(!parser.is_partial());
}

#[test]
fn a_large_event_is_handed_over_in_the_buffer_it_was_read_into() {
    let data = vec![b'x'; 100_000];
    let mut parser = Parser::new(Bounds::of_messages(1 << 20));
    assert_eq!(parser.next_piece(&mut b"data: ".as_slice()), None);
    assert_eq!(parser.next_piece(&mut data.as_slice()), None);
    let held = parser.held();
    assert!(held > data.len(), "all of it is there already");
    let Some(Piece::Event(event)) = parser.next_piece(&mut b"\n\n".as_slice()) else { panic!("an event") };
    assert_eq!(event.data, data);
    assert!(event.data.capacity() > data.len(), "with room for a NUL");
    assert!(held - parser.held() >= event.data.capacity(), "the buffer itself went, not a copy of it");
}

#[test]
fn a_small_event_in_one_part_has_a_buffer_of_its_own_size() {
    let found = pieces("data: {\"a\":1}\n\n");
    let [Piece::Event(event)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(event.data.capacity(), event.data.len() + 1);
}

/// Bounds that random streams reach.
const TIGHT: Bounds = Bounds { event: 24, line: 30, fields: 5, word: 6 };

fn plain(bounds: Bounds, parts: &[&[u8]]) -> Vec<Plain> {
    read(bounds, parts).0.into_iter().map(Plain::from).collect()
}

/// What streams are made of, with everything that has a meaning.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let words: &[&[u8]] = &[
        b"data",
        b"data:",
        b"data: ",
        b"id:",
        b"id: ",
        b"id",
        b"event:",
        b"event: ",
        b"retry: ",
        b"retry:",
        b"\n",
        b"\n",
        b"\r",
        b"\r\n",
        b"\n\n",
        b"\r\n\r\n",
        b"\r\r",
        b":",
        b": ",
        b" ",
        b"\0",
        b"1",
        b"250",
        b"message",
        b"endpoint",
        b"x",
        b"{\"id\":1,\"result\":{}}",
        b"longer than some",
        b"\xff",
        "\u{feff}".as_bytes(),
        "\u{6587}".as_bytes(),
        b"\xef",
        b"\xbb\xbf",
    ];
    let word = prop_oneof![
        9 => select(words.to_vec()).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..40),
    ];
    let start = select(vec![Vec::new(), "\u{feff}".as_bytes().to_vec()]);
    (start, prop::collection::vec(word, 0..40)).prop_map(|(start, words)| [start, words.concat()].concat())
}

/// A whole event with a message in it.
fn event_bytes() -> impl Strategy<Value = Vec<u8>> {
    let end = select(vec!["\n", "\r", "\r\n"]);
    (end, "[a-z\"{}: \u{e9}]{0,40}", any::<bool>(), any::<bool>()).prop_map(|(end, text, space, id)| {
        let space = if space { " " } else { "" };
        let id = if id { format!("id:{space}{}{end}", text.len()) } else { String::new() };
        format!("{id}data:{space}{text}{end}data:{text}{end}{end}").into_bytes()
    })
}

proptest! {
    #[test]
    fn every_stream_split_at_every_byte_gives_the_same_events(stream in stream()) {
        for bounds in [TIGHT, Bounds::of_messages(1 << 20)] {
            let whole = read(bounds, &[&stream]).0;
            for cut in 0..=stream.len() {
                let (first, second) = stream.split_at(cut);
                prop_assert_eq!(&read(bounds, &[first, second]).0, &whole, "cut at {}", cut);
            }
            let bytes: Vec<&[u8]> = stream.chunks(1).collect();
            prop_assert_eq!(&read(bounds, &bytes).0, &whole, "byte by byte");
        }
    }

    #[test]
    fn the_parser_finds_what_the_slow_reader_finds(stream in stream()) {
        for bounds in [TIGHT, Bounds::of_messages(1 << 20)] {
            prop_assert_eq!(plain(bounds, &[&stream]), reference::read(bounds, &stream));
        }
    }

    #[test]
    fn whole_events_come_out_however_the_stream_is_cut(
        events in prop::collection::vec(event_bytes(), 1..6),
        size in 1usize..50,
    ) {
        let stream = events.concat();
        let parts: Vec<&[u8]> = stream.chunks(size).collect();
        let found = plain(Bounds::of_messages(1000), &parts);
        prop_assert_eq!(found.len(), events.len());
        prop_assert_eq!(found, reference::read(Bounds::of_messages(1000), &stream));
    }

    #[test]
    fn random_bytes_stay_within_the_bounds(
        parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..20),
        lines in any::<bool>(),
    ) {
        let mut parser = Parser::new(TIGHT);
        for mut part in parts {
            if lines {
                part.splice(0..0, *b"\ndata:");
            }
            let mut rest = part.as_slice();
            while let Some(piece) = parser.next_piece(&mut rest) {
                if let Piece::Event(event) = piece {
                    prop_assert!(event.data.len() <= TIGHT.event && event.data.capacity() <= TIGHT.event + 1);
                }
            }
            // The data; three words and the one being read; a name; head and tail of what is thrown away.
            let words = 4 * 3 * TIGHT.word.max(8) + 16;
            prop_assert!(parser.held() <= TIGHT.event + 1 + words + 6 * 4096, "holds {}", parser.held());
        }
    }
}
