//! The Go module as it is published: fetched by `go get` from a repository with a tag, and built in an empty folder.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::checkout::{Checkout, cleared, folder_at, write};
use crate::natives::Native;
use crate::{dist, go_module, process};

const LIMIT: Duration = Duration::from_secs(300);

/// A server and a client of it, as the first program of a user.
pub const PROGRAM: &str = r#"package main

import (
	"context"
	"fmt"
	"log"

	mcp "github.com/libmcp/libmcp-go"
)

func main() {
	server, err := mcp.NewServer(mcp.ServerConfig{Name: "published"})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	greet := func(context.Context, *mcp.Request, struct{}) (string, error) { return "hello from " + mcp.Version(), nil }
	if err := mcp.AddTool(server, &mcp.Tool{Name: "greet"}, greet); err != nil {
		log.Fatal(err)
	}
	client, err := mcp.NewInProcess(server, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	said, err := mcp.CallToolAs[string](context.Background(), client, "greet", nil)
	fmt.Println(said, err)
}
"#;

/// Everything runs in new folders: a module of an earlier run in the cache would hide a fault.
pub fn check(checkout: &Checkout, go: &Path, archive: &Path) -> Result<(), String> {
    let folder = checkout.scratch("go-published")?;
    let all = Work { go: go.to_owned(), repository: folder.join("repository"), folder };
    // Go makes the files of its cache of modules read-only unless it is told otherwise (`-modcacherw`).
    cleared(&all.folder)?;
    let archive = Native { platform: go_module::host()?.to_owned(), file: archive.to_owned() };
    go_module::write_module(checkout, &all.repository, &[archive])?;
    let version = format!("v{}", dist::Version::read(checkout)?);
    for words in
        [&["init", "-q"][..], &["add", "-A"], &["commit", "-q", "-m", "published"], &["tag", &version]]
    {
        all.git(words)?;
    }
    let user = all.folder.join("user");
    folder_at(&user)?;
    write(&user.join("main.go"), PROGRAM)?;
    all.go("init", &["mod", "init", "example.com/user"], "1")?;
    all.go("get", &["get", &format!("{}@{version}", go_module::MODULE)], "1")?;
    let built = all.go("run", &["run", "."], "1")?;
    if !built.stdout.starts_with("hello from ") {
        return Err(built.story());
    }
    // The other two ways that a user may come: the archive is vendored, too, and without cgo there is one error that says so.
    all.go("vendor", &["mod", "vendor"], "1")?;
    let vendored = user.join("vendor").join(go_module::MODULE).join("lib").join(go_module::host()?);
    if !vendored.join("libmcp.a").is_file() {
        return Err(format!("go mod vendor left the archive out of {}", vendored.display()));
    }
    match all.go("nocgo", &["build", "."], "0") {
        Ok(_) => Err("a program without cgo was built".to_owned()),
        Err(said) if said.contains("set_CGO_ENABLED_1") && said.matches("undefined").count() == 1 => Ok(()),
        Err(said) => Err(format!("without cgo the compiler says:\n{said}")),
    }
}

struct Work {
    go: PathBuf,
    folder: PathBuf,
    repository: PathBuf,
}

impl Work {
    fn git(&self, words: &[&str]) -> Result<(), String> {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "tag.gpgsign=false"]);
        command.args(["-c", "commit.gpgsign=false", "-c", "core.compression=0"]).args(words);
        command.current_dir(&self.repository);
        process::run(&mut command, LIMIT, &self.folder.join("git-log"))?.done()
    }

    /// Runs Go as on a machine that has never seen the project: the module's path leads to the repository here.
    fn go(&self, log: &str, words: &[&str], cgo: &str) -> Result<process::Finished, String> {
        let mut command = Command::new(&self.go);
        command.args(words).current_dir(self.folder.join("user")).env("CGO_ENABLED", cgo);
        command.env("GOPRIVATE", go_module::MODULE).env("GOFLAGS", "-modcacherw -buildvcs=false");
        command.env("GOMODCACHE", self.folder.join("modules")).env("PKG_CONFIG", "false");
        command.env_remove("CGO_LDFLAGS").env_remove("PKG_CONFIG_PATH").env("GIT_CONFIG_COUNT", "1");
        // Its index of the files of a module outlives the cache of modules, and an earlier run had the same version of the module.
        command.env("GODEBUG", "goindex=0");
        command.env("GIT_CONFIG_KEY_0", format!("url.file://{}.insteadOf", self.repository.display()));
        command.env("GIT_CONFIG_VALUE_0", format!("https://{}", go_module::MODULE));
        process::run(&mut command, LIMIT, &self.folder.join(log))?.well()
    }
}
