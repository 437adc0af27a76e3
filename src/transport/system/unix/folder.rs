//! A folder by its descriptor.

use crate::transport::folder::{EntryKind, Listed, Unread, parts};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, fstat, open, openat, statat};
use rustix::io::Errno;
use std::fs::File;
use std::io::Read;

/// How everything is opened.
const COMMON: OFlags = OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A folder that is open.
#[derive(Debug)]
pub(crate) struct Folder {
    fd: OwnedFd,
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
        let parts = parts(name)?;
        let Some((file, folders)) = parts.split_last() else { return Err(Unread::NotFound) };
        let folder = self.descend(folders)?;
        let from = folder.as_ref().unwrap_or(&self.fd).as_fd();
        // A named pipe without a writer would hold the thread up; a terminal would become the process's own.
        let flags = COMMON | OFlags::NONBLOCK | OFlags::NOCTTY;
        let fd = openat(from, *file, flags, Mode::empty())?;
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

    /// What is in the folder with this name, in the order of the names; the empty name is the folder itself.
    ///
    /// # Errors
    /// `NotFound`; `TooLarge` with more than `limit` entries; `System`, also for a name that is not UTF-8.
    pub(crate) fn list(&self, name: &str, limit: usize) -> Result<Vec<Listed>, Unread> {
        let folder = if name.is_empty() { None } else { self.descend(&parts(name)?)? };
        let from = folder.as_ref().unwrap_or(&self.fd).as_fd();
        let mut listed = Vec::new();
        for entry in Dir::read_from(from)? {
            let entry = entry?;
            if matches!(entry.file_name().to_bytes(), b"." | b"..") {
                continue;
            }
            if listed.len() >= limit {
                return Err(Unread::TooLarge { limit });
            }
            let name = entry.file_name().to_str().map_err(|_| {
                let name = entry.file_name().to_string_lossy();
                Unread::System(format!("the name '{name}' is not UTF-8"))
            })?;
            // Some file systems do not say it in the listing.
            let found = match entry.file_type() {
                FileType::Unknown => {
                    FileType::from_raw_mode(statat(from, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode)
                }
                known => known,
            };
            let kind = match found {
                FileType::RegularFile => EntryKind::File,
                FileType::Directory => EntryKind::Directory,
                FileType::Symlink => EntryKind::Link,
                _ => EntryKind::Other,
            };
            listed.push(Listed { name: name.to_owned(), kind });
        }
        mcp_core::sorted::order_by(&mut listed, |one, other| one.name < other.name);
        Ok(listed)
    }

    /// Opens the folder at the end of these names; `None` for the folder itself.
    fn descend(&self, names: &[&str]) -> Result<Option<OwnedFd>, Unread> {
        let mut folder: Option<OwnedFd> = None;
        for name in names {
            let from = folder.as_ref().unwrap_or(&self.fd).as_fd();
            folder = Some(openat(from, *name, COMMON | OFlags::DIRECTORY, Mode::empty())?);
        }
        Ok(folder)
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
        let list = |name: &str, limit| {
            let names = |list: Vec<Listed>| list.into_iter().map(|entry| (entry.name, entry.kind)).collect();
            folder.list(name, limit).map(names)
        };
        let found: Vec<(String, EntryKind)> = list("", 10).expect("entries");
        let kinds = [
            EntryKind::File,
            EntryKind::Link,
            EntryKind::Directory,
            EntryKind::File,
            EntryKind::Link,
            EntryKind::Link,
        ];
        let names = ["a.txt", "alias", "deep", "large", "link", "up"];
        assert_eq!(found, names.map(str::to_owned).into_iter().zip(kinds).collect::<Vec<_>>());
        assert_eq!(list("deep/er", 1), Ok(vec![("b".to_owned(), EntryKind::File)]));
        assert_eq!(list("", 5), Err(Unread::TooLarge { limit: 5 }));
        for name in ["up", "..", "a.txt", "deep/..", "none", "/"] {
            assert_eq!(list(name, 10), Err(Unread::NotFound), "{name:?}");
        }
        // The folder that was opened stays in use.
        fs::rename(&inside, root.join("moved")).expect("renamed");
        assert_eq!(folder.read("a.txt", 10), Ok(b"a".to_vec()));
        assert!(Folder::open(inside.to_str().expect("UTF-8")).is_err());
        fs::remove_dir_all(root).expect("removed");
    }
}
