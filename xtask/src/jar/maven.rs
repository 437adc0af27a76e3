//! The folder of a Maven repository, as Maven Central wants it: the jar, its sources, its reference, the POM, and checksums of each.
//! Signatures are made by the person who publishes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::checkout::{folder_at, read, write};
use crate::process;

/// Maven's name of a checksum, and the program that makes it. Central needs the first two.
pub const CHECKSUMS: [(&str, &str); 4] =
    [("md5", "md5sum"), ("sha1", "sha1sum"), ("sha256", "sha256sum"), ("sha512", "sha512sum")];

const LIMIT: Duration = Duration::from_secs(60);

/// A version of the Java binding in a Maven repository.
pub struct Publication {
    folder: PathBuf,
    version: String,
}

impl Publication {
    /// Makes its folder, without the files that an earlier one has left there.
    pub fn begin(repository: &Path, version: &str) -> Result<Self, String> {
        let folder = repository.join("io/libmcp/libmcp").join(version);
        let folder = crate::checkout::cleared(&folder)?;
        Ok(Self { folder, version: version.to_owned() })
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

    pub fn version(&self) -> &str {
        &self.version
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
        write(&to.join("pom.xml"), &pom(&self.version))?;
        let properties = format!("groupId=io.libmcp\nartifactId=libmcp\nversion={}\n", self.version);
        write(&to.join("pom.properties"), &properties)
    }

    /// Writes the POM, and the checksums of all files.
    pub fn finish(&self, work: &Path) -> Result<(), String> {
        write(&self.pom(), &pom(&self.version))?;
        for file in self.files() {
            for (kind, program) in CHECKSUMS {
                write(&checksum_of(&file, kind), &sum(program, &file, work)?)?;
            }
        }
        Ok(())
    }

    /// Looks whether each checksum is that of its file.
    pub fn check(&self, work: &Path) -> Result<(), String> {
        for file in self.files() {
            for (kind, program) in CHECKSUMS {
                let written = read(&checksum_of(&file, kind))?;
                let found = sum(program, &file, work)?;
                if written != found {
                    return Err(format!("{} is {found}, and its {kind} file says {written}", file.display()));
                }
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

/// All that Maven Central asks of a POM.
fn pom(version: &str) -> String {
    const SOURCE: &str = "https://github.com/libmcp/libmcp";
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">
  <modelVersion>4.0.0</modelVersion>
  <groupId>io.libmcp</groupId>
  <artifactId>libmcp</artifactId>
  <version>{version}</version>
  <packaging>jar</packaging>
  <name>libmcp</name>
  <description>Clients and servers of the Model Context Protocol for Java 22 and newer, on a native library that the jar contains</description>
  <url>{SOURCE}</url>
  <licenses>
    <license>
      <name>MIT</name>
      <url>https://opensource.org/license/mit</url>
      <comments>or Apache-2.0, as you choose</comments>
    </license>
    <license>
      <name>Apache-2.0</name>
      <url>https://www.apache.org/licenses/LICENSE-2.0.txt</url>
      <comments>or MIT, as you choose</comments>
    </license>
  </licenses>
  <developers>
    <developer>
      <name>The libmcp authors</name>
      <url>{SOURCE}/graphs/contributors</url>
    </developer>
  </developers>
  <scm>
    <connection>scm:git:{SOURCE}.git</connection>
    <developerConnection>scm:git:ssh://git@github.com/libmcp/libmcp.git</developerConnection>
    <url>{SOURCE}/tree/v{version}</url>
    <tag>v{version}</tag>
  </scm>
  <issueManagement>
    <system>GitHub</system>
    <url>{SOURCE}/issues</url>
  </issueManagement>
</project>
"#
    )
}
