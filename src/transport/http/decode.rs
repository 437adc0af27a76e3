//! Compressed bodies, decoded as they come. What comes out of one step is bounded, so that a small body cannot become one
//! that fills the memory.

use brotli_decompressor::{BrotliDecoderParameter, DecompressorWriter};
use flate2::write::GzDecoder;
use std::io::{self, Write};

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

enum Kind {
    Gzip(Box<Gzip>),
    Brotli(Box<DecompressorWriter<Sink>>),
}

/// Decodes one body.
pub struct Decoder(Kind);

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
                Ok(Some(Decoder(Kind::Gzip(Box::new(Gzip { member: GzDecoder::new(sink), ended: 0 })))))
            }
            "br" => {
                let mut decoder = Box::new(DecompressorWriter::new(sink, BROTLI_BUFFER));
                // The content encoding has windows of 16 MiB at most (RFC 7932). The larger ones of another format would have the
                // decoder take a GiB before it writes the first byte.
                let large_window = BrotliDecoderParameter::BROTLI_DECODER_PARAM_LARGE_WINDOW;
                let _is_taken_at_the_start = decoder.set_parameter(large_window, 0);
                Ok(Some(Decoder(Kind::Brotli(decoder))))
            }
            other => Err(format!("the answer has the encoding '{other}', which was not asked for")),
        }
    }

    /// The bytes that one step may become.
    pub fn bound(&self) -> usize {
        match &self.0 {
            Kind::Gzip(decoder) => decoder.member.get_ref().bound,
            Kind::Brotli(decoder) => decoder.get_ref().bound,
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
                Kind::Gzip(decoder) => decoder.write_all(step),
                Kind::Brotli(decoder) => decoder.write_all(step).and_then(|()| drain(decoder)),
            };
            written.map_err(|error| match error.kind() {
                io::ErrorKind::FileTooLarge => Undecodable::TooLarge,
                io::ErrorKind::OutOfMemory => Undecodable::NoMemory(out.len()),
                _ => Undecodable::Broken(error.to_string()),
            })?;
            let sink = match &mut self.0 {
                Kind::Gzip(decoder) => decoder.member.get_mut(),
                Kind::Brotli(decoder) => decoder.get_mut(),
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

    /// 100,000 times `a`, flushed and not ended, as Node.js writes it: so comes an event of a stream that goes on.
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
