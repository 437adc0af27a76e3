//! The built library as an installed one: `lib`, `include` and `lib/pkgconfig/mcp.pc` in one folder, for what finds it
//! by pkg-config.

use std::path::{Path, PathBuf};

use crate::checkout::{Checkout, write};
use crate::release::Built;

/// Fills the folder and says where its `mcp.pc` is.
pub fn stage(checkout: &Checkout, built: &Built) -> Result<PathBuf, String> {
    let root = checkout.scratch("stage")?;
    let (lib, include) = (checkout.scratch("stage/lib")?, checkout.scratch("stage/include")?);
    copy(&built.library, &lib)?;
    copy(&built.folder.join("libmcp.a"), &lib)?;
    copy(&checkout.header(), &include)?;
    let pkgconfig = checkout.scratch("stage/lib/pkgconfig")?;
    let text = format!(
        "prefix={}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\n\
         Name: mcp\nDescription: Model Context Protocol client\nVersion: {}\n\
         Libs: -L${{libdir}} -lmcp\nLibs.private: -lpthread -ldl -lm\nCflags: -I${{includedir}}\n",
        root.display(),
        env!("CARGO_PKG_VERSION"),
    );
    write(&pkgconfig.join("mcp.pc"), &text)?;
    Ok(pkgconfig)
}

/// Into a new file each time: a program may have the old one mapped.
fn copy(from: &Path, folder: &Path) -> Result<(), String> {
    let name = from.file_name().unwrap_or_default();
    let (new, place) = (folder.join(".new"), folder.join(name));
    std::fs::copy(from, &new)
        .and_then(|_| std::fs::rename(&new, &place))
        .map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), place.display()))
}
