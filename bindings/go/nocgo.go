//go:build !cgo && !(linux && (amd64 || arm64))

package mcp

// Without cgo there is nothing to link the library with here. This is the one error that the compiler shows then.
var _ = this_package_needs_cgo__set_CGO_ENABLED_1_and_install_a_C_compiler
