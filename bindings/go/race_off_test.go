//go:build !race

package mcp_test

const underRace = false
