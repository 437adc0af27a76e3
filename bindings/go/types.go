//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strings"
)

// Text makes a block of text.
func Text(text string) *TextContent { return &TextContent{Text: text} }

// TextResult makes the result of a tool of one block of text.
func TextResult(text string) *CallToolResult {
	return &CallToolResult{Content: []ContentBlock{Text(text)}}
}

// Text is the text of all text blocks, joined by line feeds.
func (v *CallToolResult) Text() string {
	var texts []string
	for _, block := range v.Content {
		if said, ok := block.(*TextContent); ok {
			texts = append(texts, said.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// Err is a [*ToolError] if the tool failed, and else nil.
func (v *CallToolResult) Err() error {
	if v.IsError {
		return &ToolError{Result: v}
	}
	return nil
}

// Decode reads the structured content into a value. Without structured content it reads the text as JSON, as older servers give
// it. Into a *string goes the text, also where there is structured content beside it. Into a list, a number or a truth value goes the
// member "result" of structured content that has no other, as [AddTool] and FastMCP write it.
func (v *CallToolResult) Decode(into any) error {
	if said, ok := into.(*string); ok {
		*said = v.Text()
		return nil
	}
	if v.StructuredContent != nil {
		err := decode(MethodToolsCall, v.StructuredContent, into)
		var wrapped map[string]json.RawMessage
		if of := reflect.TypeOf(into); err == nil || of == nil || of.Kind() != reflect.Pointer || isObject(of.Elem(), false) ||
			json.Unmarshal(v.StructuredContent, &wrapped) != nil || len(wrapped) != 1 || wrapped["result"] == nil {
			return err
		}
		return decode(MethodToolsCall, wrapped["result"], into)
	}
	return decode(MethodToolsCall, json.RawMessage(v.Text()), into)
}

// Bytes is the decoded image.
func (v *ImageContent) Bytes() ([]byte, error) { return base64.StdEncoding.DecodeString(v.Data) }

// Bytes is the decoded sound.
func (v *AudioContent) Bytes() ([]byte, error) { return base64.StdEncoding.DecodeString(v.Data) }

// Bytes is the content: the decoded blob, or the text.
func (v *ResourceContents) Bytes() ([]byte, error) {
	if v.Blob == "" {
		return []byte(v.Text), nil
	}
	return base64.StdEncoding.DecodeString(v.Blob)
}

// ToPrompt refers to a prompt by its name, for [Client.Complete].
func ToPrompt(name string) Reference { return &PromptReference{Name: name} }

// ToTemplate refers to a resource template, for [Client.Complete].
func ToTemplate(uri string) Reference { return &ResourceTemplateReference{URI: uri} }
