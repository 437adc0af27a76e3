package mcp_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	mcp "github.com/libmcp/libmcp-go"
)

func TestASkillIsLoadedAndChecked(t *testing.T) {
	for _, era := range []string{"legacy", "modern"} {
		t.Run(era, func(t *testing.T) { usesSkills(t, open(t, scripted(t, "--era", era, "skills"))) })
	}
}

func usesSkills(t *testing.T, client *mcp.Client) {
	ctx := within(t)
	skills, err := mcp.All(client.Skills(ctx))
	if err != nil || len(skills) != 8 || skills[0].Name != "good" || skills[0].Description != "Shows that a skill arrives" {
		t.Fatalf("%+v, %v", skills, err)
	}
	// Held as JSON, as a program would while it waits for the person's consent.
	held, err := json.Marshal(skills[0])
	if err != nil {
		t.Fatal(err)
	}
	var good mcp.Skill
	if err := json.Unmarshal(held, &good); err != nil {
		t.Fatal(err)
	}
	loaded, err := client.LoadSkill(ctx, &good)
	if err != nil || !strings.Contains(loaded.Text, "See references/more.md.") || loaded.URI != good.URI {
		t.Fatalf("%+v, %v", loaded, err)
	}
	more, err := client.ReadSkillFile(ctx, &good, "references/more.md")
	if err != nil || more.Text != "More: déjà vu.\n" {
		t.Fatalf("%+v, %v", more, err)
	}
	bytes, err := client.ReadSkillFile(ctx, &good, "assets/all bytes.bin")
	if err != nil {
		t.Fatal(err)
	}
	if all, err := bytes.Bytes(); err != nil || len(all) != 256 {
		t.Fatal(len(all), err)
	}
	if _, err := client.ReadSkillFile(ctx, &good, "../wrong-size/SKILL.md"); !errors.Is(err, mcp.StatusInvalidArgument) {
		t.Fatal(err)
	}
	wrong, err := client.GetSkill(ctx, "skill://shelf/wrong-digest/SKILL.md")
	if err != nil || wrong.Name != "wrong-digest" {
		t.Fatalf("%+v, %v", wrong, err)
	}
	if file, err := client.LoadSkill(ctx, wrong); !errors.Is(err, mcp.StatusProtocol) || file != nil {
		t.Fatal(file, err)
	}
	dynamic, err := client.GetSkill(ctx, "skill://shelf/dynamic/SKILL.md")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.LoadSkill(ctx, dynamic); !errors.Is(err, mcp.StatusUnsupported) {
		t.Fatal(err)
	}
	if _, err := client.LoadSkill(ctx, dynamic, mcp.AllowDynamic()); err != nil {
		t.Fatal(err)
	}
}
