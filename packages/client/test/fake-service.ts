import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that the service has received. */
export interface ReceivedRequest {
  method: string;
  path: string;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
  body: string;
  /** Number of earlier requests with the same method and path. */
  nth: number;
  at: number;
}

/** `reset` closes the connection without a response; `silence` keeps it open without a response. */
export type Reply =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | { raw: string }
  | 'reset'
  | 'silence';

/** An HTTP server whose responses, or missing responses, are defined by each test. */
export class FakeService {
  readonly requests: ReceivedRequest[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: URL,
  ) {}

  static async start(answer: (request: ReceivedRequest) => Reply | Promise<Reply>): Promise<FakeService> {
    const server = createServer((request, response) => {
      const complete = receive(request).catch(() => undefined);
      void complete.then(async (received) => {
        // A request that the client has broken off gets no reply.
        const reply = received === undefined ? 'silence' : await answer(received);
        if (reply === 'silence') return;
        if (reply === 'reset') {
          request.socket.destroy();
          return;
        }
        if ('raw' in reply) {
          response.writeHead(502, { 'content-type': 'text/html' }).end(reply.raw);
          return;
        }
        response
          .writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
          .end(JSON.stringify(reply.body ?? {}));
      });
    });
    const receive = async (request: IncomingMessage): Promise<ReceivedRequest> => {
      const [method = '', path = ''] = [request.method, request.url];
      const nth = service.requests.filter((seen) => seen.method === method && seen.path === path).length;
      const received: ReceivedRequest = {
        method,
        path,
        authorization: request.headers.authorization,
        idempotencyKey: request.headers['idempotency-key']?.toString(),
        body: '',
        nth,
        at: Date.now(),
      };
      service.requests.push(received);
      received.body = await text(request);
      return received;
    };
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const service = new FakeService(
      server,
      new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    );
    return service;
  }

  /** Requests with one method and path, in order of arrival. */
  requestsTo(method: string, path: string): ReceivedRequest[] {
    return this.requests.filter((request) => request.method === method && request.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A successful reply to a token request. */
export function tokenReply(token: string, lifetimeSeconds = 3600): Reply {
  const now = Math.floor(Date.now() / 1000);
  return {
    status: 200,
    body: {
      data: {
        obtainPlatformToken: {
          token,
          payload: { iat: now, exp: now + lifetimeSeconds },
        },
      },
    },
  };
}
