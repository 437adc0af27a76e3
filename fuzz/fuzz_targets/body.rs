//! Compressed bodies: however they are cut, the same comes out or the same kind of error, and never more than the bound.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp::transport::http::body::{Decoder, Undecodable};
use mcp_fuzz::Input;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let encoding = input.pick(&["gzip", "br"]);
    let bound = input.pick(&[0, 10, 1000, 100_000]);
    let mut cuts = input.clone();
    input.bytes(4);
    let body = input.rest();

    let whole = decoded(encoding, bound, &[body]);
    let cut = decoded(encoding, bound, &cuts.cut(body));
    // What one step may become is bounded, so a body in one step may be too large that is not in several.
    if let (Ok(whole), Ok(cut)) = (whole, cut) {
        assert_eq!(whole, cut);
    }
});

fn decoded(encoding: &str, bound: usize, parts: &[&[u8]]) -> Result<Vec<u8>, Undecodable> {
    let mut decoder = Decoder::of(encoding, bound).ok().flatten().expect("a known encoding");
    let mut all = Vec::new();
    for part in parts {
        let out = decoder.decode(part)?;
        assert!(out.len() <= bound, "{} bytes came out, more than {bound}", out.len());
        all.extend_from_slice(&out);
        if all.len() > 1 << 20 {
            break;
        }
    }
    Ok(all)
}
