//! Variables of the environment that others may not set for a program of the person: a record of a registry, a file of a repository.

/// Variables that choose which code a runner, a loader, a shell or an interpreter loads or starts; `*` at the end stands for all that begin so.
const OF_CODE: [&str; 53] = [
    "NPM_CONFIG_*",
    "PNPM_*",
    "YARN_*",
    "COREPACK_*",
    "BUN_*",
    "DENO_*",
    "UV_*",
    "PIP_*",
    "NUGET_*",
    "DOTNET_*",
    "CORECLR_*",
    "COMPLUS_*",
    "DOCKER_*",
    "CONTAINER_*",
    "CONTAINERS_*",
    "LD_*",
    "DYLD_*",
    "GLIBC_*",
    "GCONV_PATH",
    "OPENSSL_*",
    "GIT_*",
    "PERL5*",
    "RUBY*",
    "JAVA_*",
    "_JAVA_OPTIONS",
    "JDK_*",
    "CLASSPATH",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_REPL_*",
    "NODE_COMPILE_CACHE",
    "NODE_V8_COVERAGE",
    // PYTHONWARNINGS imports modules, and one of the library of Python starts what BROWSER names.
    "PYTHON*",
    "BROWSER",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "PATH",
    "PATHEXT",
    "COMSPEC",
    "HOME",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "XDG_*",
    "SHELL",
    "SHELLOPTS",
    "ENV",
    "BASH_*",
    "ZDOTDIR",
    "LUA_*",
    "PHPRC",
];
/// Those of them that choose nothing: settings that load no code, and names and credentials, which a server takes by these names. Neither git
/// nor docker reads `GIT_TOKEN`, `DOCKER_USERNAME` or `DOCKER_PASSWORD`; Python has no variable `PYTHON_ENV` or `PYTHON_LOG_LEVEL`.
const HARMLESS: [&str; 19] = [
    "PYTHONUNBUFFERED",
    "PYTHONIOENCODING",
    "PYTHONUTF8",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONNOUSERSITE",
    "PYTHONFAULTHANDLER",
    "PYTHONHASHSEED",
    "DOTNET_ENVIRONMENT",
    "DOTNET_CLI_TELEMETRY_OPTOUT",
    "GIT_TOKEN",
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
    "DOCKER_USERNAME",
    "DOCKER_PASSWORD",
    "NUGET_API_KEY",
    "PYTHON_ENV",
    "PYTHON_LOG_LEVEL",
];
/// Variables that choose through whom a program reaches others, whom it trusts, or who can read what it sends.
const OF_PEERS: [&str; 9] = [
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "SSL_CERT_*",
    "SSLKEYLOGFILE",
    "NODE_EXTRA_CA_CERTS",
    "NODE_TLS_*",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
];

/// Whether a variable chooses code.
pub fn choose_code(name: &str) -> bool {
    is_one_of(name, &OF_CODE) && !is_one_of(name, &HARMLESS)
}

/// Whether a variable chooses through whom others are reached.
pub fn choose_peers(name: &str) -> bool {
    is_one_of(name, &OF_PEERS)
}

/// Names in small letters count, too: npm and curl read them, and Windows knows no difference.
fn is_one_of(name: &str, list: &[&str]) -> bool {
    let name = name.to_ascii_uppercase();
    list.iter().any(|known| match known.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == *known,
    })
}
