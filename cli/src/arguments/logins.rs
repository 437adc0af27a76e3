//! `login`, `logout`, and the commands below `auth`.

use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;

/// The arguments of `login`.
#[derive(Args, Debug)]
pub struct Login {
    /// A URL, or the name of a configured server with one
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// Only print the URL, and read the URL to which the browser was redirected from standard input
    #[arg(long)]
    pub no_browser: bool,
    /// Show a code that is entered in a browser of any device; without it, done where no browser can be opened and the
    /// authorization server offers it
    #[arg(long, conflicts_with_all = ["no_browser", "callback", "callback_port", "secret_file", "secret_env", "key_file"])]
    pub device: bool,
    /// A scope to ask for; may be given several times
    #[arg(long = "scope", value_name = "SCOPE")]
    pub scopes: Vec<String>,
    /// The id that the authorization server gave the program
    #[arg(long, value_name = "ID")]
    pub client_id: Option<String>,
    /// A file with the secret that goes with the id, where a person logs in all the same
    #[arg(long, value_name = "FILE", requires = "client_id", value_hint = ValueHint::FilePath, conflicts_with_all = ["client_secret_env", "secret_file", "secret_env", "key_file"])]
    pub client_secret_file: Option<PathBuf>,
    /// The variable of the environment with that secret; later commands read it from there, too
    #[arg(long, value_name = "NAME", requires = "client_id", conflicts_with_all = ["secret_file", "secret_env", "key_file"])]
    pub client_secret_env: Option<String>,
    /// The whole URL to which the browser is redirected, on this machine, where the authorization server knows only one
    #[arg(long, value_name = "URL", conflicts_with_all = ["secret_file", "secret_env", "key_file"])]
    pub callback: Option<String>,
    /// The port to which the browser is redirected, where the authorization server knows only one
    #[arg(long, value_name = "PORT")]
    pub callback_port: Option<u16>,
    /// The name of this machine to which it is redirected: 127.0.0.1, localhost or `[::1]`
    #[arg(long, value_name = "HOST", requires = "callback_port", default_value = "127.0.0.1")]
    pub callback_host: String,
    /// A file with the secret that goes with the id; the program then logs in by itself, without a person
    #[arg(long, value_name = "FILE", requires = "client_id", value_hint = ValueHint::FilePath, conflicts_with_all = ["secret_env", "key_file"])]
    pub secret_file: Option<PathBuf>,
    /// The variable of the environment with the secret; later commands read it from there, too
    #[arg(long, value_name = "NAME", requires = "client_id", conflicts_with = "key_file")]
    pub secret_env: Option<String>,
    /// A file with a private key (PEM) with which the program proves who it is
    #[arg(long, value_name = "FILE", requires = "client_id", value_hint = ValueHint::FilePath)]
    pub key_file: Option<PathBuf>,
    /// The authorization server for which the secret or the key is
    #[arg(long, value_name = "URL")]
    pub issuer: Option<String>,
}

/// The argument of `logout`.
#[derive(Args, Debug)]
pub struct Logout {
    /// A URL, or the name of a configured server with one
    #[arg(value_name = "TARGET")]
    pub target: String,
}

/// The commands below `auth`.
#[derive(Debug, Subcommand)]
pub enum Auth {
    /// Show the logins that are kept, or ask a server whether it accepts the one for it
    #[command(after_help = "Example:\n  mcp auth status\n  mcp auth status https://example.com/mcp")]
    Status(AuthStatus),
}

/// The argument of `auth status`.
#[derive(Args, Debug)]
pub struct AuthStatus {
    /// A URL, or the name of a configured server with one
    #[arg(value_name = "TARGET")]
    pub target: Option<String>,
}
