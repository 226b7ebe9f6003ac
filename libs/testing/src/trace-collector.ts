import { json, TestServer } from './test-server';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface Traces {
  resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[];
}

/** Receives traces by OTLP over HTTP like an OpenTelemetry collector. */
export class TraceCollector {
  private constructor(private readonly server: TestServer) {}

  static async start(): Promise<TraceCollector> {
    return new TraceCollector(await TestServer.start(json(200, {})));
  }

  get url(): string {
    return this.server.url;
  }

  get spans(): CollectedSpan[] {
    const traces = this.server.requestsTo('POST', '/v1/traces').map(({ body }) => JSON.parse(body) as Traces);
    return traces.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }

  /** The received bodies, concatenated. */
  get text(): string {
    return this.server.requests.map(({ body }) => body).join('');
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}
