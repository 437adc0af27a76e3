//! The certificate authorities that the system trusts: where they are, which is settled when a client is configured, and what
//! they are, read with the first connection and shared by all that trust the same files.

use super::system_roots;
use crate::transport::process::per_process::{PerProcess, kept_for_process};
use rustls::RootCertStore;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

/// Where the system's certificate authorities are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SystemRoots {
    file: Option<PathBuf>,
    directories: Vec<PathBuf>,
}

/// A state of the files, those in the directories too: when each was changed and how large it is.
type State = Vec<(PathBuf, Option<(SystemTime, u64)>)>;

/// What was read last, as long as a client uses it.
static LAST: PerProcess<Mutex<Option<Last>>> = PerProcess::new(Mutex::default);
type Last = (SystemRoots, State, Weak<RootCertStore>);

impl SystemRoots {
    /// Reads where they are: `SSL_CERT_FILE` and `SSL_CERT_DIR`, or else the places that the systems have for them. The
    /// environment may change only while no client is configured, so that nothing reads it later.
    pub fn of_environment() -> SystemRoots {
        let file = std::env::var_os("SSL_CERT_FILE").map(PathBuf::from);
        let directories: Vec<PathBuf> = std::env::var_os("SSL_CERT_DIR")
            .map(|list| std::env::split_paths(&list).filter(|path| !path.as_os_str().is_empty()).collect())
            .unwrap_or_default();
        if file.is_some() || !directories.is_empty() {
            return SystemRoots { file, directories };
        }
        let (file, directories) = system_roots::paths();
        SystemRoots { file, directories }
    }

    /// The certificates, shared with the clients that have them already and read again when a file has changed.
    ///
    /// # Errors
    /// Why there are none.
    pub fn load(&self) -> Result<Arc<RootCertStore>, String> {
        let state = kept_for_process(|| self.state());
        if let Some((of, at, roots)) = LAST.get().lock().unwrap_or_else(PoisonError::into_inner).as_ref()
            && of == self
            && *at == state
            && let Some(roots) = roots.upgrade()
        {
            return Ok(roots);
        }
        let roots = self.read()?;
        // The weak reference keeps the block of the roots, not their content.
        let roots = kept_for_process(|| Arc::new(roots));
        let last = kept_for_process(|| (self.clone(), state, Arc::downgrade(&roots)));
        *LAST.get().lock().unwrap_or_else(PoisonError::into_inner) = Some(last);
        Ok(roots)
    }

    fn state(&self) -> State {
        let of = |path: PathBuf| {
            // Behind a link: distributions link to the files of packages.
            let metadata = fs::metadata(&path).ok();
            let found = metadata.and_then(|metadata| Some((metadata.modified().ok()?, metadata.len())));
            (path, found)
        };
        // A file that is written in place leaves its directory as it is.
        let entries = |directory: &PathBuf| {
            let mut paths: Vec<PathBuf> =
                fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
            paths.sort_unstable();
            paths
        };
        let within = self.directories.iter().flat_map(entries);
        self.file.iter().chain(&self.directories).cloned().chain(within).map(of).collect()
    }

    fn read(&self) -> Result<RootCertStore, String> {
        let first = self.directories.first().map(PathBuf::as_path);
        let has_no_path = *self == SystemRoots::default();
        let mut found = match if has_no_path { system_roots::stored() } else { None } {
            Some(stored) => stored,
            None => rustls_native_certs::load_certs_from_paths(self.file.as_deref(), first),
        };
        for directory in self.directories.iter().skip(1) {
            let more = rustls_native_certs::load_certs_from_paths(None::<&Path>, Some(directory));
            found.certs.extend(more.certs);
            found.errors.extend(more.errors);
        }
        found.certs.sort_unstable_by(|one, other| one.as_ref().cmp(other.as_ref()));
        found.certs.dedup();
        let mut roots = RootCertStore::empty();
        // Systems have certificates that no parser takes; what is left is what is trusted.
        let (_added, _ignored) = roots.add_parsable_certificates(found.certs);
        if roots.is_empty() {
            return Err(found.errors.first().map(|error| format!(" ({error})")).unwrap_or_default());
        }
        Ok(roots)
    }
}

#[cfg(test)]
mod tests {
    use super::SystemRoots;
    use std::path::PathBuf;
    use std::sync::Arc;

    #[test]
    fn roots_are_read_once_and_again_when_their_file_changes() {
        let path = std::env::temp_dir().join(format!("libmcp-roots-{}.pem", std::process::id()));
        let roots = SystemRoots { file: Some(path.clone()), directories: Vec::new() };
        assert!(roots.load().is_err(), "there is no such file");
        std::fs::write(&path, CERTIFICATE).unwrap();
        let first = roots.load().unwrap();
        assert!(Arc::ptr_eq(&first, &roots.clone().load().unwrap()));
        let elsewhere =
            SystemRoots { file: Some(path.clone()), directories: vec![PathBuf::from("/nowhere")] };
        assert!(!Arc::ptr_eq(&first, &elsewhere.load().unwrap()), "others trust other files");
        let first = roots.load().unwrap();
        std::fs::write(&path, format!("a comment\n{CERTIFICATE}")).unwrap();
        let second = roots.load().unwrap();
        assert!(!Arc::ptr_eq(&first, &second) && second.len() == 1);
        std::fs::write(&path, "no certificate").unwrap();
        assert!(roots.load().is_err(), "an old one is not trusted for ever");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn roots_are_read_again_when_a_file_of_their_directory_changes() {
        let directory = std::env::temp_dir().join(format!("libmcp-roots-{}.d", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let path = directory.join("0a0a0a0a.0");
        let roots = SystemRoots { file: None, directories: vec![directory.clone()] };
        std::fs::write(&path, CERTIFICATE).unwrap();
        let first = roots.load().unwrap();
        assert!(Arc::ptr_eq(&first, &roots.load().unwrap()));
        // In place: the directory stays as it is.
        std::fs::write(&path, format!("a comment\n{CERTIFICATE}")).unwrap();
        assert!(!Arc::ptr_eq(&first, &roots.load().unwrap()));
        std::fs::write(&path, "no certificate").unwrap();
        assert!(roots.load().is_err(), "an old one is not trusted for ever");
        std::fs::remove_dir_all(&directory).unwrap();
    }

    const CERTIFICATE: &str = include_str!("test_root.pem");
}
