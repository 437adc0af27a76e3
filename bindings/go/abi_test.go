package mcp

import (
	"errors"
	"strings"
	"testing"
)

func TestALibraryOfAnotherABIIsRefused(t *testing.T) {
	if err := compareABI(1, 1); err != nil {
		t.Fatal(err)
	}
	err := compareABI(1, 2)
	if !errors.Is(err, StatusUnsupported) || !strings.Contains(err.Error(), "version 1") || !strings.Contains(err.Error(), "has 2") {
		t.Fatal(err)
	}
	if err := checkABI(); err != nil {
		t.Fatal("the library that these tests run with:", err)
	}
}
