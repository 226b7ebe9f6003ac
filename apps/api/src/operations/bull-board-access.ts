import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, HashedSecret } from '@portage/config';
import { PortageError } from '@portage/domain';
import { networkOf, type RateLimit, RateLimits } from '@portage/importing';
import type { FastifyRequest } from 'fastify';

const LOOKS_ONLY = ['GET', 'HEAD'];

/** Who may use Bull Board, and what for. */
@Injectable()
export class BullBoardAccess {
  private readonly user: HashedSecret;
  private readonly failures: RateLimit;

  constructor(
    private readonly limits: RateLimits,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.user = new HashedSecret(config.BULL_BOARD_USER);
    this.failures = {
      name: 'operator-failures',
      most: config.TOKEN_FAILURES_PER_ADDRESS,
      seconds: config.TOKEN_FAILURE_WINDOW_SECONDS,
      detail: 'Too many wrong passwords.',
    };
  }

  /**
   * @throws PortageError `not_authenticated`, `forbidden` for what another page makes a browser send, or
   * `method_not_allowed` for a change while the board is read-only
   * @throws Throttled to an address that has guessed too often
   */
  async check(request: Pick<FastifyRequest, 'headers' | 'host' | 'ip' | 'method'>): Promise<void> {
    const { authorization } = request.headers;
    const network = networkOf(request.ip);
    // A browser asks without a password first; that is no guess.
    if (authorization !== undefined) await this.limits.check(this.failures, network);
    if (!this.isOperator(authorization)) {
      if (authorization !== undefined) await this.limits.count(this.failures, network);
      throw new PortageError(
        'not_authenticated',
        'The queues are for operators: give user name and password.',
      );
    }
    if (LOOKS_ONLY.includes(request.method)) return;
    if (!isFromTheBoard(request))
      throw new PortageError('forbidden', 'Another page may not change the queues.');
    if (this.config.BULL_BOARD_READ_ONLY)
      throw new PortageError('method_not_allowed', 'This board only shows: BULL_BOARD_READ_ONLY is set.');
  }

  private isOperator(authorization: string | undefined): boolean {
    const given = /^Basic +(\S{1,4096})$/i.exec(authorization ?? '')?.[1] ?? '';
    const [, user = '', password = ''] =
      /^([^:]*):(.*)$/s.exec(Buffer.from(given, 'base64').toString()) ?? [];
    // Both are compared, so that nobody learns which one is wrong by how long it takes.
    const rights = [this.user.matches(user), this.config.BULL_BOARD_PASSWORD?.matches(password) ?? false];
    return rights.every(Boolean);
  }
}

/** Browsers send a password that they remember with whatever any page asks for. Other clients say neither. */
function isFromTheBoard({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
