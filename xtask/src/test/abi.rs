//! Programs that were built with an earlier library go on with this one: the header is compared with the snapshot in
//! `docs/abi`. Changes that break programs are planted first and must be found.

use super::Stage;
use crate::abi::is_compatible;
use crate::checkout::read;
use crate::machine::{ABIDIFF, ABIDW, GCC};

/// What no version may do, as a change of the header's text.
const BREAKS: [(&str, &str, &str); 3] = [
    ("a parameter that turns wider", "int32_t timeout_ms", "int64_t timeout_ms"),
    ("a result that is another", "uint32_t mcp_abi_version(void)", "const char *mcp_abi_version(void)"),
    ("a function that is gone", "const char *mcp_version(void);", ""),
];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        stage.tally.skip("the ABI", "it is compared on Linux only");
        return Ok(());
    }
    for tool in [&ABIDW, &ABIDIFF, &GCC] {
        if stage.tally.need(tool, "the ABI is compatible with docs/abi/libmcp.abi").is_none() {
            return Ok(());
        }
    }
    let header = read(&stage.checkout.header())?;
    for (at, (name, old, new)) in BREAKS.iter().enumerate() {
        let broken = header.replace(old, new);
        let result = if broken == header {
            Err(format!("the header has no {old}: plant another change"))
        } else {
            match is_compatible(stage.checkout, &broken, &format!("planted-{at}")) {
                Ok(()) => Err("abidiff did not find it".to_owned()),
                // Only what abidiff says counts, not that something else went wrong.
                Err(why) if why.contains("docs/abi.md") => Ok(()),
                Err(why) => Err(why),
            }
        };
        stage.tally.check(&format!("{name} is found"), result);
    }
    let result = is_compatible(stage.checkout, &header, "now");
    stage.tally.check("the ABI is compatible with docs/abi/libmcp.abi", result);
    Ok(())
}
