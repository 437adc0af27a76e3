module github.com/libmcp/libmcp-go

go 1.24

require github.com/google/jsonschema-go v0.4.3

require github.com/ebitengine/purego v0.10.1
