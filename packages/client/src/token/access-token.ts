import type { Clock } from '../clock';
import type { RetryPolicy } from '../retry/retry-policy';
import { type Credentials, type IssuedToken, TokenRefused } from './token-endpoint';

type ObtainToken = (credentials: Credentials, policy?: Partial<RetryPolicy>) => Promise<IssuedToken>;

/**
 * The access token that all requests share. It is renewed before it expires, by a single request however many
 * requests wait for it. The refresh token is tried first, so that the key is sent as rarely as possible.
 */
export class AccessToken {
  private issued: IssuedToken | undefined;
  private renewal: Promise<IssuedToken> | undefined;

  constructor(
    private readonly credentials: Credentials,
    private readonly obtain: ObtainToken,
    private readonly clock: Clock,
    private readonly onRefreshToken: (refreshToken: string) => void = () => undefined,
  ) {}

  /** @throws TokenRefused if the credentials are not accepted, Unreachable */
  async current(policy?: Partial<RetryPolicy>): Promise<string> {
    if (this.issued !== undefined && this.clock.now() < this.issued.renewAt) return this.issued.token;
    this.renewal ??= this.renew(policy).finally(() => {
      this.renewal = undefined;
    });
    return (await this.renewal).token;
  }

  /** The organisation of the latest token; empty before the first one. */
  get organisation(): string {
    return this.issued?.organisation ?? '';
  }

  /** Discards a token that the service rejected. No effect if another request has already replaced it. */
  invalidate(token: string): void {
    if (this.issued?.token === token) this.issued.renewAt = 0;
  }

  private async renew(policy?: Partial<RetryPolicy>): Promise<IssuedToken> {
    this.issued = (await this.renewWithRefreshToken(policy)) ?? (await this.obtain(this.credentials, policy));
    if (this.issued.refreshToken !== undefined) this.onRefreshToken(this.issued.refreshToken);
    return this.issued;
  }

  private async renewWithRefreshToken(policy?: Partial<RetryPolicy>): Promise<IssuedToken | undefined> {
    const last = this.issued;
    if (last?.refreshToken === undefined || last.refreshUntil <= this.clock.now()) return undefined;
    try {
      return await this.obtain({ refreshToken: last.refreshToken }, policy);
    } catch (error) {
      // Refresh tokens rotate: if the response with the new one was lost, the old one is invalid. Use the key.
      if (error instanceof TokenRefused) return undefined;
      throw error;
    }
  }
}
