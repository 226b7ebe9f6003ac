import { fromJson } from './json';

/** The service gave no answer at all: refused, reset, timed out. The message is fit for a report. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export interface Request {
  method: 'GET' | 'POST';
  /** Below the base URL, without a leading slash. */
  path: string;
  authorization?: string;
  /** JSON text. */
  body?: string;
}

export interface Answer {
  status: number;
  /** Parsed JSON; undefined when the body is not JSON, e.g. a proxy's error page. */
  body: unknown;
  retryAfter: string | null;
}

/** Sends one request once, within a time limit that includes reading the answer. */
export class Transport {
  private readonly root: string;

  constructor(
    baseUrl: URL,
    private readonly timeoutMs: number,
  ) {
    // A base URL may have a path of its own (https://host/platform); it ends in a slash for URL resolution.
    this.root = baseUrl.href.replace(/\/*$/, '/');
  }

  /** @throws NoAnswer */
  async send(request: Request): Promise<Answer> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (request.authorization !== undefined) headers['authorization'] = request.authorization;
    if (request.body !== undefined) headers['content-type'] = 'application/json';
    try {
      const response = await fetch(new URL(request.path, this.root), {
        method: request.method,
        headers,
        body: request.body,
        // A redirected POST would silently become a GET.
        redirect: 'manual',
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      const text = await response.text();
      return {
        status: response.status,
        body: fromJson(text),
        retryAfter: response.headers.get('retry-after'),
      };
    } catch (error) {
      throw new NoAnswer(this.reason(error), { cause: error });
    }
  }

  private reason(error: unknown): string {
    if (error instanceof Error && error.name === 'TimeoutError') {
      return `no answer within ${this.timeoutMs / 1000} s`;
    }
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    if (!(cause instanceof Error)) return 'no answer';
    // Node joins the failures of several addresses (IPv6, IPv4) in an error whose own message is empty.
    const code = (cause as NodeJS.ErrnoException).code;
    return (
      [code, cause.message].filter((part) => part !== undefined && part !== '').join(': ') || 'no answer'
    );
  }
}
