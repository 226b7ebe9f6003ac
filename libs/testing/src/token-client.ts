import { randomBytes } from 'node:crypto';
import { exchange } from './exchange';

const MUTATION = `mutation ($input: ObtainPlatformTokenInput!) {
  obtainPlatformToken(input: $input) { token refreshToken }
}`;

/** An address of a client that no other test uses, for the header X-Forwarded-For. */
export function newClientAddress(): string {
  const [a, b, c] = randomBytes(3);
  return `10.${a!}.${b!}.${c!}`;
}

export interface TokenAnswer {
  /** The code of the error, or `obtained`. */
  outcome: string;
  status: number;
  retryAfter: number | undefined;
  token: string;
  refreshToken: string;
}

/** Requests a token from an instance like a proxy on behalf of a client at `address`. */
export async function requestToken(
  baseUrl: string,
  input: object,
  address = '198.51.100.1',
): Promise<TokenAnswer> {
  const { status, headers, body } = await exchange('POST', `${baseUrl}/v1/graphql/`, {
    headers: { 'x-forwarded-for': address },
    body: { query: MUTATION, variables: { input } },
    timeoutMs: 30_000,
  });
  const { data, errors } = body as {
    data: { obtainPlatformToken: { token: string; refreshToken: string } } | null;
    errors?: { extensions: { code: string } }[];
  };
  const header = headers['retry-after'];
  return {
    outcome: errors?.[0]?.extensions.code ?? 'obtained',
    status,
    retryAfter: header === undefined ? undefined : Number(header),
    token: data?.obtainPlatformToken.token ?? '',
    refreshToken: data?.obtainPlatformToken.refreshToken ?? '',
  };
}
