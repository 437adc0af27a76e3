//! Zig from Python's package index: one compiler of C and C++ for all systems, which brings the headers and the C library of each, and
//! for glibc those of older versions.

use std::path::{Path, PathBuf};

use crate::checkout::Checkout;
use crate::chroot::cache;
use crate::peers;

/// Zig, and its folder, which is kept for all checkouts.
pub struct Zig {
    folder: PathBuf,
    program: PathBuf,
}

impl Zig {
    /// Gets it, if it is not there.
    pub fn install(checkout: &Checkout) -> Result<Self, String> {
        let folder = cache()?.join("zig");
        peers::environment_in(checkout, &folder, &checkout.root.join("tests/targets/zig.txt"))?;
        let entries = std::fs::read_dir(folder.join("lib")).into_iter().flatten();
        let mut found =
            entries.filter_map(|entry| Some(entry.ok()?.path().join("site-packages/ziglang/zig")));
        let program = found.find(|file| file.is_file()).ok_or_else(|| {
            format!("{} has no Zig: remove the folder, so that it is made again", folder.display())
        })?;
        Ok(Self { folder, program })
    }

    /// What a script must see.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Where it keeps what it has compiled of C libraries, and of the work that `of` names.
    pub fn caches(&self, of: &str) -> [(&'static str, PathBuf); 2] {
        [
            ("ZIG_GLOBAL_CACHE_DIR", self.folder.join("cache")),
            ("ZIG_LOCAL_CACHE_DIR", self.folder.join("cache").join(of)),
        ]
    }

    /// The command of its compiler of C (`cc`) or C++ (`c++`) for a system such as `aarch64-linux-gnu.2.17`. What Zig checks at run time
    /// by itself would need its own library.
    pub fn compiler(&self, language: &str, system: &str) -> String {
        format!("{} {language} -target {system} -fno-sanitize=undefined", self.program.display())
    }
}
