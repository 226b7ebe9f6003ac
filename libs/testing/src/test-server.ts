import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listenLocally, type LocalServer } from './local-server';

/** A request that a {@link TestServer} got. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Empty if the server reads no bodies. */
  body: string;
  /** The number of earlier requests with the same method and path. */
  nth: number;
  /** When the request had arrived, in milliseconds of `performance.now()`. */
  at: number;
}

/** Answers a request as a test requires: correctly, incorrectly or not at all. */
export type Responder = (request: ReceivedRequest, response: ServerResponse) => void;

export interface TestServerOptions {
  host?: string;
  port?: number;
  /** False: requests are answered before their bodies have arrived, which nothing reads then. */
  readsBodies?: boolean;
  /** Answers some requests instead, which are not remembered. */
  intercept?: (request: ReceivedRequest) => Responder | undefined;
}

/** A local HTTP server that answers as a test says, also against the rules of HTTP, and remembers its requests. */
export class TestServer {
  /** In the order of arrival. */
  readonly requests: ReceivedRequest[] = [];
  /** The number of connections since the start. */
  connectionCount = 0;
  private local: LocalServer;

  protected constructor(public respond: Responder) {}

  static async start(
    respond: Responder,
    { host, port, readsBodies = true, intercept }: TestServerOptions = {},
  ): Promise<TestServer> {
    const server = createServer((request, response) => {
      const { method = '', url: path = '', headers } = request;
      response.on('error', () => undefined);
      const answer = (body: string) => {
        const nth = started.requestsTo(method, path).length;
        const received = { method, path, headers, body, nth, at: performance.now() };
        const intercepting = intercept?.(received);
        if (!intercepting) started.requests.push(received);
        (intercepting ?? started.respond)(received, response);
      };
      if (!readsBodies) {
        answer('');
        return;
      }
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        answer(body);
      });
    });
    const started = new TestServer(respond);
    server.on('connection', () => (started.connectionCount += 1));
    started.local = await listenLocally(server, { host, port });
    return started;
  }

  get port(): number {
    return this.local.port;
  }

  get url(): string {
    return this.local.url;
  }

  /** The number of open connections. */
  get openConnectionCount(): number {
    return this.local.sockets.size;
  }

  /** The requests with one method and path, in the order of arrival. */
  requestsTo(method: string, path: string): ReceivedRequest[] {
    return this.requests.filter((request) => request.method === method && request.path === path);
  }

  /** Closes the connections that are open. */
  cut(): void {
    for (const socket of this.local.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    await this.local.stop();
  }
}

/** Answers with JSON, or without a body if there is none. */
export function json(status: number, body?: unknown, headers: Record<string, string> = {}): Responder {
  return (_request, response) => {
    if (body === undefined) response.writeHead(status, headers).end();
    else
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
  };
}

export function text(status: number, body: string): Responder {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end(body);
  };
}

export const silent: Responder = () => undefined;

/** Resets the connection, as a killed process does. */
export const reset: Responder = (_request, response) => {
  response.socket?.resetAndDestroy();
};

/** Closes the connection in the regular way, without a response. */
export const hangUp: Responder = (_request, response) => {
  response.socket?.end();
};

/** Announces a Content-Length and closes after half of it. */
export function halfOf(body: unknown): Responder {
  return (_request, response) => {
    const whole = JSON.stringify(body);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(whole.length) });
    response.write(whole.slice(0, whole.length / 2), () => response.socket?.end());
  };
}

/** Announces no length and does not end the last chunk. */
export function unfinished(body: unknown): Responder {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(JSON.stringify(body), () => response.socket?.destroy());
  };
}

/** Sends one byte every 20 ms, so the connection is never idle and the response never complete. */
export function byteByByte(body: unknown): Responder {
  return (_request, response) => {
    const whole = JSON.stringify(body);
    response.writeHead(200, { 'content-type': 'application/json' });
    let sent = 0;
    const timer = setInterval(() => response.write(whole[sent++] ?? ' '), 20);
    response.on('close', () => {
      clearInterval(timer);
    });
  };
}

/** Sends until the client closes the connection; `stopped` receives the number of bytes. */
export function endless(stopped: (bytes: number) => void): Responder {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    let bytes = 0;
    const more = () => {
      while (!response.destroyed) {
        bytes += 16_384;
        if (!response.write('['.repeat(16_384))) return;
      }
    };
    response.on('drain', more).on('close', () => {
      stopped(bytes);
    });
    more();
  };
}

/** Applies the responders in order, one to each request with the same method and path, and repeats the last one. */
export function inSequence(...responders: Responder[]): Responder {
  return (request, response) => {
    responders[Math.min(request.nth, responders.length - 1)]?.(request, response);
  };
}
