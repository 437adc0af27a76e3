// A small server made with the official TypeScript SDK, as its users make theirs: one factory, both eras, over HTTP if it is
// told a PORT, else over stdio.
// The interop tests talk to it; what it offers is that of tests/servers/python/server.py, because they compare.
import { createServer } from "node:http";

import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, acceptedContent, createMcpHandler, inputRequired } from "@modelcontextprotocol/server";
import { SkillsExtension, memorySkillFiles } from "@modelcontextprotocol/server/ext/skills";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const text = (said) => ({ content: [{ type: "text", text: said }] });

const skills = await SkillsExtension.load(
    memorySkillFiles({
        "greeting/SKILL.md": "---\nname: greeting\ndescription: How to greet\n---\n\n# Greeting\n\nSee references/words.md.\n",
        "greeting/references/words.md": "Hello, bonjour, servus.\n",
    }),
);
let atWork = 0;

function make() {
    const server = new McpServer({ name: "typescript-test-server", version: "1.0.0" }, { capabilities: { logging: {} } });
    server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, async ({ text: said }) => text(said));
    server.registerTool(
        "notify",
        { inputSchema: z.object({ steps: z.number() }) },
        async ({ steps }, ctx) => {
            const token = ctx.mcpReq._meta?.progressToken;
            for (let step = 1; step <= steps; step++) {
                await ctx.mcpReq.log("info", `step ${step} of ${steps}`);
                if (token !== undefined) {
                    const params = { progressToken: token, progress: step, total: steps };
                    await ctx.mcpReq.notify({ method: "notifications/progress", params });
                }
            }
            return text(`sent ${steps} of each`);
        },
    );
    server.registerTool("slow", { inputSchema: z.object({ seconds: z.number() }) }, async ({ seconds }) => {
        await new Promise((done) => setTimeout(done, seconds * 1000));
        return text(`slept ${seconds} s`);
    });
    const named = z.object({ name: z.string() });
    server.registerTool("ask", { inputSchema: z.object({}) }, async (_, ctx) => {
        const answer = acceptedContent(ctx.mcpReq.inputResponses, "name", named);
        if (answer !== undefined) {
            return text(`hello ${answer.name}`);
        }
        const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
        return inputRequired({ inputRequests: { name: inputRequired.elicit({ message: "Who are you?", requestedSchema }) } });
    });
    const stateful = { inputSchema: z.object({}), _meta: { mode: "stateful" } };
    server.registerTool("step", stateful, async (_, ctx) => {
        const atOnce = ++atWork;
        await new Promise((done) => setTimeout(done, 100));
        atWork--;
        return text(JSON.stringify({ session: ctx.mcpReq._meta?.session_id ?? "", at_once: atOnce }));
    });
    skills.attach(server);
    return server;
}

if (process.env.PORT === undefined) {
    serveStdio(make);
} else {
    createServer(toNodeHandler(createMcpHandler(make))).listen(Number(process.env.PORT), "127.0.0.1");
}
