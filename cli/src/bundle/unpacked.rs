//! A bundle as the server of a command: unpacked into the cache, under the digest of its bytes.

use super::install::values_now;
use super::manifest::{Place, platform};
use super::{Bundle, bytes_of};
use crate::arguments::Common;
use crate::failure::Failure;
use crate::folders;
use crate::folders::sha256;
use crate::ordered::sort_by;
use crate::output::one_line;
use crate::target::Target;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The most bundles that are kept, and how long one is kept whatever their number: a server may run from it.
const MOST_KEPT: usize = 16;
const KEPT: Duration = Duration::from_secs(24 * 3600);

/// Whether a word names the file of a bundle.
pub fn is_bundle(word: &str) -> bool {
    let path = Path::new(word);
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("mcpb")) && path.is_file()
}

/// The bundle as a target, which starts its server.
pub fn target(word: &str, common: &Common) -> Result<Target, Failure> {
    let bytes = bytes_of(Path::new(word))?;
    let bundle = Bundle::read(&bytes, word)?;
    bundle.for_this_system()?;
    let folder = unpacked(&bundle, &sha256(&bytes))?;
    let values = values_now(&bundle, &folder, word, &common.inputs)?;
    let place = Place::here(&folder, &values);
    let config = bundle
        .manifest
        .config(&place, platform())
        .map_err(|why| Failure::usage(format!("{}: {}", one_line(word), one_line(&why))))?;
    Ok(Target { shown: word.to_owned(), config })
}

/// The folder of its files.
fn unpacked(bundle: &Bundle<'_>, digest: &str) -> Result<PathBuf, Failure> {
    let cache = folders::cache()
        .ok_or_else(|| Failure::machine("there is no folder for a cache: HOME is not set"))?;
    let all = cache.join("libmcp").join("bundles");
    let place = all.join(digest);
    if place.is_dir() {
        return Ok(place);
    }
    let failed = |why: &dyn std::fmt::Display| {
        Failure::machine(format!("cannot unpack into {}: {why}", all.display()))
    };
    crate::login::make(&all).map_err(|error| failed(&error))?;
    remove_old(&all);
    let aside = tempfile::Builder::new().prefix(".new-").tempdir_in(&all).map_err(|error| failed(&error))?;
    let content = aside.path().join("content");
    bundle.unpack(&content)?;
    match std::fs::rename(&content, &place) {
        // Another command may have been earlier.
        Err(_) if place.is_dir() => Ok(place),
        Err(error) => Err(failed(&error)),
        Ok(()) => Ok(place),
    }
}

/// Removes the oldest of many. What cannot be removed stays.
fn remove_old(all: &Path) {
    let age = |entry: &std::fs::DirEntry| {
        let modified = entry.metadata().and_then(|about| about.modified()).ok();
        modified.and_then(|modified| SystemTime::now().duration_since(modified).ok()).unwrap_or_default()
    };
    let mut kept: Vec<(Duration, PathBuf)> = std::fs::read_dir(all)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| (age(&entry), entry.path()))
        .collect();
    sort_by(&mut kept, Ord::cmp);
    for (age, path) in kept.into_iter().skip(MOST_KEPT) {
        if age > KEPT {
            let _stays = std::fs::remove_dir_all(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_is_a_file_with_its_ending() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("a.mcpb"), "").expect("a file");
        std::fs::write(path("a.zip"), "").expect("a file");
        std::fs::create_dir(path("b.mcpb")).expect("a folder");
        assert!(is_bundle(&path("a.mcpb")));
        for name in ["a.zip", "b.mcpb", "c.mcpb"] {
            assert!(!is_bundle(&path(name)), "{name}");
        }
    }
}
