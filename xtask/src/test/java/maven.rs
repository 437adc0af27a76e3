//! The binding as a user of Maven gets it: as a dependency from a repository, with its sources and its reference.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::Work;
use crate::checkout::{cleared, copy, write};
use crate::jar::CHECKSUMS;
use crate::machine::MVN;
use crate::process;
use crate::test::Stage;

/// Maven downloads its plugin the first time.
const LIMIT: Duration = Duration::from_secs(180);

const RESOLVER: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

impl Work {
    /// Maven resolves the binding from the repository that was written, and a program is compiled and run with what it got.
    pub fn published(&self, stage: &mut Stage, repository: &Path) -> Result<(), String> {
        stage.tally.check("each file has its checksums", self.publication.check(&self.log));
        let what = "a Maven project has the binding as a dependency";
        let Some(mvn) = stage.tally.need(&MVN, what) else { return Ok(()) };
        // Maven's own plugins stay from run to run; of ours nothing may be there.
        let local = stage.checkout.target.join("peers/maven");
        cleared(&local.join("io/libmcp"))?;
        stage.tally.check(what, self.resolved(&mvn, &local, repository));
        stage
            .tally
            .check("Maven refuses it where a checksum is wrong", self.refused(&mvn, &local, repository));
        if stage.options.deep {
            stage.tally.check("the benchmark beside the official SDK runs", self.benched(&mvn, &local));
        }
        Ok(())
    }

    /// The benchmark, once and short: against the example server, and as a server.
    fn benched(&self, mvn: &Path, local: &Path) -> Result<(), String> {
        let project = cleared(&self.log.join("bench"))?;
        let libraries = self.dependencies(mvn, local, &self.folder.join("bench/pom.xml"), &project)?;
        let classes = format!("{}:{libraries}", self.publication.jar().display());
        let mut command = self.jdk.command("javac");
        command.args(["-Xlint:all", "-Werror", "-encoding", "UTF-8", "-cp", &classes, "-d"]);
        command.arg(&project).arg(self.folder.join("bench/Bench.java"));
        self.succeeds(&mut command, "bench-javac")?;
        let server =
            self.servers.iter().find(|(name, _)| *name == "MCP_EXAMPLE_SERVER").ok_or("no server")?;
        let mut command = self.jdk.command("java");
        command.args(["--enable-native-access=ALL-UNNAMED", "-cp"]);
        command.arg(format!("{classes}:{}", project.display()));
        command.args(["Bench", "--calls", "640", "--rounds", "1", &server.1]).env_remove("MCP_LIBRARY");
        let finished = self.succeeds(&mut command, "bench-run")?;
        let sides = ["client, one after", "client, 64 in", "server, one after", "server, 64 in"];
        match sides.iter().find(|side| !finished.stdout.contains(**side)) {
            None if !finished.stdout.contains("libmcp failed") => Ok(()),
            _ => Err(finished.story()),
        }
    }

    /// Downloads into a folder what a project needs, and gives it as a class path.
    pub fn dependencies(
        &self,
        mvn: &Path,
        local: &Path,
        pom: &Path,
        project: &Path,
    ) -> Result<String, String> {
        copy(pom, &project.join("pom.xml"))?;
        process::download(|| self.maven(mvn, local, project), LIMIT, &project.join("maven"))?;
        Ok(project.join("lib/*").display().to_string())
    }

    fn resolved(&self, mvn: &Path, local: &Path, repository: &Path) -> Result<(), String> {
        let project = cleared(&self.log.join("project"))?;
        write(&project.join("pom.xml"), &project_of(repository, self.publication.version()))?;
        // Maven checks what it downloads, and there are networks.
        process::download(|| self.maven(mvn, local, &project), LIMIT, &self.log.join("maven"))?;
        let libraries = project.join("lib");
        for (jar, entry) in [
            (self.publication.jar(), "io/libmcp/Client.class"),
            (self.publication.sources(), "io/libmcp/Client.java"),
            (self.publication.reference(), "io.libmcp/io/libmcp/Client.html"),
        ] {
            let resolved = libraries.join(jar.file_name().ok_or("a jar has no name")?);
            let mut list = self.jdk.command("jar");
            let listed = self.succeeds(list.arg("--list").arg("--file").arg(&resolved), "maven-list")?;
            for wanted in [entry, "META-INF/LICENSE-MIT"] {
                if !listed.stdout.lines().any(|line| line == wanted) {
                    return Err(format!("{} has no {wanted}", resolved.display()));
                }
            }
        }
        let jar = self.publication.jar();
        let resolved = libraries.join(jar.file_name().ok_or("the jar has no name")?);
        self.runs_with(&project, &resolved, None)
    }

    /// One digit of a checksum is another.
    fn refused(&self, mvn: &Path, local: &Path, repository: &Path) -> Result<(), String> {
        cleared(&local.join("io/libmcp"))?;
        let damaged = cleared(&self.log.join("damaged"))?;
        let mut copied = Command::new("cp");
        self.succeeds(copied.arg("-R").arg(repository.join("io")).arg(&damaged), "maven-copy")?;
        let version = self.publication.version();
        for (kind, _) in CHECKSUMS {
            let file = damaged.join(format!("io/libmcp/libmcp/{version}/libmcp-{version}.jar.{kind}"));
            let sum = crate::checkout::read(&file)?;
            let (first, rest) = sum.split_at(1);
            write(&file, &format!("{}{rest}", if first == "0" { "1" } else { "0" }))?;
        }
        let project = cleared(&self.log.join("project-refused"))?;
        write(&project.join("pom.xml"), &project_of(&damaged, version))?;
        let finished =
            process::run(&mut self.maven(mvn, local, &project), LIMIT, &self.log.join("maven-refused"))?;
        let said = format!("{}{}", finished.stdout, finished.stderr);
        if !finished.succeeded() && said.to_lowercase().contains("checksum") {
            Ok(())
        } else {
            Err(finished.story())
        }
    }

    fn maven(&self, mvn: &Path, local: &Path, project: &Path) -> Command {
        let mut command = Command::new(mvn);
        command.current_dir(project).env("JAVA_HOME", self.jdk.home()).env_remove("MAVEN_OPTS");
        command.args(["-B", "-q", "--strict-checksums", RESOLVER, "-DoutputDirectory=lib"]);
        command.arg(format!("-Dmaven.repo.local={}", local.display()));
        command
    }
}

/// A project that needs the binding, its sources and its reference.
fn project_of(repository: &Path, version: &str) -> String {
    let dependencies: String = ["", "<classifier>sources</classifier>", "<classifier>javadoc</classifier>"]
        .map(|classifier| {
            format!(
                "    <dependency><groupId>io.libmcp</groupId><artifactId>libmcp</artifactId><version>{version}</version>\
                 {classifier}</dependency>\n"
            )
        })
        .concat();
    format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\">
  <modelVersion>4.0.0</modelVersion>
  <groupId>user</groupId>
  <artifactId>user</artifactId>
  <version>1</version>
  <repositories>
    <repository><id>built</id><url>file://{}</url></repository>
  </repositories>
  <dependencies>
{dependencies}  </dependencies>
</project>
",
        repository.display()
    )
}
