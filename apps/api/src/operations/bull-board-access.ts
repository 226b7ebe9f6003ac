import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, HashedSecret } from '@portage/config';
import { PortageError } from '@portage/domain';
import { networkOf, type RateLimit, RateLimits, Turns } from '@portage/importing';
import type { FastifyRequest } from 'fastify';
import { boardChangeOf } from './board-changes';

const READ_METHODS = ['GET', 'HEAD'];

/** Authenticates the operator of Bull Board and limits what a request may do. */
@Injectable()
export class BullBoardAccess {
  private readonly user: HashedSecret;
  private readonly failures: RateLimit;
  private readonly turns: Turns;

  constructor(
    private readonly limits: RateLimits,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.user = new HashedSecret(config.BULL_BOARD_USER);
    const detail = 'Too many wrong passwords.';
    this.turns = new Turns(detail);
    this.failures = {
      name: 'operator-failures',
      maxUses: config.TOKEN_FAILURES_PER_ADDRESS,
      seconds: config.TOKEN_FAILURE_WINDOW_SECONDS,
      detail,
    };
  }

  /**
   * Checks one request.
   *
   * @throws PortageError `not_authenticated`; `forbidden` for a change that another site made a browser send, or that
   * the board does not allow; `method_not_allowed` for a change while the board is read-only
   * @throws Throttled for a network with too many wrong passwords
   */
  async check(request: FastifyRequest): Promise<void> {
    const { authorization } = request.headers;
    const network = networkOf(request.ip);
    // A browser sends its first request without a password; that does not count as an attempt.
    if (authorization === undefined) throw notAuthenticated();
    await this.turns.run(network, async () => this.authenticate(network, authorization));
    if (READ_METHODS.includes(request.method)) return;
    if (!isSameOrigin(request))
      throw new PortageError('forbidden', 'Another site may not change the queues.');
    if (this.config.BULL_BOARD_READ_ONLY)
      throw new PortageError('method_not_allowed', 'This board is read-only: BULL_BOARD_READ_ONLY is set.');
    if (request.routeOptions.url !== undefined && !boardChangeOf(request))
      throw new PortageError(
        'forbidden',
        'Jobs and schedules cannot be added, rewritten or removed here: Portage derives them from stored processes. Use the commands process cancel and process retry.',
      );
  }

  /** Counts the attempt as a failure, judges it, and takes it back if it is none. */
  private async authenticate(network: string, authorization: string): Promise<void> {
    const failure = await this.limits.reserve(this.failures, network);
    if (!this.isOperator(authorization)) {
      failure.keep();
      throw notAuthenticated();
    }
    await failure.takeBack();
  }

  private isOperator(authorization: string): boolean {
    const credentials = /^Basic +(\S{1,4096})$/i.exec(authorization)?.[1] ?? '';
    const [, user = '', password = ''] =
      /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
    // Both are always compared, so that the response time does not tell which one is wrong.
    const matches = [this.user.matches(user), this.config.BULL_BOARD_PASSWORD?.matches(password) ?? false];
    return matches.every(Boolean);
  }
}

function notAuthenticated(): PortageError {
  return new PortageError('not_authenticated', 'The queues are for operators: send user name and password.');
}

/** Browsers send a remembered password with requests of any site. Other clients send neither of these headers. */
function isSameOrigin({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
