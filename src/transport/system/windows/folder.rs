//! A folder by its path, each part of which is held open while the next one is: what is open so can be neither renamed nor replaced.

use crate::transport::folder::{EntryKind, Listed, Unread, parts};
use rustix::io::Errno;
use std::fs::{File, FileType, OpenOptions};
use std::io::{Error, ErrorKind, Read};
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT, FILE_SHARE_READ, FILE_SHARE_WRITE,
};

/// A folder.
#[derive(Debug)]
pub(crate) struct Folder {
    /// Begins with `\\?\`: then names mean files alone, and no devices.
    path: PathBuf,
}

impl From<Error> for Unread {
    fn from(error: Error) -> Unread {
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename => Unread::NotFound,
            _ => Unread::System(crate::transport::plain_text(&error)),
        }
    }
}

fn kind(file: FileType) -> EntryKind {
    if file.is_symlink() {
        EntryKind::Link
    } else if file.is_dir() {
        EntryKind::Directory
    } else if file.is_file() {
        EntryKind::File
    } else {
        EntryKind::Other
    }
}

/// Opens what a path leads to, itself: no link is followed.
fn open_itself(path: &Path) -> Result<File, Error> {
    OpenOptions::new()
        .read(true)
        .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT)
        .open(path)
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub(crate) fn open(path: &str) -> Result<Folder, Errno> {
        let opened = || {
            let path = std::fs::canonicalize(path)?;
            // The list of its entries, to see whether it is a folder that may be read.
            std::fs::read_dir(&path)?;
            Ok(Folder { path })
        };
        opened().map_err(|error: Error| Errno::from_io_error(&error).unwrap_or(Errno::INVAL))
    }

    /// Reads the file with this name: names of folders and of the file, with slashes between them.
    ///
    /// # Errors
    /// Why it is not read.
    pub(crate) fn read(&self, name: &str, limit: usize) -> Result<Vec<u8>, Unread> {
        let parts = parts(name)?;
        let Some((file, folders)) = parts.split_last() else { return Err(Unread::NotFound) };
        let (folder, _held) = self.descend(folders)?;
        if !is_plain(file) {
            return Err(Unread::NotFound);
        }
        let file = open_itself(&folder.join(file))?;
        if kind(file.metadata()?.file_type()) != EntryKind::File {
            return Err(Unread::NotFound);
        }
        let mut bytes = Vec::new();
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        file.take(most).read_to_end(&mut bytes)?;
        if bytes.len() > limit { Err(Unread::TooLarge { limit }) } else { Ok(bytes) }
    }

    /// What is in the folder with this name, in the order of the names; the empty name is the folder itself.
    ///
    /// # Errors
    /// `NotFound`; `TooLarge` with more than `limit` entries; `System`, also for a name that is not Unicode.
    pub(crate) fn list(&self, name: &str, limit: usize) -> Result<Vec<Listed>, Unread> {
        let names = if name.is_empty() { Vec::new() } else { parts(name)? };
        let (folder, _held) = self.descend(&names)?;
        let mut listed = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            if listed.len() >= limit {
                return Err(Unread::TooLarge { limit });
            }
            let name = entry.file_name().into_string().map_err(|name| {
                Unread::System(format!("the name '{}' is not Unicode", name.to_string_lossy()))
            })?;
            listed.push(Listed { name, kind: kind(entry.file_type()?) });
        }
        listed.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        Ok(listed)
    }

    /// The folder at the end of these names, with what keeps all of them in place.
    fn descend(&self, names: &[&str]) -> Result<(PathBuf, Vec<File>), Unread> {
        let mut path = self.path.clone();
        let mut held = Vec::with_capacity(names.len());
        for name in names {
            if !is_plain(name) {
                return Err(Unread::NotFound);
            }
            path.push(name);
            let folder = open_itself(&path)?;
            if kind(folder.metadata()?.file_type()) != EntryKind::Directory {
                return Err(Unread::NotFound);
            }
            held.push(folder);
        }
        Ok((path, held))
    }
}

/// Whether a name is one of a file: with a colon it would be one of a part of a file.
fn is_plain(name: &str) -> bool {
    !name.contains([':', '*', '?', '"', '<', '>', '|'])
}
