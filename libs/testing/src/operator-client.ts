import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { Answer } from './answer';
import { exchange } from './exchange';
import { OPERATOR_PASSWORD, storeOperator } from './operator-session';
import type { PortageClient } from './portage-client';

/** A signed-in operator of a running Portage: with its cookie. */
export class OperatorClient {
  private constructor(
    private readonly baseUrl: string,
    readonly name: string,
    private readonly cookie: string,
  ) {}

  /** Stores an operator, who signs in. */
  static async signIn(portage: PortageClient, role: string): Promise<OperatorClient> {
    const { baseUrl } = portage;
    const name = await storeOperator(portage, role);
    const answer = await send(baseUrl, 'POST', '/session', {}, { name, password: OPERATOR_PASSWORD });
    if (answer.status !== 201) throw new Error(`The operator ${name} cannot sign in: ${answer.text}`);
    const cookie = [answer.headers['set-cookie']].flat()[0]?.split(';')[0] ?? '';
    return new OperatorClient(baseUrl, name, cookie);
  }

  async get(path: string): Promise<Answer> {
    return send(this.baseUrl, 'GET', path, { Cookie: this.cookie });
  }

  async post(path: string, body?: unknown): Promise<Answer> {
    return this.change('POST', path, body);
  }

  async change(method: string, path: string, body?: unknown): Promise<Answer> {
    return send(this.baseUrl, method, path, { Cookie: this.cookie }, body);
  }

  /** Opens a stream. The caller reads and destroys it. */
  async open(path: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      httpRequest(`${this.baseUrl}/operator/v1${path}`, { headers: { Cookie: this.cookie } }, resolve)
        .once('error', reject)
        .end();
    });
  }
}

async function send(
  baseUrl: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  return exchange(method, `${baseUrl}/operator/v1${path}`, {
    headers: {
      ...headers,
      Origin: baseUrl,
      'Sec-Fetch-Site': 'same-origin',
      ...(sent === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(sent)) }),
    },
    body: sent,
  });
}
