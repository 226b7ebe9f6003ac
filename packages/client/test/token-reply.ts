import { json, type Responder } from '@portage/testing/test-server';

/** Answers a request for a token. */
export function tokenReply(token: string, lifetimeSeconds = 3600): Responder {
  const now = Math.floor(Date.now() / 1000);
  const payload = { iat: now, exp: now + lifetimeSeconds };
  return json(200, { data: { obtainPlatformToken: { token, payload } } });
}
