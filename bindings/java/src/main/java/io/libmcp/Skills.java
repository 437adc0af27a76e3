package io.libmcp;

import io.libmcp.Settings.CallOptions;
import java.util.List;
import java.util.Map;

/**
 * The skills of a server (docs/guide/skills.md). A program keeps the entry of a skill, which a person has consented to; files are given to it only
 * if they are as the entry says.
 */
public final class Skills {
    private final Client client;

    Skills(Client client) {
        this.client = client;
    }

    /**
     * Lists the skills, all pages. No file is read.
     *
     * @return their entries
     */
    public List<JsonValue> list() {
        return client.perform(Protocol.Method.SKILLS_LIST, null, (Map<String, ?>) null).get("skills").elements();
    }

    /**
     * Gets the entry of one skill, listed or not.
     *
     * @param uri the URI of its SKILL.md
     * @return the entry
     */
    public JsonValue get(String uri) {
        return client.perform(Protocol.Method.SKILLS_GET, null, Map.of("uri", uri)).get("skill");
    }

    /**
     * Reads the SKILL.md of a skill, if size, digest and front matter are as the entry says.
     *
     * @param entry the entry
     * @param options the options; null for none
     * @return its contents
     */
    public Protocol.ResourceContents load(JsonValue entry, CallOptions options) {
        return first(client.perform("skills/load", options, (arena, handle, text, tag, id, error) ->
                Abi.mcp_client_load_skill_start(handle, Library.json(arena, entry), text, tag, id, error)));
    }

    /**
     * Reads another file of a skill, if it is as the entry says.
     *
     * @param entry the entry with which the skill was loaded
     * @param path the path in the folder of the skill
     * @return its contents
     */
    public Protocol.ResourceContents read(JsonValue entry, String path) {
        return first(client.perform("skills/read", null, (arena, handle, text, tag, id, error) ->
                Abi.mcp_client_read_skill_file_start(handle, Library.json(arena, entry), Library.text(arena, "skills/read", path), text, tag, id, error)));
    }

    private static Protocol.ResourceContents first(JsonValue result) {
        return new Protocol.ResourceContents(result.get("contents").at(0));
    }
}
