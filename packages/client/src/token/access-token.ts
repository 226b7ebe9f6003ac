import type { Clock } from '../clock';
import type { RetryPolicy } from '../retry/retry-policy';
import type { IssuedToken, TokenEndpoint } from './token-endpoint';

/**
 * The access token that all requests share. It is renewed before it expires, by a single request however many
 * requests wait for it.
 */
export class AccessToken {
  private issued: IssuedToken | undefined;
  private renewal: Promise<IssuedToken> | undefined;

  constructor(
    private readonly apiKey: string,
    private readonly endpoint: TokenEndpoint,
    private readonly clock: Clock,
  ) {}

  /** @throws TokenRefused if the key is not accepted, NotTheService, Unreachable */
  async current(policy?: Partial<RetryPolicy>): Promise<string> {
    if (this.issued !== undefined && this.clock.now() < this.issued.renewAt) return this.issued.token;
    this.renewal ??= this.endpoint.obtain(this.apiKey, policy).finally(() => {
      this.renewal = undefined;
    });
    this.issued = await this.renewal;
    return this.issued.token;
  }

  /** Discards a token that the service rejected. No effect if another request has already replaced it. */
  invalidate(token: string): void {
    if (this.issued?.token === token) this.issued.renewAt = 0;
  }
}
