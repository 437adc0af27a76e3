//! The file of a resource.

use rustix::fs::OFlags;
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// The largest file that is read.
const MOST: u64 = 8 << 20;

/// Reads a regular file. Anything else could keep the thread that serves all clients waiting.
///
/// # Errors
/// Why it is not read; `None` if it is not there, or not readable.
pub fn read(path: &Path) -> Result<Vec<u8>, Option<String>> {
    // Not to wait for a writer of a FIFO.
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    let file = std::fs::OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(|_| None)?;
    let found = file.metadata().map_err(|_| None)?;
    if !found.is_file() {
        return Err(Some("the resource is not a regular file".to_owned()));
    }
    let mut bytes = Vec::new();
    // It may grow meanwhile.
    file.take(MOST + 1).read_to_end(&mut bytes).map_err(|_| None)?;
    if bytes.len() as u64 > MOST {
        return Err(Some(format!("the file has {} bytes, and {MOST} are read", found.len().max(MOST + 1))));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_a_size_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, fifo) = (folder.path().join("file"), folder.path().join("fifo"));
        std::fs::write(&file, "text").expect("written");
        assert_eq!(read(&file).expect("read"), b"text");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("started");
        assert!(made.success());
        for path in [fifo.as_path(), Path::new("/dev/zero"), folder.path()] {
            let why = read(path).expect_err("refused").expect("a reason");
            assert!(why.contains("not a regular file"), "{why}");
        }
        assert_eq!(read(&folder.path().join("nothing")), Err(None));
        std::fs::File::create(&file).and_then(|it| it.set_len(MOST + 1)).expect("a large file");
        assert!(read(&file).expect_err("refused").expect("a reason").contains("8388609 bytes"));
    }
}
