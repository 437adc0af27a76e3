//! Where logins are kept: in memory, in files, or by the application.

use crate::auth::{MemoryStore, TokenStore};
use crate::transport::token_store::FileStore;
use std::path::PathBuf;
use std::sync::Arc;

/// Where the configuration has logins kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Store {
    /// In memory, as long as the client.
    Memory,
    /// In files, which processes share.
    Directory(PathBuf),
    /// By the application, which is asked in messages.
    Application,
}

/// Where logins are kept.
pub(super) enum TokenStoreBackend {
    Own(Arc<dyn TokenStore>),
    Application,
}

impl TokenStoreBackend {
    pub(super) fn new(store: Store) -> TokenStoreBackend {
        match store {
            Store::Memory => TokenStoreBackend::Own(Arc::new(MemoryStore::default())),
            Store::Directory(directory) => TokenStoreBackend::Own(Arc::new(FileStore::new(directory))),
            Store::Application => TokenStoreBackend::Application,
        }
    }
}
