import type { FastifyReply, FastifyRequest } from 'fastify';

/** Hosts that a browser reaches without a network, where http is as safe as https. */
const LOOPBACK = /^(localhost|([^.:]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** A cookie of operators, by the purpose that names it: the session, or a sign-in with OpenID Connect that has begun. */
export type OperatorCookie = 'session' | 'sign_in';

/** `Strict`: no other site makes the browser send it. `Lax`: it comes back from the OpenID provider. */
const SAME_SITE: Readonly<Record<OperatorCookie, string>> = {
  session: 'Strict',
  sign_in: 'Lax',
};

/**
 * The value of a cookie. Only the cookie is read that would be set for the request: a page of a sister domain, or one
 * that was served without TLS, cannot set a cookie with the prefix `__Host-`.
 */
export function readCookie(request: FastifyRequest, cookie: OperatorCookie): string | undefined {
  const name = cookieName(request, cookie);
  for (const part of request.headers.cookie?.split(';') ?? []) {
    const [key = '', ...value] = part.split('=');
    if (key.trim() === name) return value.join('=').trim();
  }
  return undefined;
}

/** Sets a cookie until the browser ends, or for `maxAgeSeconds`. Scripts cannot read it. */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  cookie: OperatorCookie,
  value: string,
  maxAgeSeconds?: number,
): void {
  void reply.header(
    'Set-Cookie',
    [
      `${cookieName(request, cookie)}=${value}`,
      'Path=/',
      'HttpOnly',
      `SameSite=${SAME_SITE[cookie]}`,
      ...(isSecure(request) ? ['Secure'] : []),
      ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
    ].join('; '),
  );
}

/** Makes the browser forget a cookie. */
export function clearCookie(request: FastifyRequest, reply: FastifyReply, cookie: OperatorCookie): void {
  setCookie(request, reply, cookie, '', 0);
}

function cookieName(request: FastifyRequest, cookie: OperatorCookie): string {
  return `${isSecure(request) ? '__Host-' : ''}portage_${cookie}`;
}

/**
 * False only for http to this machine, as in `npm start`. A proxy may terminate TLS without saying so, and a browser that
 * reaches another machine without TLS must not send a session.
 */
function isSecure({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): boolean {
  return protocol === 'https' || !LOOPBACK.test(host);
}
