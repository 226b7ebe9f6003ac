import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { OpenIdConnect, type PendingSignIn } from '@portage/operators';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, readCookie, setCookie } from '../session-cookie';
import { OperatorEndpoint } from '../operator-endpoint';
import type { SignInMethods } from './session.dto';

/** Time in which an operator signs in at the provider. */
const SIGN_IN_SECONDS = 600;
const START_PATH = '/operator/v1/session/openid-connect';
const HOME = '/console/';

/** Sign-in with OpenID Connect, for browsers. */
@Controller('operator/v1')
export class OpenIdConnectController {
  constructor(private readonly provider: OpenIdConnect) {}

  /** For the login page. It needs no session. */
  @Get('sign-in-methods')
  @OperatorEndpoint('public')
  methods(): SignInMethods {
    const name = this.provider.providerName;
    return { password: true, openid_connect: name === undefined ? null : { name, start_url: START_PATH } };
  }

  /**
   * For browsers: redirects to the provider. The query parameter `next` is the page to go to afterwards, a path under
   * /console or /queues.
   */
  @Get('session/openid-connect')
  @OperatorEndpoint('public')
  async start(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query('next') next: unknown,
  ): Promise<void> {
    const { url, pending } = await this.provider.start(originOf(request), pathOf(next));
    const value = Buffer.from(JSON.stringify(pending)).toString('base64url');
    setCookie(request, reply, 'sign_in', value, SIGN_IN_SECONDS);
    await reply.redirect(url.href, 302);
  }

  /**
   * The provider sends the browser here. Sets the cookie of the session and goes on to `next`, or to the login if the
   * sign-in is refused.
   */
  @Get('session/openid-connect/callback')
  @OperatorEndpoint('public')
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const pending = readPending(request);
    clearCookie(request, reply, 'sign_in');
    const token =
      pending &&
      (await this.provider.finish({
        url: new URL(request.url, originOf(request)),
        pending,
        address: request.ip,
        previousToken: readCookie(request, 'session'),
      }));
    if (token !== undefined) setCookie(request, reply, 'session', token);
    const target = token === undefined ? '/console/login?error=openid-connect' : pathOf(pending?.next);
    // A page of its own and no redirect: after a redirect from the provider, the browser would hold back the cookie.
    void reply.type('text/html; charset=utf-8');
    await reply.send(
      `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Portage</title><meta http-equiv="refresh" content="0; url=${target}"></head><body><a href="${target}">Continue</a></body></html>`,
    );
  }
}

/**
 * A path of this service, with its characters encoded so that it is safe in HTML. Anything else is the start page: another
 * site must not be reached through the login.
 */
function pathOf(next: unknown): string {
  if (
    typeof next !== 'string' ||
    !/^\/(console|queues)([/?#]|$)/.test(next) ||
    !URL.canParse(next, 'http://here')
  )
    return HOME;
  const { host, pathname, search } = new URL(next, 'http://here');
  const isOwn = host === 'here' && /^\/(console|queues)(\/|$)/.test(pathname);
  return isOwn
    ? `${pathname}${search}`.replaceAll(/["'<>&]/g, (text) => `%${text.charCodeAt(0).toString(16)}`)
    : HOME;
}

/** The address of this service as the browser sees it. The host was checked, and the provider knows the address. */
function originOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`;
}

function readPending(request: FastifyRequest): PendingSignIn | undefined {
  const value = readCookie(request, 'sign_in');
  if (value === undefined) return undefined;
  try {
    const parsed = JSON.parse(Buffer.from(value, 'base64url').toString()) as Partial<PendingSignIn>;
    const { state, nonce, codeVerifier, next } = parsed;
    const isComplete = [state, nonce, codeVerifier, next].every((part) => typeof part === 'string');
    return isComplete ? (parsed as PendingSignIn) : undefined;
  } catch {
    return undefined;
  }
}
