//! The folder of a Maven repository, as Maven Central wants it: the jar, its sources, its reference, the POM, and checksums of each.
//! Signatures are made by the person who publishes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::checkout::{Checkout, folder_at, read, write};
use crate::process;

/// Maven's name of a checksum, and the program that makes it. Central needs the first two.
const CHECKSUMS: [(&str, &str); 4] =
    [("md5", "md5sum"), ("sha1", "sha1sum"), ("sha256", "sha256sum"), ("sha512", "sha512sum")];

const LIMIT: Duration = Duration::from_secs(60);

/// A version of the Java binding in a Maven repository.
pub struct Publication {
    folder: PathBuf,
    version: String,
    /// What Maven is told of it: that of `bindings/java`, whose first comment is for developers.
    pom: String,
}

impl Publication {
    /// Makes its folder, without the files that an earlier one has left there.
    pub fn begin(checkout: &Checkout, repository: &Path, version: &str) -> Result<Self, String> {
        let folder = repository.join("io/libmcp/libmcp").join(version);
        let folder = crate::checkout::cleared(&folder)?;
        let pom = read(&checkout.root.join("bindings/java/pom.xml"))?;
        Ok(Self { folder, version: version.to_owned(), pom })
    }

    pub fn jar(&self) -> PathBuf {
        self.named(".jar")
    }

    pub fn sources(&self) -> PathBuf {
        self.named("-sources.jar")
    }

    pub fn reference(&self) -> PathBuf {
        self.named("-javadoc.jar")
    }

    pub fn pom(&self) -> PathBuf {
        self.named(".pom")
    }

    /// What has checksums, and gets a signature.
    pub fn files(&self) -> [PathBuf; 4] {
        [self.jar(), self.sources(), self.reference(), self.pom()]
    }

    fn named(&self, end: &str) -> PathBuf {
        self.folder.join(format!("libmcp-{}{end}", self.version))
    }

    /// Writes what a jar says of itself to Maven.
    pub fn describe(&self, to: &Path) -> Result<(), String> {
        folder_at(to)?;
        write(&to.join("pom.xml"), &self.pom)?;
        let properties = format!("groupId=io.libmcp\nartifactId=libmcp\nversion={}\n", self.version);
        write(&to.join("pom.properties"), &properties)
    }

    /// Writes the POM, and the checksums of all files.
    pub fn finish(&self, work: &Path) -> Result<(), String> {
        write(&self.pom(), &self.pom)?;
        for file in self.files() {
            for (kind, program) in CHECKSUMS {
                write(&checksum_of(&file, kind), &sum(program, &file, work)?)?;
            }
        }
        Ok(())
    }
}

fn checksum_of(file: &Path, kind: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{kind}"));
    name.into()
}

fn sum(program: &str, file: &Path, work: &Path) -> Result<String, String> {
    let finished = process::run(Command::new(program).arg(file), LIMIT, &work.join(program))?;
    let digits = finished.stdout.split_whitespace().next().unwrap_or_default();
    if finished.succeeded() && !digits.is_empty() { Ok(digits.to_owned()) } else { Err(finished.story()) }
}
