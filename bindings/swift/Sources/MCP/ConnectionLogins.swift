import CMCP
import Foundation

/// What logins need of the program, and what the program says of them.
extension Connection {
    func completeLogin(_ callbackURL: String) throws {
        try refuseNul(in: callbackURL, "callbackURL")
        try using("auth_complete") {
            var error: UnsafeMutablePointer<CChar>?
            let status = Status(rawValue: mcp_client_complete_login(client, callbackURL, &error))
            if status != .ok { throw MCPError(status: status, json: taken(error)) }
        }
    }

    func giveCredential(_ credential: String, lasts: Int32) throws {
        try refuseNul(in: credential, "credential")
        try using("auth_give") {
            var error: UnsafeMutablePointer<CChar>?
            let status = Status(rawValue: mcp_client_supply_credential(client, credential, lasts, &error))
            if status != .ok { throw MCPError(status: status, json: taken(error)) }
        }
    }

    func giveUpLogin(_ reason: String) throws {
        try refuseNul(in: reason, "reason")
        try using("auth_give_up") {
            var error: UnsafeMutablePointer<CChar>?
            let status = Status(rawValue: mcp_client_abort_login(client, reason, &error))
            if status != .ok { throw MCPError(status: status, json: taken(error)) }
        }
    }

    func onLogin(_ handler: LoginHandler?) {
        locked { (shared: inout Shared) -> Void in shared.login = handler }
    }

    func onSign(_ handler: SignHandler?) {
        locked { (shared: inout Shared) -> Void in shared.sign = handler }
    }

    func keepLogins(in store: (any LoginStore)?) { keeper.store = store }

    /// The library's function waits, also for answers of the program.
    func logout(timeout: Int32) async throws {
        try await onThreadUntilCancelled {
            try self.using("logout") {
                var error: UnsafeMutablePointer<CChar>?
                let status = Status(rawValue: mcp_client_logout(self.client, timeout, &error))
                if status != .ok { throw MCPError(status: status, json: taken(error)) }
            }
        }
    }

    /// Has the program do its part of a login.
    func logIn(_ message: ReceivedMessage) {
        let need: LoginNeed
        do {
            need = try wireDecoder().decode(LoginNeed.self, from: message.json)
        } catch {
            failed(error, "login")
            try? giveUpLogin("this package cannot read what the login needs")
            return
        }
        let key = need.key ?? ""
        switch need.kind {
        case "load": keeper.take(.load(key, locks: need.lock ?? false)) { self.answer(message, "load", $0) }
        case "save": keeper.take(.save(key, text: need.text ?? "")) { self.answer(message, "save", $0) }
        case "unlock": keeper.take(.unlock(key))
        case "sign": sign(message, SigningRequest(need))
        default: attend(Login(need, on: self))
        }
    }

    /// Without a handler, calls would wait for the login as long as a person may take.
    private func attend(_ login: Login) {
        let handler = locked { (shared: inout Shared) -> LoginHandler? in shared.login }
        guard let handle = handler else {
            try? giveUpLogin("the program has no handler for logins: give the client one with onLogin")
            return
        }
        Task {
            do {
                try await handle(login)
            } catch {
                self.failed(error, "login")
                // The client may have been closed meanwhile.
                try? self.giveUpLogin("the program's handler of logins failed")
            }
        }
    }

    private func sign(_ message: ReceivedMessage, _ request: SigningRequest) {
        let handler = locked { (shared: inout Shared) -> SignHandler? in shared.sign }
        Task {
            do {
                guard let handle = handler else { throw NoHandler(what: "function that signs", remedy: "onSign") }
                let signature = try await handle(request).text
                try refuseNul(in: signature, "the signature")
                _ = self.answer(message, "sign", .success(signature))
            } catch {
                _ = self.answer(message, "sign", .failure(error))
            }
        }
    }

    /// Answers a message that has an answer of its own. False if the library no longer waits for it: its time is over, or the client
    /// is closed.
    private func answer(_ message: ReceivedMessage, _ operation: String, _ result: Result<String?, any Error>) -> Bool {
        var text: String?
        var failure: String?
        switch result {
        case .success(let answer): text = answer
        case .failure(let lack as NoHandler): failure = lack.description
        case .failure(let error):
            failed(error, "login/\(operation)")
            failure = "the program's function for \"\(operation)\" failed; onFailure of the client has the error"
        }
        let status = try? using("login") { () -> Status in
            withOptionalCString(text) { text in
                withOptionalCString(failure) { failure in
                    Status(rawValue: mcp_client_answer_auth(client, message.pointer, text, failure, nil))
                }
            }
        }
        return status == .ok
    }
}
