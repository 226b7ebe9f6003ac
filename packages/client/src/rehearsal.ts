import { isJsonObject, type JsonObject, parseJson, textField } from './json';
import type { OperationId } from './operations';

/** The client rehearses, and the request would have a real effect. Nothing was sent. */
export class NotRehearsed extends Error {
  override readonly name = 'NotRehearsed';
}

/** Where the body of an operation says that it is a rehearsal. */
const DRY_RUNS: Partial<Record<OperationId, (body: JsonObject) => JsonObject>> = {
  // A bare account has no place for parameters.
  scheduleAccount: (body) => withTaskParams('payload' in body ? body : { payload: body }),
  openSubmission: withTaskParams,
  processStagedAccount: (body) => ({ ...body, dry_run: true }),
  createTransactions: (body) => ({ ...body, dry_run: true }),
};

/** Requests with a body that have no effect. */
const WITHOUT_EFFECT: ReadonlySet<OperationId> = new Set([
  'obtainPlatformToken',
  'validateAccount',
  'validateStagedAccount',
]);

/** Makes every request of a client a rehearsal, or refuses to send it. */
export class Rehearsal {
  /** The submissions that were opened as rehearsals. */
  private readonly submissions = new Set<string>();

  /**
   * @param body as it was given: an object or JSON text
   * @returns the body to be sent
   * @throws NotRehearsed
   */
  rehearse(id: OperationId, method: string, path: Readonly<Record<string, unknown>>, body: unknown): unknown {
    if (method === 'GET' || WITHOUT_EFFECT.has(id)) return body;
    if (id === 'uploadAccounts' || id === 'uploadAdditions' || id === 'completeSubmission') {
      if (this.submissions.has(String(path['id']))) return body;
      throw new NotRehearsed(`Open the submission with this client first: it must be known as a rehearsal.`);
    }
    const withDryRun = DRY_RUNS[id];
    if (!withDryRun)
      throw new NotRehearsed(`${id} cannot be rehearsed. Call it with a client without \`rehearse\`.`);
    const object = typeof body === 'string' ? parseJson(body) : body;
    if (!isJsonObject(object)) throw new NotRehearsed(`${id} can be rehearsed with a JSON object only.`);
    return withDryRun(object);
  }

  /** Remembers the submissions that are opened. */
  recordAnswer(id: OperationId, body: unknown): void {
    const submission = id === 'openSubmission' ? textField(body, 'id') : undefined;
    if (submission !== undefined) this.submissions.add(submission);
  }
}

function withTaskParams(body: JsonObject): JsonObject {
  const given = isJsonObject(body['task_params']) ? body['task_params'] : {};
  return { ...body, task_params: { ...given, is_dry_run: true } };
}
