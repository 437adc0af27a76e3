'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');

const { textOf } = require('..');
const { example, scripted, failure } = require('./servers.js');

const tasks = { poll_min_ms: 5, poll_ms: 20 };

for (const protocol of ['legacy', 'modern']) {
  test(`a call becomes a task, ${protocol} era`, async (t) => {
    const client = scripted(t, ['--era', protocol], { protocol, tasks });
    const notifications = client.notifications();
    /** @type {any[]} */
    const states = [];
    const args = { topic: 'bees', ms: 100, poll_ms: 10 };
    const result = await client.callTool('research', args, { task: true, onTask: (task) => states.push(task) });
    assert.equal(textOf(result), 'researched bees');
    assert.deepEqual(states.map(({ status }) => status), ['working', 'completed']);
    const { taskId } = states[0];
    for await (const { params } of notifications) if (params.taskId === taskId) break;
    assert.equal((await client.getTask(taskId)).status, 'completed');
    assert.equal(textOf(await client.taskResult(taskId)), 'researched bees');
    if (protocol === 'legacy') assert.deepEqual((await client.listTasks()).map((task) => task.taskId), [taskId]);
    else await failure(client.listTasks(), 'unsupported');
    await failure(client.getTask('unheard-of'), 'server');
  });

  test(`a cancelled call cancels its task, ${protocol} era`, async (t) => {
    const client = scripted(t, ['--era', protocol], { protocol, tasks });
    const enough = new AbortController();
    /** @type {string[]} */
    const ids = [];
    const onTask = (/** @type {any} */ task) => {
      ids.push(task.taskId);
      enough.abort(new Error('enough'));
    };
    const call = client.callTool('research', { topic: 'bees', ms: 600_000 }, { signal: enough.signal, onTask });
    await assert.rejects(call, /enough/);
    assert.equal((await client.getTask(/** @type {string} */ (ids[0]))).status, 'cancelled');
  });
}

test('a task is cancelled by its name', async (t) => {
  const client = scripted(t, [], { tasks });
  /** @type {Promise<unknown> | undefined} */
  let call;
  const id = await new Promise((resolve) => {
    call = client.callTool('research', { topic: 'bees', ms: 600_000 }, { onTask: (task) => resolve(task.taskId) });
    call.catch(() => {});
  });
  await client.cancelTask(id);
  await failure(/** @type {any} */ (call), 'cancelled');
  await failure(example(t).getTask(id), 'unsupported');
});

for (const era of ['legacy', 'modern']) {
  test(`a skill is loaded and checked, ${era} era`, async (t) => {
    const client = scripted(t, ['--era', era, 'skills'], { protocol: era });
    const skills = await client.listSkills();
    assert.equal(skills.length, 8);
    const good = /** @type {import('..').Skill} */ (skills[0]);
    assert.equal(good.frontmatter.description, 'Shows that a skill arrives');
    assert.match((await client.loadSkill(good)).text ?? '', /See references\/more.md/);
    assert.equal((await client.readSkillFile(good, 'references/more.md')).text, 'More: déjà vu.\n');
    assert.equal(Buffer.from((await client.readSkillFile(good, 'assets/all bytes.bin')).blob ?? '', 'base64').length, 256);
    await failure(client.readSkillFile(good, '../wrong-size/SKILL.md'), 'invalid_argument');
    await failure(client.loadSkill(await client.getSkill('skill://shelf/wrong-digest/SKILL.md')), 'protocol');
    const dynamic = await client.getSkill('skill://shelf/dynamic/SKILL.md');
    await failure(client.loadSkill(dynamic), 'unsupported');
    assert.match((await client.loadSkill(dynamic, { allowDynamic: true })).text ?? '', /name: dynamic/);
  });
}
