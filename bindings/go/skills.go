//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"iter"
)

// Skill is the entry of a skill: what the server says of it, and by what its files are checked. Hold it as long as the skill
// is in use, since it is what a person agreed to; docs/guide/skills.md says what is left to the program.
type Skill struct {
	// URI is that of its SKILL.md.
	URI string
	// Name and Description are those of its front matter.
	Name        string
	Description string
	// Entry is all of it, as the server wrote it.
	Entry json.RawMessage
}

// UnmarshalJSON reads an entry and keeps what it was written as.
func (s *Skill) UnmarshalJSON(text []byte) error {
	var entry struct {
		URI         string `json:"uri"`
		Frontmatter struct {
			Name        string `json:"name"`
			Description string `json:"description"`
		} `json:"frontmatter"`
	}
	if err := json.Unmarshal(text, &entry); err != nil {
		return err
	}
	s.URI, s.Name, s.Description = entry.URI, entry.Frontmatter.Name, entry.Frontmatter.Description
	s.Entry = append(json.RawMessage(nil), text...)
	return nil
}

// MarshalJSON writes the entry as it came.
func (s Skill) MarshalJSON() ([]byte, error) {
	if s.Entry == nil {
		return []byte("null"), nil
	}
	return s.Entry, nil
}

// AllowDynamic lets [Client.LoadSkill] and [Client.ReadSkillFile] take a skill whose files the server makes up as it goes, which
// nothing vouches for.
func AllowDynamic() CallOption {
	return func(s *callSettings) { s.feature.AllowDynamic, s.features = true, true }
}

// Skills gives the skills that the server lists. No file is read.
func (c *Client) Skills(ctx context.Context, options ...CallOption) iter.Seq2[Skill, error] {
	return list[Skill](ctx, c, skillsList, "skills", options)
}

// GetSkill gives the entry of a skill by the URI of its SKILL.md, also of one that is not listed.
func (c *Client) GetSkill(ctx context.Context, uri string, options ...CallOption) (*Skill, error) {
	result, err := useAs[struct {
		Skill Skill `json:"skill"`
	}](ctx, c, skillGet, options, uri)
	if err != nil {
		return nil, err
	}
	return &result.Skill, nil
}

// LoadSkill reads the SKILL.md of a skill and gives it if its size, digest and front matter are as the entry says. If they are
// not, the error has nothing of the file.
func (c *Client) LoadSkill(ctx context.Context, skill *Skill, options ...CallOption) (*ResourceContents, error) {
	return c.skillFile(ctx, skillLoad, options, skill.Entry)
}

// ReadSkillFile reads another file of a skill by its path in the skill's folder, such as "references/FORMS.md", checked
// in the same way.
func (c *Client) ReadSkillFile(ctx context.Context, skill *Skill, path string, options ...CallOption) (*ResourceContents, error) {
	return c.skillFile(ctx, skillRead, options, skill.Entry, path)
}

func (c *Client) skillFile(ctx context.Context, f feature, options []CallOption, values ...any) (*ResourceContents, error) {
	result, err := useAs[struct {
		Contents []ResourceContents `json:"contents"`
	}](ctx, c, f, options, values...)
	if err != nil {
		return nil, err
	}
	if len(result.Contents) != 1 {
		return nil, &Error{Status: StatusInternal, Operation: f.operation, Message: f.operation + ": the library gave no single file"}
	}
	return &result.Contents[0], nil
}
