import { PortageError } from '@portage/platform';
import type { FastifyRequest } from 'fastify';

/** How often a request that takes long asks again whether it may go on. */
export const ACCESS_CHECK_MS = 5_000;

/**
 * Reads anew whether a request may go on: the key of its caller was not revoked, or the session of its operator has not
 * ended.
 *
 * @returns the error that ends the request; undefined if it may go on
 */
export type AccessCheck = () => Promise<PortageError | undefined>;

declare module 'fastify' {
  interface FastifyRequest {
    /** How {@link watchAccess} finds out whether the request may go on; null for one that everybody may send. */
    accessCheck: AccessCheck | null;
  }
}

/**
 * Checks the access of a request every {@link ACCESS_CHECK_MS}, for requests that stream their body or their answer. The
 * request goes on while the database cannot be reached.
 *
 * @param end is called once, when the request may not go on
 * @returns a function that ends the checks
 */
export function watchAccess(request: FastifyRequest, end: (error: PortageError) => void): () => void {
  const { accessCheck: check } = request;
  if (!check) return () => undefined;
  const stop = () => {
    clearInterval(timer);
  };
  const timer = setInterval(() => {
    check().then(
      (error) => {
        if (!error) return;
        stop();
        end(error);
      },
      () => undefined,
    );
  }, ACCESS_CHECK_MS).unref();
  return stop;
}
