//! Every stream gives the same frames however it is cut into reads.

use super::*;
use proptest::prelude::*;

thread_local! {
    /// The largest buffer that the system gives.
    pub(super) static GIVEN: std::cell::Cell<usize> = const { std::cell::Cell::new(usize::MAX) };
}

/// What is thrown away of one frame, beyond its bound.
const DISCARD: usize = 1 << 20;

fn all(framing: Framing, bound: usize, reads: &[&[u8]]) -> Vec<Piece> {
    let mut deframer = Deframer::new(framing, bound, DISCARD);
    let mut pieces = Vec::new();
    for read in reads {
        let mut rest = *read;
        while !rest.is_empty() {
            let buffer = deframer.buffer();
            let room = (buffer.capacity() - buffer.len()).min(rest.len());
            buffer.extend_from_slice(&rest[..room]);
            rest = &rest[room..];
            while let Some(piece) = deframer.next_piece() {
                pieces.push(piece);
            }
            assert!(deframer.held() <= bound + 2 * READ_BYTES, "holds {} bytes", deframer.held());
        }
    }
    pieces
}

fn frame(text: &str) -> Piece {
    Piece::Frame(text.as_bytes().to_vec())
}

#[test]
fn carriage_returns_and_blank_lines_are_tolerated() {
    let pieces = all(Framing::Newline, 100, &[b"\n\r\n{\"a\":1}\r\n   \n{}\n"]);
    assert_eq!(pieces, [frame("{\"a\":1}"), frame("{}")]);
}

#[test]
fn a_large_frame_is_told_apart_when_its_first_part_is_there_and_only_then() {
    for (reads, is_large) in [
        (&[READ_BYTES - 1][..], false),
        (&[READ_BYTES], true),
        (&[READ_BYTES / 2, READ_BYTES / 2], true),
        (&[READ_BYTES, 1], false),
    ] {
        let mut deframer = Deframer::new(Framing::Newline, 1 << 20, DISCARD);
        for read in reads {
            let buffer = deframer.buffer();
            assert!(buffer.capacity() - buffer.len() >= *read);
            buffer.resize(buffer.len() + read, b'x');
            assert_eq!(deframer.next_piece(), None);
        }
        assert_eq!(deframer.has_begun_large(), is_large, "{reads:?}");
    }
}

#[test]
fn a_line_over_the_bound_is_thrown_away_and_the_next_one_is_whole() {
    let mut stream = br#"{"jsonrpc":"2.0","id":5,"result":""#.to_vec();
    stream.extend(std::iter::repeat_n(b'x', 300_000));
    stream.extend_from_slice(b"\"}\n{}\n");
    let pieces = all(Framing::Newline, 1000, &[&stream]);
    assert_eq!(pieces, [Piece::Oversized { id: Some(5), bytes: 1001 }, frame("{}")]);
    let at = stream.iter().position(|byte| *byte == b'5').unwrap_or_default();
    stream[at] = b'x';
    let pieces = all(Framing::Newline, 1000, &[&stream]);
    assert_eq!(pieces, [Piece::Oversized { id: None, bytes: stream.len() as u64 - 4 }, frame("{}")]);
}

#[test]
fn a_frame_whose_id_is_known_is_told_when_it_crosses_the_bound_and_once() {
    let start = br#"{"jsonrpc":"2.0","id":5,"result":""#;
    for (framing, header) in
        [(Framing::Newline, ""), (Framing::ContentLength, "Content-Length: 3000\r\n\r\n")]
    {
        let mut deframer = Deframer::new(framing, 1000, DISCARD);
        deframer.buffer().extend_from_slice(header.as_bytes());
        deframer.buffer().extend_from_slice(start);
        deframer.buffer().extend(std::iter::repeat_n(b'x', 1000 - start.len()));
        assert_eq!(deframer.next_piece(), None, "{framing:?}");
        deframer.buffer().push(b'x');
        let bytes = if framing == Framing::Newline { 1001 } else { 3000 };
        assert_eq!(deframer.next_piece(), Some(Piece::Oversized { id: Some(5), bytes }), "{framing:?}");
        assert_eq!(deframer.next_piece(), None);
        assert!(deframer.is_partial());
        deframer.buffer().extend(std::iter::repeat_n(b'x', 1999));
        assert_eq!(deframer.next_piece(), None);
        if framing == Framing::Newline {
            deframer.buffer().push(b'\n');
        }
        deframer.buffer().extend_from_slice(&framing.wrap(b"{}".to_vec()));
        assert_eq!(deframer.next_piece(), Some(frame("{}")), "{framing:?}");
    }
}

#[test]
fn a_whole_message_at_the_end_needs_no_line_feed() {
    for (text, is_whole) in [
        ("{\"a\":1}", true),
        (" [1, 2] \r", true),
        ("7", true),
        ("{\"a\":1", false),
        ("a banner", false),
        ("", false),
        ("\r", false),
    ] {
        let mut deframer = Deframer::new(Framing::Newline, 1000, DISCARD);
        deframer.buffer().extend_from_slice(b"{}\n");
        deframer.buffer().extend_from_slice(text.as_bytes());
        assert_eq!(deframer.next_piece(), Some(frame("{}")));
        assert_eq!(deframer.next_piece(), None);
        assert_eq!(deframer.has_last_line(), is_whole, "{text:?}");
        assert_eq!(deframer.last_line(), is_whole.then(|| frame(text)), "{text:?}");
        assert_eq!(deframer.is_partial(), !is_whole && !text.is_empty(), "{text:?}");
        assert_eq!(deframer.last_line(), None);
    }
    let mut declared = Deframer::new(Framing::ContentLength, 1000, DISCARD);
    declared.buffer().extend_from_slice(b"{}");
    assert_eq!(declared.last_line(), None, "its length is not known");
    let mut large = Deframer::new(Framing::Newline, 4, DISCARD);
    large.buffer().extend_from_slice(b"[1, 2]");
    assert_eq!((large.next_piece(), large.last_line()), (None, None));
}

#[test]
fn a_frame_without_end_breaks_the_stream() {
    for start in [r#"{"jsonrpc":"2.0","id":5,"result":""#, "garbage"] {
        for cut in [7, 1000, 1500, 100_000] {
            let mut stream = start.as_bytes().to_vec();
            stream.resize(2001, b'x');
            stream.extend_from_slice(b"\n{}\n");
            let read = |stream: &[u8]| {
                let mut deframer = Deframer::new(Framing::Newline, 1000, 1000);
                let mut pieces = Vec::new();
                for part in stream.chunks(cut) {
                    deframer.buffer().extend_from_slice(part);
                    pieces.extend(std::iter::from_fn(|| deframer.next_piece()));
                }
                (pieces, deframer.held())
            };
            let known = start.contains("id").then_some(Piece::Oversized { id: Some(5), bytes: 1001 });
            let (mut pieces, held) = read(&stream);
            let Some(Piece::Broken(why)) = pieces.pop() else {
                panic!("{start} in parts of {cut}: {pieces:?}")
            };
            assert!(why.contains("2000 bytes") && why.contains("limits.discard_bytes (1000)"), "{why}");
            assert_eq!(pieces, known.clone().into_iter().collect::<Vec<_>>(), "{cut}");
            assert!(held <= 4 * READ_BYTES, "what comes after it is not held: {held}");
            // One byte less, and it has an end in time.
            stream.remove(2000);
            let (pieces, _) = read(&stream);
            let told = known.unwrap_or(Piece::Oversized { id: None, bytes: 2000 });
            assert_eq!(pieces, [told, frame("{}")], "{cut}");
        }
    }
}

#[test]
fn a_declared_length_over_both_bounds_breaks_the_stream_at_once() {
    let mut deframer = Deframer::new(Framing::ContentLength, 1000, 1000);
    deframer.buffer().extend_from_slice(b"Content-Length: 2001\r\n\r\n");
    let Some(Piece::Broken(why)) = deframer.next_piece() else { panic!("it is read on") };
    assert!(why.contains("2001"), "{why}");
}

#[test]
fn the_id_of_an_oversized_line_is_read_from_its_end_too() {
    let mut stream = br#"{"result":""#.to_vec();
    stream.extend(std::iter::repeat_n(b'x', 300_000));
    stream.extend_from_slice(b"\",\"id\":77,\"jsonrpc\":\"2.0\"}\n");
    let pieces = all(Framing::Newline, 1000, &[&stream]);
    assert!(matches!(pieces[..], [Piece::Oversized { id: Some(77), .. }]), "{pieces:?}");
}

#[test]
fn a_frame_at_the_bound_passes_and_one_byte_more_does_not() {
    for framing in [Framing::Newline, Framing::ContentLength] {
        let text = format!("\"{}\"", "x".repeat(998));
        assert_eq!(all(framing, 1000, &[&framing.wrap(text.clone().into_bytes())]), [frame(&text)]);
        let text = format!("\"{}\"", "x".repeat(999));
        let pieces = all(framing, 1000, &[&framing.wrap(text.into_bytes())]);
        assert!(matches!(pieces[..], [Piece::Oversized { .. }]), "{pieces:?}");
    }
}

#[test]
fn a_declared_length_over_the_bound_is_refused_before_the_bytes_come() {
    let mut deframer = Deframer::new(Framing::ContentLength, 1000, usize::MAX);
    deframer.buffer().extend_from_slice(b"Content-Length: 4000000000\r\n\r\n");
    assert_eq!(deframer.next_piece(), None);
    assert!(deframer.held() <= 2 * READ_BYTES);
    let body = "x".repeat(2000);
    let stream = format!("Content-Length: 2000\r\n\r\n{body}Content-Length: 2\r\n\r\n{{}}");
    let pieces = all(Framing::ContentLength, 1000, &[stream.as_bytes()]);
    assert_eq!(pieces, [Piece::Oversized { id: None, bytes: 2000 }, frame("{}")]);
}

#[test]
fn a_header_without_a_usable_length_ends_the_stream() {
    for header in [
        "Content-Type: x\r\n\r\n",
        "Content-Length: many\r\n\r\n",
        "Content-Length: -1\r\n\r\n",
        "Content-Length: +3\r\n\r\n",
    ] {
        let pieces = all(Framing::ContentLength, 1000, &[header.as_bytes()]);
        assert!(matches!(pieces[..], [Piece::Broken(_)]), "{header:?} gave {pieces:?}");
    }
    let endless = vec![b'x'; 5000];
    assert!(matches!(all(Framing::ContentLength, 1000, &[&endless])[..], [Piece::Broken(_)]));
}

#[test]
fn what_is_wrapped_comes_out_again() {
    for framing in [Framing::Newline, Framing::ContentLength] {
        let mut stream = framing.wrap(b"{\"a\":1}".to_vec());
        stream.extend(framing.wrap(b"{}".to_vec()));
        assert_eq!(all(framing, 1000, &[&stream]), [frame("{\"a\":1}"), frame("{}")]);
    }
}

proptest! {
    #[test]
    fn frames_are_the_same_however_the_stream_is_cut(
        bodies in prop::collection::vec("[a-z]{0,120}", 1..8),
        cuts in prop::collection::vec(0usize..1200, 0..12),
        lengths in any::<bool>(),
    ) {
        let framing = if lengths { Framing::ContentLength } else { Framing::Newline };
        let mut stream = Vec::new();
        for body in &bodies {
            stream.extend(framing.wrap(format!("[\"{body}\"]").into_bytes()));
        }
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut % (stream.len() + 1)).collect();
        cuts.extend([0, stream.len()]);
        cuts.sort_unstable();
        let reads: Vec<&[u8]> = cuts.windows(2).map(|pair| &stream[pair[0]..pair[1]]).collect();
        // 60 makes some of the frames oversized.
        prop_assert_eq!(all(framing, 60, &reads), all(framing, 60, &[&stream]));
        prop_assert_eq!(all(framing, 60, &reads).len(), bodies.len());
    }
}

/// Bytes of memory that one line after another of this length takes at most.
fn most_held(deframer: &mut Deframer, length: usize) -> usize {
    let line = [vec![b'x'; length], vec![b'\n']].concat();
    let mut most = 0;
    for read in line.chunks(READ_BYTES / 4) {
        deframer.buffer().extend_from_slice(read);
        most = most.max(deframer.held());
        if let Some(Piece::Frame(frame)) = deframer.next_piece() {
            assert!(frame.len() == length && frame.capacity() <= 2 * length + READ_BYTES);
        }
    }
    most
}

#[test]
fn there_is_room_at_once_for_a_line_like_the_last_and_not_for_ever() {
    let mut deframer = Deframer::new(Framing::Newline, 64 << 20, DISCARD);
    assert!(most_held(&mut deframer, 5 << 20) >= 8 << 20, "doubled");
    let once = most_held(&mut deframer, 5 << 20);
    assert!(once < (5 << 20) + 4 * READ_BYTES, "just enough: {once}");
    most_held(&mut deframer, 200_000);
    let small = most_held(&mut deframer, 200_000);
    assert!(small < 200_000 + 4 * READ_BYTES, "the larger one is forgotten: {small}");
    assert_eq!(deframer.held(), 0, "nothing is kept between lines");
}

/// Bytes of which no two places within a mebibyte look alike.
fn distinct(length: usize) -> Vec<u8> {
    (0..length)
        .map(|at| b'a' + u8::try_from((at ^ (at >> 5) ^ (at >> 11) ^ (at >> 17)) % 26).unwrap_or(0))
        .collect()
}

#[test]
fn much_room_is_new_memory_with_all_that_was_there() {
    const BOUND: usize = 8 << 20;
    let body = distinct(3 << 20);
    for framing in [Framing::ContentLength, Framing::Newline] {
        let mut deframer = Deframer::new(framing, BOUND, DISCARD);
        let mut stream = Vec::new();
        for _ in 0..3 {
            if framing == Framing::ContentLength {
                stream.extend_from_slice(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
            }
            stream.extend_from_slice(&body);
            if framing == Framing::Newline {
                stream.push(b'\n');
            }
        }
        let mut frames = 0;
        for read in stream.chunks(READ_BYTES / 3) {
            deframer.buffer().extend_from_slice(read);
            assert!(deframer.held() <= BOUND + READ_BYTES, "{}", deframer.held());
            while let Some(piece) = deframer.next_piece() {
                let Piece::Frame(frame) = piece else { panic!("{piece:?}") };
                assert!(frame == body, "frame {frames} is not what was sent");
                frames += 1;
            }
        }
        assert_eq!(frames, 3);
    }
}

#[test]
fn a_frame_without_memory_is_thrown_away_and_the_next_is_read() {
    let large = format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{"text":"{}"}}}}"#, "x".repeat(900_000));
    let small = r#"{"jsonrpc":"2.0","id":8,"result":{}}"#;
    for framing in [Framing::Newline, Framing::ContentLength] {
        let mut stream = Vec::new();
        for text in [small, &large, &large, small] {
            stream.extend(framing.wrap(text.as_bytes().to_vec()));
        }
        for parts in [1, 700, 100_000] {
            GIVEN.set(300_000);
            let reads: Vec<&[u8]> = if parts == 1 { vec![&stream] } else { stream.chunks(parts).collect() };
            let pieces = all(framing, 1 << 20, &reads);
            let refused = Piece::Unheld { id: Some(7), bytes: large.len() as u64 };
            assert_eq!(
                pieces,
                [frame(small), refused.clone(), refused, frame(small)],
                "{framing:?}, {parts}"
            );
            GIVEN.set(usize::MAX);
            let whole = all(framing, 1 << 20, &reads);
            assert_eq!(whole, [frame(small), frame(&large), frame(&large), frame(small)]);
        }
    }
}

#[test]
fn without_any_memory_there_is_no_room_and_no_end() {
    GIVEN.set(0);
    let mut deframer = Deframer::new(Framing::Newline, 1 << 20, DISCARD);
    let buffer = deframer.buffer();
    assert_eq!((buffer.capacity(), buffer.len()), (0, 0));
    GIVEN.set(usize::MAX);
    assert!(deframer.buffer().capacity() >= READ_BYTES);
}

#[test]
fn the_id_is_read_from_the_end_however_the_message_was_cut() {
    let mut message = br#"{"result":""#.to_vec();
    message.extend(std::iter::repeat_n(b'x', 50_000));
    message.extend_from_slice(br#"","id":77,"jsonrpc":"2.0"}"#);
    for size in [1, 7, 4095, 4096, 4097, 9000, 60_000] {
        let mut oversized = Oversized::default();
        message.chunks(size).for_each(|part| oversized.take(part));
        assert_eq!((oversized.id(), oversized.bytes()), (Some(77), message.len() as u64), "{size}");
        assert!(oversized.held() <= 6 * KEPT_BYTES, "{} bytes", oversized.held());
    }
}
