import { textField } from './json';
import type { Retrier } from './retry/retrier';
import type { RetryPolicy } from './retry/retry-policy';
import type { AccessToken } from './token/access-token';
import type { NodeTransport } from './transport/node-transport';
import type { Answer, Request } from './transport/transport';

/** The service no longer accepts the credentials, so nothing more can be sent. */
export class AccessLost extends Error {
  override readonly name = 'AccessLost';
}

/** The final answer to a request, after `attempts` attempts. */
export type FinalAnswer = Answer & { attempts: number };

/** Sends requests with the access token and retries them. */
export class AuthorizedClient {
  constructor(
    private readonly transport: NodeTransport,
    private readonly retrier: Retrier,
    private readonly token: AccessToken,
  ) {}

  /**
   * @returns the response and the number of attempts
   * @throws Unreachable, TokenRefused, AccessLost
   */
  async send(request: Request, policy: Partial<RetryPolicy> = {}): Promise<FinalAnswer> {
    const answer = await this.sendWith((one) => this.sendWithToken(one), request, policy);
    if (answer.status === 401) {
      throw new AccessLost(textField(answer.body, 'detail') ?? 'the service no longer accepts the API key');
    }
    return answer;
  }

  /** Sends a request to an operation that needs no access token. @throws Unreachable */
  async sendWithoutToken(request: Request, policy: Partial<RetryPolicy> = {}): Promise<FinalAnswer> {
    return this.sendWith((one) => this.transport.send(one), request, policy);
  }

  private async sendWith(
    send: (request: Request) => Promise<Answer>,
    request: Request,
    policy: Partial<RetryPolicy>,
  ): Promise<FinalAnswer> {
    let attempts = 0;
    const answer = await this.retrier.run(
      () => {
        attempts += 1;
        return send(request);
      },
      policy,
      request.signal,
    );
    return { ...answer, attempts };
  }

  /** A token can expire between being read and being checked, so a request is repeated once with a new token. */
  private async sendWithToken(request: Request): Promise<Answer> {
    const token = await this.token.current();
    const answer = await this.transport.send(withToken(request, token));
    if (answer.status !== 401) return answer;
    this.token.invalidate(token);
    return this.transport.send(withToken(request, await this.token.current()));
  }
}

function withToken(request: Request, token: string): Request {
  return { ...request, headers: { ...request.headers, authorization: `Token ${token}` } };
}
