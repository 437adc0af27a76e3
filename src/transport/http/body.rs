//! The body of an answer: read in parts, and decompressed within bounds.

use crate::transport::http::pool::Lease;
#[cfg(test)]
use crate::transport::http::simulated::Source;
use brotli_decompressor::{BrotliDecoderParameter, DecompressorWriter};
use flate2::write::GzDecoder;
#[cfg(not(test))]
use hyper::body::Incoming as Source;
use hyper::body::{Body as _, Bytes, Frame, Incoming};
use std::future::poll_fn;
use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// A body that is being read.
pub struct Body {
    incoming: Source,
    /// The connection, where reading the body has to drive it.
    lease: Option<Lease>,
    decoder: Option<Decoder>,
    /// What the server says of its length.
    length: Option<u64>,
    /// What was looked at and is yet to be read.
    ahead: Vec<u8>,
}

/// Why a body cannot be read to its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BodyError {
    /// It has more than this many bytes.
    #[error("the answer has more than {0} bytes (limits.frame_bytes)")]
    TooLarge(usize),
    /// It is compressed, and unpacks to more than this many bytes.
    #[error("the answer is compressed and unpacks to more than {0} bytes (limits.frame_bytes)")]
    UnpacksTooLarge(usize),
    /// The system gave no memory after this many bytes.
    #[error("the system gave no memory for the answer after {0} bytes")]
    NoMemory(usize),
    /// The connection was lost, or the body is broken.
    #[error("the answer broke off: {0}")]
    Lost(String),
}

type ReadError = <Source as hyper::body::Body>::Error;

/// The most that is reserved because a server says that much will come.
const TRUSTED: u64 = 1 << 20;

impl Body {
    pub(super) fn new(
        incoming: Incoming,
        lease: Option<Lease>,
        encoding: Option<&str>,
        bound: usize,
    ) -> Result<Body, String> {
        let decoder = Decoder::of(encoding.unwrap_or_default(), bound)?;
        let length = incoming.size_hint().exact();
        #[cfg(test)]
        let incoming = Source::Received(incoming);
        Ok(Body { incoming, lease, decoder, length, ahead: Vec::new() })
    }

    #[cfg(test)]
    pub(crate) fn simulated(parts: crate::transport::http::simulated::Parts) -> Body {
        Body {
            incoming: Source::Simulated(parts),
            lease: None,
            decoder: None,
            length: None,
            ahead: Vec::new(),
        }
    }

    fn poll_frame(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, ReadError>>> {
        let mut frame = Pin::new(&mut self.incoming).poll_frame(cx);
        if frame.is_pending()
            && let Some(lease) = &mut self.lease
        {
            lease.drive(cx);
            frame = Pin::new(&mut self.incoming).poll_frame(cx);
            if frame.is_pending() {
                lease.awaits_more(cx);
                frame = Pin::new(&mut self.incoming).poll_frame(cx);
            }
        }
        let frame = ready!(frame);
        if frame.is_none()
            && let Some(lease) = self.lease.take()
        {
            lease.finish();
        }
        Poll::Ready(frame)
    }

    /// What was wanted of it has come; what is left is its end.
    pub fn ends_soon(&mut self) {
        if let Some(lease) = &mut self.lease {
            lease.ends_soon();
        }
    }

    /// The next part; `None` at the end.
    ///
    /// # Errors
    /// It breaks off, or expands too much.
    pub async fn part(&mut self) -> Result<Option<Bytes>, BodyError> {
        if !self.ahead.is_empty() {
            return Ok(Some(std::mem::take(&mut self.ahead).into()));
        }
        self.next_part().await
    }

    /// What it begins with, also where its end does not come: all of it, if it has at most `most` bytes. It is read once more by the
    /// functions that read it.
    #[cfg(feature = "auth")]
    pub async fn peek(&mut self, most: usize, wait: std::time::Duration) -> &[u8] {
        let read = async {
            while self.ahead.len() <= most
                && let Ok(Some(part)) = self.next_part().await
            {
                self.ahead.extend_from_slice(&part);
            }
        };
        // What came in time is there.
        let _ended_or_not = tokio::time::timeout(wait, read).await;
        &self.ahead
    }

    async fn next_part(&mut self) -> Result<Option<Bytes>, BodyError> {
        loop {
            let data = match poll_fn(|cx| self.poll_frame(cx)).await {
                None => return Ok(None),
                Some(Err(error)) => {
                    return Err(BodyError::Lost(crate::transport::http::error::error_chain(&error)));
                }
                // Trailers mean nothing here.
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) if !data.is_empty() => data,
                    _ => continue,
                },
            };
            let Some(decoder) = &mut self.decoder else { return Ok(Some(data)) };
            match decoder.decode(&data) {
                Ok(decoded) if decoded.is_empty() => {}
                Ok(decoded) => return Ok(Some(decoded.into())),
                Err(Undecodable::TooLarge) => return Err(BodyError::UnpacksTooLarge(decoder.bound())),
                Err(Undecodable::NoMemory(bytes)) => return Err(BodyError::NoMemory(bytes)),
                Err(Undecodable::Broken(why)) => {
                    return Err(BodyError::Lost(format!("it cannot be decompressed: {why}")));
                }
            }
        }
    }

    /// All of it, with room for one more byte.
    ///
    /// # Errors
    /// It breaks off, or has more than `bound` bytes.
    pub async fn whole(&mut self, bound: usize) -> Result<Vec<u8>, BodyError> {
        let said = self.length.filter(|_| self.decoder.is_none()).unwrap_or(0);
        if said > bound as u64 {
            return Err(BodyError::TooLarge(bound));
        }
        let mut bytes = Vec::new();
        let begins = usize::try_from(said.min(TRUSTED)).unwrap_or(0) + 1;
        bytes.try_reserve_exact(begins).map_err(|_| BodyError::NoMemory(0))?;
        while let Some(part) = self.part().await? {
            if bytes.len().saturating_add(part.len()) > bound {
                let unpacks = self.decoder.is_some();
                return Err(if unpacks {
                    BodyError::UnpacksTooLarge(bound)
                } else {
                    BodyError::TooLarge(bound)
                });
            }
            if bytes.capacity() - bytes.len() <= part.len() {
                // What the server said turned out true so far: the rest of it in one go, else twice as much.
                let rest = usize::try_from(said).unwrap_or(0).saturating_sub(bytes.len());
                let more = rest.max(part.len()).max(bytes.len().min(bound)) + 1;
                bytes.try_reserve_exact(more).map_err(|_| BodyError::NoMemory(bytes.len()))?;
            }
            bytes.extend_from_slice(&part);
        }
        Ok(bytes)
    }

    /// The first bytes of it, at most `most`, whatever becomes of the rest.
    pub async fn start(&mut self, most: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        while bytes.len() < most
            && let Ok(Some(part)) = self.part().await
        {
            let room = most - bytes.len();
            bytes.extend_from_slice(part.get(..room).unwrap_or(&part));
        }
        bytes
    }

    /// Reads to the end, if that is near, so that the connection can serve the next request.
    pub async fn drain(&mut self, most: usize) {
        let mut seen = 0;
        while seen <= most {
            match self.part().await {
                Ok(Some(part)) => seen += part.len(),
                Ok(None) | Err(_) => return,
            }
        }
    }
}

/// Which encodings are asked for.
pub const ACCEPTED: &str = "gzip, br";

/// Compressed bytes looked at in one step.
const STEP: usize = 4096;
const BROTLI_BUFFER: usize = 16 * 1024;
/// How many members a body of gzip may have. One is usual. Each begins with new tables, which takes the time of some hundred KB, also when
/// it has twenty bytes and means nothing.
const MEMBERS: usize = 1000;

/// Takes what a decoder writes, up to a bound.
#[derive(Debug)]
struct Sink {
    bytes: Vec<u8>,
    bound: usize,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len().saturating_add(bytes.len()) > self.bound {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        self.bytes.try_reserve(bytes.len()).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Members of gzip, one after another.
struct Gzip {
    member: GzDecoder<Sink>,
    ended: usize,
}

impl Gzip {
    fn write_all(&mut self, mut input: &[u8]) -> io::Result<()> {
        while !input.is_empty() {
            match self.member.write(input)? {
                // The member has ended, and another one follows.
                0 => self.next()?,
                taken => input = &input[taken..],
            }
        }
        self.member.flush()
    }

    fn next(&mut self) -> io::Result<()> {
        self.ended += 1;
        if self.ended == MEMBERS {
            return Err(io::Error::other(format!("it has more than {MEMBERS} members of gzip")));
        }
        self.member.try_finish()?;
        let sink = self.member.get_mut();
        let next = GzDecoder::new(Sink { bytes: std::mem::take(&mut sink.bytes), bound: sink.bound });
        self.member = next;
        Ok(())
    }
}

enum Encoding {
    Gzip(Box<Gzip>),
    Brotli(Box<DecompressorWriter<Sink>>),
}

/// Decodes one body.
pub struct Decoder(Encoding);

/// Why a body cannot be decoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Undecodable {
    /// It grows beyond the bound.
    TooLarge,
    /// The system gave no memory after this many bytes of this step.
    NoMemory(usize),
    /// It is not what its header says.
    Broken(String),
}

impl Decoder {
    /// The decoder for a `Content-Encoding`; `None` if there is nothing to decode.
    ///
    /// # Errors
    /// An encoding that was not asked for.
    pub fn of(encoding: &str, bound: usize) -> Result<Option<Decoder>, String> {
        let sink = Sink { bytes: Vec::new(), bound };
        match encoding.trim_ascii().to_ascii_lowercase().as_str() {
            "" | "identity" => Ok(None),
            "gzip" | "x-gzip" => {
                Ok(Some(Decoder(Encoding::Gzip(Box::new(Gzip { member: GzDecoder::new(sink), ended: 0 })))))
            }
            "br" => {
                let mut decoder = Box::new(DecompressorWriter::new(sink, BROTLI_BUFFER));
                // The content encoding has windows of 16 MiB at most (RFC 7932). The larger ones of another format would have the
                // decoder take a GiB before it writes the first byte.
                let large_window = BrotliDecoderParameter::BROTLI_DECODER_PARAM_LARGE_WINDOW;
                let _is_taken_at_the_start = decoder.set_parameter(large_window, 0);
                Ok(Some(Decoder(Encoding::Brotli(decoder))))
            }
            other => Err(format!("the answer has the encoding '{other}', which was not asked for")),
        }
    }

    /// The bytes that one step may become.
    pub fn bound(&self) -> usize {
        match &self.0 {
            Encoding::Gzip(decoder) => decoder.member.get_ref().bound,
            Encoding::Brotli(decoder) => decoder.get_ref().bound,
        }
    }

    /// Decodes what has come; gives what it means.
    ///
    /// # Errors
    /// It grows beyond the bound, or is broken.
    pub fn decode(&mut self, mut input: &[u8]) -> Result<Vec<u8>, Undecodable> {
        let mut out = Vec::new();
        while !input.is_empty() {
            let (step, rest) = input.split_at(input.len().min(STEP));
            input = rest;
            let written = match &mut self.0 {
                Encoding::Gzip(decoder) => decoder.write_all(step),
                Encoding::Brotli(decoder) => decoder.write_all(step).and_then(|()| drain(decoder)),
            };
            written.map_err(|error| match error.kind() {
                io::ErrorKind::FileTooLarge => Undecodable::TooLarge,
                io::ErrorKind::OutOfMemory => Undecodable::NoMemory(out.len()),
                _ => Undecodable::Broken(error.to_string()),
            })?;
            let sink = match &mut self.0 {
                Encoding::Gzip(decoder) => decoder.member.get_mut(),
                Encoding::Brotli(decoder) => decoder.get_mut(),
            };
            if out.len().saturating_add(sink.bytes.len()) > sink.bound {
                return Err(Undecodable::TooLarge);
            }
            out.try_reserve(sink.bytes.len()).map_err(|_| Undecodable::NoMemory(out.len()))?;
            out.append(&mut sink.bytes);
        }
        Ok(out)
    }
}

/// Takes what the decoder has decoded and keeps: with the last of its input it gives one buffer, and the rest only when it is asked again.
/// Otherwise an event larger than that would wait for the next one.
fn drain(decoder: &mut DecompressorWriter<Sink>) -> io::Result<()> {
    loop {
        let had = decoder.get_ref().bytes.len();
        let _no_input_is_taken = decoder.write(&[])?;
        if decoder.get_ref().bytes.len() == had {
            return decoder.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    fn zipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).expect("memory takes it");
        encoder.finish().expect("memory takes it")
    }

    fn decoder(encoding: &str, bound: usize) -> Decoder {
        Decoder::of(encoding, bound).expect("known").expect("compressed")
    }

    #[test]
    fn members_of_gzip_follow_one_another_up_to_a_bound() {
        let members = |count: usize| [zipped(b"a"), zipped(b"")].concat().repeat(count / 2);
        let body = members(MEMBERS);
        for part in [1, 7, body.len()] {
            let mut decoder = decoder("gzip", 1 << 20);
            let mut out = Vec::new();
            for chunk in body.chunks(part) {
                out.append(&mut decoder.decode(chunk).expect("whole"));
            }
            assert_eq!(out, b"a".repeat(MEMBERS / 2), "in parts of {part}");
        }
        let refused = decoder("gzip", 1 << 20).decode(&members(MEMBERS + 2));
        assert_eq!(refused, Err(Undecodable::Broken("it has more than 1000 members of gzip".to_owned())));
        assert!(
            decoder("gzip", 1 << 20)
                .decode(&[zipped(b"a"), b"this is no member of gzip".to_vec()].concat())
                .is_err()
        );
    }

    #[cfg(feature = "auth")]
    #[test]
    fn what_is_looked_at_is_bounded_and_read_once_more() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        for (is_over, seen) in [(true, 4), (false, 4)] {
            let (parts, body) = tokio::sync::mpsc::unbounded_channel();
            let send =
                |text: &'static str| parts.send(Ok(Bytes::from_static(text.as_bytes()))).expect("open");
            let mut body = Body::simulated(body);
            ["ab", "cd", "ef", "gh"].into_iter().for_each(send);
            runtime.block_on(async {
                // No part is read once there are more bytes than asked for, and none is waited for.
                assert_eq!(body.peek(3, std::time::Duration::ZERO).await.len(), seen, "{is_over}");
                if is_over {
                    drop(parts);
                    assert_eq!(body.whole(8).await.as_deref(), Ok(&b"abcdefgh"[..]));
                } else {
                    assert_eq!(
                        body.peek(99, std::time::Duration::ZERO).await,
                        b"abcdefgh",
                        "its end never comes"
                    );
                    assert_eq!(body.start(3).await, b"abc");
                }
            });
        }
    }

    #[test]
    fn brotli_with_a_window_that_the_encoding_has_not_is_refused_at_once() {
        // The header of a stream with a window of 2^30 bytes.
        let mut decoder = decoder("br", 1 << 20);
        assert!(matches!(decoder.decode(&[0x11, 0x1e, 0, 0, 0, 0, 0, 0]), Err(Undecodable::Broken(_))));
    }

    #[test]
    fn a_body_is_decoded_in_whatever_parts_it_comes() {
        let text: Vec<u8> = (0..50_000_u32).flat_map(|number| (number % 251).to_le_bytes()).collect();
        let body = zipped(&text);
        for part in [1, 7, 4096, body.len()] {
            let mut decoder = decoder("gzip", 1 << 20);
            let mut out = Vec::new();
            for chunk in body.chunks(part) {
                out.append(&mut decoder.decode(chunk).expect("whole"));
            }
            assert_eq!(out, text, "in parts of {part}");
        }
    }

    /// "hello hello hello hello\n" as the brotli tool writes it.
    #[test]
    fn brotli_is_decoded() {
        let body = [
            0x1b, 0x17, 0x00, 0xf8, 0x8d, 0x94, 0x6e, 0xde, 0x44, 0x55, 0x86, 0xd6, 0x0a, 0x20, 0x6c, 0x6f,
            0x4a, 0x11, 0x79, 0xe2, 0x80, 0xae, 0x16,
        ];
        let mut decoder = decoder("br", 1 << 20);
        assert_eq!(decoder.decode(&body).expect("whole"), b"hello hello hello hello\n");
    }

    /// 100,000 times `a`, flushed and not ended, as Node.js writes an event of a stream that continues.
    #[test]
    fn brotli_gives_all_that_has_come_though_nothing_follows() {
        let body = [0xab, 0x4f, 0xc3, 0x80, 0x5f, 0x22, 0x2c, 0x1e, 0x0b, 0x04, 0xb2, 0xfc, 0x02, 0x0c];
        for part in [1, 5, body.len()] {
            let mut decoder = decoder("br", 1 << 20);
            let out: Vec<u8> =
                body.chunks(part).flat_map(|chunk| decoder.decode(chunk).expect("whole")).collect();
            assert!(out == b"a".repeat(100_000), "in parts of {part} it is {} bytes", out.len());
        }
        assert_eq!(decoder("br", 99_999).decode(&body), Err(Undecodable::TooLarge));
    }

    #[test]
    fn a_bomb_is_refused_before_it_fills_the_memory() {
        let body = zipped(&vec![0; 64 << 20]);
        assert!(body.len() < 100_000);
        let mut decoder = decoder("gzip", 1 << 20);
        let refused = body.chunks(16_384).find_map(|chunk| decoder.decode(chunk).err());
        assert_eq!(refused, Some(Undecodable::TooLarge));
    }

    #[test]
    fn what_is_no_gzip_is_said_to_be_broken() {
        assert!(matches!(decoder("gzip", 100).decode(b"{\"jsonrpc\":\"2.0\"}"), Err(Undecodable::Broken(_))));
        assert!(Decoder::of("zstd", 100).is_err());
        assert!(Decoder::of("identity", 100).is_ok_and(|decoder| decoder.is_none()));
    }
}
