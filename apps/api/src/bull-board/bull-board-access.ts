import { Inject, Injectable } from '@nestjs/common';
import { includesRole, type SignedInOperator } from '@portage/operators';
import { CONFIG, type Config, PortageError } from '@portage/platform';
import type { FastifyRequest } from 'fastify';
import { isFromOwnPage, isSameOrigin } from '../http/same-origin';
import { OperatorAccess } from '../operator/operator-access';
import { boardChangeOf } from './board-changes';

const READ_METHODS = ['GET', 'HEAD'];

/** Authenticates the operator of Bull Board by the session of the console, and limits what a request may do. */
@Injectable()
export class BullBoardAccess {
  constructor(
    private readonly access: OperatorAccess,
    @Inject(CONFIG) private readonly config: Pick<Config, 'BULL_BOARD_READ_ONLY'>,
  ) {}

  /**
   * Checks one request: viewers see the board, and the role `operator` makes changes.
   *
   * @returns the operator
   * @throws PortageError `operator_session_required`; `operator_role_required` for a change by a viewer;
   * `csrf_token_invalid` for a change that another site may have made a browser send; `forbidden` for one that the board
   * does not allow; `method_not_allowed` for a change while the board is read-only
   */
  async check(request: FastifyRequest): Promise<SignedInOperator> {
    const operator = await this.access.authenticate(request);
    if (READ_METHODS.includes(request.method)) return operator;
    // The script of the board does not know the token. Browsers send the origin with each of its changes.
    if (!isSameOrigin(request) || !(isFromOwnPage(request) || this.access.hasCsrfToken(request)))
      throw new PortageError('csrf_token_invalid', 'Another site may not change the queues.');
    if (!includesRole(operator.role, 'operator'))
      throw new PortageError(
        'operator_role_required',
        `Changes need the role operator, and yours is ${operator.role}.`,
      );
    if (this.config.BULL_BOARD_READ_ONLY)
      throw new PortageError('method_not_allowed', 'This board is read-only: BULL_BOARD_READ_ONLY is set.');
    if (request.routeOptions.url !== undefined && !boardChangeOf(request))
      throw new PortageError(
        'forbidden',
        'Jobs and schedules cannot be added, rewritten or removed here: Portage derives them from stored processes. Use the commands process cancel and process retry.',
      );
    return operator;
  }

  /** The login, for a browser that opens a page of the board without a session. Undefined for any other request. */
  loginOf({ method, headers, url }: Pick<FastifyRequest, 'method' | 'headers' | 'url'>): string | undefined {
    const isPage = method === 'GET' && headers.accept?.includes('text/html') === true;
    return isPage ? `/console/login?next=${encodeURIComponent(url)}` : undefined;
  }
}
