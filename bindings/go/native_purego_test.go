//go:build !cgo

package mcp

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A process has one library, so each way to load it has a process of its own, which makes a client.
func TestTheLibraryIsFoundOrEmbedded(t *testing.T) {
	library := os.Getenv("MCP_LIBRARY")
	if library == "" {
		t.Skip("MCP_LIBRARY names no library")
	}
	load := map[string]func() error{
		"embedded": func() error {
			text, err := os.ReadFile(library)
			if err != nil {
				return err
			}
			return EmbedLibrary(text)
		},
		"no library": func() error { return EmbedLibrary([]byte("no library")) },
		"path":       func() error { return UseLibrary(library) },
		"no path":    func() error { return UseLibrary("/nowhere/libmcp.so") },
		"other":      func() error { return UseLibrary("libc.so.6") },
		"variable":   func() error { return nil },
	}
	if way := os.Getenv("MCP_TEST_LOAD"); way != "" {
		if way != "variable" {
			os.Unsetenv("MCP_LIBRARY")
		}
		if err := load[way](); err != nil {
			t.Fatal(err)
		}
		client, err := New(Config{Command: "true"})
		if err != nil {
			if !errors.Is(err, StatusUnsupported) || Version() != "" {
				t.Fatal(err, Version())
			}
			if err := UseLibrary(library); err != nil {
				t.Fatal("another library after a failure:", err)
			}
			if client, err := New(Config{Command: "true"}); err != nil {
				t.Fatal("with the right library:", err)
			} else {
				client.Close()
			}
			t.Skip(err) // The parent reads why.
		}
		client.Close()
		if err := UseLibrary(library); !errors.Is(err, StatusInvalidArgument) {
			t.Fatal("a second library:", err)
		}
		return
	}
	for way, said := range map[string]string{
		"embedded": "PASS", "path": "PASS", "variable": "PASS",
		"no library": "EmbedLibrary", "no path": "/nowhere/libmcp.so", "other": "is no libmcp of this version",
	} {
		t.Run(way, func(t *testing.T) {
			again := exec.Command(os.Args[0], "-test.v", "-test.run", "^TestTheLibraryIsFoundOrEmbedded$")
			again.Env = append(os.Environ(), "MCP_TEST_LOAD="+way)
			output, err := again.CombinedOutput()
			if err != nil || !strings.Contains(string(output), said) || strings.Contains(string(output), "SKIP") == (said == "PASS") {
				t.Fatalf("%v\n%s", err, output)
			}
		})
	}
}
