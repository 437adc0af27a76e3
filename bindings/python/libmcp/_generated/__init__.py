"""What `cargo xtask bindings` writes: never edited by hand."""
