//go:build mcp_static

package mcp

// The archive is named, because with both kinds in one folder -lmcp would take the shared library.

// #cgo pkg-config: --static mcp
// #cgo LDFLAGS: -Wl,--as-needed -l:libmcp.a
import "C"
