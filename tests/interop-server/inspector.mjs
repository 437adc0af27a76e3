// The command line of the inspector as a client of our server: node inspector.mjs CLI legacy|modern REVISION NAME COMMAND...
// In place of the command there may be the URL of a server that runs. Each feature is a run of its own. Writes a line for
// each: "ok NAME" or "failed NAME: why".
import { execFile } from 'node:child_process';

const [cli, era, revision, name, ...server] = process.argv.slice(2);
const LIMIT = 60_000;
const AT_ONCE = 4;

// Runs one method; the inspector ends with another status than 0 when a tool fails, and still prints the result.
function run(method, ...options) {
    const args = [cli, '--cli', ...server, '--method', method, '--protocol-era', era, '--format', 'json', '--quiet', ...options];
    return new Promise((resolve, reject) => {
        execFile(process.execPath, args, { timeout: LIMIT, maxBuffer: 16 << 20 }, (error, stdout, stderr) => {
            try {
                const printed = JSON.parse(stdout.trim().split('\n')[0]);
                resolve({ result: printed.result ?? printed, status: error?.code ?? 0, stderr });
            } catch {
                reject(new Error(stderr.trim() || stdout.trim() || String(error)));
            }
        });
    });
}

function equal(found, wanted) {
    const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (a !== b) throw new Error(`${a} instead of ${b}`);
}

const call = (tool, args = {}) => run('tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args));
const text = ({ result }) => result.content[0].text;

const features = {
    async connect() {
        const { result } = await run('initialize');
        const told = JSON.stringify(result);
        for (const wanted of [name, revision]) if (!told.includes(`"${wanted}"`)) throw new Error(`no ${wanted} in ${told}`);
    },
    async 'tools: pages'() {
        const { result } = await run('tools/list');
        equal(result.tools.filter((tool) => ['echo', 'add', 'slow'].includes(tool.name)).length, 3);
        equal(new Set(result.tools.map((tool) => tool.name)).size, result.tools.length);
        if (result.tools.length < 5) throw new Error('one page only');
    },
    async 'tools: call'() {
        equal(text(await call('echo', { text: 'Grüße, 世界 🦀 \u2028' })), 'Grüße, 世界 🦀 \u2028');
    },
    async 'tools: structured result'() {
        equal((await call('add', { a: 2, b: 3 })).result.structuredContent, { sum: 5 });
    },
    async 'tools: failure'() {
        const failed = await call('fail');
        equal([failed.result.isError, text(failed), failed.status !== 0], [true, 'This tool always fails', true]);
    },
    async 'tools: wrong arguments'() {
        equal((await call('add', { a: 'two', b: 3 })).result.isError, true);
    },
    async 'tools: large result'() {
        equal(text(await call('big', { bytes: 3_000_000 })).length, 3_000_000);
    },
    async 'tools: printing handler'() {
        equal(text(await call('print', { text: 'printed\n' })), 'printed');
    },
    async 'resources: list'() {
        const { result } = await run('resources/list');
        equal(result.resources.map((resource) => resource.uri).slice(0, 2), ['demo://greeting', 'demo://logo']);
    },
    async 'resources: templates'() {
        const { result } = await run('resources/templates/list');
        equal(result.resourceTemplates[0].uriTemplate, 'demo://greeting/{name}');
    },
    async 'resources: read'() {
        const { result } = await run('resources/read', '--uri', 'demo://greeting/Ada');
        equal(result.contents[0].text, 'Hello, Ada!');
    },
    async prompts() {
        const { result } = await run('prompts/get', '--prompt-name', 'greet', '--prompt-args', 'name=Ada');
        equal(result.messages[0].content.text, 'Please write a friendly greeting for Ada.');
        equal((await run('prompts/list')).result.prompts.map((prompt) => prompt.name), ['greet']);
    },
    async close() {
        const pid = Number(text(await call('pid')));
        if (server[0].startsWith('http')) return;
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

const left = Object.entries(features);
async function work() {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [feature, check] = next;
        try {
            await check();
            console.log(`ok ${feature}`);
        } catch (error) {
            console.log(`failed ${feature}: ${String(error?.message ?? error).replaceAll('\n', ' ')}`);
        }
    }
}
await Promise.all(Array.from({ length: AT_ONCE }, work));
