import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** When, in milliseconds. */
  at: number;
}

/** Answers one request as a test wants it: well, badly or not at all. `nth` counts from 0. */
export type Behaviour = (response: ServerResponse, nth: number) => void;

/** A real HTTP server on this machine that answers as it is told and counts what it was asked. */
export class MisbehavingVendor {
  readonly received: Received[] = [];
  behave: Behaviour = silent;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<MisbehavingVendor> {
    const server = createServer((request, response) => {
      const nth =
        vendor.received.push({ path: request.url ?? '', headers: request.headers, at: performance.now() }) -
        1;
      response.on('error', () => undefined);
      vendor.behave(response, nth);
    });
    const vendor = new MisbehavingVendor(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return vendor;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Connections that are open right now. */
  async connections(): Promise<number> {
    return new Promise((resolve) => {
      this.server.getConnections((_error, count) => {
        resolve(count);
      });
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

export function text(status: number, body: string): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end(body);
  };
}

export const silent: Behaviour = () => undefined;

/** The connection is reset, as by a process that was killed. */
export const reset: Behaviour = (response) => {
  (response.socket as Socket).resetAndDestroy();
};

/** The connection is closed in good order, without an answer. */
export const hangUp: Behaviour = (response) => {
  response.socket?.end();
};

/** Promises so many bytes and closes after half of them. */
export function halfOf(body: unknown): Behaviour {
  return (response) => {
    const whole = JSON.stringify(body);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(whole.length) });
    response.write(whole.slice(0, whole.length / 2), () => response.socket?.end());
  };
}

/** Neither promises a length nor ends the last chunk. */
export function unfinished(body: unknown): Behaviour {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(JSON.stringify(body), () => response.socket?.destroy());
  };
}

/** One byte every few milliseconds: never idle, never done. */
export function drip(body: unknown): Behaviour {
  return (response) => {
    const whole = JSON.stringify(body);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(whole.length) });
    let sent = 0;
    const timer = setInterval(() => response.write(whole[sent++] ?? ' '), 20);
    response.on('close', () => {
      clearInterval(timer);
    });
  };
}

/** Sends for as long as anybody listens; `stopped` tells how much that was. */
export function endless(stopped: (bytes: number) => void): Behaviour {
  return (response) => {
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

/** The first behaviours one after the other, and the last for ever after. */
export function inTurn(...behaviours: Behaviour[]): Behaviour {
  return (response, nth) => {
    behaviours[Math.min(nth, behaviours.length - 1)]?.(response, nth);
  };
}
