import type { Installation } from './installation';
import type { RunningProgram } from './running-program';

const PASSWORD = 'correct horse battery';
const TIMEOUT_MS = 60_000;

/** The requests of a signed-in admin to the operator API of a running program. */
export class OperatorRequests {
  private constructor(
    private readonly baseUrl: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** Creates an admin, who signs in and chooses a password. */
  static async signIn(installation: Installation, { baseUrl }: RunningProgram): Promise<OperatorRequests> {
    const name = 'bench';
    const created = await installation.operator('operator', 'create', name, '--role', 'admin');
    const { one_time_password: password } = created as { one_time_password: string };
    const first = new OperatorRequests(baseUrl, { origin: baseUrl, 'content-type': 'application/json' });
    const answer = await first.send('POST', '/session', { name, password });
    const { csrf_token: token } = JSON.parse(answer.text) as { csrf_token: string };
    const signedIn = new OperatorRequests(baseUrl, {
      ...first.headers,
      cookie: answer.cookie,
      'x-csrf-token': token,
    });
    await signedIn.send('POST', '/session/password', { current_password: password, new_password: PASSWORD });
    return signedIn;
  }

  /**
   * Sends a request and reads the whole answer.
   *
   * @returns the milliseconds until the end of the answer, which can be that the database takes too long
   * @throws Error for any other answer than a success
   */
  async time(method: string, path: string, body?: unknown): Promise<number> {
    const start = performance.now();
    await this.send(method, path, body, [503]);
    return performance.now() - start;
  }

  private async send(
    method: string,
    path: string,
    body?: unknown,
    accepted: readonly number[] = [],
  ): Promise<{ text: string; cookie: string }> {
    const response = await fetch(`${this.baseUrl}/operator/v1${path}`, {
      method,
      headers: this.headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok && !accepted.includes(response.status))
      throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
    return { text, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
  }
}
