import { until } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';

const SUBMISSIONS = '/v2/data-import/submissions/';

/** A submission of a supplier whose installation is being killed: each request is sent again until it is answered. */
export class LastingSubmission {
  private constructor(
    private readonly installation: Installation,
    private readonly id: string,
    private readonly timeoutMs: number,
  ) {}

  /** @param body of the request, without the supplier */
  static async open(
    installation: Installation,
    body: { reference: string; kind?: 'additions'; mode?: 'create-or-correct'; expected?: object },
    timeoutMs: number,
  ): Promise<LastingSubmission> {
    const answer = await fetch(`${installation.baseUrl}${SUBMISSIONS}`, {
      method: 'POST',
      headers: { ...headersOf(installation), 'content-type': 'application/json' },
      body: JSON.stringify({ import_supplier: 'LEGACY', ...body }),
    });
    expect(answer.status).toBe(201);
    const { id } = (await answer.json()) as { id: string };
    return new LastingSubmission(installation, id, timeoutMs);
  }

  /** Sends the whole file, again after each lost answer, and completes the submission. */
  async send(path: 'accounts' | 'additions', lines: readonly object[]): Promise<void> {
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await this.post(path, { 'content-type': 'application/x-ndjson' }, body);
    await this.post('complete');
  }

  async untilFinished(): Promise<void> {
    await until(
      async () => (await this.read()).status === 'FINISHED',
      'the submission has not finished',
      this.timeoutMs,
    );
  }

  /** @param path of what belongs to it; '' is the submission itself */
  async read(path: '' | 'reconciliation/' = ''): Promise<Record<string, unknown>> {
    const address = `${this.installation.baseUrl}${SUBMISSIONS}${this.id}/${path}`;
    const answer = await fetch(address, { headers: headersOf(this.installation) });
    return (await answer.json()) as Record<string, unknown>;
  }

  private async post(path: string, more: Record<string, string> = {}, body?: string): Promise<void> {
    const headers = { ...headersOf(this.installation), ...more };
    await until(
      async () => {
        const address = `${this.installation.baseUrl}${SUBMISSIONS}${this.id}/${path}/`;
        const answer = await fetch(address, {
          method: 'POST',
          headers,
          ...(body !== undefined && { body }),
        }).catch(() => undefined);
        return answer?.status === 200;
      },
      `${path} was not answered`,
      this.timeoutMs,
    );
  }
}

function headersOf({ token }: Installation): { authorization: string } {
  return { authorization: `Token ${token}` };
}
