import { type IncomingMessage, request as httpRequest } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from './answer';
import { REPOSITORY } from './built-programs';
import { type AnswerDocument, DocumentedAnswers } from './documented-answers';
import type { PortageClient } from './portage-client';

/** A signed-in operator of a running Portage: its cookie, and the token for changing requests. */
export class OperatorSession {
  private constructor(
    private readonly baseUrl: string,
    readonly name: string,
    private readonly cookie: string,
    private readonly csrfToken: string,
  ) {}

  /** Creates an operator, who signs in and chooses a password. */
  static async begin(portage: PortageClient, name: string, role: string): Promise<OperatorSession> {
    const created = (await portage.operator('operator', 'create', name, '--role', role)) as {
      one_time_password: string;
    };
    const first = created.one_time_password;
    const chosen = `a chosen password of ${role}s`;
    const once = await OperatorSession.signIn(portage.baseUrl, name, first);
    const changed = await once.post('/session/password', { current_password: first, new_password: chosen });
    if (changed.status !== 204) throw new Error(`The password was not changed: ${changed.status}`);
    return OperatorSession.signIn(portage.baseUrl, name, chosen);
  }

  static async signIn(baseUrl: string, name: string, password: string): Promise<OperatorSession> {
    const { status, body, headers } = await send(baseUrl, 'POST', '/session', {}, { name, password });
    if (status !== 201) throw new Error(`The operator ${name} cannot sign in: ${status}`);
    const cookie = [headers['set-cookie']].flat()[0]?.split(';')[0] ?? '';
    return new OperatorSession(baseUrl, name, cookie, (body as { csrf_token: string }).csrf_token);
  }

  async get(path: string): Promise<Answer> {
    return send(this.baseUrl, 'GET', path, { Cookie: this.cookie });
  }

  async post(path: string, body?: unknown): Promise<Answer> {
    return this.change('POST', path, body);
  }

  async change(method: string, path: string, body?: unknown): Promise<Answer> {
    return send(this.baseUrl, method, path, { Cookie: this.cookie, 'X-CSRF-Token': this.csrfToken }, body);
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

let documented: DocumentedAnswers | undefined;

/** @throws Error if the OpenAPI document of operators does not describe the answer */
async function send(
  baseUrl: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const answer = await request(baseUrl, method, path, headers, body);
  documented ??= new DocumentedAnswers(
    JSON.parse(readFileSync(join(REPOSITORY, 'dist', 'operator-openapi.json'), 'utf8')) as AnswerDocument,
  );
  const differences = documented.differences(method, `/operator/v1${path}`, answer);
  if (differences.length > 0)
    throw new Error(
      `${method} ${path} was answered with ${answer.status} ${answer.text.slice(0, 500)}: ${differences.join(' ')}`,
    );
  return answer;
}

async function request(
  baseUrl: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      `${baseUrl}/operator/v1${path}`,
      {
        method,
        headers: {
          ...headers,
          Origin: baseUrl,
          'Sec-Fetch-Site': 'same-origin',
          ...(sent === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(sent)) }),
        },
        timeout: 30_000,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString();
          let parsed: unknown;
          try {
            parsed = JSON.parse(text);
          } catch {
            parsed = undefined;
          }
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed, text });
        });
      },
    );
    outgoing.once('error', reject);
    outgoing.once('timeout', () => outgoing.destroy(new Error('The API did not answer within 30 s.')));
    outgoing.end(sent);
  });
}
