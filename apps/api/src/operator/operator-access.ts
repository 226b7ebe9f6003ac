import { Injectable } from '@nestjs/common';
import { OperatorSessions, type SignedInOperator } from '@portage/operators';
import { PortageError } from '@portage/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isSameOrigin } from '../http/same-origin';
import { readCookie } from './session-cookie';

/** Beginning of the routes of the operator API. */
const OPERATOR_PREFIX = '/operator/';

/** Paths without a session: those with which one begins. */
const SIGN_IN_PATHS = ['/operator/v1/session/openid-connect', '/operator/v1/session/openid-connect/callback'];
const PUBLIC_ROUTES: ReadonlySet<string> = new Set([
  'POST /operator/v1/session',
  'GET /operator/v1/sign-in-methods',
  ...SIGN_IN_PATHS.map((path) => `GET ${path}`),
]);

/** What an operator with a one-time password may do: read the session, choose a password, and sign out. */
const BEFORE_PASSWORD_CHANGE: ReadonlySet<string> = new Set([
  'GET /operator/v1/session',
  'DELETE /operator/v1/session',
  'POST /operator/v1/session/password',
]);

const READ_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Authenticates the requests of operators, before their bodies are read: of the operator API here, and of Bull Board by
 * {@link authenticate}. The role is checked by the guard of each route.
 */
@Injectable()
export class OperatorAccess {
  constructor(private readonly sessions: OperatorSessions) {}

  /** Registers the hook. */
  register(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, _reply, done) => {
      const route = request.routeOptions.url;
      if (route?.startsWith(OPERATOR_PREFIX) !== true) done();
      else
        this.check(request, `${request.method} ${route}`).then(() => {
          done();
        }, done);
    });
  }

  /**
   * The operator of the session of a request. Counts as a use of the session.
   *
   * @throws PortageError `operator_session_required`; `password_change_required` with a one-time password
   */
  async authenticate(request: FastifyRequest): Promise<SignedInOperator> {
    const operator = await this.identify(request);
    if (operator.mustChangePassword) throw buildPasswordRequired();
    return operator;
  }

  /** @throws PortageError for a request that has no session, or does not come from a page of this service */
  private async check(request: FastifyRequest, route: string): Promise<void> {
    if (!READ_METHODS.includes(request.method) && !isSameOrigin(request))
      throw new PortageError('cross_site_request', 'Another site may not send this request.');
    if (PUBLIC_ROUTES.has(route)) return;
    const operator = BEFORE_PASSWORD_CHANGE.has(route)
      ? await this.identify(request)
      : await this.authenticate(request);
    request.operator = operator;
    request.accessCheck = async () => this.recheck(operator);
  }

  /** The error of the next request of an operator whose session has ended, or who has to choose a password. */
  private async recheck({ sessionId }: SignedInOperator): Promise<PortageError | undefined> {
    const operator = await this.sessions.check(sessionId);
    if (!operator) return buildSessionRequired();
    return operator.mustChangePassword ? buildPasswordRequired() : undefined;
  }

  private async identify(request: FastifyRequest): Promise<SignedInOperator> {
    const token = readCookie(request, 'session');
    const operator = token === undefined ? undefined : await this.sessions.authenticate(token);
    if (!operator) throw buildSessionRequired();
    return operator;
  }
}

function buildSessionRequired(): PortageError {
  return new PortageError('operator_session_required', 'Sign in: there is no session.');
}

function buildPasswordRequired(): PortageError {
  return new PortageError('password_change_required', 'Choose a password first.');
}
