//! What a stream can make us hold, and what becomes of an event that is over a bound.

use super::*;

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
    assert_eq!(pieces(&stream(1001)), [Piece::Oversized { id: None, bytes: 1001, over: Over::Event(1000) }]);
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
    let oversized = Piece::Oversized { id: Some(5), bytes: message.len() as u64, over: Over::Event(1000) };
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
            Some(Piece::Oversized { over: Over::Event(_) | Over::Line(_), .. })
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
