//! Random streams: however cut, the parser finds what the slow reader finds.

use super::reference::{self, Plain};
use super::*;
use proptest::prelude::*;
use proptest::sample::select;

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
fn event() -> impl Strategy<Value = Vec<u8>> {
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
        events in prop::collection::vec(event(), 1..6),
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
