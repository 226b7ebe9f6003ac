import { randomBytes, scryptSync } from 'node:crypto';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { Answer } from './answer';
import type { PortageClient } from './portage-client';

/** The password of operators of tests. */
export const OPERATOR_PASSWORD = 'correct horse battery';

const API = '/operator/v1';

/** A signed-in operator of a running Portage. */
export class OperatorClient {
  constructor(
    private readonly portage: PortageClient,
    readonly name: string,
    /** The headers of the requests of the session. */
    readonly headers: { authorization: undefined; cookie: string },
  ) {}

  async get(path: string): Promise<Answer> {
    return this.change('GET', path);
  }

  async post(path: string, body?: unknown): Promise<Answer> {
    return this.change('POST', path, body);
  }

  /** Sends a request as a page of the console does. */
  async change(method: string, path: string, body?: unknown): Promise<Answer> {
    const ofPage = { origin: this.portage.baseUrl, 'sec-fetch-site': 'same-origin' };
    return this.portage.send(method, API + path, { headers: { ...this.headers, ...ofPage }, body });
  }

  /** Opens a stream. The caller reads and destroys it. */
  async open(path: string): Promise<IncomingMessage> {
    const { cookie } = this.headers;
    return new Promise((resolve, reject) => {
      httpRequest(this.portage.baseUrl + API + path, { headers: { cookie } }, resolve)
        .once('error', reject)
        .end();
    });
  }
}

/**
 * Stores an operator with {@link OPERATOR_PASSWORD}, whose hash costs little.
 *
 * @returns the name
 */
export async function storeOperator(
  portage: PortageClient,
  role: string,
  name = `operator-${randomBytes(6).toString('hex')}`,
): Promise<string> {
  const hash = scryptSync(OPERATOR_PASSWORD, 'salt', 32, { N: 16, r: 1, p: 1 }).toString('base64url');
  await portage.sql('INSERT INTO operator (name, role, password_hash) VALUES ($1, $2, $3)', [
    name,
    role,
    `scrypt$16$1$1$${Buffer.from('salt').toString('base64url')}$${hash}`,
  ]);
  return name;
}

/** Stores an operator and signs in. */
export async function signIn(
  portage: PortageClient,
  role: 'viewer' | 'operator' | 'admin',
  headers: Record<string, string> = {},
): Promise<OperatorClient> {
  return logIn(portage, await storeOperator(portage, role), headers);
}

/** Signs an operator in. */
export async function logIn(
  portage: PortageClient,
  name: string,
  headers: Record<string, string> = {},
): Promise<OperatorClient> {
  const answer = await portage.post(
    `${API}/session`,
    { name, password: OPERATOR_PASSWORD },
    { authorization: undefined, ...headers },
  );
  if (answer.status !== 201) throw new Error(`The operator ${name} cannot sign in: ${answer.text}`);
  const [cookie = ''] = answer.headers['set-cookie'] as string[];
  return new OperatorClient(portage, name, { authorization: undefined, cookie: cookie.split(';')[0]! });
}
