import { type AccessToken } from './access-token';
import { type Patience } from './back-off';
import { textField } from './json';
import { type Retrying } from './retrying';
import { type Answer, type Request, type Transport } from './transport';

/** The key was good once and is not any more; nothing further can be sent. */
export class AccessLost extends Error {
  override readonly name = 'AccessLost';
}

/** Sends requests with the token until each has an answer. */
export class AuthorizedRequests {
  constructor(
    private readonly transport: Transport,
    private readonly retrying: Retrying,
    private readonly token: AccessToken,
  ) {}

  /**
   * @returns the answer, and how many attempts it took
   * @throws Unreachable, TokenRefused, AccessLost
   */
  async send(request: Request, patience: Partial<Patience> = {}): Promise<Answer & { attempts: number }> {
    let attempts = 0;
    const answer = await this.retrying.until(() => {
      attempts += 1;
      return this.sendWithToken(request);
    }, patience);
    if (answer.status === 401) {
      throw new AccessLost(textField(answer.body, 'detail') ?? 'the service no longer accepts the API key');
    }
    return { ...answer, attempts };
  }

  /** A token may lapse between being handed out and being checked; one new token a request settles that. */
  private async sendWithToken(request: Request): Promise<Answer> {
    const token = await this.token.current();
    const answer = await this.transport.send({ ...request, authorization: `Token ${token}` });
    if (answer.status !== 401) return answer;
    this.token.discard(token);
    return this.transport.send({ ...request, authorization: `Token ${await this.token.current()}` });
  }
}
