//! Keys and places of `auth`: what signs, and where logins are kept.

use super::super::fields::{Fields, wrong};
use crate::auth::{Algorithm, ClientKey, KeyOf, Secret, SigningKey, public_key};
use crate::engine::Error;
use crate::runtime::http::authenticator::Store;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

/// The longest key file that is read.
const KEY_BYTES: u64 = 64 * 1024;

pub(super) fn read_store(fields: &mut Fields<'_>) -> Result<Store, Error> {
    let directory = fields.string("store_directory")?.map(PathBuf::from);
    let kind = fields.choice("store", &["memory", "application"])?;
    match (directory, kind) {
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

/// The key that the application signs proofs with.
pub(super) fn read_proof_key(fields: &mut Fields<'_>) -> Result<Option<Value>, Error> {
    let Some(object) = fields.object("dpop_key")? else { return Ok(None) };
    public_key(&object).map(Some).map_err(|why| wrong("auth.dpop_key", why))
}

pub(super) fn read_key(fields: &mut Fields<'_>) -> Result<Option<ClientKey>, Error> {
    let (text, file) = (secret(fields, "auth.", "private_key")?, fields.string("private_key_file")?);
    let id = fields.string("key_id")?;
    let algorithm = fields.choice("signing_algorithm", &["ES256", "RS256"])?;
    if let Some(signer) = fields.choice("signer", &["application"])? {
        if text.is_some() || file.is_some() {
            return Err(wrong(
                "auth.signer",
                format!("a private key is there as well, and \"{signer}\" has its own"),
            ));
        }
        let algorithm = match algorithm {
            Some("ES256") => Algorithm::Es256,
            Some(_) => Algorithm::Rs256,
            None => {
                let what = "'auth.signer' needs it: how the application signs (\"ES256\" or \"RS256\")";
                return Err(wrong("auth.signing_algorithm", what));
            }
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
    if let Some(wanted) = algorithm.filter(|wanted| *wanted != signing.algorithm().as_str()) {
        let found = signing.algorithm().as_str();
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

/// A text that is not shown, whatever is wrong with it.
pub(super) fn secret(fields: &mut Fields<'_>, path: &str, key: &str) -> Result<Option<Secret>, Error> {
    match fields.value(key) {
        None => Ok(None),
        Some(Value::String(text)) if !text.is_empty() => Ok(Some(Secret::new(text))),
        Some(_) => Err(wrong(&format!("{path}{key}"), "it is no text, or an empty one")),
    }
}
