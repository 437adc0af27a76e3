//! The program behind a SOCKS5 proxy that the environment or the configuration names, to a server over HTTP and one with TLS: the proxy gets
//! the name of the server, and `NO_PROXY` keeps a request from it.

use std::io::{BufRead as _, BufReader, Read, Result, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

const DESCRIPTION: &str = r#"{"name": "proxied", "tools": [{"name": "echo", "inputSchema": {"type": "object", "properties":
    {"text": {"type": "string"}}}, "command": ["echo", "{text}"]}]}"#;

/// What a proxy was asked for: the kind of the address, the address as text where it is a name, and the port.
type Asked = Arc<Mutex<Vec<(u8, String, u16)>>>;

/// A SOCKS5 proxy without a password, which knows each name as this machine; its port.
fn proxy(asked: Asked) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("its address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let asked = Arc::clone(&asked);
            // A client may give its connection up at any time.
            std::thread::spawn(move || drop(pass_on(stream, &asked)));
        }
    });
    port
}

fn bytes(stream: &mut TcpStream, count: usize) -> Result<Vec<u8>> {
    let mut bytes = vec![0; count];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn pass_on(mut stream: TcpStream, asked: &Asked) -> Result<()> {
    let methods = bytes(&mut stream, 2)?[1];
    bytes(&mut stream, methods.into())?;
    stream.write_all(&[5, 0])?;
    let kind = bytes(&mut stream, 4)?[3];
    let length = if kind == 3 { bytes(&mut stream, 1)?[0].into() } else { 4 };
    let address = String::from_utf8_lossy(&bytes(&mut stream, length)?).into_owned();
    let port = u16::from_be_bytes([bytes(&mut stream, 1)?[0], bytes(&mut stream, 1)?[0]]);
    asked.lock().expect("not poisoned").push((kind, address, port));
    let server = TcpStream::connect(("127.0.0.1", port))?;
    stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0])?;
    let (mut from_client, mut to_server) = (stream.try_clone()?, server.try_clone()?);
    std::thread::spawn(move || {
        // The end of one side is the end of the other.
        let _copied = std::io::copy(&mut from_client, &mut to_server);
        to_server.shutdown(std::net::Shutdown::Write)
    });
    let (mut from_server, mut to_client) = (server, stream);
    std::io::copy(&mut from_server, &mut to_client)?;
    to_client.shutdown(std::net::Shutdown::Write)
}

/// `mcp serve` at a URL.
struct Served {
    child: Child,
    port: u16,
    folder: tempfile::TempDir,
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended.
        let _killed = self.child.kill();
        let _reaped = self.child.wait();
    }
}

fn of_library(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn serve(has_tls: bool) -> Served {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("serve.json"), DESCRIPTION).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp"));
    command.args(["serve", "serve.json", "--host", "mcp.example"]);
    if has_tls {
        command.args(["--listen", "https://127.0.0.1:0/mcp", "--certificate"]);
        command.arg(of_library("src/server/test_certificate.pem"));
        command.arg("--key").arg(of_library("crates/core/src/auth/test_keys/ec_pkcs8.pem"));
    } else {
        command.args(["--listen", "http://127.0.0.1:0/mcp"]);
    }
    command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("mcp");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("where it listens");
    let (_, rest) = line.rsplit_once(':').unwrap_or_else(|| panic!("no address in '{line}'"));
    let port = rest.split('/').next().and_then(|port| port.parse().ok());
    Served { child, port: port.unwrap_or_else(|| panic!("no port in '{line}'")), folder }
}

/// What a call gives, with these variables and options.
fn call(served: &Served, url: &str, variables: &[(&str, &str)], options: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp"));
    for name in ["ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"] {
        command.env_remove(name).env_remove(name.to_ascii_lowercase());
    }
    let called = command
        .args(["call", url, "echo", "text=through the proxy"])
        .args(options)
        .envs(variables.iter().copied())
        .current_dir(served.folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("mcp");
    let said = [called.stdout, called.stderr].concat();
    (called.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn the_proxy_of_the_environment_gets_names_and_no_proxy_keeps_them_from_it() {
    let served = serve(false);
    let asked = Asked::default();
    let to = proxy(Arc::clone(&asked));
    let (socks, url) =
        (format!("socks5h://127.0.0.1:{to}"), format!("http://mcp.example:{}/mcp", served.port));
    let taken = || std::mem::take(&mut *asked.lock().expect("not poisoned"));
    for variable in ["ALL_PROXY", "all_proxy", "HTTP_PROXY"] {
        let (is_served, said) = call(&served, &url, &[(variable, &socks)], &[]);
        assert!(is_served && said.contains("through the proxy"), "{variable}: {said}");
        let asked = taken();
        let right = (3, "mcp.example".to_owned(), served.port);
        assert!(!asked.is_empty() && asked.iter().all(|asked| *asked == right), "{variable}: {asked:?}");
    }
    let with_port = format!("mcp.example:{}", served.port);
    for list in
        ["*", "example", "*.example", ".example", &with_port, "other, mcp.example", "other mcp.example"]
    {
        let (is_served, said) =
            call(&served, &url, &[("ALL_PROXY", &socks), ("NO_PROXY", list)], &["--timeout", "20"]);
        assert!(!is_served && said.contains("mcp.example"), "no name server knows it; {list}: {said}");
        assert_eq!(taken(), [], "{list}");
    }
    let (is_served, said) = call(&served, &url, &[("ALL_PROXY", &socks), ("NO_PROXY", "mcp.example:1")], &[]);
    assert!(is_served, "another port: {said}");
    // This machine is reached without it.
    let here = format!("http://127.0.0.1:{}/mcp", served.port);
    taken();
    let (is_served, said) = call(&served, &here, &[("ALL_PROXY", &socks)], &[]);
    assert!(is_served && taken().is_empty(), "{said}");
}

#[test]
fn tls_goes_through_a_socks_proxy_to_the_server_itself() {
    let served = serve(true);
    let asked = Asked::default();
    let to = proxy(Arc::clone(&asked));
    let trusted = of_library("src/server/test_certificate.pem").display().to_string();
    let (proxy, file) = (format!("proxy=socks5h://127.0.0.1:{to}"), format!("tls.ca_file={trusted}"));
    let url = format!("https://localhost:{}/mcp", served.port);
    let (is_served, said) = call(&served, &url, &[], &["--set", &proxy, "--set", &file]);
    assert!(is_served && said.contains("through the proxy"), "{said}");
    let seen = std::mem::take(&mut *asked.lock().expect("not poisoned"));
    assert!(
        !seen.is_empty() && seen.iter().all(|asked| *asked == (3, "localhost".to_owned(), served.port)),
        "{seen:?}"
    );
    // The certificate is for the server's name, whatever the proxy connects to.
    let other = format!("https://mcp.example:{}/mcp", served.port);
    let (is_served, said) = call(&served, &other, &[], &["--set", &proxy, "--set", &file]);
    assert!(!is_served && said.contains("certificate") && said.contains("mcp.example"), "{said}");
}
