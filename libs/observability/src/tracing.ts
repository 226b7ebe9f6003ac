export type SpanKind = 'server' | 'producer' | 'consumer' | 'client';

export interface SpanOptions {
  kind: SpanKind;
  /** Where it came from, as W3C Trace Context has it; without it what is under way here is the parent. */
  parent?: string | undefined;
  /** Names, codes and counts, never anything about a person. */
  attributes?: Readonly<Record<string, string | number>>;
}

/** A span that somebody else ends, because it does not end where it began. */
export interface OpenSpan {
  /** Goes on with `work` as a part of the span. */
  within(work: () => void): void;
  end(attributes: Readonly<Record<string, string | number>>, hasFailed: boolean): void;
}

/** What takes how long, from the request to the last statement, across processes. */
export abstract class Tracing {
  /** Does `work` in a span of its own, which fails as `work` does. */
  abstract over<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;

  /** As `over`, where a trace leads here; what nobody has asked for starts no trace. */
  abstract part<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;

  /** @param since when it really began, in milliseconds since 1970 */
  abstract open(name: string, options: SpanOptions, since: number): OpenSpan | undefined;

  /** The span under way, to be handed to whoever goes on with it elsewhere. */
  abstract get traceparent(): string | undefined;
}

/** Traces nothing, at no cost. */
export const noTracing: Tracing = {
  over: async (_name, _options, work) => work(),
  part: async (_name, _options, work) => work(),
  open: () => undefined,
  traceparent: undefined,
};
