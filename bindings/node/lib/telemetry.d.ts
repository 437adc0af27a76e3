import type { MeterProvider, TracerProvider } from '@opentelemetry/api';

export interface TelemetryOptions {
  /** Gets the spans; without it the global one. */
  tracerProvider?: TracerProvider | undefined;
  /** Gets the durations; without it the global one. */
  meterProvider?: MeterProvider | undefined;
  /** The share of requests without a parent that is recorded, 0 to 1: the library decides, since that goes out with the request. */
  sampleRate?: number | undefined;
}

/**
 * Has the clients and servers that are made from now on tell OpenTelemetry of their calls and requests, by the conventions for MCP. A call
 * is a child of the active span; a handler runs in the span of its request.
 */
export function use(options?: TelemetryOptions): void;

/** Ends that. */
export function stop(): void;
