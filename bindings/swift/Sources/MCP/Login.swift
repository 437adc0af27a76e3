import Foundation

/// What a login needs of the program, as the library says it.
struct LoginNeed: Decodable, Sendable {
    let kind: String
    let url: String?
    let user_code: String?
    let verification_uri: String?
    let redirect_uri: String?
    let listens: Bool?
    let issuer: String?
    let scopes: String?
    let expires_in_ms: Int64?
    let audience: String?
    let refused: Bool?
    let key: String?
    let text: String?
    let lock: Bool?
    let input: String?
    let algorithm: String?
    let purpose: String?
    let key_id: String?
    let client_id: String?
}

/// What the client needs of the program to be let in by its server.
public struct Login: Sendable {
    /// What is wanted.
    public enum Kind: Sendable, Equatable {
        /// A person who opens `url` in a browser.
        case page
        /// A token for the server.
        case token
        /// A signed statement about the workload, for `audience`.
        case assertion
        /// What shows at the identity provider who the person is.
        case subject
        /// Something that this package does not know.
        case other(String)
    }

    /// What is wanted.
    public let kind: Kind
    /// The page to open. Give it only to the browser: do not log it, and do not pass it through a shell.
    public let url: String
    /// With the flow "device": what the person enters at `verificationURI`, or what `url` has in it already; else empty.
    public let userCode: String
    /// Where the person enters `userCode`, in a browser of any device.
    public let verificationURI: String
    /// Where the browser is sent afterwards.
    public let redirectURI: String
    /// The library waits there itself. If not, hand what the browser was sent to to `complete`.
    public let listens: Bool
    /// The authorization server.
    public let issuer: String
    /// What the login is for, separated by spaces.
    public let scopes: String
    /// How long the login waits for the person.
    public let expiresIn: Duration
    /// Whom an assertion is for.
    public let audience: String
    /// The last credential was refused.
    public let isRefused: Bool

    private let connection: Connection

    init(_ wanted: LoginNeed, on connection: Connection) {
        switch wanted.kind {
        case "authorize": kind = .page
        case "token": kind = .token
        case "assertion": kind = .assertion
        case "subject": kind = .subject
        default: kind = .other(wanted.kind)
        }
        url = wanted.url ?? ""
        userCode = wanted.user_code ?? ""
        verificationURI = wanted.verification_uri ?? ""
        redirectURI = wanted.redirect_uri ?? ""
        listens = wanted.listens ?? false
        issuer = wanted.issuer ?? ""
        scopes = wanted.scopes ?? ""
        expiresIn = .milliseconds(wanted.expires_in_ms ?? 0)
        audience = wanted.audience ?? ""
        isRefused = wanted.refused ?? false
        self.connection = connection
    }

    /// Hands over where the browser came back to: the whole URL, exactly as it was sent there, with its errors too.
    public func complete(_ callbackURL: String) throws {
        try connection.completeLogin(callbackURL)
    }

    /// Gives the credential that was asked for, and how long it is good if that is known.
    public func give(_ credential: String, lasts: Duration? = nil) throws {
        try connection.giveCredential(credential, lasts: lasts.map(milliseconds) ?? -1)
    }

    /// The login will not be finished: what waits for it ends as `.auth`.
    public func giveUp(_ reason: String = "") throws {
        try connection.giveUpLogin(reason)
    }
}

/// How the person answered a form, or a page to visit.
public enum ElicitationAnswer: Sendable {
    /// With this content; nil for the form's defaults alone, and for a page that the person agreed to visit. What is left out
    /// is filled in with its defaults, and the whole is checked against the form.
    case accept(JSONValue?)
    /// The person does not want to.
    case decline
    /// The person closed it without a choice.
    case cancel
}
