//! Archives of bundles: Zip, read strictly and written reproducibly.
//!
//! What a reader may take in two ways is refused, so that every program sees the same files: bytes before or between the parts, names that
//! are equal but for their case, entries that overlap, Zip64, encryption. The specification is APPNOTE.TXT 6.3.10 of PKWARE.

use super::signature::{self, Verdict};
use crate::ordered::{sort_by, sort_by_key};
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use std::collections::{HashMap, HashSet};
use std::io::{Read as _, Write};
use std::time::{SystemTime, UNIX_EPOCH};

/// The most bytes of an archive, and the most entries in it.
pub const MOST_ARCHIVE: usize = 256 << 20;
pub const MOST_ENTRIES: usize = 20_000;
/// The most bytes of its files together.
pub const MOST_UNPACKED: u64 = 1 << 30;
/// What the files may have whatever the size of the archive, and how often that size beyond it.
const FREE: u64 = 16 << 20;
const RATIO: u64 = 200;
/// The longest name, and part of it: what file systems take.
const MOST_NAME: usize = 1024;
const MOST_PART: usize = 255;
/// The most folders above a file, and itself.
const MOST_PARTS: usize = 64;
/// Names that Windows has for devices, whatever the end behind a dot is; COM1 to COM9 and LPT1 to LPT9 besides.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
/// What stands before the sizes behind the data, or does not.
const SIZES: u32 = 0x0807_4b50;
/// The lengths of these records without their names.
const LOCAL_LENGTH: usize = 30;
const CENTRAL_LENGTH: usize = 46;
const END_LENGTH: usize = 22;
/// Flags: encrypted; the sizes stand behind the data; names are UTF-8; the central directory is encrypted.
const ENCRYPTED: u16 = 1;
const BEHIND: u16 = 1 << 3;
const UTF8: u16 = 1 << 11;
const HIDDEN: u16 = 1 << 13;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// The bits of a Unix mode that say what a file is.
const KIND: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;
const SYMLINK: u32 = 0o120_000;
/// The first of January 1980, the earliest that an archive can say.
const DATE: u16 = 0x21;
/// Version 2.0, of Unix.
const MADE_BY: u16 = 3 << 8 | VERSION;
const VERSION: u16 = 20;

const SIGNATURE_BEGIN: &[u8] = b"MCPB_SIG_V1";
const SIGNATURE_END: &[u8] = b"MCPB_SIG_END";

/// A file in an archive, or a folder.
#[derive(Debug)]
pub struct Entry {
    /// With `/` between its parts, and none at the end.
    pub name: String,
    pub is_folder: bool,
    pub is_executable: bool,
    pub size: u64,
    is_deflated: bool,
    crc: u32,
    data: std::ops::Range<usize>,
    /// All that it has before the list: its head, its data, and its sizes behind these.
    whole: std::ops::Range<usize>,
}

/// An archive whose names and sizes have been checked.
#[derive(Debug)]
pub struct Archive<'a> {
    bytes: &'a [u8],
    pub entries: Vec<Entry>,
    /// What is in the block of a signature behind the archive.
    signature: Option<&'a [u8]>,
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// The archive without the block of a signature behind it, and what is in that.
fn without_signature(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), String> {
    let Some(before) = bytes.strip_suffix(SIGNATURE_END) else { return Ok((bytes, None)) };
    let head = SIGNATURE_BEGIN.len() + 4;
    let begins = |at: &usize| {
        before[*at..].starts_with(SIGNATURE_BEGIN)
            && u32_at(before, at + SIGNATURE_BEGIN.len())
                .is_some_and(|length| at + head + length as usize == before.len())
    };
    let at = (0..=before.len().saturating_sub(head)).rev().find(begins);
    let at = at.ok_or("the block of its signature is broken: it has an end and no beginning that fits")?;
    Ok((&bytes[..at], before.get(at + head..)))
}

impl<'a> Archive<'a> {
    /// What its signature comes to, if it has one.
    pub fn signature(&self) -> Option<Verdict> {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let now: String =
            mcp::client::timestamp(seconds).chars().filter(char::is_ascii_digit).take(14).collect();
        self.signature.map(|block| signature::verdict(block, self.bytes, &now))
    }

    /// Reads the list of files.
    ///
    /// # Errors
    /// Why the archive is not used.
    pub fn read(bytes: &'a [u8]) -> Result<Archive<'a>, String> {
        const SHORT: &str = "it is no whole Zip archive";
        if bytes.len() > MOST_ARCHIVE {
            return Err(format!("it has {} bytes, and {MOST_ARCHIVE} are read", bytes.len()));
        }
        let (zip, signature) = without_signature(bytes)?;
        let block = bytes.len() - zip.len();
        // Where a comment begins, whose length the record before it has. Signed bundles have the block as their comment, or none.
        let lowest = zip.len().saturating_sub(END_LENGTH + usize::from(u16::MAX));
        let is_end = |at: &usize| {
            let comment = u16_at(zip, at + 20).map(usize::from);
            let left = zip.len() - at - END_LENGTH;
            u32_at(zip, *at) == Some(END)
                && comment
                    .is_some_and(|comment| comment == left || (left == 0 && block > 0 && comment == block))
        };
        let end = (lowest..=zip.len().checked_sub(END_LENGTH).ok_or(SHORT)?).rev().find(is_end);
        let end = end.ok_or(SHORT)?;
        let field = |at: usize| u16_at(zip, end + at).ok_or(SHORT);
        let (here, count) = (field(8)?, field(10)?);
        let (length, start) =
            (u32_at(zip, end + 12).ok_or(SHORT)? as usize, u32_at(zip, end + 16).ok_or(SHORT)? as usize);
        if count == u16::MAX || start == u32::MAX as usize {
            return Err("it has the form Zip64, which a bundle of this size does not need".to_owned());
        }
        if field(4)? != 0 || field(6)? != 0 || here != count {
            return Err("it is one part of several".to_owned());
        }
        if start.checked_add(length) != Some(end) {
            return Err("its list of files is not where it says".to_owned());
        }
        if usize::from(count) > MOST_ENTRIES {
            return Err(format!("it has {count} entries, and {MOST_ENTRIES} are read"));
        }
        let mut entries = Vec::with_capacity(count.into());
        let mut at = start;
        for _ in 0..count {
            entries.push(entry(zip, &mut at, start, end)?);
        }
        if at != end {
            return Err("it has bytes behind its list of files".to_owned());
        }
        apart(&entries)?;
        tiled(&entries, start)?;
        let unpacked: u64 = entries.iter().map(|entry| entry.size).sum();
        let most = MOST_UNPACKED.min(FREE + RATIO * zip.len() as u64);
        if unpacked > most {
            return Err(format!(
                "its files have {unpacked} bytes, and from an archive of its size {most} are unpacked"
            ));
        }
        Ok(Archive { bytes: zip, entries, signature })
    }

    /// The file of this name.
    pub fn file(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| !entry.is_folder && entry.name == name)
    }

    /// Writes the content of a file.
    ///
    /// # Errors
    /// Why it is not what the list says of it, or was not written.
    pub fn unpack(&self, entry: &Entry, into: &mut impl Write) -> Result<(), String> {
        let packed = &self.bytes[entry.data.clone()];
        let wrong = |why: &str| format!("'{}' in it {why}", entry.name);
        let mut crc = flate2::Crc::new();
        let mut copy = |from: &mut dyn std::io::Read| {
            let (mut size, mut buffer) = (0_u64, [0; 16 << 10]);
            loop {
                let count = from.read(&mut buffer).map_err(|error| wrong(&format!("is broken: {error}")))?;
                if count == 0 {
                    return Ok(size);
                }
                size += count as u64;
                if size > entry.size {
                    return Err(wrong("is longer than the list says"));
                }
                crc.update(&buffer[..count]);
                into.write_all(&buffer[..count])
                    .map_err(|error| wrong(&format!("cannot be written: {error}")))?;
            }
        };
        let size = if entry.is_deflated {
            let mut decoder = DeflateDecoder::new(packed);
            let size = copy(&mut decoder)?;
            if decoder.total_in() != packed.len() as u64 {
                return Err(wrong("has bytes behind its end"));
            }
            size
        } else {
            copy(&mut { packed })?
        };
        if size != entry.size || crc.sum() != entry.crc {
            return Err(wrong("is not what the list says: its size or checksum differs"));
        }
        Ok(())
    }

    /// The content of a file of at most `most` bytes.
    ///
    /// # Errors
    /// Why there is none.
    pub fn content(&self, entry: &Entry, most: u64) -> Result<Vec<u8>, String> {
        if entry.size > most {
            return Err(format!("'{}' in it has {} bytes, and {most} are read", entry.name, entry.size));
        }
        let mut content = Vec::new();
        self.unpack(entry, &mut content)?;
        Ok(content)
    }
}

/// The entry of the list that begins at `at`, which then is behind it.
fn entry(zip: &[u8], at: &mut usize, start: usize, end: usize) -> Result<Entry, String> {
    const BROKEN: &str = "its list of files is broken";
    let list = &zip[..end];
    let begin = *at;
    let word = |offset: usize| u16_at(list, begin + offset).ok_or(BROKEN);
    let long = |offset: usize| u32_at(list, begin + offset).ok_or(BROKEN);
    if long(0)? != CENTRAL {
        return Err(BROKEN.to_owned());
    }
    let (flags, method) = (word(8)?, word(10)?);
    let (crc, packed, size) = (long(16)?, long(20)?, long(24)?);
    let length = usize::from(word(28)?);
    let name_at = begin + CENTRAL_LENGTH;
    let raw = list.get(name_at..name_at + length).ok_or(BROKEN)?;
    *at = name_at + length + usize::from(word(30)?) + usize::from(word(32)?);
    let name = std::str::from_utf8(raw).map_err(|_| "a name in it is not UTF-8".to_owned())?;
    let wrong = |why: &str| format!("'{}' in it {why}", crate::output::one_line(name));
    if flags & (ENCRYPTED | HIDDEN) != 0 {
        return Err(wrong("is encrypted"));
    }
    if method != STORED && method != DEFLATED {
        return Err(wrong(&format!("is packed by the method {method}; 0 and 8 (deflate) are known")));
    }
    let mode = long(38)? >> 16;
    let is_folder = name.ends_with('/');
    match mode & KIND {
        SYMLINK => return Err(wrong("is a symbolic link")),
        0 | REGULAR if !is_folder => {}
        0 | FOLDER if is_folder => {}
        _ => return Err(wrong("is neither a file nor a folder")),
    }
    let name = name.strip_suffix('/').unwrap_or(name);
    check_name(name).map_err(|why| wrong(&why))?;
    if is_folder && size != 0 {
        return Err(wrong("is a folder with content"));
    }
    // What stands before the data says the same.
    let local = long(42)? as usize;
    let head = zip.get(local..local + LOCAL_LENGTH).filter(|_| local < start).ok_or(BROKEN)?;
    let name_length = usize::from(u16_at(head, 26).unwrap_or_default());
    let extra = usize::from(u16_at(head, 28).unwrap_or_default());
    let name_at = local + LOCAL_LENGTH;
    let is_same = u32_at(head, 0) == Some(LOCAL)
        && u16_at(head, 6) == Some(flags)
        && u16_at(head, 8) == Some(method)
        && zip.get(name_at..name_at + name_length) == Some(raw);
    if !is_same {
        return Err(wrong("has another name or form at its data than in the list"));
    }
    let begin = name_at + name_length + extra;
    let data = begin..begin.checked_add(packed as usize).ok_or(BROKEN)?;
    if data.end > start {
        return Err(wrong("reaches into the list of files"));
    }
    let is_deflated = method == DEFLATED;
    if !is_deflated && packed != size {
        return Err(wrong("is not packed and has two sizes"));
    }
    let has = |at: usize| [0, 4, 8].map(|offset| u32_at(&zip[..start], at + offset));
    let said = [crc, packed, size].map(Some);
    let whole_end = if flags & BEHIND == 0 {
        (has(local + 14) == said).then_some(data.end)
    } else if u32_at(zip, data.end) == Some(SIZES) && has(data.end + 4) == said {
        Some(data.end + 16)
    } else {
        (has(data.end) == said).then_some(data.end + 12)
    };
    let whole = local..whole_end.ok_or_else(|| wrong("has other sizes at its data than in the list"))?;
    Ok(Entry {
        name: name.to_owned(),
        is_folder,
        is_executable: mode & 0o111 != 0,
        size: size.into(),
        is_deflated,
        crc,
        data,
        whole,
    })
}

/// Whether a path may be unpacked on every system.
///
/// # Errors
/// Why not, as it follows the path in a sentence.
pub fn check_name(name: &str) -> Result<(), String> {
    if name.is_empty() || name.len() > MOST_NAME {
        return Err(format!("has a path of {} bytes, and 1 to {MOST_NAME} are possible", name.len()));
    }
    if name.starts_with('/') {
        return Err("is an absolute path".to_owned());
    }
    if name.split('/').count() > MOST_PARTS {
        return Err(format!("has more than {MOST_PARTS} parts in its path"));
    }
    if name.chars().any(|c| c.is_control() || matches!(c, '\\' | ':')) {
        return Err("has a backslash, a colon or a control character in its path".to_owned());
    }
    for part in name.split('/') {
        match part {
            "" => return Err("has an empty part in its path".to_owned()),
            "." | ".." => return Err(format!("has the part '{part}' in its path")),
            part if part.len() > MOST_PART => {
                return Err(format!(
                    "has a part of {} bytes in its path, and {MOST_PART} are possible",
                    part.len()
                ));
            }
            part if part.ends_with(['.', ' ']) || is_device(part) => {
                return Err(format!("has the part '{part}' in its path, which Windows has for another file"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether Windows takes a part of a path for a device.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let numbered = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    let is_numbered =
        numbered.is_some_and(|rest| rest.len() == 1 && matches!(rest.as_bytes(), [b'1'..=b'9']));
    is_numbered || DEVICES.contains(&stem.as_str())
}

/// Whether each name and each byte belongs to one file: a second reader might choose the other one.
fn apart(entries: &[Entry]) -> Result<(), String> {
    let mut names: HashMap<String, bool> = HashMap::new();
    for entry in entries {
        if names.insert(entry.name.to_lowercase(), entry.is_folder).is_some() {
            return Err(format!("'{}' is twice in it, or once with other capital letters", entry.name));
        }
    }
    for entry in entries {
        let name = entry.name.to_lowercase();
        let above = name.match_indices('/').map(|(at, _)| &name[..at]);
        if let Some(file) = above.into_iter().find(|above| names.get(*above) == Some(&false)) {
            return Err(format!("'{file}' in it is a file, and a folder with files"));
        }
    }
    Ok(())
}

/// Whether the entries fill all that is before their list, one behind the other: a second reader might look at what is between them.
fn tiled(entries: &[Entry], start: usize) -> Result<(), String> {
    let mut wholes: Vec<_> = entries.iter().map(|entry| &entry.whole).collect();
    sort_by_key(&mut wholes, |whole| whole.start);
    let mut end = 0;
    for whole in wholes {
        if whole.start < end {
            return Err("two of its files have the same bytes".to_owned());
        }
        if whole.start > end {
            break;
        }
        end = whole.end;
    }
    if end == start { Ok(()) } else { Err("it has bytes before or between its files".to_owned()) }
}

/// A file to be packed.
#[derive(Debug)]
pub struct Packed {
    pub name: String,
    pub is_executable: bool,
    pub content: Vec<u8>,
}

/// An archive of files. The same files give the same bytes: they are sorted, and have one date.
///
/// # Errors
/// Why no reader would take it.
pub fn write(mut files: Vec<Packed>) -> Result<Vec<u8>, String> {
    sort_by(&mut files, |one, other| one.name.cmp(&other.name));
    let mut names = HashSet::new();
    for file in &files {
        check_name(&file.name).map_err(|why| format!("'{}' {why}", file.name))?;
        if !names.insert(file.name.to_lowercase()) {
            return Err(format!("'{}' is there twice, but for capital letters", file.name));
        }
    }
    if files.len() > MOST_ENTRIES {
        return Err(format!("there are {} files, and a bundle has at most {MOST_ENTRIES}", files.len()));
    }
    let (mut zip, mut list) = (Vec::new(), Vec::new());
    for file in &files {
        let mut packed = Vec::new();
        let mut encoder = DeflateEncoder::new(file.content.as_slice(), Compression::best());
        encoder.read_to_end(&mut packed).map_err(|error| format!("'{}': {error}", file.name))?;
        let (method, data) = match packed.len() < file.content.len() {
            true => (DEFLATED, packed.as_slice()),
            false => (STORED, file.content.as_slice()),
        };
        let mut crc = flate2::Crc::new();
        crc.update(&file.content);
        let offset = short(zip.len())?;
        // What both heads have.
        let mut both = Vec::new();
        let flags = if file.name.is_ascii() { 0 } else { UTF8 };
        for word in [VERSION, flags, method, 0, DATE] {
            both.extend(word.to_le_bytes());
        }
        for long in [crc.sum(), short(data.len())?, short(file.content.len())?] {
            both.extend(long.to_le_bytes());
        }
        let name_length =
            u16::try_from(file.name.len()).map_err(|_| format!("'{}' is too long", file.name))?;
        both.extend(name_length.to_le_bytes());
        both.extend([0; 2]);
        zip.extend(LOCAL.to_le_bytes());
        zip.extend(&both);
        zip.extend(file.name.as_bytes());
        zip.extend(data);
        let mode = REGULAR | if file.is_executable { 0o755 } else { 0o644 };
        list.extend(CENTRAL.to_le_bytes());
        list.extend(MADE_BY.to_le_bytes());
        list.extend(&both);
        // No comment, the first part, binary.
        list.extend([0; 6]);
        list.extend((mode << 16).to_le_bytes());
        list.extend(offset.to_le_bytes());
        list.extend(file.name.as_bytes());
        if zip.len() + list.len() + END_LENGTH > MOST_ARCHIVE {
            return Err(format!("the bundle has more than {MOST_ARCHIVE} bytes"));
        }
    }
    let count = u16::try_from(files.len()).map_err(|_| "there are too many files".to_owned())?;
    let (start, length) = (short(zip.len())?, short(list.len())?);
    zip.extend(list);
    zip.extend(END.to_le_bytes());
    for word in [0, 0, count, count] {
        zip.extend(u16::to_le_bytes(word));
    }
    zip.extend(length.to_le_bytes());
    zip.extend(start.to_le_bytes());
    zip.extend([0; 2]);
    Ok(zip)
}

fn short(length: usize) -> Result<u32, String> {
    u32::try_from(length).map_err(|_| format!("the bundle has more than {MOST_ARCHIVE} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, content: &[u8]) -> Packed {
        Packed { name: name.to_owned(), is_executable: name.starts_with("bin/"), content: content.to_vec() }
    }

    fn two() -> Vec<u8> {
        write(vec![file("bin/b", &[7; 5000]), file("a.txt", b"text"), file("ü", b"")]).expect("an archive")
    }

    #[test]
    fn what_is_packed_is_unpacked_and_the_order_changes_nothing() {
        let bytes = two();
        let again = write(vec![file("ü", b""), file("a.txt", b"text"), file("bin/b", &[7; 5000])]);
        assert_eq!(again.as_deref(), Ok(bytes.as_slice()));
        let archive = Archive::read(&bytes).expect("read");
        let names: Vec<_> =
            archive.entries.iter().map(|one| (one.name.as_str(), one.is_executable)).collect();
        assert_eq!(names, [("a.txt", false), ("bin/b", true), ("ü", false)]);
        let content = |name| archive.content(archive.file(name).expect("there"), 10_000);
        assert_eq!(content("bin/b"), Ok(vec![7; 5000]));
        assert_eq!(content("a.txt").as_deref(), Ok(&b"text"[..]));
        assert!(archive.content(&archive.entries[1], 100).is_err_and(|why| why.contains("5000 bytes")));
        assert!(bytes.len() < 500 && archive.signature().is_none());
    }

    /// The archive with other bytes at the places of a text, of which the first is changed with `first`, or all.
    fn changed(bytes: &[u8], from: &[u8], to: &[u8], first: bool) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        let places: Vec<usize> =
            (0..bytes.len() - from.len()).filter(|&at| bytes[at..].starts_with(from)).collect();
        assert!(!places.is_empty());
        for at in places.into_iter().take(if first { 1 } else { usize::MAX }) {
            bytes[at..at + from.len()].copy_from_slice(to);
        }
        bytes
    }

    /// The fields of the first entry of the list, at an offset.
    fn with_field(offset: usize, value: &[u8]) -> Vec<u8> {
        let mut bytes = two();
        let at =
            (0..bytes.len()).find(|&at| bytes[at..].starts_with(&CENTRAL.to_le_bytes())).expect("a list");
        bytes[at + offset..at + offset + value.len()].copy_from_slice(value);
        bytes
    }

    #[test]
    fn an_archive_that_could_be_read_in_two_ways_or_leads_out_of_its_folder_is_refused() {
        let good = two();
        let end = good.len() - END_LENGTH;
        let with_comment = [&good[..end + 20], &[3, 0], b"abc"].concat();
        assert!(Archive::read(&with_comment).is_ok());
        let inside = write(vec![file("dd", b""), file("ee/f", b"")]).expect("an archive");
        for (name, bytes, why) in [
            ("nothing", Vec::new(), "no whole Zip"),
            ("cut", good[..good.len() - 1].to_vec(), "no whole Zip"),
            ("more", [good.as_slice(), b"x"].concat(), "no whole Zip"),
            ("before", [b"x", good.as_slice()].concat(), "not where it says"),
            ("parent", changed(&good, b"a.txt", b"../ab", false), "the part '..'"),
            ("absolute", changed(&good, b"a.txt", b"/a.tx", false), "absolute"),
            ("backslash", changed(&good, b"a.txt", b"a\\txt", false), "backslash"),
            ("drive", changed(&good, b"a.txt", b"c:txt", false), "colon"),
            ("empty part", changed(&good, b"a.txt", b"a//xt", false), "empty part"),
            ("other name", changed(&good, b"a.txt", b"b.txt", true), "another name"),
            ("equal names", changed(&good, b"a.txt", b"BIN/B", false), "twice"),
            ("folder in file", changed(&inside, b"ee/f", b"dd/f", false), "a folder with"),
            ("symlink", with_field(40, &0o120_777_u16.to_le_bytes()), "symbolic link"),
            ("device", with_field(40, &0o060_777_u16.to_le_bytes()), "neither a file"),
            ("encrypted", with_field(8, &[1]), "encrypted"),
            ("method", with_field(10, &[12]), "method 12"),
            ("sizes", with_field(24, &[9]), "two sizes"),
            ("offset", with_field(42, &[1]), "another name"),
            ("Zip64", changed(&good, &[3, 0, 3, 0], &[255, 255, 255, 255], false), "Zip64"),
            ("parts", changed(&good, &[3, 0, 3, 0], &[2, 0, 3, 0], false), "one part"),
            ("count", changed(&good, &[3, 0, 3, 0], &[2, 0, 2, 0], false), "behind its list"),
        ] {
            match Archive::read(&bytes) {
                Err(said) => assert!(said.contains(why), "{name}: {said}"),
                Ok(archive) => panic!("{name} was read: {archive:?}"),
            }
        }
    }

    /// The archive with bytes put in at a place before its list, which and whose offsets behind it are moved.
    fn with_bytes(bytes: &[u8], at: usize, more: &[u8]) -> Vec<u8> {
        let mut made = [&bytes[..at], more, &bytes[at..]].concat();
        let end = made.len() - END_LENGTH;
        let add = |made: &mut Vec<u8>, place: usize| {
            let old = u32_at(made, place).expect("an offset") as usize;
            let new = if old >= at { old + more.len() } else { old };
            made[place..place + 4].copy_from_slice(&u32::try_from(new).expect("short").to_le_bytes());
        };
        add(&mut made, end + 16);
        let mut place = u32_at(&made, end + 16).expect("a list") as usize;
        while u32_at(&made, place) == Some(CENTRAL) {
            add(&mut made, place + 42);
            place += CENTRAL_LENGTH + usize::from(u16_at(&made, place + 28).expect("a length"));
        }
        made
    }

    #[test]
    fn the_files_fill_an_archive_and_their_heads_say_what_the_list_says() {
        let good = two();
        let second = (1..good.len()).find(|&at| good[at..].starts_with(&LOCAL.to_le_bytes())).expect("two");
        assert_eq!(with_bytes(&good, second, b""), good);
        // The first file with its sizes behind the data, with and without what stands before these.
        let flagged = |sizes: &[u8]| {
            let mut bytes = good.clone();
            let list =
                (0..good.len()).find(|&at| good[at..].starts_with(&CENTRAL.to_le_bytes())).expect("a list");
            bytes[6] |= 8;
            bytes[list + 8] |= 8;
            bytes[14..26].fill(0);
            with_bytes(&bytes, second, sizes)
        };
        let sizes = &good[14..26];
        for (name, bytes) in [
            ("sizes behind", flagged(sizes)),
            ("sizes behind a mark", flagged(&[&SIZES.to_le_bytes(), sizes].concat())),
        ] {
            let archive = Archive::read(&bytes).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(archive.content(&archive.entries[0], 10).as_deref(), Ok(&b"text"[..]));
        }
        let with_head = |at: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            bytes
        };
        for (name, bytes, why) in [
            ("before", with_bytes(&good, 0, b"MZ"), "before or between"),
            ("between", with_bytes(&good, second, &good[..second]), "before or between"),
            ("no sizes behind", flagged(b""), "other sizes"),
            ("other sizes behind", flagged(&[7; 12]), "other sizes"),
            ("crc", with_head(14), "other sizes"),
            ("packed", with_head(18), "other sizes"),
            ("size", with_head(22), "other sizes"),
            ("flags", with_head(7), "another name or form"),
        ] {
            match Archive::read(&bytes) {
                Err(said) => assert!(said.contains(why), "{name}: {said}"),
                Ok(archive) => panic!("{name} was read: {archive:?}"),
            }
        }
    }

    #[test]
    fn a_path_is_one_on_every_system() {
        let deep = vec!["a"; MOST_PARTS].join("/");
        for name in ["a/b.c", "console.js", "com10", "nul-x", "a/.b", &deep] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for name in ["CON", "a/nul.txt", "Com1.log", "lpt9", "a./b", "a /b", "b.", &format!("{deep}/a")] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_small_archive_does_not_become_a_large_folder() {
        let zeros = write(vec![file("a", &vec![0; 24 << 20])]).expect("an archive");
        assert!(Archive::read(&zeros).is_err_and(|why| why.contains("are unpacked")));
        // The list may say less than there is.
        let bytes = two();
        let size = 5000_u32.to_le_bytes();
        let lied = changed(&bytes, &size, &4000_u32.to_le_bytes(), false);
        let archive = Archive::read(&lied).expect("a list");
        let said = archive.content(archive.file("bin/b").expect("there"), 10_000);
        assert!(said.is_err_and(|why| why.contains("longer than the list says")));
        let mut broken = bytes.clone();
        let at = (0..bytes.len()).find(|&at| bytes[at..].starts_with(b"text")).expect("stored");
        broken[at] = b'T';
        let archive = Archive::read(&broken).expect("a list");
        assert!(archive.content(&archive.entries[0], 100).is_err_and(|why| why.contains("checksum")));
    }

    #[test]
    fn the_block_of_a_signature_is_left_out_and_a_broken_one_is_an_error() {
        let bytes = two();
        let signed = |length: u32, comment: u16| {
            let block = [SIGNATURE_BEGIN, &length.to_le_bytes(), b"DER", SIGNATURE_END].concat();
            let mut zip = bytes.clone();
            let at = zip.len() - 2;
            zip[at..].copy_from_slice(&comment.to_le_bytes());
            [zip, block].concat()
        };
        let block = u16::try_from(SIGNATURE_BEGIN.len() + 4 + 3 + SIGNATURE_END.len()).expect("short");
        for comment in [0, block] {
            let signed = signed(3, comment);
            let archive = Archive::read(&signed).expect("signed");
            assert_eq!((archive.signature, archive.entries.len()), (Some(&b"DER"[..]), 3));
            assert!(matches!(archive.signature(), Some(Verdict::Unread(_))));
        }
        assert!(Archive::read(&signed(4, 0)).is_err_and(|why| why.contains("signature is broken")));
        assert!(Archive::read(&signed(3, 1)).is_err());
    }

    #[test]
    fn nothing_is_packed_that_is_not_read_again() {
        for (names, why) in [
            (["a", "A"], "twice"),
            (["../a", "b"], "'..'"),
            (["/a", "b"], "absolute"),
            (["a\\b", "b"], "backslash"),
        ] {
            let said = write(names.iter().map(|name| file(name, b"")).collect()).expect_err("refused");
            assert!(said.contains(why), "{said}");
        }
    }
}
