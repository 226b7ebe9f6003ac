import { randomBytes, scryptSync } from 'node:crypto';
import type { PortageClient } from './portage-client';

/** The password of operators of tests. */
export const OPERATOR_PASSWORD = 'correct horse battery';

/** An operator who has signed in. */
export interface OperatorSession {
  name: string;
  /** The headers of the requests of the session. */
  headers: { authorization: undefined; cookie: string };
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
): Promise<OperatorSession> {
  return logIn(portage, await storeOperator(portage, role), headers);
}

/** Signs an operator in. */
export async function logIn(
  portage: PortageClient,
  name: string,
  headers: Record<string, string> = {},
): Promise<OperatorSession> {
  const answer = await portage.post(
    '/operator/v1/session',
    { name, password: OPERATOR_PASSWORD },
    { authorization: undefined, ...headers },
  );
  if (answer.status !== 201) throw new Error(`The operator cannot sign in: ${answer.text}`);
  const [cookie = ''] = answer.headers['set-cookie'] as string[];
  return {
    name,
    headers: { authorization: undefined, cookie: cookie.split(';')[0]! },
  };
}
