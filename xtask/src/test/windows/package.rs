//! The package for Windows, as `cargo xtask dist` makes it in the chroot: what its files are, and C programs that are built with it, after
//! it was unpacked, in the ways of docs/guide/packaging.md. Each has a client and a server inside, and runs under wine.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::workshop::Workshop;
use crate::checkout::{Checkout, folder_at, read};
use crate::dist::{self, DLL, WINDOWS};
use crate::tally::Tally;
use crate::test::dist::names_no_folder;
use crate::test::exports;

/// The DLLs that every Windows has, of those that the library may need: the first part of a name is that of a family of them.
const SYSTEM: [&str; 13] = [
    "advapi32.dll",
    "api-ms-win-",
    "bcrypt.dll",
    "bcryptprimitives.dll",
    "crypt32.dll",
    "dbghelp.dll",
    "kernel32.dll",
    "msvcrt.dll",
    "ncrypt.dll",
    "ntdll.dll",
    "secur32.dll",
    "userenv.dll",
    "ws2_32.dll",
];

/// What is built with the package: the tool of a user would have these options.
const STRICT: &str = "x86_64-w64-mingw32-gcc -std=c11 -Wall -Wextra -pedantic -Werror";

/// An example whose client calls the server in the same program, in both eras, and what it prints each time.
const EXAMPLE: &str = "share/doc/libmcp/examples/c/ask_user.c";
const PRINTS: &str = "ordered: a large tea for 2.50";

pub struct Package<'a> {
    checkout: &'a Checkout,
    workshop: &'a Workshop<'a>,
    folder: PathBuf,
    is_deep: bool,
    profile: &'static str,
}

impl<'a> Package<'a> {
    pub fn new(checkout: &'a Checkout, workshop: &'a Workshop<'a>, folder: PathBuf, is_deep: bool) -> Self {
        Self { checkout, workshop, folder, is_deep, profile: if is_deep { "release" } else { "dev" } }
    }

    /// Where it is unpacked.
    pub fn prefix(&self) -> PathBuf {
        self.folder.join("unpacked/libmcp")
    }

    /// Compiles what is in it.
    pub fn compile(&self) -> Result<(), String> {
        self.make_folder()?;
        self.run(&self.dist("compiled", "")?).map(drop)
    }

    /// Makes it, and unpacks it.
    pub fn make(&self) -> Result<(), String> {
        self.make_folder()?;
        let folder = self.folder.display();
        self.run(&format!(
            "rm -rf '{folder}'/*\n{}\nmkdir '{folder}/unpacked'; tar -xzf '{folder}/first/libmcp.tar.gz' -C '{folder}/unpacked'",
            self.dist("first", "--tarball")?
        ))
        .map(drop)
    }

    /// What it is like, and whether programs can be built with it.
    pub fn check(&self, tally: &mut Tally) {
        if self.is_deep {
            tally.check(
                "the package that is made again, the library compiled again, is the same to the byte",
                self.again(),
            );
        }
        tally.check("its DLL exports exactly what include/mcp.exports lists", self.exports());
        tally.check(
            "its DLL needs Windows' own DLLs alone, has any address, and executes no data",
            self.headers(),
        );
        tally.check(
            "docs/guide/packaging.md says what a program that links its static library needs",
            self.needs(),
        );
        for file in ["bin/mcp.dll", "lib/libmcp.a"] {
            let result = names_no_folder(self.checkout, &self.prefix().join(file));
            tally.check(&format!("its {file} names no folder of this machine"), result);
        }
        tally.check(
            "C programs are built with it by pkg-config (shared, static, static throughout) and call their servers",
            self.pkg_config(),
        );
        tally.check(
            "CMake finds it for Windows alone; C programs of it (shared, static) call their servers",
            self.cmake(),
        );
    }

    fn make_folder(&self) -> Result<(), String> {
        folder_at(&self.folder)
    }

    fn run(&self, script: &str) -> Result<String, String> {
        self.workshop.run(script, &self.folder.with_extension("log")).map(|finished| finished.stdout)
    }

    /// The command that makes it, in a folder of its own.
    fn dist(&self, folder: &str, also: &str) -> Result<String, String> {
        let to = self.folder.join(folder).join("libmcp");
        let line = dist::command_line(WINDOWS, self.profile, &self.workshop.target, &to)?;
        // It says the flags of rustc by itself. A warning is an error, which cargo tells of packages of ours alone. Objects that are
        // compiled to be used again have names that are drawn by lot.
        Ok(format!(
            "(unset CARGO_ENCODED_RUSTFLAGS; export CARGO_INCREMENTAL=0 CARGO_UNSTABLE_WARNINGS=true CARGO_BUILD_WARNINGS=deny; \
             {line} {also})"
        ))
    }

    fn again(&self) -> Result<(), String> {
        let folder = self.folder.display();
        self.run(&format!(
            "cargo clean --quiet --locked --package mcp --package libmcp --profile {} --target-dir '{}' --target {WINDOWS}\n{}\n\
             cmp '{folder}/first/libmcp.tar.gz' '{folder}/second/libmcp.tar.gz'; cd '{folder}/second'; sha256sum --check libmcp.tar.gz.sha256",
            self.profile,
            self.workshop.target.display(),
            self.dist("second", "--tarball")?
        ))
        .map(drop)
    }

    fn headers_of(&self, file: &str) -> Result<String, String> {
        self.run(&format!("x86_64-w64-mingw32-objdump -p '{}'", self.prefix().join(file).display()))
    }

    fn exports(&self) -> Result<(), String> {
        let listed = read(&self.checkout.exports())?;
        let text = self.headers_of(&format!("bin/{DLL}"))?;
        let found = exported(&text);
        exports::compare(&found, &listed.lines().collect())
    }

    fn headers(&self) -> Result<(), String> {
        let text = self.headers_of(&format!("bin/{DLL}"))?;
        let foreign = foreign(&text);
        if !foreign.is_empty() {
            return Err(format!("it needs {}", foreign.join(", ")));
        }
        for flag in ["HIGH_ENTROPY_VA", "DYNAMIC_BASE", "NX_COMPAT", ".reloc"] {
            if !text.contains(flag) {
                return Err(format!("it has no {flag}: {text}"));
            }
        }
        Ok(())
    }

    fn needs(&self) -> Result<(), String> {
        let file = self.prefix().join("lib/pkgconfig/mcp-static.pc");
        let text = read(&file)?;
        let needs = text.lines().find_map(|line| line.strip_prefix("Libs: ${libdir}/libmcp.a "));
        let needs = needs.ok_or_else(|| format!("{} has no libraries: {text}", file.display()))?;
        if read(&self.checkout.root.join("docs/guide/packaging.md"))?.contains(&format!("| `{needs}` |")) {
            return Ok(());
        }
        Err(format!("the page has no row that ends with {needs}"))
    }

    fn pkg_config(&self) -> Result<(), String> {
        let (folder, prefix) = (self.folder.display(), self.prefix());
        let prefix = prefix.display();
        // The static programs run before the DLL is beside them.
        self.run(&format!(
            "export PKG_CONFIG_LIBDIR='{prefix}/lib/pkgconfig'; mkdir '{folder}/pkg-config'; cd '{folder}/pkg-config'\n\
             {STRICT} '{prefix}/{EXAMPLE}' $(pkg-config --cflags --libs mcp) -o shared.exe\n\
             {STRICT} '{prefix}/{EXAMPLE}' $(pkg-config --cflags --libs mcp-static) -o static.exe\n\
             {STRICT} -static '{prefix}/{EXAMPLE}' $(pkg-config --static --cflags --libs mcp) -o throughout.exe\n\
             for program in static throughout shared; do\n\
                 test $program != shared || cp '{prefix}/bin/{DLL}' .\n\
                 timeout -k 5 60 wine ./$program.exe | tr -d '\\r' >$program.out || {{ echo \"$program.exe failed\" >&2; exit 1; }}\n\
                 test \"$(grep -cFx '{PRINTS}' $program.out)\" = 2 || {{ cat $program.out >&2; exit 1; }}\n\
             done"
        ))
        .map(drop)
    }

    fn cmake(&self) -> Result<(), String> {
        let (folder, prefix) = (self.folder.display(), self.prefix());
        let prefix = prefix.display();
        self.run(&format!(
            "unset CC AR; export CMAKE_PREFIX_PATH='{prefix}'\n\
             cmake -S tests/windows/package -B '{folder}/cmake' -DCMAKE_TOOLCHAIN_FILE=\"$PWD/tests/windows/package/mingw.cmake\" \
             -DEXAMPLE='{prefix}/{EXAMPLE}'\n\
             cmake --build '{folder}/cmake'; ctest --test-dir '{folder}/cmake' --no-tests=error --output-on-failure --timeout 60\n\
             if cmake -S tests/windows/package -B '{folder}/cmake-linux' -DEXAMPLE='{prefix}/{EXAMPLE}' 2>'{folder}/refused'; then\n\
                 echo 'a program for Linux found the package for Windows' >&2; exit 1\n\
             fi\n\
             grep -F 'mcpConfig.cmake, version: ' '{folder}/refused'"
        ))
        .map(drop)
    }
}

/// The names in the export table that `objdump -p` prints.
fn exported(text: &str) -> BTreeSet<&str> {
    let table = text.split("[Ordinal/Name Pointer] Table").nth(1).unwrap_or_default();
    table
        .lines()
        .skip_while(|line| !line.trim().starts_with('['))
        .map_while(|line| line.trim().starts_with('[').then(|| line.split_whitespace().last()).flatten())
        .collect()
}

/// The DLLs that are needed and that not every Windows has.
fn foreign(text: &str) -> Vec<&str> {
    let needed = text.lines().filter_map(|line| line.trim().strip_prefix("DLL Name: "));
    needed.filter(|name| !SYSTEM.iter().any(|known| name.to_ascii_lowercase().starts_with(known))).collect()
}

#[cfg(test)]
mod tests {
    use super::{exported, foreign};

    #[test]
    fn exports_are_the_names_of_the_table_alone() {
        let text = "x\n[Ordinal/Name Pointer] Table -- Ordinal Base 1\n\tOrdinal Hint Name\n\t[   0] +base[   1]  0000 mcp_call\n\t[   1] +base[   2]  0001 mcp_x\n\n[ 9] no\n";
        assert_eq!(exported(text).into_iter().collect::<Vec<_>>(), ["mcp_call", "mcp_x"]);
    }

    #[test]
    fn a_dll_that_not_every_windows_has_is_found() {
        let text = "\tDLL Name: KERNEL32.dll\n\tDLL Name: libgcc_s_seh-1.dll\n\tDLL Name: api-ms-win-core-synch-l1-2-0.dll\n";
        assert_eq!(foreign(text), ["libgcc_s_seh-1.dll"]);
    }
}
