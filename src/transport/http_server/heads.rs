//! The lines of HTTP/1.1 requests, looked at before anything else reads them. Two readers of one connection, such as a proxy and
//! this server, must agree where each request ends; where the rules leave a choice, the request is refused (RFC 9112, sections 2.2,
//! 5.1, 5.2, 6.3 and 7.1).

/// The beginning of a header that says how long the body is.
const MOST_KEPT: usize = 64;
/// Digits of a length; none that has more is real.
const DIGITS: usize = 18;

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HeadState {
    /// A request, or nothing.
    Between,
    /// The rest of a head.
    Head,
    /// This many bytes of a body.
    Body(u64),
    /// The length of a chunk; how many digits it has, and what they say.
    Size(u32, u64),
    /// What follows the length in its line.
    Extension(u64),
    /// Bytes of a chunk, and the end of its line.
    Chunk(u64),
    ChunkEnd,
    /// Lines behind the last chunk.
    Trailer,
    /// Nothing: a request was refused.
    Refused,
}

/// Where one connection stands among its requests.
#[derive(Debug)]
pub(crate) struct Heads {
    state: HeadState,
    /// The byte before was a carriage return.
    has_return: bool,
    /// The beginning of the line, and how long it is.
    line: Vec<u8>,
    length: usize,
    is_first_line: bool,
    /// What the head says of the body.
    body: Option<u64>,
    is_chunked: bool,
}

/// Whether a byte may be in the first line. A fragment is not part of a target, and some readers drop it (RFC 9112, section 3.2).
fn is_of_first_line(byte: u8) -> bool {
    byte != b'#' && matches!(byte, b' '..=b'~')
}

impl Heads {
    pub(crate) fn new() -> Heads {
        Heads {
            state: HeadState::Between,
            has_return: false,
            line: Vec::new(),
            length: 0,
            is_first_line: true,
            body: None,
            is_chunked: false,
        }
    }

    /// Whether no request has begun that has not come to its end.
    pub(crate) fn is_between(&self) -> bool {
        self.state == HeadState::Between
    }

    /// Whether a request broke a rule: nothing more is read.
    pub(crate) fn has_refused(&self) -> bool {
        self.state == HeadState::Refused
    }

    /// Looks at what a client sent; gives how much of it may be read. The first byte that breaks a rule becomes a NUL, which no part
    /// of a head and no line of a chunk may have, so that the request is answered with 400. Nothing behind it is read.
    pub(crate) fn pass(&mut self, bytes: &mut [u8]) -> usize {
        let mut at = 0;
        while let Some(byte) = bytes.get(at).copied() {
            if self.state == HeadState::Head
                && !self.is_first_line
                && self.length == 0
                && let Some(behind) = self.whole_header(bytes.get(at..).unwrap_or_default())
            {
                at += behind;
                continue;
            }
            match &mut self.state {
                HeadState::Refused => return at,
                HeadState::Body(left) | HeadState::Chunk(left) => {
                    let some = (*left).min((bytes.len() - at) as u64);
                    *left -= some;
                    at += usize::try_from(some).unwrap_or(usize::MAX);
                    match self.state {
                        HeadState::Body(0) => self.state = HeadState::Between,
                        HeadState::Chunk(0) => self.state = HeadState::ChunkEnd,
                        _ => {}
                    }
                    continue;
                }
                // The inside of a line, at once.
                HeadState::Head | HeadState::Trailer | HeadState::Extension(_) if !self.has_return => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    let end = if self.state == HeadState::Head && self.is_first_line {
                        rest.iter().position(|byte| !is_of_first_line(*byte))
                    } else {
                        memchr::memchr3(b'\r', b'\n', 0, rest)
                    };
                    let run = end.unwrap_or(rest.len());
                    self.keep_all(rest.get(..run).unwrap_or_default());
                    at += run;
                    if run > 0 {
                        continue;
                    }
                }
                _ => {}
            }
            if !self.takes(byte) {
                self.state = HeadState::Refused;
                if let Some(faulty) = bytes.get_mut(at) {
                    *faulty = 0;
                }
                return at + 1;
            }
            at += 1;
        }
        at
    }

    /// Takes one byte outside of a body. `false` if it breaks a rule.
    fn takes(&mut self, byte: u8) -> bool {
        // A line ends with both, and neither is anywhere else.
        if (byte == b'\n') != self.has_return || byte == 0 {
            return false;
        }
        self.has_return = byte == b'\r';
        if self.has_return {
            return !matches!(self.state, HeadState::Size(0, _));
        }
        match self.state {
            // Empty lines before a request are passed over.
            HeadState::Between if byte == b'\n' => true,
            HeadState::Between => {
                self.begin_line(true);
                (self.body, self.is_chunked) = (None, false);
                self.state = HeadState::Head;
                self.keep(byte)
            }
            HeadState::Head if byte == b'\n' => self.line_ended(),
            HeadState::Head if self.is_first_line && !is_of_first_line(byte) => false,
            HeadState::Head => self.keep(byte),
            HeadState::Size(_, size) | HeadState::Extension(size) if byte == b'\n' => {
                self.begin_line(false);
                self.state = if size == 0 { HeadState::Trailer } else { HeadState::Chunk(size) };
                true
            }
            HeadState::Size(digits, size) => match (byte as char).to_digit(16) {
                Some(digit) if digits < 15 => {
                    self.state = HeadState::Size(digits + 1, size << 4 | u64::from(digit));
                    true
                }
                Some(_) => false,
                None => {
                    self.state = HeadState::Extension(size);
                    digits > 0 && matches!(byte, b';' | b' ' | b'\t')
                }
            },
            HeadState::Extension(_) => true,
            HeadState::ChunkEnd => {
                self.state = HeadState::Size(0, 0);
                byte == b'\n'
            }
            HeadState::Trailer if byte == b'\n' => {
                if self.length == 0 {
                    self.state = HeadState::Between;
                }
                self.begin_line(false);
                true
            }
            HeadState::Trailer => self.keep(byte),
            HeadState::Body(_) | HeadState::Chunk(_) | HeadState::Refused => true,
        }
    }

    fn begin_line(&mut self, is_first: bool) {
        self.line.clear();
        (self.length, self.is_first_line) = (0, is_first);
    }

    fn keep_all(&mut self, bytes: &[u8]) {
        let some = bytes.len().min(MOST_KEPT - self.line.len());
        self.line.extend_from_slice(bytes.get(..some).unwrap_or_default());
        self.length += bytes.len();
    }

    fn keep(&mut self, byte: u8) -> bool {
        if self.line.len() < MOST_KEPT {
            self.line.push(byte);
        }
        self.length += 1;
        true
    }

    /// A line of a head is whole. `false` if it breaks a rule, or if it is the last one and the head leaves open where its body ends.
    fn line_ended(&mut self) -> bool {
        if self.length == 0 {
            self.state = match (self.is_chunked, self.body) {
                (true, Some(_)) => return false,
                (true, None) => HeadState::Size(0, 0),
                (false, None | Some(0)) => HeadState::Between,
                (false, Some(length)) => HeadState::Body(length),
            };
            return true;
        }
        let line = std::mem::take(&mut self.line);
        let is_right = self.is_first_line || self.header_ended(&line, self.length == line.len());
        self.line = line;
        self.begin_line(false);
        is_right
    }

    /// Takes a header whose line is there with its end, as most are; gives how long it is. `None` if it is not, or breaks a rule, which
    /// is then found byte by byte.
    fn whole_header(&mut self, bytes: &[u8]) -> Option<usize> {
        if self.has_return {
            return None;
        }
        let end = memchr::memchr3(b'\r', b'\n', 0, bytes).filter(|end| *end > 0)?;
        let has_end = bytes.get(end..end + 2) == Some(b"\r\n");
        let kept = bytes.get(..end.min(MOST_KEPT))?;
        (has_end && self.header_ended(kept, kept.len() == end)).then_some(end + 2)
    }

    /// What a header says of the body. `line` is its beginning, or all of it.
    fn header_ended(&mut self, line: &[u8], is_whole: bool) -> bool {
        // Most names end at the first byte that none may have, which is a colon.
        let Some(end) = line.iter().position(|byte| *byte == b':' || *byte <= b' ') else {
            // A longer name says nothing of the body.
            return !is_whole;
        };
        let (name, rest) = line.split_at(end);
        let Some((b':', value)) = rest.split_first().filter(|_| !name.is_empty()) else {
            // A continued line, or a space before the colon.
            return false;
        };
        if name.eq_ignore_ascii_case(b"content-length") {
            let value = value.trim_ascii();
            let is_number = (1..=DIGITS).contains(&value.len()) && value.iter().all(u8::is_ascii_digit);
            if !is_whole || !is_number {
                return false;
            }
            let length = value.iter().fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
            // The same twice is as odd: some readers take both for one, and others refuse them.
            return self.body.replace(length).is_none();
        }
        if name.eq_ignore_ascii_case(b"transfer-encoding") {
            let is_known = is_whole && value.trim_ascii().eq_ignore_ascii_case(b"chunked");
            return is_known && !std::mem::replace(&mut self.is_chunked, true);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is passed on of a text, in pieces of each size.
    fn passed(text: &str) -> (Vec<u8>, bool) {
        let mut whole = None;
        for size in [1, 2, 7, text.len().max(1)] {
            let (mut heads, mut out) = (Heads::new(), Vec::new());
            for piece in text.as_bytes().chunks(size) {
                let mut piece = piece.to_vec();
                let count = heads.pass(&mut piece);
                out.extend_from_slice(&piece[..count]);
            }
            let result = (out, heads.is_between());
            assert_eq!(whole.get_or_insert_with(|| result.clone()), &result, "in pieces of {size}");
        }
        whole.expect("at least one size")
    }

    #[test]
    fn requests_pass_as_they_are_with_all_that_follows_them() {
        for text in [
            "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            "\r\n\r\nPOST / HTTP/1.1\r\nContent-Length: 3\r\n\r\na\nbGET / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length:3 \r\n\r\n\0\r\nGET / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\na\nb\r\n00A;x=\"y\"\r\n0123456789\r\n0\r\nT: 1\r\n\r\nGET / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
        ] {
            assert_eq!(passed(text), (text.as_bytes().to_vec(), true), "{text:?}");
        }
        let long = format!("GET / HTTP/1.1\r\n{}: {}\r\n\r\n", "n".repeat(200), "v".repeat(9000));
        assert_eq!(passed(&long), (long.as_bytes().to_vec(), true));
    }

    #[test]
    fn what_two_readers_could_take_for_two_things_ends_with_a_nul() {
        // Behind the mark is what breaks the rule.
        for text in [
            "GET / HTTP/1.1@\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x@\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n@\n",
            "GET / HTTP/1.1\r\nHost: x\r@y: z\r\n\r\n",
            "@\nGET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a@\0b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : x\r@\n\r\n",
            "GET / HTTP/1.1\r\nHo\u{1}st: x\r@\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n y\r@\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n\ty: z\r@\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nnothing\r@\n\r\n",
            "GET / HTTP/1.1\r\n: x\r@\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r@\n\r\nabcd",
            "POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 3\r@\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: 0\r\ncontent-length: 0\r@\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 3, 3\r@\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: -3\r@\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: 3 3\r@\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: \u{0663}\r@\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: +3\r@\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: 0x3\r@\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: 9999999999999999999\r@\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r@\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length:\r@\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r@\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r@\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r@\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r@\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked, chunked\r@\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: \"chunked\"\r@\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding\t: chunked\r@\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n , identity\r@\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n@-3\r\nabc\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n@+3\r\nabc\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n@ 3\r\nabc\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3@_0\r\nabc\r\n",
            "POST /mcp@#x HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /a@\tb HTTP/1.1\r\n\r\n",
            "GET /@\u{e9} HTTP/1.1\r\n\r\n",
            "GET /@\u{7f} HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: xchunked\r@\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3@\nabc\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc@d\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc@\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0@x3\r\nabc\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n@\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;a@\nabc\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT: 1@\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n123456781234567@8\r\n",
        ] {
            let (before, behind) = text.split_once('@').expect("a mark");
            let expected = format!("{before}\0");
            assert_eq!(passed(&format!("{before}{behind}")), (expected.into_bytes(), false), "{text:?}");
        }
    }
}
