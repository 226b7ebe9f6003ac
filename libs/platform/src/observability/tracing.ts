/** The role of a span, as OpenTelemetry defines it. */
export type SpanKind = 'server' | 'producer' | 'consumer' | 'client';

/** The properties of a span at its start. */
export interface SpanOptions {
  kind: SpanKind;
  /** The parent as a W3C `traceparent`. The default is the active span. */
  parent?: string | undefined;
  /** Names, codes and counts, never personal data. */
  attributes?: Readonly<Record<string, string | number>>;
}

/** A span that is ended explicitly, because it does not end in the function that started it. */
export interface OpenSpan {
  /** Runs `work` with this span as the active span. */
  run(work: () => void): void;
  /** Ends the span. `hasFailed` marks it as failed. */
  end(attributes: Readonly<Record<string, string | number>>, hasFailed: boolean): void;
}

/** Distributed tracing from the HTTP request to the SQL statement, across processes. */
export abstract class Tracing {
  /** Runs `work` in a new span. The span fails if `work` throws. */
  abstract inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;

  /** Runs `work` in a new span if a span is active, else without a span. */
  abstract inChildSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;

  /**
   * Starts a span that the caller ends.
   *
   * @param since start time in milliseconds since 1970
   * @returns undefined if tracing is disabled
   */
  abstract startSpan(name: string, options: SpanOptions, since: number): OpenSpan | undefined;

  /** The active span as a W3C `traceparent`, to pass it to another process. */
  abstract get traceparent(): string | undefined;
}

/** Disabled tracing: runs the work without spans. */
export const noTracing: Tracing = {
  inSpan: async (_name, _options, work) => work(),
  inChildSpan: async (_name, _options, work) => work(),
  startSpan: () => undefined,
  traceparent: undefined,
};
