//! Which adapter opens the URL of a store: one that the program has registered for its scheme, or one that is built in.

use super::Port;
#[cfg(feature = "redis")]
use super::{RedisStore, StoreAddress};
use crate::engine::{Error, Status};
use crate::runtime::lock;
use crate::sorted::SortedMap;
use crate::transport::process::per_process::PerProcess;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

/// Opens the store at a URL.
pub(crate) type Open = Arc<dyn Fn(&str) -> Result<Arc<Port>, Error> + Send + Sync>;

/// Loads the library of a store by its name, which registers its schemes; or says why not.
pub(crate) type Load = fn(&str) -> Result<(), String>;

/// What loads them: nothing in this layer may.
static LOADER: OnceLock<Load> = OnceLock::new();

/// From now on the library of a store is loaded where no store is registered for a scheme of it.
pub(crate) fn set_loader(load: Load) {
    // It is the same each time.
    let _is_first = LOADER.set(load);
}

/// Schemes that one process may register.
const MOST: usize = 64;
/// The longest scheme.
const SCHEME_BYTES: usize = 32;

static SCHEMES: PerProcess<Mutex<SortedMap<Box<str>, Open>>> = PerProcess::new(Mutex::default);

/// From now on URLs with this scheme are opened by `open`, or no longer. It replaces the one before.
///
/// # Errors
/// `INVALID_ARGUMENT` for what is no scheme, and when there are too many.
pub(crate) fn register(scheme: &str, open: Option<Open>) -> Result<(), Error> {
    let wrong = |what: String| Err(Error::new(Status::InvalidArgument, "store_register", what));
    let is_sign = |sign: u8| sign.is_ascii_lowercase() || sign.is_ascii_digit() || b"+-.".contains(&sign);
    let is_scheme = scheme.starts_with(|sign: char| sign.is_ascii_lowercase()) && scheme.bytes().all(is_sign);
    if !is_scheme || scheme.len() > SCHEME_BYTES {
        return wrong(format!(
            "scheme is '{scheme}': 1 to {SCHEME_BYTES} small letters, digits, '+', '-' and '.' are needed, a letter first"
        ));
    }
    let mut schemes = lock(SCHEMES.get());
    if !schemes.contains_key(scheme) && schemes.len() >= MOST {
        return wrong(format!("scheme is '{scheme}', and {MOST} are registered already"));
    }
    let before = match open {
        Some(open) => schemes.insert(scheme.into(), open),
        None => schemes.remove(scheme),
    };
    drop(schemes);
    // What it calls at its end is the program's, and needs no lock of ours.
    drop(before);
    Ok(())
}

/// Opens the store of a configuration.
///
/// # Errors
/// `INVALID_ARGUMENT` for a URL whose scheme no adapter is registered for, and what the adapter says.
pub(crate) fn open(url: &str, ca_file: Option<PathBuf>) -> Result<Arc<Port>, Error> {
    let scheme = scheme_of(url).unwrap_or_default();
    let known = || lock(SCHEMES.get()).get(scheme).map(Arc::clone);
    let (mut opens, mut why) = (known(), None);
    if opens.is_none()
        && let (Some(library), Some(load)) = (library_of(scheme), LOADER.get())
    {
        why = load(library).err();
        opens = known();
    }
    let wrong = |what: String| Error::new(Status::InvalidArgument, "server_new", what);
    if let Some(open) = opens {
        return match ca_file {
            None => open(url),
            Some(_) => Err(wrong(
                "config key 'store.ca_file': only redis has it; name the file in the URL".to_owned(),
            )),
        };
    }
    #[cfg(feature = "redis")]
    if is_redis(scheme) {
        let mut address =
            StoreAddress::parse(url).map_err(|why| wrong(format!("config key 'store.url': {why}")))?;
        address.ca_file = ca_file;
        return Ok(RedisStore::open(address));
    }
    drop(ca_file);
    Err(wrong(unregistered(scheme, why)))
}

/// Whether a URL has a scheme of Redis, which no other adapter has.
#[cfg(feature = "redis")]
fn is_redis(scheme: &str) -> bool {
    ["redis", "rediss", "valkey", "valkeys"].contains(&scheme)
}

/// Whether an adapter opens the URL that is not built in, or would if its library were there.
#[cfg(feature = "redis")]
pub(crate) fn has_adapter(url: &str) -> bool {
    let scheme = scheme_of(url).unwrap_or_default();
    library_of(scheme).is_some() || lock(SCHEMES.get()).contains_key(scheme)
}

/// The scheme of a URL.
fn scheme_of(url: &str) -> Option<&str> {
    url.split_once(':').map(|(scheme, _)| scheme)
}

/// The library with the store for a scheme.
fn library_of(scheme: &str) -> Option<&'static str> {
    match scheme {
        "file" => Some("sqlite"),
        "postgres" | "postgresql" => Some("postgres"),
        "nats" | "tls" => Some("nats"),
        _ => None,
    }
}

/// Names the library that has the adapter, and says why it was not loaded.
fn unregistered(scheme: &str, why: Option<String>) -> String {
    if let Some(library) = library_of(scheme) {
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        return format!(
            "config key 'store.url': no store is registered for '{scheme}': install libmcp-store-{library}, or link it and call \
             mcp_store_{library}_register() before the server is made{why}"
        );
    }
    match scheme {
        "redis" | "rediss" | "valkey" | "valkeys" => format!(
            "config key 'store.url': this build of the library has no store for '{scheme}' (feature 'redis')"
        ),
        _ => format!(
            "config key 'store.url': no store is registered for the scheme '{scheme}': call mcp_store_register() first"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_without_an_adapter_names_the_library_that_has_one() {
        for (url, names) in [
            ("file:/var/x", "libmcp-store-sqlite"),
            ("postgres://h/d", "libmcp-store-postgres"),
            ("nats://h", "libmcp-store-nats"),
            ("tls://h", "mcp_store_nats_register()"),
            ("own://h", "mcp_store_register()"),
            ("no url", "mcp_store_register()"),
        ] {
            let error = open(url, None).expect_err(url);
            assert_eq!(error.status, Status::InvalidArgument, "{url}");
            assert!(error.message.contains(names), "{url}: {}", error.message);
        }
    }

    #[test]
    fn a_scheme_is_small_and_short_and_may_be_registered_again() {
        let none: Open = Arc::new(|_| Err(Error::new(Status::Unavailable, "open", "never there")));
        for scheme in ["", "A", "1a", "a:b", "a/b", &"a".repeat(SCHEME_BYTES + 1)] {
            let error = register(scheme, Some(Arc::clone(&none))).expect_err(scheme);
            assert!(error.message.starts_with("scheme "), "{}", error.message);
        }
        for _ in 0..2 * MOST {
            register("test-again", Some(Arc::clone(&none))).expect("the same one");
        }
        let error = open("test-again:x", None).expect_err("it says so");
        assert_eq!(error.status, Status::Unavailable);
        let error = open("test-again:x", Some("x.pem".into())).expect_err("it has no such key");
        assert!(error.message.contains("store.ca_file"), "{}", error.message);
        register("test-again", None).expect("it is taken back");
        let error = open("test-again:x", None).expect_err("it is gone");
        assert_eq!(error.status, Status::InvalidArgument);
    }
}
