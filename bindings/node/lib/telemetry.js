// Spans and durations of calls and requests for OpenTelemetry. No other module loads this one, which needs @opentelemetry/api.
'use strict';

const { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, createTraceState, metrics, trace } = require('@opentelemetry/api');
const addon = require('./native.js');
const { native } = require('./errors.js');
const { guard, warn } = require('./failures.js');
const hooks = require('./hooks.js');

/** The histograms of the conventions. @type {Record<string, string>} */
const HISTOGRAMS = {
  'mcp.client.operation.duration': 'Duration of a request or notification as observed by its sender',
  'mcp.server.operation.duration': 'Duration of a request or notification as observed by its receiver',
  'mcp.client.session.duration': 'Duration of a session as observed by the client',
  'mcp.server.session.duration': 'Duration of a session as observed by the server',
};
/** The upper bounds of their buckets, in seconds. */
const BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const SERVER = 2;
const ERROR = 2;
/** RECORD_AND_SAMPLED of OpenTelemetry's SDK. */
const SAMPLED = 2;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Has the clients and servers that are made from now on tell OpenTelemetry of their calls and requests.
 * @param {{ tracerProvider?: any, meterProvider?: any, sampleRate?: number }} [options]
 */
function use({ tracerProvider = trace.getTracerProvider(), meterProvider = metrics.getMeterProvider(), sampleRate = 1 } = {}) {
  const ids = { traceId: '', spanId: '' };
  // The global provider stands for the one that the program has registered.
  const tracer = (tracerProvider.getDelegate?.() ?? tracerProvider).getTracer('libmcp');
  keepIds(tracer, ids);
  const meter = meterProvider.getMeter('libmcp');
  const histograms = Object.fromEntries(Object.entries(HISTOGRAMS).map(([name, description]) => (
    [name, meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: BOUNDS } })])));
  const take = (/** @type {any} */ { span, measurement }) => {
    if (measurement !== undefined) histograms[measurement.name]?.record(measurement.value, attributesOf(measurement), ROOT_CONTEXT);
    if (span !== undefined) tell(tracer, ids, span);
  };
  const guarded = (/** @type {string} */ json) => guard(() => take(JSON.parse(json)), (error) => warn(error, 'OpenTelemetry'));
  native(() => addon.setTelemetry(guarded, JSON.stringify({ sample_rate: sampleRate, measurements: true })));
  Object.assign(hooks, { parent: withParent, around: inSpan });
}

/** Ends that. */
function stop() {
  Object.assign(hooks, { parent: null, around: null });
  native(() => addon.setTelemetry(null));
}

/**
 * Has a tracer of OpenTelemetry's SDK take the ids and the decisions of the library, which have gone out with the requests. It has no
 * public way for that; the tracer is only used here.
 * @param {any} tracer @param {{ traceId: string, spanId: string }} ids
 */
function keepIds(tracer, ids) {
  if (tracer._idGenerator === undefined || tracer._sampler === undefined) return;
  tracer._idGenerator = { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId };
  const shouldSample = (/** @type {any} */ around) => ({ decision: SAMPLED, traceState: trace.getSpanContext(around)?.traceState });
  tracer._sampler = { shouldSample, toString: () => 'libmcp' };
}

/** @param {any} tracer @param {{ traceId: string, spanId: string }} ids @param {any} told */
function tell(tracer, ids, told) {
  Object.assign(ids, { traceId: told.traceId, spanId: told.spanId });
  const { traceId, parentSpanId: spanId, flags: traceFlags, traceState } = told;
  const parent = { traceId, spanId, traceFlags, isRemote: told.kind === SERVER, traceState: traceState && createTraceState(traceState) };
  const links = (told.links ?? []).map((/** @type {any} */ link) => (
    { context: { traceId: link.traceId, spanId: link.spanId, traceFlags: 0, isRemote: true } }));
  const options = {
    kind: told.kind === SERVER ? SpanKind.SERVER : SpanKind.CLIENT,
    attributes: attributesOf(told),
    links,
    startTime: timeOf(told.startTimeUnixNano),
  };
  const span = tracer.startSpan(told.name, options, spanId === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent));
  if (told.status.code === ERROR) span.setStatus({ code: SpanStatusCode.ERROR, message: told.status.message });
  span.end(timeOf(told.endTimeUnixNano));
}

/** Seconds and nanoseconds. @param {string} nanoseconds @returns {[number, number]} */
function timeOf(nanoseconds) {
  return [Number(BigInt(nanoseconds) / 1_000_000_000n), Number(BigInt(nanoseconds) % 1_000_000_000n)];
}

/** @param {{ attributes: any[] }} of */
function attributesOf({ attributes }) {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));
}

/** The options of a call with the active span as its parent, unless the program has said something of its trace. @param {any} given */
function withParent(given) {
  const active = trace.getSpanContext(context.active());
  if (active === undefined || given?.traceparent !== undefined || given?.meta?.traceparent !== undefined) return given;
  const parent = `00-${active.traceId}-${active.spanId}-${active.traceFlags.toString(16).padStart(2, '0')}`;
  const tracestate = active.traceState?.serialize();
  return { ...tracestate && { tracestate }, ...given, parent };
}

/** Makes the span of a request the active one while its handler runs. @param {any} request @param {() => any} run */
function inSpan(request, run) {
  const { traceparent, tracestate } = request.params?._meta ?? {};
  const [, traceId, spanId, flags] = TRACEPARENT.exec(request.context.traceparent ?? traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return run();
  const traceState = typeof tracestate === 'string' ? createTraceState(tracestate) : undefined;
  const around = { traceId, spanId, traceFlags: Number.parseInt(/** @type {string} */ (flags), 16), traceState };
  return context.with(trace.setSpanContext(ROOT_CONTEXT, around), run);
}

module.exports = { stop, use };
