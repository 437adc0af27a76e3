import CMCP

/// What a call asks for: a method as it is, or a feature, for which the library has a function that means the same on every
/// revision.
enum Feature: Sendable {
    case method(String, params: String?)
    case listTools
    case listResources
    case listResourceTemplates
    case listPrompts
    case callTool(String, arguments: String?)
    case readResource(String)
    case subscribe(String)
    case unsubscribe(String)
    case getPrompt(String, arguments: String?)
    case complete(reference: String, argument: String, typed: String, settled: String?)
    case setLogLevel(String)
    case ping
    case listTasks
    case getTask(String)
    case taskResult(String)
    case cancelTask(String)
    case listSkills
    case getSkill(String)
    case loadSkill(entry: String)
    case readSkillFile(entry: String, path: String)

    var operation: String {
        switch self {
        case .method(let name, _): return name
        case .listTools: return "tools/list"
        case .listResources: return "resources/list"
        case .listResourceTemplates: return "resources/templates/list"
        case .listPrompts: return "prompts/list"
        case .callTool: return "tools/call"
        case .readResource: return "resources/read"
        case .subscribe: return "resources/subscribe"
        case .unsubscribe: return "resources/unsubscribe"
        case .getPrompt: return "prompts/get"
        case .complete: return "completion/complete"
        case .setLogLevel: return "logging/setLevel"
        case .ping: return "ping"
        case .listTasks: return "tasks/list"
        case .getTask: return "tasks/get"
        case .taskResult: return "tasks/result"
        case .cancelTask: return "tasks/cancel"
        case .listSkills: return "skills/list"
        case .getSkill: return "skills/get"
        case .loadSkill: return "skills/load"
        case .readSkillFile: return "skills/read"
        }
    }

    /// The texts that are not JSON, in which a NUL character could be.
    var names: [String] {
        switch self {
        case .method(let name, _): return [name]
        case .callTool(let name, _), .getPrompt(let name, _): return [name]
        case .readResource(let uri), .subscribe(let uri), .unsubscribe(let uri): return [uri]
        case .complete(_, let argument, let typed, _): return [argument, typed]
        case .setLogLevel(let level): return [level]
        case .getTask(let name), .taskResult(let name), .cancelTask(let name): return [name]
        case .getSkill(let uri): return [uri]
        case .readSkillFile(_, let path): return [path]
        case .listTools, .listResources, .listResourceTemplates, .listPrompts, .ping: return []
        case .listTasks, .listSkills, .loadSkill: return []
        }
    }

    /// The parameters of a feature that is a call of its method, as JSON text; `nil` for none.
    private func params() throws -> String? {
        switch self {
        case .method(_, let params): return params
        case .subscribe(let uri), .unsubscribe(let uri), .getSkill(let uri): return try jsonText(of: ["uri": uri])
        case .setLogLevel(let level): return try jsonText(of: ["level": level])
        case .getTask(let name), .taskResult(let name), .cancelTask(let name): return try jsonText(of: ["taskId": name])
        case .complete(let reference, let argument, let typed, let settled):
            let asked = try jsonText(of: ["name": argument, "value": typed])
            let context = settled.map { ",\"context\":{\"arguments\":\($0)}" } ?? ""
            return "{\"ref\":\(reference),\"argument\":\(asked)\(context)}"
        default: return nil
        }
    }

    /// Starts it: the reply comes with the tag if this gives MCP_OK, and else never.
    func start(
        _ client: OpaquePointer, _ options: UnsafePointer<CChar>?, _ tag: UInt64, _ number: UnsafeMutablePointer<UInt64>,
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) throws -> Int32 {
        switch self {
        case .callTool(let name, let arguments):
            return withOptionalCString(arguments) { mcp_client_call_tool_start(client, name, $0, options, tag, number, error) }
        case .readResource(let uri):
            return mcp_client_read_resource_start(client, uri, options, tag, number, error)
        case .getPrompt(let name, let arguments):
            return withOptionalCString(arguments) { mcp_client_get_prompt_start(client, name, $0, options, tag, number, error) }
        case .loadSkill(let entry):
            return mcp_client_load_skill_start(client, entry, options, tag, number, error)
        case .readSkillFile(let entry, let path):
            return mcp_client_read_skill_file_start(client, entry, path, options, tag, number, error)
        default:
            return try withOptionalCString(params()) { mcp_call_start(client, operation, $0, options, tag, number, error) }
        }
    }
}
