//! Event streams: however the stream is cut, the same events come out, and nothing is held beyond the bounds; they are what
//! the slow reader of the unit tests finds. The first bytes choose bounds and cuts, the rest is the stream.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp::transport::sse::{Bounds, Parser, Piece};
use mcp_fuzz::Input;
use mcp_fuzz::slow::reference::{self, Plain};

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let tight = Bounds { event: 24, line: 30, fields: 5, word: 6 };
    let bounds = input.pick(&[tight, Bounds::of_messages(100), Bounds::of_messages(1 << 20)]);
    let mut cuts = input.clone();
    input.bytes(4);
    let stream = input.rest();

    let whole = read(bounds, &[stream]);
    assert_eq!(whole, read(bounds, &cuts.cut(stream)));
    let plain: Vec<Plain> = whole.into_iter().map(Plain::from).collect();
    assert_eq!(plain, reference::read(bounds, stream));
});

fn read(bounds: Bounds, parts: &[&[u8]]) -> Vec<Piece> {
    let mut parser = Parser::new(bounds);
    let mut pieces = Vec::new();
    for part in parts {
        let mut rest = *part;
        while let Some(piece) = parser.next_piece(&mut rest) {
            if let Piece::Event(event) = &piece {
                assert!(event.data.len() <= bounds.event && event.data.capacity() <= bounds.event + 1);
            }
            pieces.push(piece);
        }
        assert!(rest.is_empty(), "all is taken");
        let most = bounds.event + 12 * bounds.word.max(8) + 6 * 4096 + 64;
        assert!(parser.held() <= most, "{} bytes are held, more than {most}", parser.held());
    }
    pieces
}
