//! Files below a folder, and no others: names come from clients.
//!
//! Each part of a name is opened from the descriptor of the folder before it, and no symbolic link is followed, so that a name
//! leads nowhere else, also while files are renamed. What is not a regular file is not opened.

pub(crate) use crate::transport::system::folder::Folder;

/// The most folders in a name.
const DEPTH: usize = 64;

/// An entry of a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Listed {
    /// Its name in that folder.
    pub(crate) name: String,
    /// What it is.
    pub(crate) kind: EntryKind,
}

/// What an entry of a folder is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Directory,
    /// A symbolic link, whatever it leads to.
    Link,
    /// A device, a socket, a named pipe.
    Other,
}

/// Why a file is not read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Unread {
    /// The file does not exist, or the name is not allowed.
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

/// The parts of a name, if it may be used.
pub(crate) fn parts(name: &str) -> Result<Vec<&str>, Unread> {
    let parts: Vec<&str> = name.split('/').collect();
    let is_plain = |part: &&str| !matches!(*part, "" | "." | "..") && !part.contains(['\0', '\\']);
    if parts.len() > DEPTH || !parts.iter().all(is_plain) { Err(Unread::NotFound) } else { Ok(parts) }
}
