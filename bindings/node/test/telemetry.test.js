'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const path = require('node:path');
const test = require('node:test');

const { SpanKind, SpanStatusCode, context } = require('@opentelemetry/api');
const { AsyncLocalStorageContextManager } = require('@opentelemetry/context-async-hooks');
const { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } = require('@opentelemetry/sdk-metrics');
const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-base');
const { Server } = require('..');
const telemetry = require('../lib/telemetry.js');
const { until } = require('./servers.js');

const BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const GIVEN = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

/** The SDK, and a client of a server in this process. @param {import('node:test').TestContext} t @param {number} [sampleRate] */
function program(t, sampleRate) {
  const spans = new InMemorySpanExporter();
  const durations = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: durations, exportIntervalMillis: 3_600_000 });
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const meterProvider = new MeterProvider({ readers: [reader] });
  telemetry.use({ tracerProvider, meterProvider, sampleRate });
  const tracer = tracerProvider.getTracer('application');
  /** @type {unknown[]} */
  const carried = [];
  const server = new Server({ name: 'adder', version: '1' });
  server.tool('add', {}, async (_, request) => {
    carried.push(/** @type {any} */ (request.params)._meta?.traceparent);
    await null;
    tracer.startSpan('work').end();
    return '3';
  });
  server.tool('fail', {}, () => ({ content: [], isError: true }));
  const client = server.client();
  t.after(async () => {
    await client.close();
    await server.close();
    telemetry.stop();
    await meterProvider.shutdown();
  });
  const only = async (/** @type {string} */ name, /** @type {SpanKind} */ kind) => {
    const of = () => spans.getFinishedSpans().filter((it) => it.name === name && it.kind === kind);
    await until(() => of().length > 0, name);
    assert.equal(of().length, 1);
    return of()[0];
  };
  const counts = async () => {
    await reader.forceFlush();
    const all = durations.getMetrics().at(-1)?.scopeMetrics.flatMap((it) => it.metrics) ?? [];
    return all.flatMap(({ descriptor, dataPoints }) => dataPoints.map((/** @type {any} */ point) => {
      assert.equal(descriptor.unit, 's');
      assert.deepEqual(point.value.buckets.boundaries, BOUNDS);
      assert.equal(point.attributes['jsonrpc.request.id'], undefined);
      return `${descriptor.name} ${point.attributes['mcp.method.name']} ${point.value.count}`;
    }));
  };
  return { client, tracer, carried, spans, only, counts };
}

test('a call is one trace from the application to the handler', async (t) => {
  const { client, tracer, carried, only, counts } = program(t);
  await tracer.startActiveSpan('application', async (span) => {
    await client.callTool('add');
    span.end();
  });
  const [application, call, request, work] = await Promise.all([
    only('application', SpanKind.INTERNAL), only('tools/call add', SpanKind.CLIENT), only('tools/call add', SpanKind.SERVER),
    only('work', SpanKind.INTERNAL)]);
  for (const [child, parent] of [[call, application], [request, call], [work, request]]) {
    assert.equal(child.spanContext().traceId, application.spanContext().traceId);
    assert.equal(child.parentSpanContext?.spanId, parent.spanContext().spanId, child.name);
  }
  assert.deepEqual(carried, [`00-${call.spanContext().traceId}-${call.spanContext().spanId}-01`]);
  assert.equal(request.parentSpanContext?.isRemote, true);
  for (const { attributes, status } of [call, request]) {
    assert.equal(attributes['mcp.method.name'], 'tools/call');
    assert.equal(attributes['gen_ai.tool.name'], 'add');
    assert.equal(status.code, SpanStatusCode.UNSET);
  }
  for (const side of ['client', 'server']) {
    const expected = `mcp.${side}.operation.duration tools/call 1`;
    await until(async () => (await counts()).includes(expected), expected);
  }
});

test('an error is told, and what the program says of a trace stays', async (t) => {
  const { client, tracer, carried, only } = program(t);
  await tracer.startActiveSpan('application', async (span) => {
    await client.callTool('fail');
    await client.callTool('add', {}, { traceparent: GIVEN });
    span.end();
  });
  for (const kind of [SpanKind.CLIENT, SpanKind.SERVER]) {
    const { attributes, status } = await only('tools/call fail', kind);
    assert.deepEqual([attributes['error.type'], status.code], ['tool_error', SpanStatusCode.ERROR]);
  }
  assert.deepEqual(carried, [GIVEN]);
  assert.equal((await only('tools/call add', SpanKind.CLIENT)).parentSpanContext?.spanId, GIVEN.slice(36, 52));
});

test('what is not recorded is counted', async (t) => {
  const { client, spans, counts } = program(t, 0);
  await client.callTool('add');
  const expected = 'mcp.server.operation.duration tools/call 1';
  await until(async () => (await counts()).includes(expected), expected);
  assert.deepEqual(spans.getFinishedSpans().filter((it) => it.name !== 'work'), []);
});

test('the package loads nothing of OpenTelemetry by itself', () => {
  const program = 'require(process.argv[1]); process.exit(Object.keys(require.cache).some((it) => it.includes("opentelemetry")) ? 1 : 0)';
  execFileSync(process.execPath, ['-e', program, path.join(__dirname, '..')]);
});
