//! `cargo xtask deb`: the install tree as four Debian packages: `libmcp0`, which programs need to run, `libmcp-dev`, which
//! they need to be built, `libmcp-bin` with the program `mcp`, and `libmcp0-dbg` with what debuggers want to know of the library. The first is named after the SONAME, so that two of them can be
//! installed side by side.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::checkout::{Checkout, folder_at, read, removed, write};
use crate::dist::{self, Made, Wish};
use crate::machine::{CC, DPKG, DPKG_DEB, NM};
use crate::process;
use crate::symbols;

const LIMIT: Duration = Duration::from_secs(120);

/// Before they are released, only the project answers for packages.
const MAINTAINER: &str = "The libmcp developers <libmcp@users.noreply.github.com>";

/// `cargo xtask deb`
pub fn run(checkout: &Checkout) -> Result<(), String> {
    for package in make(checkout, &checkout.target.join("dist/deb"))? {
        println!("wrote {}", package.display());
    }
    Ok(())
}

/// What `libmcp-bin` has, below `usr`.
const PROGRAM: [&str; 5] = ["bin", "share/man/man1", "share/bash-completion", "share/zsh", "share/fish"];

/// Makes the packages below a folder.
pub fn make(checkout: &Checkout, output: &Path) -> Result<[PathBuf; 4], String> {
    let maker = Maker { checkout, output };
    removed(output)?;
    // Debian keeps libraries in a folder for each kind of machine.
    let triple = maker.ask(Command::new(CC.find()?).arg("-print-multiarch"))?;
    let architecture = maker.ask(Command::new(DPKG.find()?).arg("--print-architecture"))?;
    let libdir = if triple.is_empty() { "lib".to_owned() } else { format!("lib/{triple}") };
    let tree = output.join("tree/usr").display().to_string();
    let mut options =
        vec!["--to", &tree, "--libdir", &libdir, "--docdir", "share/doc/libmcp-dev", "--no-tarball"];
    options.extend(["--program", "--profile", "symbols", "--debug-file"]);
    let made = dist::make(checkout, &Wish::read(checkout, &options)?)?;

    let name = format!("libmcp{}", made.version.soname);
    let needs = maker.needs(&made, &libdir)?;
    let program_needs = maker.needs_of(&made.tree.join("bin/mcp"))?;
    let program = Package {
        name: "libmcp-bin".to_owned(),
        control: control(
            "libmcp-bin",
            &made,
            &architecture,
            &program_needs,
            "the program mcp, also called libmcp",
        ),
    };
    let runtime = Package {
        control: control(&name, &made, &architecture, &needs, "the shared library"),
        name: name.clone(),
    };
    let debugging = Package {
        name: format!("{name}-dbg"),
        control: control(
            &format!("{name}-dbg"),
            &made,
            &architecture,
            &format!("{name} (= {})", made.version),
            "the debugging symbols of the shared library",
        ),
    };
    let development = Package {
        control: control(
            "libmcp-dev",
            &made,
            &architecture,
            &format!("{name} (= {})", made.version),
            "what programs are built with",
        ),
        name: "libmcp-dev".to_owned(),
    };
    let runtime_root = output.join(&name).join("usr");
    for file in [made.version.file(), made.version.soname()] {
        maker.move_to(&made.tree.join(&libdir).join(&file), &runtime_root.join(&libdir).join(&file))?;
    }
    for page in ["THIRD-PARTY.md", "sbom.cdx.json", "CHANGELOG.md"] {
        let to = runtime_root.join("share/doc").join(&name).join(page);
        copy(&made.tree.join("share/doc/libmcp-dev").join(page), &to)?;
    }
    // A library is no program.
    let shared = runtime_root.join(&libdir).join(made.version.file());
    maker.ask(Command::new("chmod").arg("0644").arg(&shared))?;
    let overrides = runtime_root.join("share/lintian/overrides");
    folder_at(&overrides)?;
    write(
        &overrides.join(&name),
        &format!(
            "# The names of functions that debuggers and profilers show stay in it.\n{name}: unstripped-binary-or-object *\n"
        ),
    )?;
    copyright(checkout, &runtime_root.join("share/doc").join(&name))?;
    let debugging_root = output.join(&debugging.name).join("usr");
    maker.move_to(&made.tree.join("lib/debug"), &debugging_root.join("lib/debug"))?;
    copyright(checkout, &debugging_root.join("share/doc").join(&debugging.name))?;
    let program_root = output.join("libmcp-bin/usr");
    for folder in PROGRAM {
        maker.move_to(&made.tree.join(folder), &program_root.join(folder))?;
    }
    // Debian has a folder of its own for the completion of packages.
    maker.move_to(
        &program_root.join("share/zsh/site-functions"),
        &program_root.join("share/zsh/vendor-completions"),
    )?;
    maker.move_to(
        &made.tree.join("share/doc/libmcp-dev/THIRD-PARTY-PROGRAM.md"),
        &program_root.join("share/doc/libmcp-bin/THIRD-PARTY.md"),
    )?;
    maker.move_to(
        &made.tree.join("share/doc/libmcp-dev/sbom-program.cdx.json"),
        &program_root.join("share/doc/libmcp-bin/sbom.cdx.json"),
    )?;
    copyright(checkout, &program_root.join("share/doc/libmcp-bin"))?;
    copyright(checkout, &made.tree.join("share/doc/libmcp-dev"))?;
    maker.move_to(&made.tree, &output.join("libmcp-dev/usr"))?;

    let symbols = [("symbols", debian_symbols(checkout, &made, &name)?)];
    let shlibs = ("shlibs", format!("libmcp {} {name} (>= {})\n", made.version.soname, made.version.line()));
    let triggers = ("triggers", "activate-noawait ldconfig\n".to_owned());
    let extra: Vec<(&str, String)> = symbols.into_iter().chain([shlibs, triggers]).collect();
    Ok([
        maker.build(&runtime, &made, &architecture, &extra)?,
        maker.build(&development, &made, &architecture, &[])?,
        maker.build(&program, &made, &architecture, &[])?,
        maker.build(&debugging, &made, &architecture, &[])?,
    ])
}

struct Package {
    name: String,
    control: String,
}

struct Maker<'a> {
    checkout: &'a Checkout,
    output: &'a Path,
}

impl Maker<'_> {
    fn ask(&self, command: &mut Command) -> Result<String, String> {
        let log = self.checkout.scratch("deb")?.join("ask");
        let finished = process::run(command, LIMIT, &log)?;
        if finished.succeeded() { Ok(finished.stdout.trim().to_owned()) } else { Err(finished.story()) }
    }

    /// The newest version of glibc that the library asks for, as a dependency.
    fn needs(&self, made: &Made, libdir: &str) -> Result<String, String> {
        self.needs_of(&made.tree.join(libdir).join(made.version.file()))
    }

    fn needs_of(&self, file: &Path) -> Result<String, String> {
        let symbols = self.ask(Command::new(NM.find()?).arg("-D").arg(file))?;
        let newest = newest_glibc(&symbols)
            .ok_or_else(|| format!("{} asks for no version of glibc", file.display()))?;
        Ok(format!("libc6 (>= {newest}), libgcc-s1"))
    }

    fn move_to(&self, from: &Path, to: &Path) -> Result<(), String> {
        if let Some(folder) = to.parent() {
            folder_at(folder)?;
        }
        fs::rename(from, to).map_err(|error| {
            format!("cannot move {} below {}: {error}", from.display(), self.output.display())
        })
    }

    /// The changes in Debian's form, which name the page that has them.
    fn changelog(&self, made: &Made, folder: &Path) -> Result<(), String> {
        let time = format!("@{}", dist::time(self.checkout)?);
        let date = self.ask(Command::new("date").args(["-u", "-R", "-d", &time]))?;
        let text = format!(
            "libmcp ({}) unstable; urgency=medium\n\n  * CHANGELOG.md of libmcp-dev has the changes.\n\n -- {MAINTAINER}  {date}\n",
            made.version
        );
        let file = folder.join("changelog");
        write(&file, &text)?;
        // Without its time, so that it is the same each time.
        self.ask(Command::new("gzip").args(["-9", "-n"]).arg(&file)).map(drop)
    }

    fn build(
        &self,
        package: &Package,
        made: &Made,
        architecture: &str,
        extra: &[(&str, String)],
    ) -> Result<PathBuf, String> {
        let root = self.output.join(&package.name);
        let debian = root.join("DEBIAN");
        folder_at(&debian)?;
        self.changelog(made, &root.join("usr/share/doc").join(&package.name))?;
        let pages = root.join("usr/share/man");
        if pages.exists() {
            let compress = ["-type", "f", "-exec", "gzip", "-9", "-n", "{}", "+"];
            self.ask(Command::new("find").arg(&pages).args(compress))?;
        }
        // What each file was when the package was made, for programs that look for files that are not.
        let sums = "find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum > DEBIAN/md5sums";
        self.ask(Command::new("sh").current_dir(&root).args(["-c", sums]))?;
        write(&debian.join("control"), &package.control)?;
        for (name, text) in extra {
            write(&debian.join(name), text)?;
        }
        let file = self.output.join(format!("{}_{}_{architecture}.deb", package.name, made.version));
        let mut dpkg = Command::new(DPKG_DEB.find()?);
        dpkg.args(["--root-owner-group", "--build"]).arg(&root).arg(&file);
        // Files get this time at the latest, so that the package is the same each time.
        dpkg.env("SOURCE_DATE_EPOCH", dist::time(self.checkout)?);
        self.ask(&mut dpkg)?;
        Ok(file)
    }
}

fn control(name: &str, made: &Made, architecture: &str, needs: &str, what: &str) -> String {
    let section = match name {
        "libmcp-bin" => "utils",
        name if name.ends_with("-dev") => "libdevel",
        name if name.ends_with("-dbg") => "debug",
        _ => "libs",
    };
    // Two architectures cannot share the files in /usr/bin.
    let multi = if name == "libmcp-bin" { "foreign" } else { "same" };
    format!(
        "Package: {name}\nSource: libmcp\nVersion: {}\nArchitecture: {architecture}\nMulti-Arch: {multi}\n\
         Section: {section}\nPriority: optional\nMaintainer: {MAINTAINER}\nDepends: {needs}\n\
         Homepage: https://github.com/libmcp/libmcp\nDescription: clients and servers of the Model Context Protocol\n \
         libmcp lets programs in C and other languages use servers of the Model Context\n Protocol, and be \
         servers themselves, in every revision of the protocol.\n .\n This package has {what}.\n",
        made.version
    )
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    if let Some(folder) = to.parent() {
        folder_at(folder)?;
    }
    fs::copy(from, to).map(|_| ()).map_err(|error| format!("cannot copy {}: {error}", from.display()))
}

fn copyright(checkout: &Checkout, folder: &Path) -> Result<(), String> {
    let mit = read(&checkout.root.join("LICENSE-MIT"))?;
    let mut text = String::from(
        "libmcp is under the MIT licence or the Apache License 2.0, as you choose; the latter is in\n\
         /usr/share/common-licenses/Apache-2.0. The licences of what it is built from are in THIRD-PARTY.md.\n\n",
    );
    text.push_str(&mit);
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    write(&folder.join("copyright"), &text)
}

/// Which package a program needs for each symbol: the one of the version that brought it.
fn debian_symbols(checkout: &Checkout, made: &Made, name: &str) -> Result<String, String> {
    let mut text = format!("{} {name} (>= {})\n", made.version.soname(), made.version.line());
    for (symbol, since) in symbols::versions(checkout)? {
        let _ = writeln!(text, " {symbol}@MCP_{since} {since}");
    }
    Ok(text)
}

/// The highest `GLIBC_2.x` in what nm shows.
fn newest_glibc(symbols: &str) -> Option<String> {
    let versions = symbols.lines().filter_map(|line| line.split("@GLIBC_").nth(1));
    versions
        .filter_map(|version| {
            Some((version.split('.').map(str::parse).collect::<Result<Vec<u32>, _>>().ok()?, version))
        })
        .max()
        .map(|(_, version)| version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::newest_glibc;

    #[test]
    fn versions_of_glibc_compare_by_number() {
        let symbols =
            " U close@GLIBC_2.2.5\n U a@GLIBC_2.34\n U b@GLIBC_2.4\n w __cxa@GLIBC_2.9\n U c@GCC_3.0\n";
        assert_eq!(newest_glibc(symbols), Some("2.34".to_owned()));
        assert_eq!(newest_glibc(" U c\n"), None);
    }
}
