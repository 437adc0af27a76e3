//! Frames of HTTP/2 (RFC 9113, section 4).

pub const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// The most that one frame carries; we never ask for more.
pub const MOST: usize = 16_384;

pub const DATA: u8 = 0;
pub const HEADERS: u8 = 1;
pub const RST_STREAM: u8 = 3;
pub const SETTINGS: u8 = 4;
pub const PING: u8 = 6;
pub const GOAWAY: u8 = 7;
pub const WINDOW_UPDATE: u8 = 8;
pub const CONTINUATION: u8 = 9;

/// Of DATA and HEADERS.
pub const END_STREAM: u8 = 1;
/// Of SETTINGS and PING.
pub const ACK: u8 = 1;
pub const END_HEADERS: u8 = 4;
const PADDED: u8 = 8;
const PRIORITY: u8 = 32;

pub struct Frame {
    pub kind: u8,
    pub flags: u8,
    pub stream: u32,
    pub payload: Vec<u8>,
}

impl Frame {
    /// Takes the first whole frame out of what has come.
    ///
    /// # Errors
    /// That it is larger than any may be.
    pub fn take(inbox: &mut Vec<u8>) -> Result<Option<Frame>, String> {
        let Some((head, _)) = inbox.split_at_checked(9) else { return Ok(None) };
        let length = usize::try_from(u32::from_be_bytes([0, head[0], head[1], head[2]])).unwrap_or(0);
        if length > MOST {
            return Err(format!("a frame of {length} bytes"));
        }
        let (kind, flags) = (head[3], head[4]);
        let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]) & 0x7fff_ffff;
        if inbox.len() < 9 + length {
            return Ok(None);
        }
        let payload = inbox.drain(..9 + length).skip(9).collect();
        Ok(Some(Frame { kind, flags, stream, payload }))
    }

    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// The payload of DATA or HEADERS without what is around it.
    pub fn content(&self) -> &[u8] {
        let mut content = &*self.payload;
        if self.has(PADDED)
            && let Some((&padding, rest)) = content.split_first()
        {
            content = rest.get(..rest.len().saturating_sub(usize::from(padding))).unwrap_or_default();
        }
        if self.kind == HEADERS && self.has(PRIORITY) {
            content = content.get(5..).unwrap_or_default();
        }
        content
    }

    /// The first four bytes as a number.
    pub fn number(&self) -> u32 {
        self.payload.first_chunk().map_or(0, |bytes| u32::from_be_bytes(*bytes))
    }
}

/// A frame as bytes.
pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap_or(0).to_be_bytes();
    let mut bytes = vec![length[1], length[2], length[3], kind, flags];
    bytes.extend(stream.to_be_bytes());
    bytes.extend(payload);
    bytes
}
