import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { listenLocally, type LocalServer } from '@portage/testing/local-server';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** Time of arrival in milliseconds, from `performance.now()`. */
  at: number;
}

/** Responds to one request as a test requires: correctly, incorrectly or not at all. `nth` starts at 0. */
export type Behaviour = (response: ServerResponse, nth: number) => void;

/** A local HTTP server with configurable responses that records the requests it receives. */
export class MisbehavingVendor {
  readonly received: Received[] = [];
  behave: Behaviour = silent;

  private constructor(private readonly server: LocalServer) {}

  static async start(): Promise<MisbehavingVendor> {
    const server = createServer((request, response) => {
      const nth =
        vendor.received.push({ path: request.url ?? '', headers: request.headers, at: performance.now() }) -
        1;
      response.on('error', () => undefined);
      vendor.behave(response, nth);
    });
    const vendor = new MisbehavingVendor(await listenLocally(server));
    return vendor;
  }

  get base(): string {
    return this.server.url;
  }

  /** The number of open connections. */
  get connections(): number {
    return this.server.sockets.size;
  }

  async stop(): Promise<void> {
    await this.server.stop();
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

/** Resets the connection, as a killed process does. */
export const reset: Behaviour = (response) => {
  (response.socket as Socket).resetAndDestroy();
};

/** Closes the connection in the regular way, without a response. */
export const hangUp: Behaviour = (response) => {
  response.socket?.end();
};

/** Announces a Content-Length and closes after half of it. */
export function halfOf(body: unknown): Behaviour {
  return (response) => {
    const whole = JSON.stringify(body);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(whole.length) });
    response.write(whole.slice(0, whole.length / 2), () => response.socket?.end());
  };
}

/** Announces no length and does not end the last chunk. */
export function unfinished(body: unknown): Behaviour {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(JSON.stringify(body), () => response.socket?.destroy());
  };
}

/** Sends one byte every 20 ms, so the connection is never idle and the response never complete. */
export function byteByByte(body: unknown): Behaviour {
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

/** Sends until the client closes the connection; `stopped` receives the number of bytes. */
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

/** Applies the behaviours in order, one per request, and repeats the last one. */
export function inSequence(...behaviours: Behaviour[]): Behaviour {
  return (response, nth) => {
    behaviours[Math.min(nth, behaviours.length - 1)]?.(response, nth);
  };
}
