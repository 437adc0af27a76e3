//! What `auth` says about signing, and where logins are kept.

use super::keys::LoginKeys;
use crate::auth::{ClientKey, KeyOf, Secret, SigningKey};
use crate::config::fields::wrong;
use crate::engine::Error;
use crate::runtime::http::authenticator::Store;
use std::path::PathBuf;
use std::sync::Arc;

/// The longest key file that is read.
const KEY_BYTES: u64 = 64 * 1024;

/// Where logins are kept.
pub(super) fn store(keys: &mut LoginKeys) -> Result<Store, Error> {
    match (keys.store_directory.take().map(PathBuf::from), keys.store) {
        (Some(_), Some(_)) => {
            Err(wrong("auth.store_directory", "'auth.store' is there as well; one of them must go"))
        }
        (Some(path), None) if !path.is_absolute() => {
            Err(wrong("auth.store_directory", "it is no absolute path"))
        }
        (Some(path), None) => Ok(Store::Directory(path)),
        (None, Some("application")) => Ok(Store::Application),
        (None, _) => Ok(Store::Memory),
    }
}

/// The key that identifies the client.
pub(super) fn client_key(keys: &mut LoginKeys) -> Result<Option<ClientKey>, Error> {
    let (text, file) = (keys.private_key.take(), keys.private_key_file.take());
    let (id, algorithm) = (keys.key_id.take(), keys.signing_algorithm);
    if let Some(signer) = keys.signer {
        if text.is_some() || file.is_some() {
            return Err(wrong(
                "auth.signer",
                format!("a private key is there as well, and \"{signer}\" has its own"),
            ));
        }
        let Some(algorithm) = algorithm else {
            let what = "'auth.signer' needs it: how the application signs (\"ES256\" or \"RS256\")";
            return Err(wrong("auth.signing_algorithm", what));
        };
        return Ok(Some(ClientKey { key: KeyOf::Application(algorithm), id }));
    }
    let (key, pem) = match (text, file) {
        (None, None) => return Ok(None),
        (Some(_), Some(_)) => {
            return Err(wrong(
                "auth.private_key_file",
                "'auth.private_key' is there as well; one of them must go",
            ));
        }
        (Some(text), None) => ("auth.private_key", text),
        (None, Some(path)) => ("auth.private_key_file", read_file(&path)?),
    };
    let signing = SigningKey::from_pem(&pem).map_err(|why| wrong(key, why))?;
    if let Some(wanted) = algorithm.filter(|wanted| *wanted != signing.algorithm()) {
        let (found, wanted) = (signing.algorithm().as_str(), wanted.as_str());
        return Err(wrong("auth.signing_algorithm", format!("the key signs {found}, not {wanted}")));
    }
    Ok(Some(ClientKey { key: KeyOf::Us(Arc::new(signing)), id }))
}

fn read_file(path: &str) -> Result<Secret, Error> {
    let failed = |why: String| wrong("auth.private_key_file", format!("'{path}' cannot be read: {why}"));
    let found = std::fs::metadata(path).map_err(|error| failed(error.to_string()))?;
    if !found.is_file() || found.len() > KEY_BYTES {
        return Err(failed("it is no file, or longer than 64 KiB".to_owned()));
    }
    std::fs::read_to_string(path).map(Secret::new).map_err(|error| failed(error.to_string()))
}
