//! Laying the install tree: which file goes where below the prefix. Nothing in it names the prefix, so it can be moved.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::dll::{DEFINITIONS, DLL, IMPORT};
use super::libraries::Parts;
use super::licences;
use super::program;
use super::sbom;
use super::template::{fill, upwards};
use super::version::Version;
use super::wish::Wish;
use crate::checkout::{Checkout, folder_at, read, write};
use crate::manual;

/// Returns the files and links that were laid, by their paths below the prefix, sorted.
pub fn lay(
    checkout: &Checkout,
    wish: &Wish,
    version: &Version,
    parts: &Parts,
    work: &Path,
) -> Result<Vec<String>, String> {
    let tree = Tree { checkout, wish, laid: RefCell::default() };
    tree.libraries(version, parts)?;
    for header in checkout.files("include", "h").into_iter().chain(checkout.files("include", "hpp")) {
        tree.copy_into(&header, &wish.includedir)?;
    }
    tree.describe(version, parts)?;
    for page in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        tree.copy(&checkout.root.join(page), &format!("{}/{page}", wish.docdir))?;
    }
    // Keys, the states of a connection, promises and defences are data, which pages refer to.
    let data = [("docs", "toml"), ("docs/reference", "json"), ("docs/reference", "toml")];
    for (folder, extension) in
        [("docs", "md"), ("docs/guide", "md"), ("docs/reference", "md")].into_iter().chain(data)
    {
        // The reference's main page is a template of Doxygen's.
        let pages =
            checkout.files(folder, extension).into_iter().filter(|page| !page.ends_with("functions.md"));
        for page in pages {
            tree.copy_into(&page, &format!("{}/{folder}", wish.docdir))?;
        }
    }
    for (folder, extension) in [("examples/c", "c"), ("examples/cpp", "cpp")] {
        for example in checkout.files(folder, extension) {
            tree.copy_into(&example, &format!("{}/{folder}", wish.docdir))?;
        }
    }
    for page in if wish.is_for_windows() { Vec::new() } else { manual::pages(checkout)? } {
        tree.write(&format!("{}/{}", manual::FOLDER, page.file), &page.text)?;
    }
    // Valgrind knows no Windows.
    for extension in super::DEBUGGING.iter().filter(|it| **it != "supp" || !wish.is_for_windows()) {
        for file in checkout.files("packaging/debugging", extension) {
            tree.copy_into(&file, &wish.datadir)?;
        }
    }
    tree.write(&format!("{}/THIRD-PARTY.md", wish.docdir), &licences::page(checkout, wish)?)?;
    tree.write(&format!("{}/sbom.cdx.json", wish.docdir), &sbom::of_library(checkout, wish)?)?;
    if wish.program {
        for file in program::files(checkout, wish, work)? {
            tree.copy(&file.from, &file.place)?;
        }
        tree.link("mcp", "bin/libmcp")?;
        let page = licences::page_of_program(checkout, wish)?;
        tree.write(&format!("{}/THIRD-PARTY-PROGRAM.md", wish.docdir), &page)?;
        let bill = sbom::of_program(checkout, wish)?;
        tree.write(&format!("{}/sbom-program.cdx.json", wish.docdir), &bill)?;
    }
    Ok(tree.laid.into_inner().into_iter().collect())
}

/// The width of the pointers on a system, by its triple.
fn pointer_bytes(triple: &str) -> u8 {
    let is_wide = triple.split('-').next().is_some_and(|it| it.contains("64") || it == "s390x");
    if is_wide && !triple.ends_with("x32") && !triple.ends_with("ilp32") { 8 } else { 4 }
}

/// Removes a file or link, if it is there.
fn remove(path: &Path) -> Result<(), String> {
    match fs::remove_file(path) {
        Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Err(format!("cannot replace {}: {error}", path.display()))
        }
        _ => Ok(()),
    }
}

struct Tree<'a> {
    checkout: &'a Checkout,
    wish: &'a Wish,
    /// The files and links that are in their places.
    laid: RefCell<BTreeSet<String>>,
}

impl Tree<'_> {
    fn libraries(&self, version: &Version, parts: &Parts) -> Result<(), String> {
        let libdir = &self.wish.libdir;
        // Or what an earlier build left would be installed beside this one.
        self.clear_libraries()?;
        if let Some(archive) = &parts.archive {
            self.copy(archive, &format!("{libdir}/libmcp.a"))?;
        }
        if let Some(shared) = &parts.shared {
            self.copy(shared, &self.shared_place(version))?;
        }
        if let Some((file, place)) = &parts.debug_file {
            self.copy(file, place)?;
        }
        if let Some([library, definitions]) = &parts.import {
            self.copy(library, &format!("{libdir}/{IMPORT}"))?;
            self.copy(definitions, &format!("{libdir}/{DEFINITIONS}"))?;
        } else if parts.shared.is_some() {
            self.link(&version.file(), &format!("{libdir}/{}", version.soname()))?;
            self.link(&version.soname(), &format!("{libdir}/libmcp.so"))?;
        }
        Ok(())
    }

    /// Where the shared library is. Windows looks for DLLs where it looks for programs.
    fn shared_place(&self, version: &Version) -> String {
        if self.wish.is_for_windows() {
            format!("bin/{DLL}")
        } else {
            format!("{}/{}", self.wish.libdir, version.file())
        }
    }

    fn clear_libraries(&self) -> Result<(), String> {
        remove(&self.wish.tree.join("bin").join(DLL))?;
        let Ok(entries) = fs::read_dir(self.wish.tree.join(&self.wish.libdir)) else { return Ok(()) };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if ["libmcp.a", IMPORT, DEFINITIONS].contains(&name.as_str()) || name.starts_with("libmcp.so") {
                remove(&path)?;
            }
        }
        remove(&self.wish.tree.join(&self.wish.libdir).join("pkgconfig/mcp-static.pc"))
    }

    /// The files by which other build systems find the library.
    fn describe(&self, version: &Version, parts: &Parts) -> Result<(), String> {
        let Wish { libdir, includedir, datadir, features, .. } = self.wish;
        let [asked, line] = if version.major == 0 {
            ["${PACKAGE_FIND_VERSION_MAJOR}.${PACKAGE_FIND_VERSION_MINOR}".to_owned(), version.line()]
        } else {
            ["${PACKAGE_FIND_VERSION_MAJOR}".to_owned(), version.major.to_string()]
        };
        let property = if self.wish.is_for_windows() {
            format!("IMPORTED_IMPLIB \"${{_mcp_prefix}}/{libdir}/{IMPORT}\"")
        } else {
            format!("IMPORTED_SONAME \"{}\"", version.soname())
        };
        let values = [
            ("VERSION", version.to_string()),
            ("MAJOR", version.major.to_string()),
            ("ASKED_LINE", asked),
            ("LINE", line),
            ("POINTER_BYTES", pointer_bytes(self.wish.system()).to_string()),
            ("SYSTEM", if self.wish.is_for_windows() { "Windows" } else { "Linux|Android" }.to_owned()),
            ("SHARED_PLACE", self.shared_place(version)),
            ("SHARED_PROPERTY", property),
            ("LIBDIR", libdir.clone()),
            ("INCLUDEDIR", includedir.clone()),
            ("DATADIR", datadir.clone()),
            ("UP_FROM_PKGCONFIG", upwards(&format!("{libdir}/pkgconfig"))),
            ("UP_FROM_CMAKE", upwards(&format!("{libdir}/cmake/mcp"))),
            ("NEEDS", parts.needs.join(" ")),
            ("NEEDS_LIST", parts.needs.join(";")),
            ("FEATURES", features.join(" ")),
            ("FEATURES_LIST", features.join(";")),
        ];
        let mut places = vec![
            ("mcp.pc", "pkgconfig/mcp.pc"),
            ("mcpConfig.cmake", "cmake/mcp/mcpConfig.cmake"),
            ("mcpConfigVersion.cmake", "cmake/mcp/mcpConfigVersion.cmake"),
        ];
        if parts.archive.is_some() {
            places.push(("mcp-static.pc", "pkgconfig/mcp-static.pc"));
        }
        for (template, place) in places {
            let source = self.checkout.root.join("cmake").join(format!("{template}.in"));
            let text =
                fill(&read(&source)?, &values).map_err(|error| format!("{}: {error}", source.display()))?;
            self.write(&format!("{libdir}/{place}"), &text)?;
        }
        Ok(())
    }

    /// Where a file or link goes, with the folders above it. What is there is removed, not written over: a program may run with
    /// it, and a link must not lead the new content elsewhere.
    fn place(&self, place: &str) -> Result<PathBuf, String> {
        let path = self.wish.tree.join(place);
        if let Some(folder) = path.parent() {
            folder_at(folder)?;
        }
        remove(&path)?;
        let below = path.strip_prefix(&self.wish.tree).unwrap_or(&path);
        self.laid.borrow_mut().insert(below.display().to_string());
        Ok(path)
    }

    fn copy(&self, from: &Path, place: &str) -> Result<(), String> {
        let to = self.place(place)?;
        fs::copy(from, &to)
            .map(|_| ())
            .map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))
    }

    fn copy_into(&self, from: &Path, folder: &str) -> Result<(), String> {
        let name = from.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.copy(from, &format!("{folder}/{name}"))
    }

    fn write(&self, place: &str, text: &str) -> Result<(), String> {
        write(&self.place(place)?, text)
    }

    #[cfg(unix)]
    fn link(&self, to: &str, place: &str) -> Result<(), String> {
        let path = self.place(place)?;
        std::os::unix::fs::symlink(to, &path)
            .map_err(|error| format!("cannot link {}: {error}", path.display()))
    }

    #[cfg(not(unix))]
    fn link(&self, to: &str, place: &str) -> Result<(), String> {
        Err(format!("cannot link {place} to {to}: this system has no links"))
    }
}

#[cfg(test)]
mod tests {
    use super::pointer_bytes;

    #[test]
    fn the_triple_tells_the_width_of_pointers() {
        assert_eq!(pointer_bytes("x86_64-unknown-linux-gnu"), 8);
        assert_eq!(pointer_bytes("s390x-unknown-linux-gnu"), 8);
        assert_eq!(pointer_bytes("armv7-unknown-linux-gnueabihf"), 4);
        assert_eq!(pointer_bytes("x86_64-unknown-linux-gnux32"), 4);
    }
}
