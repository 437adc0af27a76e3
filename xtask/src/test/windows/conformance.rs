//! The official conformance suite against `tests/conformance/client.c` and `tests/conformance/server.c` compiled for Windows. The suite is a
//! program of this machine: it starts a script that runs the client under wine, and reaches the server, which runs under wine, over the
//! loopback interface.

use std::process::{Child, Stdio};

use super::{COMPILE, LIBRARIES, Shop};
use crate::checkout::{folder_at, write};
use crate::dist::IMPORT;
use crate::process;
use crate::test::{Stage, pytest};

/// What the suite says to the client beside the URL.
const VARIABLES: [&str; 3] =
    ["MCP_CONFORMANCE_SCENARIO", "MCP_CONFORMANCE_CONTEXT", "MCP_CONFORMANCE_PROTOCOL_VERSION"];

/// The suite gives up on a client after 30 s.
const CLIENT_SECONDS: u32 = 40;

/// The server ends with its input; this ends one that hangs, and what is left of a test that was killed.
const SERVER_SECONDS: u32 = 600;

/// Scenarios mostly wait, but the start of a program under wine does not.
const AT_ONCE: usize = 2;

pub fn run(stage: &mut Stage, shop: &Shop) -> Result<(), String> {
    let folder = shop.checkout.scratch("windows")?.join("conformance");
    folder_at(&folder)?;
    if !is_compiled(stage, shop, "client") || !is_compiled(stage, shop, "server") {
        return Ok(());
    }
    let _services = Services::start(shop)?;
    let script = |side: &str, seconds: u32, argument: &str| {
        let inside = format!(
            "cd '{}'; exec timeout -k 5 {seconds} wine ./conformance-{side}.exe{argument}",
            shop.programs.display()
        );
        let file = folder.join(side);
        write(&file, &shop.workshop.entering(&inside, &VARIABLES))?;
        process::make_executable(&file).map(|()| file)
    };
    let client = script("client", CLIENT_SECONDS, " \"$ARGUMENT\"")?;
    let server = script("server", SERVER_SECONDS, "")?.display().to_string();
    pytest::conformance_of(stage, "conformance-windows", &client, &[server], AT_ONCE)
}

/// Compiles the program for one side. The server finds its skills beside its source, whose whole path it has to know.
fn is_compiled(stage: &mut Stage, shop: &Shop, side: &str) -> bool {
    let (programs, prefix) = (shop.programs.display(), shop.prefix.display());
    let source = shop.checkout.root.join("tests/conformance").join(side).with_extension("c");
    // What the suite says has characters that no code page has.
    let compiled = shop.run(&format!(
        "{COMPILE} -Dgetenv=test_getenv -D__USE_MINGW_ANSI_STDIO=1 -Itests/windows/include '{}' '{programs}/posix.o' '{prefix}/lib/{IMPORT}' \
         {LIBRARIES} -o '{programs}/conformance-{side}.exe'",
        source.display()
    ));
    let is_compiled = compiled.is_ok();
    stage.tally.check(&format!("the {side} for the conformance suite is compiled with MinGW-w64"), compiled);
    is_compiled
}

/// Wine's services, which run as long as this is there. They keep the output of the program that starts them: if that were a client of the suite,
/// the suite would wait for the end of its output as long as other programs run.
struct Services(Child);

impl Services {
    fn start(shop: &Shop) -> Result<Self, String> {
        let script = format!("exec timeout -k 5 {SERVER_SECONDS} wine cmd /c 'set /p line='");
        let mut command = shop.workshop.command(&script);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let services = command.spawn().map(Self).map_err(|error| format!("cannot start wine: {error}"))?;
        // A program that runs to its end finds them started.
        shop.run(&format!(
            "cd '{}'; timeout -k 5 120 wine ./conformance-client.exe > /dev/null 2>&1 || true",
            shop.programs.display()
        ))?;
        Ok(services)
    }
}

impl Drop for Services {
    fn drop(&mut self) {
        // The end of its input is what it waits for.
        drop(self.0.stdin.take());
        if let Err(error) = self.0.wait() {
            println!("  wine's services: {error}");
        }
    }
}
