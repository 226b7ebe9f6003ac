import { once } from 'node:events';
import { createServer, request as httpRequest, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to streams: they pass, their connections are cut, or they are refused as by a full instance. */
export type StreamFate = 'pass' | 'cut' | 'refuse';

/** A proxy between a browser and Portage that loses the streams of changes, and nothing else. */
export class LossyProxy {
  private fate: StreamFate = 'pass';
  private readonly streams = new Set<ServerResponse>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(target: string): Promise<LossyProxy> {
    const { port, hostname } = new URL(target);
    const server = createServer((request, response) => {
      const isStream = request.url?.startsWith('/operator/v1/live') === true;
      if (isStream && proxy.fate === 'cut') {
        request.socket.destroy();
        return;
      }
      if (isStream && proxy.fate === 'refuse') {
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '10' });
        response.end(JSON.stringify({ code: 'throttled', detail: 'Later.' }));
        return;
      }
      if (isStream) {
        proxy.streams.add(response);
        response.once('close', () => proxy.streams.delete(response));
      }
      const { method, url, headers } = request;
      const passed = httpRequest({ port, hostname, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      response.once('close', () => passed.destroy());
      request.pipe(passed);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new LossyProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return proxy;
  }

  /** Sets what happens to streams from now on. Those that are open are cut unless they pass. */
  setStreams(fate: StreamFate): void {
    this.fate = fate;
    if (fate !== 'pass') for (const stream of this.streams) stream.socket?.destroy();
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
