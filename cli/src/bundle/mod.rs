//! Bundles: a server with all that it needs in one file (`.mcpb`), which is packed, checked, installed, and used as it is.
//!
//! Nothing of a bundle runs before the person has named it as a server of a command. Texts in it are those of strangers.
//!
//! The files:
//!
//! * `archive`: `Archive`: Zip, read strictly and written reproducibly
//! * `manifest`: `Manifest`: `manifest.json`, its settings and its command
//! * `signature`: whose bytes a bundle has, as its signature says
//! * `ignored`: `Ignored`: files that are not packed
//! * `described`: what package files say of a server
//! * `pack`: `pack`
//! * `install`: `install`, `uninstall`
//! * `unpacked`: a bundle as the server of a command

mod archive;
mod described;
mod ignored;
mod install;
mod manifest;
mod pack;
mod signature;
mod unpacked;

pub use archive::MOST_ARCHIVE;
pub use described::{Described, described};
pub use install::{checked_name, install, install_bytes, uninstall};
pub use manifest::platform;
pub use pack::pack;
pub use unpacked::{is_bundle, target};

use self::archive::Archive;
use self::manifest::Manifest;
use self::signature::Verdict;
use crate::failure::Failure;
use crate::output::one_line;
use crate::shape::Finding;
use std::io::Write as _;
use std::path::Path;

/// The manifest of a bundle, and the most bytes of it.
const MANIFEST: &str = "manifest.json";
const MOST_MANIFEST: u64 = 1 << 20;

/// A bundle that has been read.
#[derive(Debug)]
pub struct Bundle<'a> {
    archive: Archive<'a>,
    manifest: Manifest,
    /// What its signature comes to, if it has one: it is worked out over all bytes, and so once.
    signature: Option<Verdict>,
    /// What is odd in it.
    odd: Vec<Finding>,
}

/// The bytes of a bundle.
fn bytes_of(path: &Path) -> Result<Vec<u8>, Failure> {
    use std::io::Read as _;
    let failed =
        |why: &dyn std::fmt::Display| Failure::usage(format!("cannot read {}: {why}", path.display()));
    let file = std::fs::File::open(path).map_err(|error| failed(&error))?;
    if !file.metadata().map_err(|error| failed(&error))?.is_file() {
        return Err(failed(&"it is not a file"));
    }
    let mut bytes = Vec::new();
    file.take(archive::MOST_ARCHIVE as u64 + 1).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    Ok(bytes)
}

/// Whether the manifest of a bundle says that it is for this system.
pub fn is_for_this_system(bytes: &[u8], shown: &str) -> Result<bool, Failure> {
    Ok(Bundle::read(bytes, &mcp::client::without_passwords(shown))?.manifest.is_for(platform()))
}

/// The bytes of a bundle that can be used.
pub fn checked_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = bytes_of(path)?;
    Bundle::read(&bytes, &path.display().to_string())?;
    Ok(bytes)
}

impl<'a> Bundle<'a> {
    /// Reads a bundle; `shown` is what it is called in errors.
    fn read(bytes: &'a [u8], shown: &str) -> Result<Bundle<'a>, Failure> {
        let wrong = |why: String| {
            Failure::usage(format!(
                "{} is not a bundle that can be used: {}",
                one_line(shown),
                one_line(&why)
            ))
        };
        let archive = Archive::read(bytes).map_err(wrong)?;
        let signature = archive.signature();
        if let Some(Verdict::Broken(why)) = signature {
            return Err(wrong(format!("its signature does not fit: {why}; get it from its maker again")));
        }
        let entry = archive.file(MANIFEST).ok_or_else(|| wrong(format!("it has no {MANIFEST}")))?;
        let text = archive.content(entry, MOST_MANIFEST).map_err(wrong)?;
        let (manifest, odd) = Manifest::read(&text).map_err(wrong)?;
        let bundle = Bundle { archive, manifest, signature, odd };
        if let Some(program) = bundle.manifest.program(platform())
            && bundle.manifest.is_for(platform())
            && bundle.program_entry(&program).is_none()
        {
            return Err(wrong(format!("its program '{program}' is not in it")));
        }
        Ok(bundle)
    }

    fn program_entry(&self, program: &str) -> Option<&archive::Entry> {
        let with_end = || self.archive.file(&format!("{program}.exe"));
        self.archive.file(program).or_else(|| if platform() == "win32" { with_end() } else { None })
    }

    /// Unpacks it into a folder that is made for it; only the person may read it. What an archive calls executable is, and its program.
    fn unpack(&self, folder: &Path) -> Result<(), Failure> {
        let failed = |path: &Path, why: &dyn std::fmt::Display| {
            Failure::machine(format!("cannot write {}: {why}", path.display()))
        };
        crate::login::make(folder).map_err(|error| failed(folder, &error))?;
        let program = self.manifest.program(platform());
        for entry in &self.archive.entries {
            let path = folder.join(&entry.name);
            let above = if entry.is_folder { path.as_path() } else { path.parent().unwrap_or(folder) };
            crate::login::make(above).map_err(|error| failed(above, &error))?;
            if entry.is_folder {
                continue;
            }
            let mut options = std::fs::OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            {
                let is_program = program.as_deref() == Some(entry.name.as_str());
                let mode = if entry.is_executable || is_program { 0o700 } else { 0o600 };
                std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
            }
            let mut file = options.open(&path).map_err(|error| failed(&path, &error))?;
            self.archive.unpack(entry, &mut file).map_err(|why| failed(&path, &why))?;
            file.flush().map_err(|error| failed(&path, &error))?;
        }
        Ok(())
    }

    /// Refuses a bundle that is for other systems.
    fn for_this_system(&self) -> Result<(), Failure> {
        if self.manifest.is_for(platform()) {
            return Ok(());
        }
        let platforms =
            self.manifest.value.pointer("/compatibility/platforms").unwrap_or(&serde_json::Value::Null);
        Err(Failure::usage(format!(
            "'{}' is for {}, and this is {}",
            one_line(self.manifest.text("name")),
            one_line(&platforms.to_string()),
            platform()
        )))
    }
}
