//go:build !mcp_static

package mcp

// #cgo pkg-config: mcp
import "C"
