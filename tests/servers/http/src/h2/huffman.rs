//! The code that header texts are packed with (RFC 7541, appendix B). Within one length the codes count up with the
//! symbols, so that the lengths alone say all of it.

/// How many bits each byte has; the last is the end of the text, which is never written.
#[rustfmt::skip]
const LENGTHS: [u8; 257] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
    5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
    15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7,
    7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21,
    23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24,
    21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
];

/// The codes of one length: the first, and the symbols in the order of their codes.
struct Row {
    bits: u8,
    first: u32,
    symbols: Vec<u16>,
}

pub struct Code {
    rows: Vec<Row>,
}

impl Code {
    pub fn new() -> Self {
        let mut rows: Vec<Row> = Vec::new();
        let (mut next, mut before) = (0, 0);
        for bits in 5..=30 {
            let of_that_length = |symbol: &u16| LENGTHS[usize::from(*symbol)] == bits;
            let symbols: Vec<u16> = (0..257).filter(of_that_length).collect();
            if symbols.is_empty() {
                continue;
            }
            next <<= bits - before;
            before = bits;
            rows.push(Row { bits, first: next, symbols });
            next += u32::try_from(rows.last().map_or(0, |row| row.symbols.len())).unwrap_or(0);
        }
        Self { rows }
    }

    /// The text; none where that is not text in this code.
    pub fn unpack(&self, packed: &[u8]) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        let (mut code, mut bits) = (0u32, 0u8);
        for byte in packed {
            for shift in (0..8).rev() {
                code = code << 1 | u32::from(byte >> shift & 1);
                bits += 1;
                let Some(row) = self.rows.iter().find(|row| row.bits == bits) else { continue };
                let Some(&symbol) = row.symbols.get(code.wrapping_sub(row.first) as usize) else { continue };
                text.push(u8::try_from(symbol).ok()?);
                (code, bits) = (0, 0);
            }
        }
        // What is left are fewer than eight ones.
        (bits < 8 && code == (1 << bits) - 1).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn the_examples_of_the_rfc_are_unpacked() {
        let code = Code::new();
        for (packed, text) in [
            (
                &[0xf1, 0xe3, 0xc2, 0xe5, 0xf2, 0x3a, 0x6b, 0xa0, 0xab, 0x90, 0xf4, 0xff][..],
                "www.example.com",
            ),
            (&[0xa8, 0xeb, 0x10, 0x64, 0x9c, 0xbf], "no-cache"),
            (&[0x25, 0xa8, 0x49, 0xe9, 0x5b, 0xa9, 0x7d, 0x7f], "custom-key"),
            (&[0x64, 0x02], "302"),
        ] {
            assert_eq!(code.unpack(packed).as_deref(), Some(text.as_bytes()));
        }
    }

    #[test]
    fn what_ends_within_a_symbol_is_refused() {
        assert_eq!(Code::new().unpack(&[0xf1, 0xe0]), None);
        assert_eq!(Code::new().unpack(&[0xff]), None, "eight bits of padding are too many");
    }
}
