//! Files below a folder, and no others: names come from clients.
//!
//! Each part of a name is opened from the descriptor of the folder before it, and no symbolic link is followed, so that a name
//! leads nowhere else, also while files are renamed. What is no regular file is not opened.

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags, fstat, open, openat};
use rustix::io::Errno;
use std::fs::File;
use std::io::Read;

/// The most folders in a name.
const DEPTH: usize = 64;

/// A folder that is open.
#[derive(Debug)]
pub(crate) struct Folder {
    fd: OwnedFd,
}

/// Why a file is not read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Unread {
    /// There is no such file, or the name may not be used.
    #[error("there is no such file")]
    NotFound,
    /// It is larger than it may be.
    #[error("the file has more than {limit} bytes")]
    TooLarge {
        /// How large it may be.
        limit: usize,
    },
    /// The system refuses it.
    #[error("the file cannot be read: {0}")]
    System(String),
}

impl From<Errno> for Unread {
    fn from(errno: Errno) -> Unread {
        match errno {
            // A symbolic link where there may be none is ELOOP, or ENOTDIR in the middle of a name.
            Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NAMETOOLONG | Errno::MLINK => {
                Unread::NotFound
            }
            errno => Unread::System(errno.to_string()),
        }
    }
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub(crate) fn open(path: &str) -> Result<Folder, Errno> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Folder { fd: open(path, flags, Mode::empty())? })
    }

    /// Reads the file with this name: names of folders and of the file, with slashes between them.
    ///
    /// # Errors
    /// Why it is not read.
    pub(crate) fn read(&self, name: &str, limit: usize) -> Result<Vec<u8>, Unread> {
        let parts: Vec<&str> = name.split('/').collect();
        let is_plain = |part: &&str| !matches!(*part, "" | "." | "..") && !part.contains(['\0', '\\']);
        let Some((file, folders)) = parts.split_last() else { return Err(Unread::NotFound) };
        if parts.len() > DEPTH || !parts.iter().all(is_plain) {
            return Err(Unread::NotFound);
        }
        let common = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut folder: Option<OwnedFd> = None;
        for part in folders {
            let from = folder.as_ref().unwrap_or(&self.fd).as_fd();
            folder = Some(openat(from, *part, common | OFlags::DIRECTORY, Mode::empty())?);
        }
        let from = folder.as_ref().unwrap_or(&self.fd).as_fd();
        // A named pipe without a writer would hold the thread up; a terminal would become the process's own.
        let fd = openat(from, *file, common | OFlags::NONBLOCK | OFlags::NOCTTY, Mode::empty())?;
        if FileType::from_raw_mode(fstat(&fd)?.st_mode) != FileType::RegularFile {
            return Err(Unread::NotFound);
        }
        let mut bytes = Vec::new();
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        File::from(fd)
            .take(most)
            .read_to_end(&mut bytes)
            .map_err(|error| Unread::System(error.to_string()))?;
        if bytes.len() > limit { Err(Unread::TooLarge { limit }) } else { Ok(bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_files_below_the_folder_are_read() {
        let root = std::env::temp_dir().join(format!("libmcp-folder-{}", std::process::id()));
        let inside = root.join("inside");
        fs::create_dir_all(inside.join("deep/er")).expect("folders");
        fs::write(root.join("secret"), "secret").expect("a file");
        fs::write(inside.join("a.txt"), "a").expect("a file");
        fs::write(inside.join("deep/er/b"), "b").expect("a file");
        fs::write(inside.join("large"), [0; 11]).expect("a file");
        symlink("../secret", inside.join("link")).expect("a link");
        symlink("..", inside.join("up")).expect("a link");
        symlink("a.txt", inside.join("alias")).expect("a link");
        let folder = Folder::open(inside.to_str().expect("UTF-8")).expect("opens");
        assert_eq!(folder.read("a.txt", 10), Ok(b"a".to_vec()));
        assert_eq!(folder.read("deep/er/b", 1), Ok(b"b".to_vec()));
        assert_eq!(folder.read("large", 10), Err(Unread::TooLarge { limit: 10 }));
        for name in [
            "",
            ".",
            "..",
            "../secret",
            "deep/../../secret",
            "/etc/passwd",
            "link",
            "up/secret",
            "alias",
            "deep",
            "deep//er/b",
            "deep/er/",
            "a.txt/",
            "a.txt/x",
            "none",
            "a\0",
            "..\\secret",
            "./a.txt",
        ] {
            assert_eq!(folder.read(name, 10), Err(Unread::NotFound), "{name:?}");
        }
        assert_eq!(folder.read(&"x/".repeat(100), 10), Err(Unread::NotFound));
        assert_eq!(folder.read(&"x".repeat(5000), 10), Err(Unread::NotFound));
        // What is under way goes on in the folder that was opened.
        fs::rename(&inside, root.join("moved")).expect("renamed");
        assert_eq!(folder.read("a.txt", 10), Ok(b"a".to_vec()));
        assert!(Folder::open(inside.to_str().expect("UTF-8")).is_err());
        fs::remove_dir_all(root).expect("removed");
    }
}
