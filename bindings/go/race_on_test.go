//go:build race

package mcp_test

// The race detector keeps a shadow of memory that grows by itself.
const underRace = true
