import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { scenarioOf } from './scenarios';
import { GOCARDLESS_FORMAT, STRIPE_FORMAT, type WireFormat } from './wire-formats';

const ROUTES: readonly (readonly [RegExp, WireFormat])[] = [
  [/^\/v1\/payment_methods\/([^/?]+)$/, STRIPE_FORMAT],
  [/^\/mandates\/([^/?]+)$/, GOCARDLESS_FORMAT],
];

/** How often a flaky reference fails before it is found. */
const FLAKY_FAILURES = 2;
const MOST_FLAKY_REFERENCES = 10_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * Stripe and GoCardless on one's own machine, for whoever tries Portage without keys. It speaks their formats, listens
 * on 127.0.0.1 only, takes any key, and says in every answer that it is a sandbox. The reference decides what happens:
 *
 * | Stripe, `CARD`          | GoCardless, `DIRECT_DEBIT`  |                                             |
 * | ----------------------- | --------------------------- | ------------------------------------------- |
 * | `pm_sandboxVisa`        | `MDSANDBOXACTIVE`           | found (`...Mastercard`, `...SUBMITTED` too) |
 * | `pm_sandboxExpired`     | `MDSANDBOXEXPIRED`          | has expired                                 |
 * | `pm_sandboxWrongType`   |                             | is no card                                  |
 * | `pm_sandboxDetached`    |                             | belongs to no customer                      |
 * |                         | `MDSANDBOXCANCELLED`        | was cancelled                               |
 * |                         | `MDSANDBOXFAILED`           | was not set up at the bank                  |
 * |                         | `MDSANDBOXSUSPENDED`        | is suspended by the payer                   |
 * | `pm_sandboxNotFound`    | `MDSANDBOXNOTFOUND`         | 404, as for any reference not listed here   |
 * | `pm_sandboxFlaky`       | `MDSANDBOXFLAKY`            | 503 twice, then found, and so on            |
 * | `pm_sandboxDown`        | `MDSANDBOXDOWN`             | always 500                                  |
 * | `pm_sandboxLimited`     | `MDSANDBOXLIMITED`          | always 429 with `Retry-After`               |
 * | `pm_sandboxSilent`      | `MDSANDBOXSILENT`           | never answers                               |
 *
 * Digits may follow, so that each account has a reference of its own: `pm_sandboxVisa0042`.
 */
export class SandboxVendors {
  /** How often each flaky reference was asked for. */
  private readonly flaky = new Map<string, number>();

  private constructor(private readonly server: Server) {}

  /** @param port of 127.0.0.1; 0 takes a free one */
  static async start({ port = 0 }: { port?: number } = {}): Promise<SandboxVendors> {
    const server = createServer((request, response) => {
      request.resume();
      sandbox.answer(request.method, request.url ?? '', request.headers.authorization, response);
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

  /** The settings of a service that asks here instead of the vendors. The keys open nothing. */
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

  private answer(
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
      fail(404, 'The sandbox knows GET /v1/payment_methods/<id> and GET /mandates/<id> only.');
      return;
    }
    if (!authorization?.startsWith('Bearer ')) {
      fail(401, 'The sandbox takes any key, but wants one.');
      return;
    }
    const scenario = scenarioOf(reference);
    switch (scenario.kind) {
      case 'found':
        send(response, 200, format.found(reference, scenario.changes));
        return;
      case 'not-found':
        fail(404, 'The sandbox has nothing under this reference.');
        return;
      case 'flaky':
        if (this.failsThisTime(reference)) fail(503, 'The sandbox is away for a moment.');
        else send(response, 200, format.found(reference, {}));
        return;
      case 'down':
        fail(500, 'The sandbox is broken.');
        return;
      case 'limited':
        response.setHeader('retry-after', RETRY_AFTER_SECONDS);
        fail(429, 'The sandbox was asked too often.');
        return;
      case 'silent':
    }
  }

  private failsThisTime(reference: string): boolean {
    if (this.flaky.size >= MOST_FLAKY_REFERENCES) this.flaky.clear();
    const asked = this.flaky.get(reference) ?? 0;
    this.flaky.set(reference, asked + 1);
    return asked % (FLAKY_FAILURES + 1) < FLAKY_FAILURES;
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
