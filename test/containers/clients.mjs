// Clients of the API instances in containers, as a service of Kubernetes would lead to them: requests go in turns to the
// instances that the last readiness probe found ready.
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf } from './compose.mjs';

const PROBE_INTERVAL_MS = 250;
const REQUEST_TIMEOUT_MS = 30_000;
const ACCOUNTS = '/v2/data-import/accounts/';

export class Clients {
  #containers;
  #addresses = new Map();
  #ready = [];
  #next = 0;
  #isOpen = true;
  #token;
  #supplier;

  constructor(containers, supplier) {
    this.#containers = containers;
    this.#supplier = supplier;
  }

  /** Exchanges the API key for an access token and starts to probe. */
  async open(apiKey) {
    await this.#probe();
    void this.#probeRepeatedly();
    const query = 'mutation ($key: String!) { obtainPlatformToken(input: { APIKey: $key }) { token } }';
    const { body } = await this.#send(
      'POST',
      '/v1/graphql/',
      JSON.stringify({ query, variables: { key: apiKey } }),
    );
    this.#token = body.data.obtainPlatformToken.token;
  }

  close() {
    this.#isOpen = false;
  }

  /** Resolves when a probe has found the instance ready. */
  async waitUntilReady(container, timeoutMs) {
    const end = Date.now() + timeoutMs;
    while (
      !this.#ready.includes(this.#addresses.get(container)) ||
      this.#addresses.get(container) === undefined
    ) {
      if (Date.now() > end) throw new Error(`${container} was not ready within ${timeoutMs / 1_000} s`);
      await sleep(PROBE_INTERVAL_MS);
    }
  }

  /** Called after a container has been started again, which gives it another address. */
  forget(container) {
    this.#addresses.delete(container);
  }

  /**
   * Posts accounts and reads their status until `end`, with 8 requests at once.
   *
   * @returns the numbers of requests and of posted accounts, and the answers that a supplier would see as failures
   */
  async importUntil(end) {
    let isOver = false;
    const stop = () => (isOver = true);
    end.then(stop, stop);
    const outcome = { requests: 0, accounts: 0, failures: [] };
    const client = async (name) => {
      for (let number = 0; !isOver; number += 1) {
        const account = `${name}-${number}`;
        const { status } = await this.#count(outcome, 'POST', ACCOUNTS, this.#account(account));
        if (status === 201) outcome.accounts += 1;
        await this.#count(outcome, 'GET', `${ACCOUNTS}${this.#supplier}/${account}/`);
        await sleep(20);
      }
    };
    await Promise.all(Array.from({ length: 8 }, async (_, index) => client(`ROLL-${index}`)));
    return outcome;
  }

  /** Sends a body with the token of the supplier, and returns the status, or 0 if the connection was lost. */
  async post(path, body) {
    return (await this.#send('POST', path, body).catch(() => ({ status: 0 }))).status;
  }

  async #count(outcome, method, path, body) {
    outcome.requests += 1;
    try {
      const answer = await this.#send(method, path, body && JSON.stringify(body));
      if (answer.status >= 400)
        outcome.failures.push(`${method} ${path}: ${answer.status} ${answer.body.code}`);
      return answer;
    } catch (error) {
      outcome.failures.push(`${method} ${path}: ${error.cause?.code ?? error.message}`);
      return { status: 0 };
    }
  }

  async #send(method, path, body) {
    const address = this.#ready[this.#next++ % this.#ready.length];
    if (!address) throw new Error('no instance has been ready yet');
    const response = await fetch(`http://${address}:3000${path}`, {
      method,
      body,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(this.#token && { authorization: `Token ${this.#token}` }),
      },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return { status: response.status, body: await response.json() };
  }

  #account(number) {
    return {
      import_supplier: this.#supplier,
      external_account_number: number,
      customers: [{ given_name: 'Maeve', family_name: 'Aldous' }],
    };
  }

  async #probeRepeatedly() {
    while (this.#isOpen) {
      await sleep(PROBE_INTERVAL_MS);
      await this.#probe();
    }
  }

  async #probe() {
    const ready = await Promise.all(
      this.#containers.map(async (container) => {
        if (!this.#addresses.get(container)) this.#addresses.set(container, addressOf(container));
        const address = this.#addresses.get(container);
        if (!address) return [];
        const signal = AbortSignal.timeout(2_000);
        const answer = await fetch(`http://${address}:3000/health/ready`, { signal }).catch(() => undefined);
        await answer?.arrayBuffer().catch(() => undefined);
        return answer?.ok ? [address] : [];
      }),
    );
    // As a load balancer does, which sends requests to the last ones if none answers in time on a busy machine.
    if (ready.flat().length > 0) this.#ready = ready.flat();
  }
}
