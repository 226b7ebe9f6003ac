import { type Clock } from '../clock';
import { type Patience } from './back-off';
import { fromJson, isJsonObject, textField } from './json';
import { type Retrying } from './retrying';
import { type Answer, type Transport } from './transport';

/** The service answered and will not give a token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

export type Credentials = { APIKey: string } | { refreshToken: string };

export interface IssuedToken {
  token: string;
  refreshToken: string | undefined;
  /** When to have a new one, on this machine's clock. */
  renewAt: number;
  /** When the refresh token lapses, on this machine's clock. */
  refreshUntil: number;
}

const MUTATION = `mutation Obtain($input: ObtainPlatformTokenInput!) {
  obtainPlatformToken(input: $input) { token refreshToken refreshExpiresIn payload }
}`;

/** The GraphQL mutation that exchanges an API key, or a refresh token, for an access token. */
export class TokenEndpoint {
  constructor(
    private readonly transport: Transport,
    private readonly retrying: Retrying,
    private readonly clock: Clock,
  ) {}

  /** @throws TokenRefused, Unreachable */
  async obtain(input: Credentials, patience?: Patience): Promise<IssuedToken> {
    const body = JSON.stringify({ query: MUTATION, variables: { input } });
    const answer = await this.retrying.until(
      async () => asHttp(await this.transport.send({ method: 'POST', path: 'v1/graphql/', body })),
      patience,
    );
    const data = isJsonObject(answer.body) ? answer.body['data'] : undefined;
    const issued = isJsonObject(data) ? data['obtainPlatformToken'] : undefined;
    const token = textField(issued, 'token');
    if (token === undefined) throw new TokenRefused(refusal(answer));

    const now = this.clock.now();
    const payload: unknown = isJsonObject(issued) ? issued['payload'] : undefined;
    const refreshExpires = isJsonObject(issued) ? issued['refreshExpiresIn'] : undefined;
    return {
      token,
      refreshToken: textField(issued, 'refreshToken'),
      renewAt: now + untilRenewal(payload, now),
      refreshUntil: typeof refreshExpires === 'number' ? refreshExpires * 1000 : 0,
    };
  }
}

/**
 * How long the token is used: its lifetime less a minute (or a fifth of a short life). The lifetime is taken
 * from the token's own `iat` and `exp`, because this machine's clock may be off from the service's. Without
 * them the token is used until the service says it has expired.
 */
function untilRenewal(payload: unknown, now: number): number {
  const claims: unknown = typeof payload === 'string' ? fromJson(payload) : payload;
  if (!isJsonObject(claims) || typeof claims['exp'] !== 'number') return Infinity;
  const issuedAt = typeof claims['iat'] === 'number' ? claims['iat'] * 1000 : now;
  const lifetime = claims['exp'] * 1000 - issuedAt;
  return lifetime - Math.min(60_000, lifetime / 5);
}

/** GraphQL answers 200 whatever happened; a fault of the service in `errors` is one that may pass. */
function asHttp(answer: Answer): Answer {
  const code = errorCode(answer.body);
  if (code === 'throttled') return { ...answer, status: 429 };
  return code === 'unavailable' || code === 'error' ? { ...answer, status: 503 } : answer;
}

function firstError(body: unknown): unknown {
  const errors = isJsonObject(body) ? body['errors'] : undefined;
  return Array.isArray(errors) ? (errors[0] as unknown) : undefined;
}

function errorCode(body: unknown): string | undefined {
  const error = firstError(body);
  return isJsonObject(error) ? textField(error['extensions'], 'code') : undefined;
}

function refusal(answer: Answer): string {
  const said = textField(firstError(answer.body), 'message') ?? textField(answer.body, 'detail');
  return said ?? `status ${answer.status} and no token`;
}
