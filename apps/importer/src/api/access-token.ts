import { type Clock } from '../clock';
import { type Patience } from './back-off';
import { type Credentials, type IssuedToken, TokenRefused } from './token-endpoint';

type Obtain = (credentials: Credentials, patience?: Patience) => Promise<IssuedToken>;

/**
 * The access token all requests share. It is renewed before it expires, by one request however many are waiting
 * for it; the refresh token is tried first, so that the key travels as rarely as possible.
 */
export class AccessToken {
  private issued: IssuedToken | undefined;
  private renewal: Promise<IssuedToken> | undefined;

  constructor(
    private readonly apiKey: string,
    private readonly obtain: Obtain,
    private readonly clock: Clock,
  ) {}

  /** @throws TokenRefused when the key is not accepted, Unreachable */
  async current(patience?: Patience): Promise<string> {
    if (this.issued !== undefined && this.clock.now() < this.issued.renewAt) return this.issued.token;
    this.renewal ??= this.renew(patience).finally(() => {
      this.renewal = undefined;
    });
    return (await this.renewal).token;
  }

  /** The service no longer takes this token. Harmless when another request has already replaced it. */
  discard(token: string): void {
    if (this.issued?.token === token) this.issued.renewAt = 0;
  }

  private async renew(patience?: Patience): Promise<IssuedToken> {
    this.issued =
      (await this.byRefreshToken(patience)) ?? (await this.obtain({ APIKey: this.apiKey }, patience));
    return this.issued;
  }

  private async byRefreshToken(patience?: Patience): Promise<IssuedToken | undefined> {
    const last = this.issued;
    if (last?.refreshToken === undefined || last.refreshUntil <= this.clock.now()) return undefined;
    try {
      return await this.obtain({ refreshToken: last.refreshToken }, patience);
    } catch (error) {
      // Refresh tokens rotate: one whose answer was lost on the way is spent. The key still works.
      if (error instanceof TokenRefused) return undefined;
      throw error;
    }
  }
}
