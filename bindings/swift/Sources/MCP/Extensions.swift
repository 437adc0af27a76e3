import Foundation

/// How a task is at a moment. A server may answer a call of a tool with the name of a task and give the result later; the call
/// waits for it all the same. "tasks" in the configuration permits it.
public struct TaskState: Sendable, Decodable {
    /// Its name, by which it can be found again, also by another process.
    public let taskId: String
    /// "working", "input_required", "completed", "failed" or "cancelled".
    public let status: String
    /// What the server says of it, for people.
    public let statusMessage: String?
}

/// The entry of a skill: what the server says of it, and by what its files are checked. Hold it as long as the skill is in
/// use, since it is what a person agreed to; docs/guide/skills.md says what is left to the program.
public struct Skill: Sendable, Codable {
    /// All of it.
    public let entry: JSONValue

    /// The URI of its SKILL.md.
    public var uri: String { entry["uri"]?.stringValue ?? "" }
    /// Its name, which is that of its folder.
    public var name: String { entry["frontmatter"]?["name"]?.stringValue ?? "" }
    /// What it is for.
    public var description: String { entry["frontmatter"]?["description"]?.stringValue ?? "" }

    /// An entry that was kept before.
    public init(entry: JSONValue) { self.entry = entry }

    public init(from decoder: any Decoder) throws { entry = try JSONValue(from: decoder) }

    public func encode(to encoder: any Encoder) throws { try entry.encode(to: encoder) }
}

extension Client {
    private struct Tasks: Decodable { let tasks: [TaskState] }
    private struct Skills: Decodable { let skills: [Skill] }
    private struct OneSkill: Decodable { let skill: Skill }

    /// The server's tasks (2025-11-25 only).
    public func listTasks(options: CallOptions = CallOptions()) async throws -> [TaskState] {
        let result = try await use(.listTasks, options: options)
        return try wireDecoder().decode(Tasks.self, from: result).tasks
    }

    /// A task as it is now.
    public func getTask(_ taskId: String, options: CallOptions = CallOptions()) async throws -> TaskState {
        let result = try await use(.getTask(taskId), options: options)
        return try wireDecoder().decode(TaskState.self, from: result)
    }

    /// What a task comes to, as `callTool` would have given it. Giving this up leaves the task alone; `cancelTask` ends it.
    public func taskResult(_ taskId: String, options: CallOptions = CallOptions()) async throws -> ToolResult {
        let result = try await use(.taskResult(taskId), options: options)
        return try wireDecoder().decode(ToolResult.self, from: result)
    }

    /// Tells the server that a task is no longer wanted. A call of this client is better cancelled by its Swift task.
    public func cancelTask(_ taskId: String, options: CallOptions = CallOptions()) async throws {
        _ = try await use(.cancelTask(taskId), options: options)
    }

    /// The skills that the server lists. No file is read.
    public func listSkills(options: CallOptions = CallOptions()) async throws -> [Skill] {
        let result = try await use(.listSkills, options: options)
        return try wireDecoder().decode(Skills.self, from: result).skills
    }

    /// The entry of a skill by the URI of its SKILL.md, also of one that is not listed.
    public func getSkill(_ uri: String, options: CallOptions = CallOptions()) async throws -> Skill {
        let result = try await use(.getSkill(uri), options: options)
        return try wireDecoder().decode(OneSkill.self, from: result).skill
    }

    /// Reads the SKILL.md of a skill. Throws unless its size, digest and front matter are as the entry says.
    public func loadSkill(_ skill: Skill, options: CallOptions = CallOptions()) async throws -> ReadResourceResult {
        let entry = try jsonText(of: skill.entry)
        let result = try await use(.loadSkill(entry: entry), options: options)
        return try wireDecoder().decode(ReadResourceResult.self, from: result)
    }

    /// Reads a file by its path in the skill's folder, such as "references/FORMS.md", checked in the same way.
    public func readSkillFile(
        _ skill: Skill, _ path: String, options: CallOptions = CallOptions()
    ) async throws -> ReadResourceResult {
        let entry = try jsonText(of: skill.entry)
        let result = try await use(.readSkillFile(entry: entry, path: path), options: options)
        return try wireDecoder().decode(ReadResourceResult.self, from: result)
    }
}
