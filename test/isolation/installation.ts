import { setTimeout as sleep } from 'node:timers/promises';
import { Installation, type TestedBackend } from '@portage/testing';
import { type Attack, ATTACKED_ACCOUNTS } from './attacks';
import { Flood } from './flood';
import { Tenant } from './tenant';
import { Victim } from './victim';

/** A third supplier sends a request this often, so that it counts as active without a load of its own. */
const COMPANION_PAUSE_MS = 500;

/** A Portage with a supplier that attacks, and another one. */
export class AttackedInstallation {
  private constructor(
    readonly portage: Installation,
    readonly attacker: Tenant,
    private readonly other: Tenant,
    readonly victim: Victim,
  ) {}

  static async start(backend: TestedBackend, env: NodeJS.ProcessEnv): Promise<AttackedInstallation> {
    const portage = await Installation.start({ backend, waits: 'default', env });
    const attacker = await Tenant.join(portage, 'attacker');
    const other = await Tenant.join(portage, 'victim');
    await attacker.importAccounts(ATTACKED_ACCOUNTS);
    return new AttackedInstallation(portage, attacker, other, await Victim.start(other));
  }

  /** Starts an attack. */
  async attack({ requests, connections, maxRequests }: Attack): Promise<Flood> {
    const limits = { connections, ...(maxRequests === undefined ? {} : { maxRequests }) };
    return Flood.start(this.attacker, limits, requests(this.attacker));
  }

  /**
   * Keeps the other supplier active until the signal, so that the limits of the attacker are those beside a victim.
   *
   * @param delayMs the time for which the attacker is alone
   */
  async keepCompany(delayMs: number, signal: AbortSignal): Promise<void> {
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
    while (!signal.aborted) {
      await this.victim.requests['status read']();
      await sleep(COMPANION_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async stop(): Promise<void> {
    await this.victim.stop();
    for (const tenant of [this.attacker, this.other]) await tenant.leave();
    await this.portage.stop();
  }
}
