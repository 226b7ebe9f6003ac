import type { Clock } from '../clock';
import type { RetryPolicy } from '../retry/retry-policy';
import { isJsonObject, parseJson, textField } from '../json';
import type { Retrier } from '../retry/retrier';
import type { NodeTransport } from '../transport/node-transport';
import type { Answer } from '../transport/transport';

/** The service refused to issue a token. */
export class TokenRefused extends Error {
  override readonly name: string = 'TokenRefused';
}

/** The address answers, but not as the service's token endpoint does. */
export class NotTheService extends TokenRefused {
  override readonly name = 'NotTheService';
}

/** An access token. */
export interface IssuedToken {
  token: string;
  /** When to renew the token, in milliseconds on this machine's clock. */
  renewAt: number;
}

const MUTATION = `mutation Obtain($input: ObtainPlatformTokenInput!) {
  obtainPlatformToken(input: $input) { token payload }
}`;

/** The GraphQL mutation that exchanges an API key for an access token. */
export class TokenEndpoint {
  constructor(
    private readonly transport: NodeTransport,
    private readonly retrier: Retrier,
    private readonly clock: Clock,
    private readonly timeoutMs: number,
  ) {}

  /** @throws TokenRefused, NotTheService, Unreachable */
  async obtain(APIKey: string, policy?: Partial<RetryPolicy>): Promise<IssuedToken> {
    const body = JSON.stringify({ query: MUTATION, variables: { input: { APIKey } } });
    const answer = await this.retrier.run(
      async () =>
        asHttp(
          await this.transport.send({ method: 'POST', path: 'v1/graphql/', body, timeoutMs: this.timeoutMs }),
        ),
      policy,
    );
    const data = isJsonObject(answer.body) ? answer.body['data'] : undefined;
    const issued = isJsonObject(data) ? data['obtainPlatformToken'] : undefined;
    const token = textField(issued, 'token');
    if (token === undefined) throw refusalOf(answer);

    const now = this.clock.now();
    const payload: unknown = isJsonObject(issued) ? issued['payload'] : undefined;
    return { token, renewAt: now + untilRenewal(payload, now) };
  }
}

/**
 * The time until the token is renewed: its lifetime minus a minute, or minus a fifth if it is short. The lifetime is
 * computed from the token's own `iat` and `exp`, because this machine's clock may differ from the service's. Without
 * them the token is used until the service rejects it.
 */
function untilRenewal(payload: unknown, now: number): number {
  const claims = typeof payload === 'string' ? parseJson(payload) : payload;
  if (!isJsonObject(claims) || typeof claims['exp'] !== 'number') return Infinity;
  const issuedAt = typeof claims['iat'] === 'number' ? claims['iat'] * 1000 : now;
  const lifetime = claims['exp'] * 1000 - issuedAt;
  return lifetime - Math.min(60_000, lifetime / 5);
}

/** Maps temporary errors of a GraphQL response, which always has status 200, to their HTTP status. */
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

/** Only an answer in the form of GraphQL says something about the key. Others come from another address. */
function refusalOf({ status, body }: Answer): Error {
  const message = textField(firstError(body), 'message');
  if (message !== undefined) return new TokenRefused(message);
  return new NotTheService(textField(body, 'detail') ?? `status ${status} and no token`);
}
