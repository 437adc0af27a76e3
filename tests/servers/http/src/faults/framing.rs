//! HTTP as some servers write it: unusual and right, or plainly wrong.

use std::io::Write as _;
use std::time::Duration;

use super::{Kind, k, number};
use crate::connection::{After, Exchange};
use crate::http::{self, Answer};
use crate::socket::Socket;

const CHUNKED: &str = "Transfer-Encoding: chunked\r\n";

pub const KINDS: &[Kind] = &[
    k("http10", "", "HTTP/1.0, the end of the body is the end of the connection", http10),
    k(
        "until-close",
        "",
        "HTTP/1.1 without a length, the end of the body is the end of the connection",
        until_close,
    ),
    k("chunks", "[:N]", "the right body in chunks of 1 byte, or N", chunks),
    k("split", "[:N]", "everything in writes of 1 byte, or N, a moment apart", split),
    k(
        "chunk-extensions",
        "",
        "chunks with extensions, sizes in capitals with zeros before them",
        chunk_extensions,
    ),
    k("trailers", "", "chunks and a trailer", trailers),
    k("hints", "", "100 Continue and 103 Early Hints before the answer", hints),
    k(
        "odd-headers",
        "",
        "headers in capitals, with tabs and blanks, folded, repeated and empty",
        odd_headers,
    ),
    k("gzip", "", "the right body in gzip", gzip),
    k("br", "", "the right body in brotli", br),
    k("deflate", "", "the right body in deflate, which was not asked for (wrong)", deflate),
    k("bad-gzip", "", "a body that says it is gzip and is not (wrong)", bad_gzip),
    k("slow-head", ":MS", "the head byte by byte, one every MS", slow_head),
    k("slow-body", ":MS", "the body byte by byte, one every MS", slow_body),
    k("garbage", "", "bytes that are not HTTP (wrong)", garbage),
    k("bad-chunk", "", "a chunk whose size is no number (wrong)", bad_chunk),
    k("huge-chunk", "", "a chunk of 2^67 bytes (wrong)", huge_chunk),
    k("bad-length", "[:TEXT]", "a length that is no number, or TEXT (wrong)", bad_length),
    k("two-lengths", "", "two lengths that differ (wrong)", two_lengths),
    k("bad-header", "", "a header line without a colon (wrong)", bad_header),
    k("nagle", "", "the right body behind its head in a write of its own, with Nagle's algorithm on", nagle),
    k("extra", "", "the right answer and then another that was not asked for (wrong)", extra),
];

fn right(exchange: &mut Exchange) -> Answer {
    Answer::of(200, "application/json", exchange.right())
}

fn write(exchange: &mut Exchange, parts: &[&[u8]]) -> After {
    if http::write(exchange.socket, &parts.concat()) { After::Keep } else { After::Close }
}

fn http10(exchange: &mut Exchange, _: &str) -> After {
    let body = exchange.right();
    write(exchange, &[b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n", &body]);
    After::Close
}

fn until_close(exchange: &mut Exchange, _: &str) -> After {
    let answer = right(exchange);
    write(exchange, &[&answer.head("Connection: close\r\n"), &answer.body]);
    After::Close
}

fn chunks(exchange: &mut Exchange, argument: &str) -> After {
    let size = usize::try_from(number(argument, 1)).unwrap_or(1).max(1);
    let answer = right(exchange);
    let chunks: Vec<u8> = answer.body.chunks(size).flat_map(http::chunk).collect();
    write(exchange, &[&answer.head(CHUNKED), &chunks, b"0\r\n\r\n"])
}

fn split(exchange: &mut Exchange, argument: &str) -> After {
    let size = usize::try_from(number(argument, 1)).unwrap_or(1).max(1);
    let answer = right(exchange);
    let whole = [answer.head(CHUNKED), http::chunk(&answer.body), b"0\r\n\r\n".to_vec()].concat();
    slowly(exchange, &whole, size, Duration::from_micros(200))
}

fn chunk_extensions(exchange: &mut Exchange, _: &str) -> After {
    let answer = right(exchange);
    let mut body = Vec::new();
    for part in answer.body.chunks(11) {
        body.extend(format!("000{:X};name=\"va;lue\"\r\n", part.len()).into_bytes());
        body.extend(part);
        body.extend(b"\r\n");
    }
    write(exchange, &[&answer.head(CHUNKED), &body, b"000;end\r\n\r\n"])
}

fn trailers(exchange: &mut Exchange, _: &str) -> After {
    let answer = right(exchange);
    let chunk = http::chunk(&answer.body);
    write(exchange, &[&answer.head(CHUNKED), &chunk, b"0\r\nX-Checksum: 1\r\nX-Other: 2\r\n\r\n"])
}

fn hints(exchange: &mut Exchange, _: &str) -> After {
    let answer = right(exchange);
    let before = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
    write(exchange, &[before, &answer.whole()])
}

fn odd_headers(exchange: &mut Exchange, _: &str) -> After {
    let body = exchange.right();
    let head = format!(
        "HTTP/1.1 200 \r\nCONTENT-TYPE:\tapplication/json  \r\nX-Empty:\r\nX-Twice: a\r\nX-Twice: b\r\n\
         x-latin: caf\u{e9}\r\ncontent-LENGTH:{}\r\n\r\n",
        body.len()
    );
    let head: Vec<u8> = head.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
    write(exchange, &[&head, &body])
}

fn gzip(exchange: &mut Exchange, _: &str) -> After {
    let right = exchange.right();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    let body = packer.write_all(&right).and_then(|()| packer.finish()).unwrap_or_default();
    exchange.answer(&Answer::of(200, "application/json", body).with("Content-Encoding", "gzip"))
}

fn br(exchange: &mut Exchange, _: &str) -> After {
    let right = exchange.right();
    let mut body = Vec::new();
    let packed = brotli::CompressorWriter::new(&mut body, 4096, 5, 22).write_all(&right);
    if packed.is_err() {
        return After::Close;
    }
    exchange.answer(&Answer::of(200, "application/json", body).with("Content-Encoding", "br"))
}

fn deflate(exchange: &mut Exchange, _: &str) -> After {
    let right = exchange.right();
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    let body = packer.write_all(&right).and_then(|()| packer.finish()).unwrap_or_default();
    exchange.answer(&Answer::of(200, "application/json", body).with("Content-Encoding", "deflate"))
}

fn bad_gzip(exchange: &mut Exchange, _: &str) -> After {
    let answer = right(exchange).with("Content-Encoding", "gzip");
    exchange.answer(&answer)
}

fn slow_head(exchange: &mut Exchange, argument: &str) -> After {
    let answer = right(exchange);
    let pause = Duration::from_millis(number(argument, 100));
    let head = answer.head(&format!("Content-Length: {}\r\n", answer.body.len()));
    match slowly(exchange, &head, 1, pause) {
        After::Keep => write(exchange, &[&answer.body]),
        After::Close => After::Close,
    }
}

fn slow_body(exchange: &mut Exchange, argument: &str) -> After {
    let answer = right(exchange);
    let pause = Duration::from_millis(number(argument, 100));
    write(exchange, &[&answer.head(&format!("Content-Length: {}\r\n", answer.body.len()))]);
    slowly(exchange, &answer.body, 1, pause)
}

fn slowly(exchange: &mut Exchange, bytes: &[u8], size: usize, pause: Duration) -> After {
    for part in bytes.chunks(size) {
        if !http::write(exchange.socket, part) || exchange.is_gone_after(pause) {
            return After::Close;
        }
    }
    After::Keep
}

fn garbage(exchange: &mut Exchange, _: &str) -> After {
    write(exchange, &[b"\x16\x03\x01 SSH-2.0-OpenSSH_9.9\r\nnot HTTP at all\r\n\r\n"]);
    After::Close
}

fn bad_chunk(exchange: &mut Exchange, _: &str) -> After {
    let answer = right(exchange);
    write(exchange, &[&answer.head(CHUNKED), b"xyz\r\n", &answer.body, b"\r\n0\r\n\r\n"])
}

fn huge_chunk(exchange: &mut Exchange, _: &str) -> After {
    let answer = right(exchange);
    write(exchange, &[&answer.head(CHUNKED), b"80000000000000000\r\n", &answer.body])
}

fn bad_length(exchange: &mut Exchange, argument: &str) -> After {
    let answer = right(exchange);
    let length = if argument.is_empty() { "many" } else { argument };
    write(exchange, &[&answer.head(&format!("Content-Length: {length}\r\n")), &answer.body]);
    After::Close
}

fn two_lengths(exchange: &mut Exchange, _: &str) -> After {
    let answer = right(exchange);
    let ends = format!("Content-Length: {}\r\nContent-Length: 5\r\n", answer.body.len());
    write(exchange, &[&answer.head(&ends), &answer.body]);
    After::Close
}

fn bad_header(exchange: &mut Exchange, _: &str) -> After {
    let answer = right(exchange);
    let ends = format!("this is no header\r\nContent-Length: {}\r\n", answer.body.len());
    write(exchange, &[&answer.head(&ends), &answer.body]);
    After::Close
}

fn nagle(exchange: &mut Exchange, _: &str) -> After {
    let answer = right(exchange);
    if let Socket::Tcp(stream) = &*exchange.socket
        && stream.set_nodelay(false).is_err()
    {
        return After::Close;
    }
    match write(exchange, &[&answer.head(&format!("Content-Length: {}\r\n", answer.body.len()))]) {
        After::Keep => write(exchange, &[&answer.body]),
        After::Close => After::Close,
    }
}

fn extra(exchange: &mut Exchange, _: &str) -> After {
    let whole = right(exchange).whole();
    write(
        exchange,
        &[&whole, b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"],
    )
}
