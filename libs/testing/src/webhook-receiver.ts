import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createRawServer, type Server as RawServer, type Socket } from 'node:net';

export interface ReceivedWebhook {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

interface ReceiverOptions {
  host?: string;
  port?: number;
  /** False: a challenge is a request as any other. */
  returnsChallenges?: boolean;
}

/** The message with which an endpoint is verified. */
const CHALLENGE_TYPE = 'data_import.webhook_verification-v1';

/**
 * A receiver of webhooks that answers as a test says, and remembers requests and connections. It returns challenges by
 * itself, and does not remember those.
 */
export class WebhookReceiver {
  readonly requests: ReceivedWebhook[] = [];
  connections = 0;

  private constructor(
    private readonly server: Server | RawServer,
    private readonly sockets: Set<Socket>,
  ) {
    server.on('connection', (socket: Socket) => {
      this.connections += 1;
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => undefined);
    });
  }

  /** A receiver that reads each request whole and answers with `listener`. */
  static async start(
    listener: RequestListener,
    { host = '127.0.0.1', port = 0, returnsChallenges = true }: ReceiverOptions = {},
  ): Promise<WebhookReceiver> {
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        const challenge = returnsChallenges ? challengeIn(body) : undefined;
        if (challenge !== undefined) {
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ challenge }));
          return;
        }
        const { method, url: path, headers } = request;
        receiver.requests.push({ method, path, headers, body });
        listener(request, response);
      });
    });
    const receiver = new WebhookReceiver(server, new Set());
    server.listen(port, host);
    await once(server, 'listening');
    return receiver;
  }

  /** A server that is not one of HTTP. */
  static async startRaw(onConnection: (socket: Socket) => void): Promise<WebhookReceiver> {
    const server = createRawServer(onConnection);
    const receiver = new WebhookReceiver(server, new Set());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hooks`;
  }

  /** Closes the connections that are open. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cut();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }
}

function challengeIn(body: string): string | undefined {
  if (!body.includes(CHALLENGE_TYPE)) return undefined;
  return (JSON.parse(body) as { data: { challenge: string } }).data.challenge;
}
