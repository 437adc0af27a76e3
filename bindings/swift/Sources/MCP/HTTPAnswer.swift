import CMCP
import Foundation

extension Server {
    /// Serves a request that an HTTP server of the program has taken, and waits for the head of the answer.
    ///
    /// Say first under which URL clients reach the program: `serve(Endpoint(url: "https://app.example.com/mcp", listen: false))`
    /// opens no port. The library checks the path, `Host`, `Origin`, the token and the other headers before a part of the body is
    /// asked for, bounds the bodies of all clients together, keeps the sessions and makes the answer; the program moves bytes. A
    /// request that is not served has an answer like every other, with a status of 400 or above, and so does one that comes after
    /// ``close(timeout:)``, with 503.
    ///
    /// ```swift
    /// let answer = try await server.http(
    ///     request.method, request.target, headers: request.headers, peer: request.address, body: request.body)
    /// try await response.begin(answer.status, answer.headers)
    /// for try await part in answer.body { try await response.write(part) }  // sends it at once
    /// ```
    ///
    /// Cancelling the task gives the request up.
    ///
    /// - Parameters:
    ///   - method: Such as "POST".
    ///   - target: The target of the request line, such as "/mcp", or a URL.
    ///   - headers: Every header as it came, one that came twice twice. With HTTP/2, ":authority" goes in as "Host".
    ///   - peer: The address that the request comes from, such as "192.0.2.7"; nil if it is not known.
    ///   - body: The parts of the body, as the client sends them. None is asked for when the head is refused. A body that is late is refused by
    ///     `timeouts.body` when its next part comes; bound the time in which nothing comes where the body is read from.
    /// - Throws: What `body` throws; `CancellationError`; `MCPError` with `.invalidArgument` if no URL is served with `listen: false`, and with
    ///   `.backpressure` or `.closed` if the answer is lost: cut the connection.
    public func http<Parts: AsyncSequence>(
        _ method: String, _ target: String, headers: some Sequence<(name: String, value: String)> & Sendable, peer: String? = nil,
        body: Parts
    ) async throws -> HTTPAnswer where Parts.Element == Data {
        try await answer(method, target, Array(headers), [peer ?? ""]) { core, words in
            let exchange = try core.exchange(method, target, words, peer: peer)
            return (exchange, { try await exchange.takeBody(body) })
        }
    }

    /// The same for a body that was read before. Bound what you read: the library has judged nothing then, and refuses more than
    /// `limits.frameBytes` (16 MiB).
    public func http(
        _ method: String, _ target: String, headers: some Sequence<(name: String, value: String)> & Sendable, body: Data = Data()
    ) async throws -> HTTPAnswer {
        try await answer(method, target, Array(headers), []) { core, words in
            (try core.exchange(method, target, words, body), {})
        }
    }

    private func answer(
        _ method: String, _ target: String, _ headers: [(name: String, value: String)], _ others: [String],
        _ begin: (ServerCore, [String]) throws -> (Exchange, () async throws -> Void)
    ) async throws -> HTTPAnswer {
        var words: [String] = []
        for (name, value) in headers { words += [name, value] }
        if ([method, target] + others + words).contains(where: { $0.utf8.contains(0) }) {
            return HTTPAnswer(status: 400, text: "the request has a NUL character")
        }
        let exchange: Exchange
        let takeBody: () async throws -> Void
        do {
            (exchange, takeBody) = try begin(core, words)
        } catch let error as MCPError where error.status == .closed {
            return HTTPAnswer(status: 503, text: "the server is closed")
        }
        try await takeBody()
        let (status, length) = try await exchange.head()
        return HTTPAnswer(status: status, length: length, headers: exchange.headers(), exchange: exchange)
    }
}

/// The answer to a request that an HTTP server of the program has taken: ``Server/http(_:_:headers:body:)``.
///
/// It is over when its body was read to the end, with ``cancel()``, or when nothing holds it or its body any more. In revision
/// 2026-07-28 a request whose answer was not read to the end is cancelled thereby; in earlier ones it goes on, and its client may
/// come back for the rest.
public final class HTTPAnswer: Sendable {
    /// The status of HTTP.
    public let status: Int
    /// The bytes of the body; nil for an event stream, whose parts are to be sent as they come.
    public let length: Int?
    /// All headers. Those about the connection, the length and the date are the HTTP server's.
    public let headers: [(name: String, value: String)]
    /// The body in parts. Iterate over it once, and take only what can be sent: what is not read stays in the library, which cuts
    /// the answer off at `limits.outgoingBytes` of a stream, or after `timeouts.write` without a read.
    public let body: Body

    init(status: Int, length: Int?, headers: [(name: String, value: String)], exchange: Exchange) {
        self.status = status
        self.length = length
        self.headers = headers
        body = Body(exchange: exchange, text: nil)
    }

    /// An answer that the library does not make.
    init(status: Int, text: String) {
        self.status = status
        length = text.utf8.count
        headers = [("content-type", "text/plain; charset=utf-8")]
        body = Body(exchange: nil, text: Data(text.utf8))
    }

    /// Gives the answer up, from any task: its client has gone. What reads the body ends with `.closed`.
    public func cancel() { body.exchange?.cancel() }

    /// The parts of an answer's body, none of which is empty.
    ///
    /// Iterating throws `MCPError` with `.backpressure` when the rest is lost because it was read too slowly: cut the connection, so
    /// that the client sees it and comes back. It throws `CancellationError` when the task is cancelled.
    public struct Body: AsyncSequence, Sendable {
        /// A part of the body.
        public typealias Element = Data

        let exchange: Exchange?
        let text: Data?

        /// Begins to read.
        public func makeAsyncIterator() -> Iterator { Iterator(exchange: exchange, text: text) }

        /// Reads the parts one after another.
        public struct Iterator: AsyncIteratorProtocol {
            let exchange: Exchange?
            var text: Data?

            /// Waits for the next part; nil at the end.
            public mutating func next() async throws -> Data? {
                if let exchange { return try await exchange.read() }
                defer { text = nil }
                return text
            }
        }
    }
}
