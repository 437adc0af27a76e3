//! Answers that grow until the client has had enough: what is written is counted, so that a test can tell how much a
//! client took.

use std::io::Write as _;

use super::{Kind, k, number};
use crate::connection::{After, Exchange};
use crate::http::{self, Answer};

/// What is written at once.
const BLOCK: usize = 64 * 1024;

pub const KINDS: &[Kind] = &[
    k("endless-body", "", "a JSON body without a length that never ends", endless_body),
    k("endless-chunks", "", "the same in chunks", endless_chunks),
    k("long-body", ":BYTES", "a body that says this length, and comes", long_body),
    k("endless-header", "", "a header that never ends", endless_header),
    k("endless-headers", "", "headers without end", endless_headers),
    k("endless-status", "", "a status line that never ends", endless_status),
    k("endless-line", "", "an event stream with a line that never ends", endless_line),
    k("endless-event", "", "an event with data lines without end", endless_event),
    k(
        "hidden-id",
        ":BYTES",
        "an event with so many bytes before its id and behind it, then the end",
        hidden_id,
    ),
    k("endless-fields", "", "an event with unknown fields without end", endless_fields),
    k("endless-comments", "", "comments without end", endless_comments),
    k("endless-id", "", "an event id that never ends", endless_id),
    k("endless-hints", "", "103 Early Hints without end", endless_hints),
    k("endless-chunk-extension", "", "a chunk whose extension never ends", endless_extension),
    k("endless-trailers", "", "trailers without end behind a right body", endless_trailers),
    k("gzip-bomb", "[:MIB]", "1 GiB, or MIB, of blanks before the right body, in gzip", gzip_bomb),
    k("br-bomb", "[:MIB]", "the same in brotli", br_bomb),
];

/// Writes a head and then the same thing until the client is gone.
fn endlessly(exchange: &mut Exchange, head: &[u8], piece: &[u8]) -> After {
    let block = piece.repeat((BLOCK / piece.len()).max(1));
    let mut alive = http::write(exchange.socket, head);
    while alive {
        alive = http::write(exchange.socket, &block);
        exchange.server.stats.seen().endless_bytes += block.len() as u64;
    }
    After::Close
}

fn head(kind: &str, ends: &str) -> Vec<u8> {
    Answer::of(200, kind, "").head(ends)
}

fn stream() -> Vec<u8> {
    head("text/event-stream", "Connection: close\r\n")
}

fn endless_body(exchange: &mut Exchange, _: &str) -> After {
    let begin = [head("application/json", "Connection: close\r\n").as_slice(), b"{\"a\":\""].concat();
    endlessly(exchange, &begin, b"abcdefgh")
}

fn endless_chunks(exchange: &mut Exchange, _: &str) -> After {
    let begin =
        [head("application/json", "Transfer-Encoding: chunked\r\n").as_slice(), &http::chunk(b"{\"a\":\"")]
            .concat();
    endlessly(exchange, &begin, &http::chunk(&[b'x'; 4096]))
}

fn long_body(exchange: &mut Exchange, argument: &str) -> After {
    let length = number(argument, 1 << 30);
    let ends = format!("Content-Length: {length}\r\n");
    let mut alive = http::write(exchange.socket, &head("application/json", &ends));
    let block = vec![b' '; BLOCK];
    let mut left = length;
    while alive && left > 0 {
        let part = usize::try_from(left).unwrap_or(BLOCK).min(BLOCK);
        alive = http::write(exchange.socket, &block[..part]);
        left -= part as u64;
        exchange.server.stats.seen().endless_bytes += part as u64;
    }
    if alive { After::Keep } else { After::Close }
}

fn endless_header(exchange: &mut Exchange, _: &str) -> After {
    endlessly(exchange, b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Long: ", b"abcdefgh")
}

fn endless_headers(exchange: &mut Exchange, _: &str) -> After {
    endlessly(exchange, b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n", b"X-More: and more\r\n")
}

fn endless_status(exchange: &mut Exchange, _: &str) -> After {
    endlessly(exchange, b"HTTP/1.1 200 O", b"K")
}

fn endless_line(exchange: &mut Exchange, _: &str) -> After {
    endlessly(exchange, &[stream().as_slice(), b"data: {\"a\":\""].concat(), b"abcdefgh")
}

fn endless_event(exchange: &mut Exchange, _: &str) -> After {
    endlessly(exchange, &stream(), b"data: abcdefgh\n")
}

fn hidden_id(exchange: &mut Exchange, argument: &str) -> After {
    let pad = "x".repeat(usize::try_from(number(argument, 1 << 20)).unwrap_or(0));
    let event = format!(
        "data: {{\"jsonrpc\":\"2.0\",\"result\":{{\"pad\":\"{pad}\"}},\"id\":1,\"more\":\"{pad}\"}}\n\n"
    );
    let _gone_or_not = http::write(exchange.socket, &[stream().as_slice(), event.as_bytes()].concat());
    After::Close
}

fn endless_fields(exchange: &mut Exchange, _: &str) -> After {
    endlessly(exchange, &stream(), b"field: abcdefgh\n")
}

fn endless_comments(exchange: &mut Exchange, _: &str) -> After {
    endlessly(exchange, &stream(), b": abcdefgh\n\n")
}

fn endless_id(exchange: &mut Exchange, _: &str) -> After {
    endlessly(exchange, &[stream().as_slice(), b"id: "].concat(), b"abcdefgh")
}

fn endless_hints(exchange: &mut Exchange, _: &str) -> After {
    endlessly(exchange, b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
}

fn endless_extension(exchange: &mut Exchange, _: &str) -> After {
    let begin = [head("application/json", "Transfer-Encoding: chunked\r\n").as_slice(), b"5;x="].concat();
    endlessly(exchange, &begin, b"abcdefgh")
}

fn endless_trailers(exchange: &mut Exchange, _: &str) -> After {
    let body = exchange.right();
    let begin = [
        head("application/json", "Transfer-Encoding: chunked\r\n").as_slice(),
        &http::chunk(&body),
        b"0\r\n",
    ]
    .concat();
    endlessly(exchange, &begin, b"X-More: and more\r\n")
}

fn gzip_bomb(exchange: &mut Exchange, argument: &str) -> After {
    let right = exchange.right();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let packed = blanks(number(argument, 1024), &right, |bytes| packer.write_all(bytes).is_ok());
    let body = if packed { packer.finish().unwrap_or_default() } else { Vec::new() };
    exchange.answer(&Answer::of(200, "application/json", body).with("Content-Encoding", "gzip"))
}

fn br_bomb(exchange: &mut Exchange, argument: &str) -> After {
    let right = exchange.right();
    let mut body = Vec::new();
    {
        let mut packer = brotli::CompressorWriter::new(&mut body, BLOCK, 5, 22);
        blanks(number(argument, 1024), &right, |bytes| packer.write_all(bytes).is_ok());
    }
    exchange.answer(&Answer::of(200, "application/json", body).with("Content-Encoding", "br"))
}

/// So many MiB of blanks, which JSON does not mind, and then the right body.
fn blanks(mib: u64, right: &[u8], mut write: impl FnMut(&[u8]) -> bool) -> bool {
    let block = vec![b' '; 1 << 20];
    (0..mib).all(|_| write(&block)) && write(right)
}
