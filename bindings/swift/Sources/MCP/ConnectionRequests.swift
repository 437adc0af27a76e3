import CMCP
import Foundation

/// What the server asks: each request has its handler, and an answer in any case.
extension Connection {
    func onElicitation(_ handler: FormHandler?) {
        locked { (shared: inout Shared) -> Void in shared.form = handler }
    }

    func handle(_ method: String, _ handler: Handler?) {
        locked { (shared: inout Shared) -> Void in shared.handlers[method] = handler }
    }

    /// Whether requests of that method have a handler.
    func handles(_ method: String) -> Bool {
        locked { $0.handlers[method] != nil || (method == MethodName.elicitation && $0.form != nil) }
    }

    func fill(_ request: ReceivedMessage, _ handle: @escaping FormHandler) {
        Task {
            do {
                let answer = try await handle(request.json)
                try self.using("elicitation") {
                    var error: UnsafeMutablePointer<CChar>?
                    let status: Int32
                    switch answer {
                    case .accept(let content):
                        let text = try content.map { try jsonText(of: $0) }
                        status = withOptionalCString(text) {
                            mcp_request_respond_elicitation(request.pointer, "accept", $0, &error)
                        }
                    case .decline:
                        status = mcp_request_respond_elicitation(request.pointer, "decline", nil, &error)
                    case .cancel:
                        status = mcp_request_respond_elicitation(request.pointer, "cancel", nil, &error)
                    }
                    if status != Status.ok.rawValue {
                        throw MCPError(status: Status(rawValue: status), json: taken(error))
                    }
                }
            } catch {
                self.refuse(request, because: error)
            }
        }
    }

    /// The server hears what was meant for it: a refusal, or that something failed.
    private func refuse(_ request: ReceivedMessage, because error: any Error) {
        if let refusal = error as? RequestRefusal {
            return refuse(request, refusal.code, refusal.message)
        }
        failed(error, request.method)
        refuse(request, Int32(ErrorCode.internal), "the client could not answer")
    }

    func answer(_ request: ReceivedMessage) {
        let method = request.method
        let handler = locked { (shared: inout Shared) -> Handler? in shared.handlers[method] }
        guard let handle = handler else {
            refuse(request, -32601, "this client has no handler for \(method)")
            return
        }
        Task {
            do {
                let result = try await handle(request.json)
                let status = try self.using("respond") {
                    Status(rawValue: mcp_request_respond(request.pointer, result, nil))
                }
                if status == .invalidArgument {
                    throw MCPError(
                        status: status, message: "the handler of \(method) gave a result of another form", operation: method)
                }
            } catch {
                self.refuse(request, because: error)
            }
        }
    }

    /// If the server no longer waits (it withdrew, it died, the client is closed), the error is ignored.
    private func refuse(_ request: ReceivedMessage, _ code: Int32, _ text: String) {
        let text = text.replacingOccurrences(of: "\0", with: "")
        _ = try? using("respond") { mcp_request_respond_error(request.pointer, code, text, nil, nil) }
    }
}
