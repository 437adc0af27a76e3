//! The commands for the life of a server: `init`, `pack`, `install`, `uninstall`, `search`, `publish`.

use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;

/// The arguments of `init`.
#[derive(Args, Debug)]
pub struct Init {
    /// The language of the server; yaml is a file for `mcp serve`
    #[arg(value_name = "LANGUAGE", value_enum)]
    pub language: Language,
    /// The folder of the server, which gives it its name; without it the current one
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub folder: Option<PathBuf>,
}

/// The languages of `init`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    C,
    Cpp,
    Go,
    Java,
    Node,
    Python,
    Rust,
    Swift,
    Yaml,
}

/// The arguments of `pack`.
#[derive(Args, Debug, Default)]
pub struct Pack {
    /// The folder of the server; without it the current one
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub folder: Option<PathBuf>,
    /// The command that starts the server, where the folder has no manifest.json; paths are those in the folder
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub program: Vec<String>,
    /// The bundle; without it NAME-VERSION.mcpb in the current folder
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub into: Option<PathBuf>,
    /// A member of the manifest, such as version=1.0.0 or author='A Name'; may be given several times. JSON if it begins with { or [
    #[arg(long, value_name = "NAME=VALUE")]
    pub manifest: Vec<String>,
    /// Do not start the server: the manifest's own lists of tools and prompts stay
    #[arg(long)]
    pub no_start: bool,
    /// A file that is packed although it looks as if it had a key or token, named as in the folder; may be given several times
    #[arg(long, value_name = "FILE")]
    pub allow: Vec<String>,
    /// Only say what this bundle is, and what is wrong with it; the exit code is 6 if something is
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["folder", "program", "into", "manifest", "no_start"])]
    pub check: Option<PathBuf>,
}

/// Where a server of others is written.
#[derive(Args, Clone, Debug, Default)]
pub struct Kept {
    /// The program whose file is changed, such as cursor, or project for `.mcp.json`; without it the file of this program
    #[arg(long, value_name = "SOURCE")]
    pub to: Option<String>,
    /// Only show the change
    #[arg(long)]
    pub dry_run: bool,
    /// Write secrets as they are, into the file of this program alone
    #[arg(long)]
    pub literal: bool,
}

/// The arguments of `install`.
#[derive(Args, Clone, Debug, Default)]
pub struct Install {
    /// The bundle: a file, or a URL with https
    #[arg(value_name = "FILE|URL", value_hint = ValueHint::FilePath)]
    pub bundle: String,
    /// The name of the server; without it that of the bundle
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The SHA-256 that the bundle must have
    #[arg(long, value_name = "DIGEST")]
    pub sha256: Option<String>,
    /// Install it without a question; values come from --input
    #[arg(long)]
    pub yes: bool,
    #[command(flatten)]
    pub kept: Kept,
}

/// The arguments of `uninstall`.
#[derive(Args, Debug)]
pub struct Uninstall {
    /// The name of the server
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Only show the change
    #[arg(long)]
    pub dry_run: bool,
}

/// The arguments of `search`.
#[derive(Args, Debug)]
pub struct Search {
    /// Words in the name, title or description; the longest is one of the name
    #[arg(value_name = "WORDS", required = true)]
    pub words: Vec<String>,
    /// The registry; without it that of the project, `registry.modelcontextprotocol.io`
    #[arg(long, value_name = "URL")]
    pub registry: Option<String>,
}

/// The arguments of `publish`.
#[derive(Args, Debug, Default)]
pub struct Publish {
    /// The folder of the server; without it the current one
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub folder: Option<PathBuf>,
    /// The registry; without it that of the project, `registry.modelcontextprotocol.io`
    #[arg(long, value_name = "URL")]
    pub registry: Option<String>,
    /// A member of the record, such as name=io.github.owner/name; may be given several times. JSON if it begins with { or [
    #[arg(long, value_name = "NAME=VALUE")]
    pub record: Vec<String>,
    /// A bundle that is published, too; --bundle-url says where it can be downloaded
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "bundle_url")]
    pub bundle: Option<PathBuf>,
    /// Where the bundle can be downloaded: a release at github.com or gitlab.com
    #[arg(long, value_name = "URL", requires = "bundle")]
    pub bundle_url: Option<String>,
    /// A file with a token of GitHub, which the registry exchanges for one of its own; `-` is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, group = "login")]
    pub github_token_file: Option<PathBuf>,
    /// A file with a token of the registry; `-` is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, group = "login")]
    pub token_file: Option<PathBuf>,
    /// Log in at GitHub, in the browser of any machine, with a code
    #[arg(long, group = "login")]
    pub github: bool,
    /// Log in with the identity of a job of GitHub Actions, which needs `permissions: id-token: write`
    #[arg(long, group = "login")]
    pub github_oidc: bool,
    /// Log in as the owner of a domain that has the public key as a TXT record
    #[arg(long, value_name = "DOMAIN", group = "login", requires = "key_file")]
    pub dns: Option<String>,
    /// Log in as the owner of a domain that has the public key at `/.well-known/mcp-registry-auth`
    #[arg(long, value_name = "DOMAIN", group = "login", requires = "key_file")]
    pub http: Option<String>,
    /// The private key of --dns or --http: PKCS #8 as PEM (Ed25519 or P-384), or the 64 hexadecimal digits of an Ed25519 key
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub key_file: Option<PathBuf>,
    /// Only say how a version that is published stands; its name and version are those of the record
    #[arg(long, value_enum, value_name = "STATUS", conflicts_with_all = ["bundle", "bundle_url"])]
    pub status: Option<Standing>,
    /// The same for all versions
    #[arg(long, requires = "status")]
    pub all_versions: bool,
    /// What people are told who use a version that is deprecated or deleted
    #[arg(long, value_name = "TEXT", requires = "status")]
    pub message: Option<String>,
    /// Only write the record and say what is wrong with it: nothing is sent
    #[arg(long)]
    pub dry_run: bool,
    /// Publish without a question
    #[arg(long)]
    pub yes: bool,
}

/// How a published version stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Standing {
    /// It is offered
    Active,
    /// It is offered with a warning
    Deprecated,
    /// It is not offered
    Deleted,
}

impl Standing {
    /// Its name in the API.
    pub fn word(self) -> &'static str {
        match self {
            Standing::Active => "active",
            Standing::Deprecated => "deprecated",
            Standing::Deleted => "deleted",
        }
    }
}
