/** Skills, the extension `io.modelcontextprotocol/skills`. */

/** The entry of a skill: what the server says of it, and by what its files are checked. */
export interface Skill {
  /** That of its `SKILL.md`. */
  uri: string;
  frontmatter: { name: string; description: string; [name: string]: unknown };
  [name: string]: unknown;
}

/** A file that was checked: text, or bytes as Base64. */
export interface SkillFile {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
  [name: string]: unknown;
}

export {};
