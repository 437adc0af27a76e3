//! Header blocks (RFC 7541): what a client sends is read in all its forms; what we send is written in the plainest one.

use std::collections::VecDeque;

use super::huffman::Code;

/// The size of the table of what came before, as we have it: the default, which we never change.
const TABLE: usize = 4096;

/// The table that everybody has (appendix A).
const STATIC: [(&str, &str); 61] = [
    (":authority", ""),
    (":method", "GET"),
    (":method", "POST"),
    (":path", "/"),
    (":path", "/index.html"),
    (":scheme", "http"),
    (":scheme", "https"),
    (":status", "200"),
    (":status", "204"),
    (":status", "206"),
    (":status", "304"),
    (":status", "400"),
    (":status", "404"),
    (":status", "500"),
    ("accept-charset", ""),
    ("accept-encoding", "gzip, deflate"),
    ("accept-language", ""),
    ("accept-ranges", ""),
    ("accept", ""),
    ("access-control-allow-origin", ""),
    ("age", ""),
    ("allow", ""),
    ("authorization", ""),
    ("cache-control", ""),
    ("content-disposition", ""),
    ("content-encoding", ""),
    ("content-language", ""),
    ("content-length", ""),
    ("content-location", ""),
    ("content-range", ""),
    ("content-type", ""),
    ("cookie", ""),
    ("date", ""),
    ("etag", ""),
    ("expect", ""),
    ("expires", ""),
    ("from", ""),
    ("host", ""),
    ("if-match", ""),
    ("if-modified-since", ""),
    ("if-none-match", ""),
    ("if-range", ""),
    ("if-unmodified-since", ""),
    ("last-modified", ""),
    ("link", ""),
    ("location", ""),
    ("max-forwards", ""),
    ("proxy-authenticate", ""),
    ("proxy-authorization", ""),
    ("range", ""),
    ("referer", ""),
    ("refresh", ""),
    ("retry-after", ""),
    ("server", ""),
    ("set-cookie", ""),
    ("strict-transport-security", ""),
    ("transfer-encoding", ""),
    ("user-agent", ""),
    ("vary", ""),
    ("via", ""),
    ("www-authenticate", ""),
];

type Field = (String, String);

/// Reads the header blocks of one connection.
pub struct Decoder {
    code: Code,
    /// The newest first.
    table: VecDeque<Field>,
    size: usize,
    most: usize,
}

impl Decoder {
    pub fn new() -> Self {
        Self { code: Code::new(), table: VecDeque::new(), size: 0, most: TABLE }
    }

    /// The fields of a whole block; none where it is broken.
    pub fn read(&mut self, mut block: &[u8]) -> Option<Vec<Field>> {
        let mut fields = Vec::new();
        while let Some(&first) = block.first() {
            if first & 0x80 != 0 {
                let index = number(&mut block, 7)?;
                fields.push(self.known(index)?);
            } else if first & 0xe0 == 0x20 {
                self.most = number(&mut block, 5).filter(|most| *most <= TABLE)?;
                self.shrink();
            } else {
                let is_kept = first & 0x40 != 0;
                let index = number(&mut block, if is_kept { 6 } else { 4 })?;
                let name = if index == 0 { self.text(&mut block)? } else { self.known(index)?.0 };
                let field = (name, self.text(&mut block)?);
                if is_kept {
                    self.size += cost(&field);
                    self.table.push_front(field.clone());
                    self.shrink();
                }
                fields.push(field);
            }
        }
        Some(fields)
    }

    fn known(&self, index: usize) -> Option<Field> {
        match STATIC.get(index.checked_sub(1)?) {
            Some((name, value)) => Some(((*name).to_owned(), (*value).to_owned())),
            None => self.table.get(index - 1 - STATIC.len()).cloned(),
        }
    }

    fn text(&self, block: &mut &[u8]) -> Option<String> {
        let is_packed = block.first()? & 0x80 != 0;
        let length = number(block, 7)?;
        let (text, rest) = block.split_at_checked(length)?;
        *block = rest;
        let text = if is_packed { self.code.unpack(text)? } else { text.to_vec() };
        // One character a byte, as everywhere here.
        Some(text.into_iter().map(char::from).collect())
    }

    fn shrink(&mut self) {
        while self.size > self.most {
            let Some(oldest) = self.table.pop_back() else { return };
            self.size -= cost(&oldest);
        }
    }
}

fn cost(field: &Field) -> usize {
    field.0.len() + field.1.len() + 32
}

/// A number whose first `bits` are in the first byte.
fn number(block: &mut &[u8], bits: u8) -> Option<usize> {
    let most = (1usize << bits) - 1;
    let (&first, mut rest) = block.split_first()?;
    let mut value = usize::from(first) & most;
    if value == most {
        for shift in (0..28).step_by(7) {
            let (&byte, more) = rest.split_first()?;
            rest = more;
            value += usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
    }
    *block = rest;
    Some(value)
}

/// A field as a literal that is not kept.
pub fn write(block: &mut Vec<u8>, name: &str, value: &str) {
    block.push(0);
    for text in [name, value] {
        let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
        let mut length = bytes.len();
        if length < 127 {
            block.push(u8::try_from(length).unwrap_or(0));
        } else {
            block.push(127);
            length -= 127;
            while length >= 128 {
                block.push(u8::try_from(length % 128).unwrap_or(0) | 0x80);
                length /= 128;
            }
            block.push(u8::try_from(length).unwrap_or(0));
        }
        block.extend(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::{Decoder, write};

    fn field(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    /// RFC 7541, appendix C.4: three requests on one connection.
    #[test]
    fn the_requests_of_the_rfc_are_read() {
        let mut decoder = Decoder::new();
        let first = [
            0x82, 0x86, 0x84, 0x41, 0x8c, 0xf1, 0xe3, 0xc2, 0xe5, 0xf2, 0x3a, 0x6b, 0xa0, 0xab, 0x90, 0xf4,
            0xff,
        ];
        let mut expected = vec![
            field(":method", "GET"),
            field(":scheme", "http"),
            field(":path", "/"),
            field(":authority", "www.example.com"),
        ];
        assert_eq!(decoder.read(&first).as_ref(), Some(&expected));
        let second = [0x82, 0x86, 0x84, 0xbe, 0x58, 0x86, 0xa8, 0xeb, 0x10, 0x64, 0x9c, 0xbf];
        expected.push(field("cache-control", "no-cache"));
        assert_eq!(decoder.read(&second).as_ref(), Some(&expected));
        let third = [
            0x82, 0x87, 0x85, 0xbf, 0x40, 0x88, 0x25, 0xa8, 0x49, 0xe9, 0x5b, 0xa9, 0x7d, 0x7f, 0x89, 0x25,
            0xa8, 0x49, 0xe9, 0x5b, 0xb8, 0xe8, 0xb4, 0xbf,
        ];
        let fields = decoder.read(&third).expect("valid");
        assert_eq!(fields.last(), Some(&field("custom-key", "custom-value")));
        assert_eq!(fields.get(3), Some(&field(":authority", "www.example.com")));
    }

    #[test]
    fn what_is_written_is_read() {
        let long = "x".repeat(5000);
        let mut block = Vec::new();
        for (name, value) in [("a", "b"), ("c", ""), ("long", &long)] {
            write(&mut block, name, value);
        }
        let fields = Decoder::new().read(&block);
        assert_eq!(fields, Some(vec![field("a", "b"), field("c", ""), field("long", &long)]));
    }

    #[test]
    fn what_is_broken_is_refused() {
        for block in [&[0xff][..], &[0x80], &[0xbe], &[0x00, 0x05, 0x61], &[0x3f, 0xe2, 0x1f]] {
            assert_eq!(Decoder::new().read(block), None, "{block:?}");
        }
    }
}
