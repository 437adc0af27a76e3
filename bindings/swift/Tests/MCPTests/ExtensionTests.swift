import Foundation
import XCTest

@testable import MCP

final class ExtensionTests: XCTestCase {
    func testACallBecomesATask() async throws {
        for era in ["legacy", "modern"] {
            let tasks: JSONValue = ["poll_min_ms": 5, "poll_ms": 20]
            let client = try scripted(["args": ["--era", .string(era)], "protocol": .string(era), "tasks": tasks])
            let notifications = client.notifications()
            let arguments: JSONValue = ["topic": "bees", "ms": 100, "poll_ms": 10]
            let result = try await client.callTool("research", arguments, options: CallOptions(task: true))
            XCTAssertEqual(result.text, "researched bees")
            let name = try await nameOfTask(in: notifications)
            let state = try await client.getTask(name)
            XCTAssertEqual(state.status, "completed")
            let again = try await client.taskResult(name)
            XCTAssertEqual(again.text, "researched bees")
            if era == "legacy" {
                // The tool runs as a task only.
                let plain = await failure { try await client.callTool("research", arguments, options: CallOptions(task: false)) }
                XCTAssertEqual(plain?.status, .unsupported)
                let known = try await client.listTasks()
                XCTAssertEqual(known.map(\.taskId), [name])
                let error = await failure { try await client.cancelTask(name) }
                XCTAssertEqual(error?.status, .server)
            } else {
                let error = await failure { try await client.listTasks() }
                XCTAssertEqual(error?.status, .unsupported)
            }
            try await client.close()
        }
    }

    /// That of the first task that the notifications tell of.
    private func nameOfTask(in notifications: AsyncStream<ServerNotification>) async throws -> String {
        let told = await elements(1, of: notifications) { $0.params["taskId"] != nil }
        return try XCTUnwrap(told.first?.params["taskId"]?.stringValue)
    }

    func testASkillIsLoadedAndChecked() async throws {
        let client = try scripted(["args": ["skills"]])
        let skills = try await client.listSkills()
        XCTAssertEqual(skills.count, 8)
        let good = try XCTUnwrap(skills.first)
        XCTAssertEqual(good.name, "good")
        let loaded = try await client.loadSkill(good)
        XCTAssertTrue(loaded.text.contains("See references/more.md."), loaded.text)
        let more = try await client.readSkillFile(good, "references/more.md")
        XCTAssertEqual(more.text, "More: déjà vu.\n")
        let outside = await failure { try await client.readSkillFile(good, "../wrong-size/SKILL.md") }
        XCTAssertEqual(outside?.status, .invalidArgument)
        let wrong = try await client.getSkill("skill://shelf/wrong-digest/SKILL.md")
        let refused = await failure { try await client.loadSkill(wrong) }
        XCTAssertEqual(refused?.status, .protocol)
        let dynamic = try await client.getSkill("skill://shelf/dynamic/SKILL.md")
        let unsupported = await failure { try await client.loadSkill(dynamic) }
        XCTAssertEqual(unsupported?.status, .unsupported)
        let taken = try await client.loadSkill(dynamic, options: CallOptions(allowDynamic: true))
        XCTAssertTrue(taken.text.contains("name: dynamic"), taken.text)
        try await client.close()
    }
}
