//! Writes JSON text from JSON text: members added to an object, a value brought to one line. Its input was checked
//! before; it copies and does not explain.

use super::members::members;
use super::quote::quote;
use super::string::spells;

/// How much is copied at once.
const BLOCK: usize = 16 * 1024;

/// Copies the object `object` to `out` with the members `add` (a plain name, the text of a value) appended. A member of
/// `object` with the name of an added one is left out of the copy, and so is an added one with the name of a later one,
/// so that no added name occurs twice. White space between members is not copied, and what else has line breaks comes
/// on one line as with [`one_line_into`]. An `object` that is not one counts as empty.
pub fn splice_into(object: &str, add: &[(&str, &str)], out: &mut Vec<u8>) {
    out.push(b'{');
    let mut comma = false;
    for (name, value) in members(object) {
        if !add.iter().any(|(added, _)| spells(name, added)) {
            begin_member(&mut comma, out);
            out.push(b'"');
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"\":");
            one_line_into(value, out);
        }
    }
    for (index, (name, value)) in add.iter().enumerate() {
        if !add.iter().skip(index + 1).any(|(later, _)| later == name) {
            begin_member(&mut comma, out);
            out.extend_from_slice(quote(name).as_bytes());
            out.push(b':');
            one_line_into(value, out);
        }
    }
    out.push(b'}');
}

/// Copies JSON text to `out`, turning line breaks into spaces. In valid JSON they are white space only, as a string
/// cannot hold one unescaped, so the value stays what it is and fits a framing of one message per line.
pub fn one_line_into(value: &str, out: &mut Vec<u8>) {
    out.reserve(value.len());
    // Block by block, so that what was searched is still in the nearest cache when it is copied.
    for block in value.as_bytes().chunks(BLOCK) {
        let start = out.len();
        out.extend_from_slice(block);
        if let Some(first) = memchr::memchr2(b'\n', b'\r', block) {
            for byte in out.get_mut(start + first..).unwrap_or_default() {
                *byte = if *byte == b'\n' || *byte == b'\r' { b' ' } else { *byte };
            }
        }
    }
}

fn begin_member(comma: &mut bool, out: &mut Vec<u8>) {
    if *comma {
        out.push(b',');
    }
    *comma = true;
}
