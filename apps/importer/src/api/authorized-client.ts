import { type AccessToken } from './access-token';
import { type RetryPolicy } from './retry-policy';
import { textField } from './json';
import { type Retrier } from './retrier';
import { type Answer, type Request, type Transport } from './transport';

/** The service no longer accepts the key, so nothing more can be sent. */
export class AccessLost extends Error {
  override readonly name = 'AccessLost';
}

/** Sends requests with the access token and retries them. */
export class AuthorizedClient {
  constructor(
    private readonly transport: Transport,
    private readonly retrier: Retrier,
    private readonly token: AccessToken,
  ) {}

  /**
   * @returns the response and the number of attempts
   * @throws Unreachable, TokenRefused, AccessLost
   */
  async send(request: Request, policy: Partial<RetryPolicy> = {}): Promise<Answer & { attempts: number }> {
    let attempts = 0;
    const answer = await this.retrier.run(() => {
      attempts += 1;
      return this.sendWithToken(request);
    }, policy);
    if (answer.status === 401) {
      throw new AccessLost(textField(answer.body, 'detail') ?? 'the service no longer accepts the API key');
    }
    return { ...answer, attempts };
  }

  /** A token can expire between being read and being checked, so a request is repeated once with a new token. */
  private async sendWithToken(request: Request): Promise<Answer> {
    const token = await this.token.current();
    const answer = await this.transport.send({ ...request, authorization: `Token ${token}` });
    if (answer.status !== 401) return answer;
    this.token.invalidate(token);
    return this.transport.send({ ...request, authorization: `Token ${await this.token.current()}` });
  }
}
