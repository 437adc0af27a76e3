//! The standard's words, step by step and slowly, on a stream that is all there (WHATWG HTML, section 9.2.6).

use super::*;
use crate::protocol::envelope::salvage_id;

/// A piece without the bound that was broken, since several may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Plain {
    Event(Event),
    Oversized(Option<u64>, u64),
}

impl From<Piece> for Plain {
    fn from(piece: Piece) -> Plain {
        match piece {
            Piece::Event(event) => Plain::Event(event),
            Piece::Oversized { id, bytes, .. } => Plain::Oversized(id, bytes),
        }
    }
}

pub fn read(bounds: Bounds, stream: &[u8]) -> Vec<Plain> {
    let stream = stream.strip_prefix("\u{feff}".as_bytes()).unwrap_or(stream);
    let mut pieces = Vec::new();
    let mut last_id = String::new();
    let mut event: Vec<&[u8]> = Vec::new();
    for line in lines(stream) {
        if line.is_empty() {
            pieces.extend(dispatch(bounds, &event, &mut last_id));
            event.clear();
        } else {
            event.push(line);
        }
    }
    pieces
}

/// The lines that are ended; bytes after the last line end are not a line.
fn lines(stream: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < stream.len() {
        let end = match (stream[at], stream.get(at + 1)) {
            (b'\r', Some(b'\n')) => 2,
            (b'\r' | b'\n', _) => 1,
            _ => 0,
        };
        if end == 0 {
            at += 1;
        } else {
            lines.push(&stream[start..at]);
            at += end;
            start = at;
        }
    }
    lines
}

fn dispatch(bounds: Bounds, lines: &[&[u8]], last_id: &mut String) -> Option<Plain> {
    let mut data: Vec<u8> = Vec::new();
    let mut kind = String::new();
    let mut retry = None;
    let mut fields = 0;
    let mut over = false;
    for line in lines {
        over |= line.len() > bounds.line;
        if line[0] == b':' {
            continue;
        }
        fields += 1;
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let name = &line[..colon];
        let value = line.get(colon + 1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let short = value.len() <= bounds.word;
        match name {
            b"data" => {
                data.extend_from_slice(value);
                data.push(b'\n');
            }
            b"event" if short => kind = String::from_utf8_lossy(value).into_owned(),
            b"event" => over = true,
            b"id" if short && !value.contains(&0) => {
                *last_id = String::from_utf8_lossy(value).into_owned();
            }
            b"retry" if short && !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                let number = String::from_utf8_lossy(value).parse().unwrap_or(u64::MAX);
                retry = Some(Duration::from_millis(number));
            }
            _ => {}
        }
    }
    data.pop();
    if over || fields > bounds.fields || data.len() > bounds.event {
        let id = salvage_id(&data[..data.len().min(4096)], &data[data.len().saturating_sub(4096)..]);
        return Some(Plain::Oversized(id, data.len() as u64));
    }
    if data.is_empty() {
        return None;
    }
    let kind = if kind.is_empty() { "message".to_owned() } else { kind };
    let id = Some(last_id.clone()).filter(|id| !id.is_empty());
    Some(Plain::Event(Event { kind: kind.into(), data, id, retry }))
}
