import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scenarioOf } from './scenarios';
import { GOCARDLESS_FORMAT, STRIPE_FORMAT, type WireFormat } from './wire-formats';

const ROUTES: readonly (readonly [RegExp, WireFormat])[] = [
  [/^\/v1\/payment_methods\/([^/?]+)$/, STRIPE_FORMAT],
  [/^\/mandates\/([^/?]+)$/, GOCARDLESS_FORMAT],
];

/** How many requests for a flaky reference fail before one succeeds. */
const FLAKY_FAILURES = 2;
const MAX_FLAKY_REFERENCES = 10_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * A local replacement of Stripe and GoCardless, to try Portage without keys. It uses their formats, listens on 127.0.0.1
 * only, accepts any key, and marks every response as a sandbox response. The reference selects the response:
 *
 * | Stripe, `CARD`          | GoCardless, `DIRECT_DEBIT`  |                                             |
 * | ----------------------- | --------------------------- | ------------------------------------------- |
 * | `pm_sandboxVisa`        | `MDSANDBOXACTIVE`           | found (`...Mastercard`, `...SUBMITTED` too) |
 * | `pm_sandboxExpired`     | `MDSANDBOXEXPIRED`          | has expired                                 |
 * | `pm_sandboxWrongType`   |                             | is not a card                               |
 * | `pm_sandboxDetached`    |                             | has no customer                             |
 * |                         | `MDSANDBOXCANCELLED`        | was cancelled                               |
 * |                         | `MDSANDBOXFAILED`           | failed at the bank                          |
 * |                         | `MDSANDBOXSUSPENDED`        | is suspended by the payer                   |
 * | `pm_sandboxNotFound`    | `MDSANDBOXNOTFOUND`         | 404, as any reference that is not listed    |
 * | `pm_sandboxFlaky`       | `MDSANDBOXFLAKY`            | 503 twice, then found, and so on            |
 * | `pm_sandboxDown`        | `MDSANDBOXDOWN`             | always 500                                  |
 * | `pm_sandboxLimited`     | `MDSANDBOXLIMITED`          | always 429 with `Retry-After`               |
 * | `pm_sandboxSilent`      | `MDSANDBOXSILENT`           | never responds                              |
 *
 * Digits may follow, so that each account can have its own reference: `pm_sandboxVisa0042`.
 */
export class SandboxVendors {
  /** The number of requests for each flaky reference. */
  private readonly flakyRequestCounts = new Map<string, number>();

  private constructor(private readonly server: Server) {}

  /** @param port of 127.0.0.1; 0 selects a free port */
  static async start({ port = 0 }: { port?: number } = {}): Promise<SandboxVendors> {
    const server = createServer((request, response) => {
      request.resume();
      sandbox.respond(request.method, request.url ?? '', request.headers.authorization, response);
    });
    const sandbox = new SandboxVendors(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    return sandbox;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Environment variables of a service that uses the sandbox instead of the vendors. The keys have no access. */
  get settings(): Readonly<Record<string, string>> {
    return {
      STRIPE_API_BASE: this.base,
      STRIPE_API_KEY: 'sk_test_portage_sandbox',
      GOCARDLESS_API_BASE: this.base,
      GOCARDLESS_ACCESS_TOKEN: 'sandbox_portage',
    };
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private respond(
    method: string | undefined,
    path: string,
    authorization: string | undefined,
    response: ServerResponse,
  ): void {
    const [format, reference] = routeOf(path);
    const fail = (status: number, message: string) => {
      send(response, status, format.error(status, message));
    };
    if (reference === undefined || method !== 'GET') {
      fail(404, 'The sandbox supports only GET /v1/payment_methods/<id> and GET /mandates/<id>.');
      return;
    }
    if (!authorization?.startsWith('Bearer ')) {
      fail(401, 'The sandbox requires a key. Any key is accepted.');
      return;
    }
    const scenario = scenarioOf(reference);
    switch (scenario.kind) {
      case 'found':
        send(response, 200, format.found(reference, scenario.changes));
        return;
      case 'not-found':
        fail(404, 'The sandbox does not know this reference.');
        return;
      case 'flaky':
        if (this.failsNow(reference)) fail(503, 'The sandbox is temporarily unavailable.');
        else send(response, 200, format.found(reference, {}));
        return;
      case 'down':
        fail(500, 'The sandbox simulates an internal error.');
        return;
      case 'limited':
        response.setHeader('retry-after', RETRY_AFTER_SECONDS);
        fail(429, 'The sandbox simulates a rate limit.');
        return;
      case 'silent':
    }
  }

  private failsNow(reference: string): boolean {
    if (this.flakyRequestCounts.size >= MAX_FLAKY_REFERENCES) this.flakyRequestCounts.clear();
    const requestCount = this.flakyRequestCounts.get(reference) ?? 0;
    this.flakyRequestCounts.set(reference, requestCount + 1);
    return requestCount % (FLAKY_FAILURES + 1) < FLAKY_FAILURES;
  }
}

function routeOf(path: string): [WireFormat, string | undefined] {
  for (const [pattern, format] of ROUTES) {
    const reference = pattern.exec(path)?.[1];
    if (reference) return [format, reference];
  }
  return [STRIPE_FORMAT, undefined];
}

function send(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'x-portage-sandbox': 'true' })
    .end(JSON.stringify(body));
}
