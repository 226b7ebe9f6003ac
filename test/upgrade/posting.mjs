// A supplier that posts accounts to whatever API instances are ready, and never repeats a request.
import { setTimeout as sleep } from 'node:timers/promises';

const CONNECTIONS = 8;
const PROBE_INTERVAL_MS = 100;

/** Posts accounts over a few connections, round robin over the instances that the last probe found ready. */
export class Posting {
  /** Account numbers that were answered with 201. */
  accepted = new Set();
  /** Requests with any other end. */
  failures = [];
  /** Answers by instance. */
  counts = new Map();
  #instances = new Set();
  #ready = [];
  #next = 0;
  #isOpen = true;
  #running;

  constructor(token) {
    this.token = token;
  }

  start() {
    this.#running = Promise.all([
      this.#probe(),
      ...Array.from({ length: CONNECTIONS }, async (_none, index) => this.#post(index)),
    ]);
  }

  async stop() {
    this.#isOpen = false;
    await this.#running;
  }

  add(instance) {
    this.#instances.add(instance);
  }

  remove(instance) {
    this.#instances.delete(instance);
  }

  /** Waits until `count` more accounts were accepted. */
  async more(count, timeoutMs = 180_000) {
    const wanted = this.accepted.size + count;
    const until = Date.now() + timeoutMs;
    while (this.accepted.size < wanted) {
      if (this.failures.length > 0) throw new Error(`A request failed: ${this.failures[0]}`);
      if (Date.now() > until)
        throw new Error(`${wanted - this.accepted.size} accounts were not accepted in time.`);
      await sleep(50);
    }
  }

  async #probe() {
    while (this.#isOpen) {
      const ready = await Promise.all(
        [...this.#instances].map(async (instance) => {
          const answer = await fetch(`${instance.url}/health/ready`).catch(() => undefined);
          await answer?.arrayBuffer().catch(() => undefined);
          return answer?.ok ? [instance] : [];
        }),
      );
      this.#ready = ready.flat();
      await sleep(PROBE_INTERVAL_MS);
    }
  }

  async #post(connection) {
    for (let count = 0; this.#isOpen;) {
      const instance = this.#ready[this.#next++ % this.#ready.length];
      if (!instance) {
        await sleep(20);
        continue;
      }
      const number = `U-${connection}-${count++}`;
      const body = {
        import_supplier: 'LEGACY',
        external_account_number: number,
        customers: [{ given_name: 'Maeve', family_name: 'Aldous', landline: '01212345678' }],
      };
      try {
        const answer = await fetch(`${instance.url}/v2/data-import/accounts/`, {
          method: 'POST',
          headers: { authorization: `Token ${this.token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const text = await answer.text();
        if (answer.status === 201) this.accepted.add(number);
        else
          this.failures.push(
            `${instance.name} answered ${number} with ${answer.status} ${text.slice(0, 200)}`,
          );
      } catch (error) {
        this.failures.push(`${instance.name} did not answer ${number}: ${error.cause ?? error}`);
      }
      this.counts.set(instance.name, (this.counts.get(instance.name) ?? 0) + 1);
    }
  }
}
