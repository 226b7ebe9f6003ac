import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  method: string;
  path: string;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
  body: string;
  /** How many requests with this method and path came before. */
  nth: number;
  at: number;
}

/** `reset` cuts the connection without a word, `silence` leaves it open and never answers. */
export type Reply =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | { raw: string }
  | 'reset'
  | 'silence';

/** A real HTTP server that answers as each test wants it to: well, badly or not at all. */
export class FakeService {
  readonly requests: Received[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: URL,
  ) {}

  static async start(answer: (request: Received) => Reply | Promise<Reply>): Promise<FakeService> {
    const server = createServer((request, response) => {
      void receive(request).then(async (received) => {
        const reply = await answer(received);
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
    const receive = async (request: IncomingMessage): Promise<Received> => {
      const [method = '', path = ''] = [request.method, request.url];
      const nth = service.requests.filter((seen) => seen.method === method && seen.path === path).length;
      const received: Received = {
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

  /** Requests to one path, in the order they came. */
  to(method: string, path: string): Received[] {
    return this.requests.filter((request) => request.method === method && request.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The answer to a token request. */
export function issued(token: string, lifetimeSeconds = 3600, refreshToken = `refresh-${token}`): Reply {
  const now = Math.floor(Date.now() / 1000);
  return {
    status: 200,
    body: {
      data: {
        obtainPlatformToken: {
          token,
          refreshToken,
          refreshExpiresIn: now + 604_800,
          payload: { iat: now, exp: now + lifetimeSeconds },
        },
      },
    },
  };
}
