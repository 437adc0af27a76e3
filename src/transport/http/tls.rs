//! TLS as rustls does it, with ring for the cryptography: what is trusted, what is shown to a server that asks, and why TLS failed.

use crate::protocol::write::timestamp;
use crate::transport::process::per_process::{PerProcess, kept_for_process};
use crate::transport::system::{HAS_CERTIFICATE_STORE, IS_ANDROID};
use rustls::client::Resumption;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{AlertDescription, CertificateError, ClientConfig, Error as Tls, InvalidMessage, RootCertStore};
use rustls_native_certs::CertificateResult;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::SystemTime;
use std::{fs, io};

/// Sessions that are kept to be taken up again. A configuration is for one server, which gives a few tickets; rustls has room for 256,
/// 14 KiB for each client.
const SESSIONS: usize = 16;

/// What TLS is to trust and to show.
#[derive(Clone, Debug, Default)]
pub struct TlsSettings {
    /// A PEM file with certificates to trust.
    pub ca_file: Option<PathBuf>,
    /// Where the system's certificates are, if they are trusted (too).
    pub system_roots: Option<SystemRoots>,
    /// The client's certificate chain and key, PEM files.
    pub identity: Option<(PathBuf, PathBuf)>,
}

/// The configuration of TLS connections.
///
/// # Errors
/// Which file cannot be used, and why; or that nothing would be trusted.
pub fn config(settings: &TlsSettings) -> Result<ClientConfig, String> {
    let mut roots = Arc::new(RootCertStore::empty());
    if let Some(system) = &settings.system_roots {
        match system.load() {
            Ok(known) => roots = known,
            Err(_) if settings.ca_file.is_some() => {}
            Err(why) => {
                return Err(format!(
                    "the system has no certificate authorities to trust{why}; install ca-certificates or give tls.ca_file"
                ));
            }
        }
    }
    if let Some(path) = &settings.ca_file {
        let roots = Arc::make_mut(&mut roots);
        for certificate in certificates(path, "tls.ca_file")? {
            roots.add(certificate).map_err(|error| {
                format!("tls.ca_file '{}' has a certificate that cannot be used: {error}", path.display())
            })?;
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be set up: {error}"))?
        .with_root_certificates(roots);
    let mut config = match &settings.identity {
        None => builder.with_no_client_auth(),
        Some((certificate, key)) => {
            let chain = certificates(certificate, "tls.client_certificate")?;
            let private = PrivateKeyDer::from_pem_file(key)
                .map_err(|error| format!("tls.client_key '{}' cannot be read: {error}", key.display()))?;
            builder.with_client_auth_cert(chain, private).map_err(|error| {
                format!("tls.client_certificate and tls.client_key do not work together: {error}")
            })?
        }
    };
    config.resumption = Resumption::in_memory_sessions(SESSIONS);
    Ok(config)
}

fn certificates(path: &Path, key: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let unreadable =
        |error: &dyn std::fmt::Display| format!("{key} '{}' cannot be read: {error}", path.display());
    let mut found = Vec::new();
    for certificate in CertificateDer::pem_file_iter(path).map_err(|error| unreadable(&error))? {
        found.push(certificate.map_err(|error| unreadable(&error))?);
    }
    if found.is_empty() {
        return Err(format!("{key} '{}' has no certificate in it (PEM)", path.display()));
    }
    Ok(found)
}

/// A configuration that trusts no authority, for connections that are not encrypted. All of them share one.
///
/// # Errors
/// That TLS cannot be set up.
pub fn nothing() -> Result<ClientConfig, String> {
    static SHARED: OnceLock<ClientConfig> = OnceLock::new();
    if let Some(shared) = SHARED.get() {
        return Ok(shared.clone());
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be set up: {error}"))?
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    config.resumption = Resumption::disabled();
    Ok(SHARED.get_or_init(|| config).clone())
}

/// Where the system's certificate authorities are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SystemRoots {
    file: Option<PathBuf>,
    directories: Vec<PathBuf>,
}

/// A state of the files, those in the directories too: when each was changed and how large it is.
type RootFiles = Vec<(PathBuf, Option<(SystemTime, u64)>)>;

/// What was read last, as long as a client uses it.
static LAST: PerProcess<Mutex<Option<CachedRoots>>> = PerProcess::new(Mutex::default);
type CachedRoots = (SystemRoots, RootFiles, Weak<RootCertStore>);

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
        let (file, directories) = system_paths();
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

    fn state(&self) -> RootFiles {
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
            mcp_core::sorted::order_by(&mut paths, |one, other| one.as_os_str() < other.as_os_str());
            paths
        };
        let within = self.directories.iter().flat_map(entries);
        self.file.iter().chain(&self.directories).cloned().chain(within).map(of).collect()
    }

    fn read(&self) -> Result<RootCertStore, String> {
        let first = self.directories.first().map(PathBuf::as_path);
        let has_no_path = *self == SystemRoots::default();
        let mut found = match if has_no_path { system_store() } else { None } {
            Some(stored) => stored,
            None => rustls_native_certs::load_certs_from_paths(self.file.as_deref(), first),
        };
        for directory in self.directories.iter().skip(1) {
            let more = rustls_native_certs::load_certs_from_paths(None::<&Path>, Some(directory));
            found.certs.extend(more.certs);
            found.errors.extend(more.errors);
        }
        mcp_core::sorted::order_by(&mut found.certs, |one, other| one.as_ref() < other.as_ref());
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

/// The file and the directories in which the system has its certificate authorities; none where it has a store.
fn system_paths() -> (Option<PathBuf>, Vec<PathBuf>) {
    /// Those of Android. The newest first: from Android 14 on the second one is not kept up.
    const ANDROID: [&str; 2] = ["/apex/com.android.conscrypt/cacerts", "/system/etc/security/cacerts"];
    if HAS_CERTIFICATE_STORE {
        return (None, Vec::new());
    }
    let found = openssl_probe::probe();
    if IS_ANDROID && found.cert_file.is_none() && found.cert_dir.is_empty() {
        let directory = ANDROID.into_iter().map(PathBuf::from).find(|directory| directory.is_dir());
        return (None, directory.into_iter().collect());
    }
    (found.cert_file, found.cert_dir)
}

/// The certificate authorities of the keychains of macOS, or of the store `ROOT` of Windows.
fn system_store() -> Option<CertificateResult> {
    HAS_CERTIFICATE_STORE.then(rustls_native_certs::load_native_certs)
}

/// What kept TLS from coming about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TlsError {
    /// Its name, for programs.
    pub fault: &'static str,
    /// What went wrong, and what to do about it.
    pub why: String,
    /// What was wanted and what was found.
    pub values: Vec<(&'static str, String)>,
}

impl TlsError {
    /// Whether this can only come before the server looks at any request: with TLS 1.3 a client may send one before it hears
    /// that its certificate is not taken.
    pub fn is_about_the_client(&self) -> bool {
        matches!(self.fault, "certificate_required" | "certificate_refused")
    }
}

/// What HTTP/2 leaves of an alert: its text.
const ALERT: &str = "received fatal alert: ";

/// Finds what TLS says in an error, if it is TLS that failed.
pub fn find(error: &(dyn Error + 'static)) -> Option<TlsError> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(tls) = error.downcast_ref::<Tls>() {
            return Some(explain(tls));
        }
        // An I/O error names as its source what is behind what it holds, and not what it holds.
        if let Some(held) = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref)
            && let Some(found) = find(held)
        {
            return Some(found);
        }
        next = error.source();
        if next.is_none() {
            return told(&error.to_string());
        }
    }
    None
}

/// The alert that an error's text names.
fn told(text: &str) -> Option<TlsError> {
    let name = text.split_once(ALERT)?.1;
    let named = |alert: &AlertDescription| alert.as_str() == Some(name);
    (0..=u8::MAX).map(AlertDescription::from).find(named).map(alerted)
}

fn explain(error: &Tls) -> TlsError {
    let (fault, why, values) = match error {
        Tls::InvalidCertificate(why) => return certificate(why),
        Tls::AlertReceived(alert) => return alerted(*alert),
        Tls::InvalidMessage(InvalidMessage::InvalidContentType) => (
            "no_tls",
            "what answers there does not speak TLS; look at the port in 'url', or write http:// if that is meant".to_owned(),
            Vec::new(),
        ),
        Tls::PeerIncompatible(why) => {
            ("incompatible", format!("the server and this library have no way of TLS in common ({why:?})"), Vec::new())
        }
        other => ("failed", format!("TLS failed: {other}"), Vec::new()),
    };
    TlsError { fault, why, values }
}

fn certificate(error: &CertificateError) -> TlsError {
    let (fault, why, values) = match error {
        CertificateError::UnknownIssuer => (
            "unknown_issuer",
            "no authority that is trusted here has signed the server's certificate; if it is the right one, give the \
             certificate of its authority in tls.ca_file"
                .to_owned(),
            Vec::new(),
        ),
        CertificateError::NotValidForNameContext { expected, presented } => {
            let (expected, presented) = (expected.to_str().into_owned(), names(presented));
            let why = format!(
                "the server's certificate is not for '{expected}' but for {presented}; look at the host in 'url'"
            );
            ("wrong_name", why, vec![("expected", expected), ("found", presented)])
        }
        CertificateError::ExpiredContext { time, not_after } => {
            let (now, end) = (date(time.as_secs()), date(not_after.as_secs()));
            let why = format!(
                "the server's certificate ended on {end}, and here it is {now}; it must be renewed, or this machine's \
                 clock be set"
            );
            ("expired", why, vec![("not_after", end), ("now", now)])
        }
        CertificateError::NotValidYetContext { time, not_before } => {
            let (now, begin) = (date(time.as_secs()), date(not_before.as_secs()));
            let why = format!(
                "the server's certificate begins on {begin}, and here it is {now}; perhaps this machine's clock is wrong"
            );
            ("not_yet_valid", why, vec![("not_before", begin), ("now", now)])
        }
        other => ("bad_certificate", format!("the server's certificate cannot be used: {other}"), Vec::new()),
    };
    TlsError { fault, why, values }
}

fn alerted(alert: AlertDescription) -> TlsError {
    let name = alert.as_str().map_or_else(|| format!("{}", u8::from(alert)), str::to_owned);
    let (fault, why) = match alert {
        AlertDescription::CertificateRequired => (
            "certificate_required",
            "the server wants a certificate of its clients; give tls.client_certificate and tls.client_key"
                .to_owned(),
        ),
        AlertDescription::HandshakeFailure | AlertDescription::NoCertificate => (
            "refused",
            format!(
                "the server refused TLS ({name}); perhaps it wants a certificate of its clients (tls.client_certificate, \
                 tls.client_key)"
            ),
        ),
        AlertDescription::BadCertificate
        | AlertDescription::UnsupportedCertificate
        | AlertDescription::CertificateRevoked
        | AlertDescription::CertificateExpired
        | AlertDescription::CertificateUnknown
        | AlertDescription::UnknownCA
        | AlertDescription::AccessDenied
        | AlertDescription::DecryptError => (
            "certificate_refused",
            format!(
                "the server does not take this client's certificate ({name}); look at tls.client_certificate, and at who \
                 signed it"
            ),
        ),
        AlertDescription::ProtocolVersion => (
            "incompatible",
            format!("the server speaks no version of TLS that this library does, 1.2 or 1.3 ({name})"),
        ),
        _ => ("refused", format!("the server ended TLS ({name})")),
    };
    TlsError { fault, why, values: vec![("alert", name)] }
}

/// The names in a certificate, which rustls gives with their kinds around them: `DnsName("a.example")`.
fn names(presented: &[String]) -> String {
    let bare = |name: &String| {
        let inside = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or(name);
        inside.trim_matches('"').to_owned()
    };
    match presented {
        [] => "no name at all".to_owned(),
        names => names.iter().map(bare).collect::<Vec<_>>().join(", "),
    }
}

/// The day, in UTC.
fn date(seconds: u64) -> String {
    let mut day = timestamp(seconds);
    day.truncate("2000-01-01".len());
    day
}

#[cfg(test)]
mod tests {
    use super::*;
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

    #[test]
    fn what_tls_says_is_found_behind_other_errors() {
        let inside = io::Error::other(Tls::AlertReceived(AlertDescription::CertificateRequired));
        let outside = io::Error::other(inside);
        assert_eq!(find(&outside).map(|found| found.fault), Some("certificate_required"));
        let told = io::Error::other("received fatal alert: CertificateRequired");
        assert_eq!(find(&told).map(|found| found.fault), Some("certificate_required"));
        assert_eq!(find(&io::Error::other("something else")), None);
    }

    #[test]
    fn names_are_told_without_their_kinds() {
        let presented = ["DnsName(\"a.example\")".to_owned(), "IpAddress(127.0.0.1)".to_owned()];
        assert_eq!(names(&presented), "a.example, 127.0.0.1");
        assert_eq!(names(&[]), "no name at all");
    }
}
