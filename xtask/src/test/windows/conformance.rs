//! The client scenarios of the official conformance suite against `tests/conformance/client.c` compiled for Windows: the suite is a program of this
//! machine, and starts a script that runs the client under wine.

use super::{COMPILE, LIBRARIES, Shop};
use crate::checkout::write;
use crate::dist::IMPORT;
use crate::machine::{NODE, NPM};
use crate::peers::Conformance;
use crate::process;
use crate::test::Stage;
use crate::test::conformance::clients;
use crate::test::conformance::suite::Suite;

/// What the suite says to the client beside the URL.
const VARIABLES: [&str; 3] =
    ["MCP_CONFORMANCE_SCENARIO", "MCP_CONFORMANCE_CONTEXT", "MCP_CONFORMANCE_PROTOCOL_VERSION"];

/// The suite gives up on a client after 30 s.
const CLIENT_SECONDS: u32 = 40;

/// Scenarios mostly wait, but the start of a program under wine does not.
const AT_ONCE: usize = 2;

pub fn run(stage: &mut Stage, shop: &Shop) -> Result<(), String> {
    if [&NODE, &NPM].iter().any(|tool| stage.tally.need(tool, "the conformance suite under wine").is_none()) {
        return Ok(());
    }
    let folder = shop.checkout.scratch("windows")?.join("conformance");
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let (programs, prefix) = (shop.programs.display(), shop.prefix.display());
    // What the suite says has characters that no code page has.
    let compiled = shop.run(&format!(
        "{COMPILE} -Dgetenv=test_getenv -D__USE_MINGW_ANSI_STDIO=1 -Itests/windows/include tests/conformance/client.c '{programs}/posix.o' '{prefix}/lib/{IMPORT}' \
         {LIBRARIES} -o '{programs}/conformance-client.exe'"
    ));
    let is_compiled = compiled.is_ok();
    stage.tally.check("the client for the conformance suite is compiled with MinGW-w64", compiled);
    if !is_compiled {
        return Ok(());
    }
    let inside = format!(
        "cd '{programs}'; exec timeout -k 5 {CLIENT_SECONDS} wine ./conformance-client.exe \"$ARGUMENT\""
    );
    let client = folder.join("client");
    write(&client, &shop.workshop.entering(&inside, &VARIABLES))?;
    process::make_executable(&client)?;
    let suite =
        Suite { program: Conformance::install(shop.checkout)?, folder, root: shop.checkout.root.clone() };
    clients::play(stage, &suite, AT_ONCE)
}
