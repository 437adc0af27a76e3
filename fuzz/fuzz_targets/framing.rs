//! Both framings: however the stream is cut, the same frames come out; and those are what a slow reader finds. The first
//! bytes choose framing, bound and cuts, the rest is the stream.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp::transport::{Deframer, Framing, Piece};
use mcp_fuzz::Input;

/// What is thrown away of one frame, beyond its bound.
const DISCARD: usize = 1000;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let framing = if input.bool() { Framing::ContentLength } else { Framing::Newline };
    let bound = input.pick(&[0, 1, 10, 100, 5_000, 40_000, 1 << 20]);
    let mut cuts = input.clone();
    input.bytes(4);
    let stream = input.rest();

    let whole = read(framing, bound, &[stream]);
    let cut = read(framing, bound, &cuts.cut(stream));
    assert_eq!(whole, cut);
    if framing == Framing::Newline {
        // What is thrown away may be told before its end.
        let read: Vec<&[u8]> = frames(&whole);
        assert_eq!(read, lines(stream, bound));
    }
    wrapped_comes_back(framing, stream);
});

fn read(framing: Framing, bound: usize, parts: &[&[u8]]) -> Vec<Piece> {
    let mut deframer = Deframer::new(framing, bound, DISCARD);
    let mut pieces = Vec::new();
    for part in parts {
        // As a transport does: into the room that there is.
        let mut rest = *part;
        while !rest.is_empty() {
            let buffer = deframer.buffer();
            let room = (buffer.capacity() - buffer.len()).min(rest.len());
            assert!(room > 0, "there is always room for a read");
            buffer.extend_from_slice(&rest[..room]);
            rest = &rest[room..];
            while let Some(piece) = deframer.next_piece() {
                pieces.push(piece);
            }
        }
        assert!(deframer.held() <= 2 * (bound + 64 * 1024) + 4096, "{} bytes are held", deframer.held());
    }
    pieces
}

/// The frames that are handed over.
fn frames(pieces: &[Piece]) -> Vec<&[u8]> {
    pieces
        .iter()
        .filter_map(|piece| if let Piece::Frame(frame) = piece { Some(frame.as_slice()) } else { None })
        .collect()
}

/// The same found slowly: up to a line without an end within the bounds.
fn lines(stream: &[u8], bound: usize) -> Vec<&[u8]> {
    let Some(last) = stream.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
    stream[..last]
        .split(|byte| *byte == b'\n')
        .take_while(|line| line.len() <= bound + DISCARD)
        .filter(|line| line.len() <= bound)
        .filter_map(|line| {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            (!line.trim_ascii().is_empty()).then_some(line)
        })
        .collect()
}

/// What we write ourselves reads back.
fn wrapped_comes_back(framing: Framing, frame: &[u8]) {
    let line = frame.contains(&b'\n') || frame.last() == Some(&b'\r') || frame.trim_ascii().is_empty();
    if frame.len() < 1000 && !(framing == Framing::Newline && line) {
        let pieces = read(framing, 1000, &[&framing.wrap(frame.to_vec())]);
        assert_eq!(pieces, [Piece::Frame(frame.to_vec())]);
    }
}
