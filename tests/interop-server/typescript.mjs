// The TypeScript SDK as a client of our server: node typescript.mjs 1|2 legacy|modern REVISION NAME COMMAND...
// In place of the command there may be the URL of a server that runs. Writes a line for each feature: "ok NAME" or
// "failed NAME: why". README.md says what each feature is.
const [major, era, revision, name, command, ...args] = process.argv.slice(2);
const modern = era === 'modern';
const first = major === '1';
const overHttp = command.startsWith('http');

const sdk = first ? '@modelcontextprotocol/sdk' : '@modelcontextprotocol/client';
const { Client } = await import(first ? `${sdk}/client/index.js` : sdk);
const { StdioClientTransport } = await import(first ? `${sdk}/client/stdio.js` : `${sdk}/stdio`);
const { StreamableHTTPClientTransport } = await import(first ? `${sdk}/client/streamableHttp.js` : sdk);
// The first major version names a method by the schema of its messages.
const types = first ? await import(`${sdk}/types.js`) : {};
const named = (method, schema) => (first ? types[schema] : method);

const LIMIT = 60_000;
const seen = { log: [], tools: 0, updated: [] };
const waiting = [];

function happened() {
    for (const check of [...waiting]) check();
}

// Resolves as soon as something that a notification changes holds.
function until(holds) {
    return new Promise((resolve) => {
        const check = () => {
            if (!holds()) return;
            waiting.splice(waiting.indexOf(check), 1);
            resolve();
        };
        waiting.push(check);
        check();
    });
}

function equal(found, wanted) {
    const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (a !== b) throw new Error(`${a} instead of ${b}`);
}

async function refused(codes, promise) {
    const error = await promise.then((answer) => { throw new Error(`answered: ${JSON.stringify(answer)}`); }, (error) => error);
    if (!codes.includes(error.code)) throw new Error(`${error.code} instead of ${codes}: ${error.message}`);
}

const info = { name: 'typescript-interop', version: '1.0.0' };
const capabilities = { sampling: {}, elicitation: {}, roots: { listChanged: true } };
const options = { capabilities };
if (!first) options.versionNegotiation = { mode: modern ? { pin: revision } : 'legacy' };
const client = new Client(info, options);

client.setRequestHandler(named('sampling/createMessage', 'CreateMessageRequestSchema'), async ({ params }) => ({
    model: 'none',
    role: 'assistant',
    content: { type: 'text', text: `sampled: ${params.messages[0].content.text}` },
}));
client.setRequestHandler(named('elicitation/create', 'ElicitRequestSchema'), async ({ params }) => ({
    action: 'accept',
    content: { answer: `answered: ${params.message}` },
}));
client.setRequestHandler(named('roots/list', 'ListRootsRequestSchema'), async () => ({
    roots: [{ uri: 'file:///interop', name: 'interop' }],
}));
client.setNotificationHandler(named('notifications/message', 'LoggingMessageNotificationSchema'), ({ params }) => {
    seen.log.push(params);
    happened();
});
client.setNotificationHandler(named('notifications/resources/updated', 'ResourceUpdatedNotificationSchema'), ({ params }) => {
    seen.updated.push(params.uri);
    happened();
});
client.setNotificationHandler(named('notifications/tools/list_changed', 'ToolListChangedNotificationSchema'), () => {
    seen.tools++;
    happened();
});

// What the client asked for by GET: the event behind which it comes back, if it does, and the status of the answer.
const gets = [];
async function watched(url, init) {
    const response = await fetch(url, init);
    if (init?.method === 'GET') {
        gets.push({ behind: new Headers(init.headers).get('last-event-id'), status: response.status });
        happened();
    }
    return response;
}

const transport = overHttp
    ? new StreamableHTTPClientTransport(new URL(command), { fetch: watched })
    : new StdioClientTransport({ command, args, stderr: 'ignore' });
const call = (name, args = {}, options) =>
    first ? client.callTool({ name, arguments: args }, undefined, options) : client.callTool({ name, arguments: args }, options);
const text = (result) => result.content[0].text;
const protocol = () => (first ? transport._protocolVersion ?? negotiated : client.getNegotiatedProtocolVersion());
let negotiated;
if (first) transport.setProtocolVersion = (version) => { negotiated = version; };

async function all(list, member, params = {}) {
    const found = [];
    let pages = 0;
    let cursor;
    do {
        const page = await list({ ...params, ...(cursor === undefined ? {} : { cursor }) });
        found.push(...page[member]);
        cursor = page.nextCursor;
        pages++;
    } while (cursor !== undefined);
    return { found, pages };
}

// One page as the server cuts it; the second major version's lists read all pages at once.
const page = (method, schema) => (params) =>
    first ? client.request({ method, params }, types[schema]) : client.request({ method, params });

const features = {
    async connect() {
        await client.connect(transport, { timeout: LIMIT });
        equal(client.getServerVersion().name, name);
        equal(protocol(), revision);
        if (!client.getInstructions()) throw new Error('no instructions');
    },
    async ping() {
        await client.ping();
    },
    async 'tools: pages'() {
        const { found, pages } = await all(page('tools/list', 'ListToolsResultSchema'), 'tools');
        if (pages < 2) throw new Error(`${pages} page`);
        equal(found.filter((tool) => ['echo', 'add', 'slow'].includes(tool.name)).length, 3);
        equal(new Set(found.map((tool) => tool.name)).size, found.length);
    },
    async 'tools: call'() {
        equal(text(await call('echo', { text: 'Grüße, 世界 🦀 \u2028' })), 'Grüße, 世界 🦀 \u2028');
    },
    async 'tools: structured result'() {
        equal((await call('add', { a: 2, b: 3 })).structuredContent, { sum: 5 });
    },
    async 'tools: failure'() {
        const result = await call('fail');
        equal([result.isError, text(result)], [true, 'This tool always fails']);
    },
    async 'tools: wrong arguments'() {
        equal((await call('add', { a: 'two', b: 3 })).isError, true);
    },
    async 'tools: unknown'() {
        await refused([-32602], call('nothing'));
    },
    async 'tools: large result'() {
        equal(text(await call('big', { bytes: 3_000_000 })).length, 3_000_000);
    },
    async 'tools: printing handler'() {
        equal(text(await call('print', { text: 'printed\n' })), 'printed');
    },
    async progress() {
        const steps = [];
        await call('slow', { ms: 60, steps: 3 }, { onprogress: (step) => steps.push([step.progress, step.total]) });
        // The SDK forgets who wants the progress as soon as it has read the answer, and looks at what it read before that
        // a moment later. So a step that arrives together with the answer may be lost.
        equal(steps.slice(0, 2), [[1, 3], [2, 3]]);
        equal(steps.slice(2).filter(([step, total]) => step !== 3 || total !== 3), []);
    },
    async cancellation() {
        const before = Number(text(await call('cancelled')));
        const stop = new AbortController();
        const ended = call('slow', { ms: 600_000, steps: 6_000_000 }, {
            signal: stop.signal,
            onprogress: () => stop.abort('not wanted'),
        });
        await ended.then(() => { throw new Error('not cancelled'); }, () => {});
        let now = before;
        while (now === before) now = Number(text(await call('cancelled')));
        equal(now, before + 1);
        if (!overHttp || modern) return;
        // The client comes back for the answer, which never comes. Once is enough: from an empty stream it would come back again and
        // again, and each stream that it opens in doing so would tell it of each change once more.
        await until(() => gets.some((get) => get.behind !== null));
        const asked = gets.length;
        equal(gets.filter((get) => get.behind !== null).map((get) => get.status), [204]);
        await call('slow', { ms: 300, steps: 1 });
        equal(gets.length, asked);
        const told = seen.tools;
        await call('change_tools');
        await until(() => seen.tools > told);
        await call('slow', { ms: 300, steps: 1 });
        equal(seen.tools, told + 1);
    },
    async log() {
        if (modern) {
            const params = { name: 'notify', arguments: { count: 2 }, _meta: { 'io.modelcontextprotocol/logLevel': 'info' } };
            await client.callTool(params);
        } else {
            await client.setLoggingLevel('info');
            await call('notify', { count: 2 });
        }
        await until(() => seen.log.length >= 2);
        equal(seen.log.map(({ level, data }) => [level, data.number]), [['info', 1], ['info', 2]]);
        if (!modern) {
            await client.setLoggingLevel('error');
            await call('notify', { count: 2 });
            await call('echo', { text: 'after' });
            equal(seen.log.length, 2);
        }
    },
    async 'resources: list'() {
        const { found } = await all((params) => client.listResources(params), 'resources');
        equal(found.map((resource) => resource.uri).slice(0, 2), ['demo://greeting', 'demo://logo']);
    },
    async 'resources: templates'() {
        const { found } = await all((params) => client.listResourceTemplates(params), 'resourceTemplates');
        equal(found[0].uriTemplate, 'demo://greeting/{name}');
    },
    async 'resources: read'() {
        const read = async (uri) => (await client.readResource({ uri })).contents[0];
        equal((await read('demo://greeting')).text, 'Hello, world!');
        equal((await read('demo://greeting/Ada')).text, 'Hello, Ada!');
        equal((await read('demo://logo')).blob.slice(0, 11), 'iVBORw0KGgo');
    },
    async 'resources: unknown'() {
        // The second major version gives its programs the newer code in both eras where the error names the resource.
        const codes = modern ? [-32602] : first ? [-32002] : [-32002, -32602];
        await refused(codes, client.readResource({ uri: 'demo://nothing' }));
    },
    async 'resources: updates'() {
        const uri = 'demo://greeting';
        let listening;
        if (modern) listening = await client.listen({ resourceSubscriptions: [uri] });
        else await client.subscribeResource({ uri });
        await call('touch', { uri });
        await until(() => seen.updated.length > 0);
        equal(seen.updated, [uri]);
        if (modern) await listening.close();
        else await client.unsubscribeResource({ uri });
        await call('touch', { uri });
        await call('echo', { text: 'after' });
        equal(seen.updated, [uri]);
    },
    async 'tools: list changes'() {
        const listening = modern ? await client.listen({ toolsListChanged: true }) : undefined;
        await call('change_tools');
        await until(() => seen.tools > 0);
        await listening?.close();
    },
    async prompts() {
        const { found } = await all((params) => client.listPrompts(params), 'prompts');
        equal(found.map((prompt) => prompt.name), ['greet']);
        const prompt = await client.getPrompt({ name: 'greet', arguments: { name: 'Ada' } });
        equal(prompt.messages[0].content.text, 'Please write a friendly greeting for Ada.');
    },
    async completion() {
        const complete = async (ref) => (await client.complete({ ref, argument: { name: 'name', value: 'A' } })).completion.values;
        equal(await complete({ type: 'ref/prompt', name: 'greet' }), ['Ada', 'Alan']);
        equal(await complete({ type: 'ref/resource', uri: 'demo://greeting/{name}' }), ['Ada', 'Alan']);
    },
    async sampling() {
        equal(text(await call('sample', { prompt: 'Hi' })), 'sampled: Hi');
    },
    async elicitation() {
        equal(text(await call('ask', { question: 'Who?' })), 'answered: Who?');
    },
    async roots() {
        equal(text(await call('roots')), 'file:///interop');
    },
    async 'http: broken stream'() {
        const steps = [];
        const result = await call('interrupted', {}, { onprogress: (step) => steps.push(step.progress) });
        equal([text(result), steps[0]], ['after the break', 1]);
    },
    async close() {
        if (overHttp) {
            await transport.terminateSession();
            return client.close();
        }
        const pid = Number(text(await call('pid')));
        await client.close();
        while (true) {
            try {
                process.kill(pid, 0);
            } catch {
                return;
            }
            await new Promise((done) => setTimeout(done, 5));
        }
    },
};

for (const [title, feature] of Object.entries(features)) {
    if (title.startsWith('http: ') && (!overHttp || modern)) continue;
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no outcome within ${LIMIT} ms`)), LIMIT);
    });
    try {
        await Promise.race([feature(), late]);
        console.log(`ok ${title}`);
    } catch (error) {
        console.log(`failed ${title}: ${String(error?.message ?? error).replaceAll('\n', ' ')}`);
        if (title === 'connect') break;
    }
    clearTimeout(timer);
}
await client.close().catch(() => {});
process.exit(0);
