//! Folders and files of this program that only the person may read.

use crate::failure::Failure;
use crate::login::make;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Where programs keep their configuration.
pub fn configurations() -> Option<PathBuf> {
    below(
        "XDG_CONFIG_HOME",
        if cfg!(target_os = "macos") { "Library/Application Support" } else { ".config" },
    )
}

/// Where programs keep what they can get again.
pub fn cache() -> Option<PathBuf> {
    below("XDG_CACHE_HOME", if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" })
}

fn below(variable: &str, folder: &str) -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute(variable).or_else(|| Some(absolute("HOME")?.join(folder)))
}

/// The file of a program that a shell would start by its name.
pub fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let digits = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(digits[usize::from(byte >> 4)]));
        text.push(char::from(digits[usize::from(byte & 15)]));
    }
    text
}

/// The SHA-256 of bytes, as hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex(ring::digest::digest(&ring::digest::SHA256, bytes).as_ref())
}

/// A text in a URL: all but letters, digits and `-._~` are written as bytes.
pub fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            true => out.push(char::from(byte)),
            false => {
                out.push('%');
                out.push_str(&hex(&[byte]).to_ascii_uppercase());
            }
        }
    }
    out
}

/// Replaces a file as a whole; only the owner may read it. The folder is made if it is not there.
pub fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| Failure::machine(format!("cannot write {}: {error}", path.display()));
    let folder = path.parent().unwrap_or(Path::new("."));
    if !folder.as_os_str().is_empty() {
        make(folder).map_err(failed)?;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // A name of its own for each process: two of them may write at the same time, and one of them wins.
    let beside = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // What a process of this number left when it was killed.
    if let Err(error) = std::fs::remove_file(&beside)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(failed(error));
    }
    let written = options
        .open(&beside)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|error| {
        let _gone = std::fs::remove_file(&beside);
        failed(error)
    })
}

/// Reads a file of this program; `None` if it is not there.
pub fn read(path: &Path, most: u64) -> Result<Option<String>, Failure> {
    use std::io::Read as _;
    let failed = |error: std::io::Error| Failure::machine(format!("cannot read {}: {error}", path.display()));
    let file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let mut text = String::new();
    file.take(most + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > most {
        return Err(Failure::machine(format!("{} has more than {most} bytes", path.display())));
    }
    Ok(Some(text))
}

/// The same of a file that the person names: an editor may have put a byte order mark before its text.
pub fn read_given(path: &Path, most: u64) -> Result<Option<String>, Failure> {
    Ok(read(path, most)?.map(|text| match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }))
}

#[cfg(test)]
mod tests {
    use super::{encoded, read, read_given, replace};

    #[test]
    fn a_name_is_one_part_of_a_url() {
        assert_eq!(encoded("io.github.x/y"), "io.github.x%2Fy");
        assert_eq!(encoded("1.0.0+b ü"), "1.0.0%2Bb%20%C3%BC");
        assert_eq!(encoded("../a?b#c"), "..%2Fa%3Fb%23c");
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_is_private() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a/b.json");
        assert_eq!(read(&path, 10).expect("nothing"), None);
        replace(&path, "one").expect("written");
        replace(&path, "two").expect("written again");
        assert_eq!(read(&path, 10).expect("there").as_deref(), Some("two"));
        replace(&path, "\u{feff}{}").expect("written again");
        assert_eq!(read_given(&path, 10).expect("there").as_deref(), Some("{}"));
        assert!(read(&path, 2).expect_err("too large").text().contains("more than 2 bytes"));
        assert_eq!(std::fs::read_dir(folder.path().join("a")).expect("a folder").count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::metadata(&path).expect("there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}
