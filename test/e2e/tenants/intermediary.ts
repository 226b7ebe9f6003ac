import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that passed through the intermediary. */
export interface PassedRequest {
  path: string;
  body: string;
  at: number;
}

/** A proxy between a client and Portage that fails like a network and a load balancer, once for each call. */
export class Intermediary {
  requests: PassedRequest[] = [];
  /** The statuses of the answers. */
  statuses: number[] = [];
  private refusals: { status: number; headers: Record<string, string> }[] = [];
  private lostAnswers = 0;
  private replaceAuthorization: ((authorization: string) => Promise<string>) | undefined;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(target: string): Promise<Intermediary> {
    const server = createServer((request, response) => {
      void text(request).then(async (body) => {
        const { method = 'GET', url: path = '/' } = request;
        intermediary.requests.push({ path, body, at: Date.now() });
        const refusal = intermediary.refusals.shift();
        if (refusal) {
          const error = { code: refusal.status === 429 ? 'throttled' : 'unavailable', detail: 'Later.' };
          intermediary.statuses.push(refusal.status);
          response.writeHead(refusal.status, { 'content-type': 'application/json', ...refusal.headers });
          response.end(JSON.stringify(error));
          return;
        }
        const headers = await intermediary.headersOf(request.headers);
        const answer = await fetch(target + path, { method, headers, ...(body === '' ? {} : { body }) });
        const answerBody = await answer.text();
        if (intermediary.lostAnswers > 0) {
          intermediary.lostAnswers -= 1;
          request.socket.destroy();
          return;
        }
        intermediary.statuses.push(answer.status);
        const { 'content-length': _, 'transfer-encoding': __, ...given } = Object.fromEntries(answer.headers);
        response.writeHead(answer.status, given).end(answerBody);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const intermediary = new Intermediary(server, `http://127.0.0.1:${port}`);
    return intermediary;
  }

  /** Answers the next request instead of Portage. */
  answerOnce(status: number, headers: Record<string, string>): void {
    this.refusals.push({ status, headers });
  }

  /** Passes the next request on, and closes the connection instead of answering. */
  loseAnswerOnce(): void {
    this.lostAnswers += 1;
  }

  /** Changes the header of the next request that has one. */
  replaceAuthorizationOnce(replace: (authorization: string) => Promise<string>): void {
    this.replaceAuthorization = replace;
  }

  /** Forgets what has passed. */
  forget(): void {
    this.requests = [];
    this.statuses = [];
  }

  reset(): void {
    this.forget();
    this.refusals = [];
    this.lostAnswers = 0;
    this.replaceAuthorization = undefined;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async headersOf(headers: IncomingHttpHeaders): Promise<Record<string, string>> {
    const { host: _, connection: __, 'content-length': ___, authorization, ...rest } = headers;
    const given = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]));
    if (authorization === undefined) return given;
    const replace = this.replaceAuthorization;
    this.replaceAuthorization = undefined;
    return { ...given, authorization: replace ? await replace(authorization) : authorization };
  }
}
