import { createServer, type Server } from 'node:http';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

/** Receives traces by OTLP over HTTP like an OpenTelemetry collector. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** The received bodies, concatenated. */
  text = '';

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        collector.text += body;
        const { resourceSpans } = JSON.parse(body) as {
          resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[];
        };
        if (request.url === '/v1/traces')
          collector.spans.push(
            ...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
          );
        response.setHeader('Content-Type', 'application/json').end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const collector = new TraceCollector(server, `http://127.0.0.1:${port}`);
    return collector;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
