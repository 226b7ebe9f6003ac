import { createHash } from 'node:crypto';
import { identifierOf } from '@portage/account-schema/service';
import { inheritSize, isObject } from '@portage/platform';
import { readIdentifier } from '@portage/text';
import { TASK_PARAMS } from './task-params';

/**
 * The parts of an account body: a POST body about an account (contract, "Validate an account" and
 * "Schedule an account").
 */
export interface AccountBody {
  /** The account as sent. */
  payload: Record<string, unknown>;
  /** Parameters of the import; undefined if they are not an object. */
  taskParams: Record<string, unknown> | undefined;
}

/**
 * Parses the bare account, or `{ payload, task_params }`. No field of an account is called `payload`. Other members beside
 * it were refused (`findStrayMembers`).
 */
export function parseAccountBody(body: Record<string, unknown>): AccountBody {
  const { payload, task_params: submittedParams } = body;
  if (!isObject(payload)) return { payload: body, taskParams: {} };
  inheritSize(body, payload);
  const taskParams = submittedParams ?? {};
  return { payload, taskParams: isObject(taskParams) ? taskParams : undefined };
}

/** An identifier of a payload, as validation reads it; undefined if it is missing or certainly not valid. */
export function identifierAt(payload: unknown, field: string): string | undefined {
  return isObject(payload) ? readIdentifier(identifierOf(payload[field]) ?? '') : undefined;
}

/** The hashes of an accepted request. */
export interface PayloadHashes {
  /**
   * SHA-256 of the payload's text, by which suppliers compare payloads. The text is `JSON.stringify` of the parsed
   * payload (ECMA-262), in UTF-8: without white space, with the members in the order in which they were sent.
   */
  payloadDigest: Buffer;
  /** Distinguishes a changed request from a repeated one. A default value hashes like a missing one. */
  payloadHash: Buffer;
}

/** Hashes a request. The payload is hashed once, because payloads are long. */
export function hashPayload(payloadText: string, taskParams: Record<string, unknown>): PayloadHashes {
  const [isDryRun, start, end] = TASK_PARAMS.map((name) => taskParams[name]);
  const windowEdge = (value: unknown) => (value === '' ? null : (value ?? null));
  const hash = createHash('sha256').update(payloadText);
  const payloadDigest = hash.copy().digest();
  const params = JSON.stringify([isDryRun ?? false, windowEdge(start), windowEdge(end)]);
  return { payloadDigest, payloadHash: hash.update(`\0${params}`).digest() };
}

/** The value of the header `Payload-Digest`, in the form of RFC 9530. */
export function formatPayloadDigest(base64: string): string {
  return `sha-256=:${base64}:`;
}
