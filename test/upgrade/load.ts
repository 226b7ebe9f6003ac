import { until } from '@portage/testing';
import { Clients } from '../conditions/clients';
import type { Call } from '../conditions/history';
import { seededRandom } from '../conditions/random';
import type { UpgradeInstallation } from './upgrade-installation';

/** Prefix of all external account numbers. */
export const KEY = 'U';

const ACCOUNTS_PER_SECOND = Number(process.env['PORTAGE_UPGRADE_RATE'] ?? 5);
/** Accounts that are accepted in each phase before the next one. */
const ACCOUNTS = Number(process.env['PORTAGE_UPGRADE_ACCOUNTS'] ?? 60);
/** Accounts of the submission of each phase. */
const LINES = 40;
/** More than all phases take. */
const MAX_SECONDS = 1_800;
const PHASE_TIMEOUT_MS = 120_000;
const END_TIMEOUT_MS = 120_000;

/** The clients of a supplier, who post accounts all the time and send a submission in each phase of an upgrade. */
export class Load {
  private readonly random = seededRandom(1);
  readonly posting: Clients;
  private sending: Promise<void> = Promise.resolve();
  /** The clients of the submissions. */
  readonly submissions: Clients[] = [];

  constructor(private readonly installation: UpgradeInstallation) {
    this.posting = this.clientsOf('post');
  }

  start(): void {
    this.sending = this.posting.send();
  }

  get calls(): Call[] {
    return [this.posting, ...this.submissions].flatMap(({ calls }) => calls);
  }

  /** Runs a step of the upgrade beside the clients. Its submission is opened before, and uploaded meanwhile. */
  async during<T>(phase: string, step: () => Promise<T>): Promise<T> {
    const submission = this.clientsOf(phase);
    await submission.openSubmission();
    this.submissions.push(submission);
    const running = step();
    submission.sendLines(LINES);
    const result = await running;
    const wanted = this.countAccepted() + ACCOUNTS;
    await until(
      () => this.countAccepted() >= wanted,
      PHASE_TIMEOUT_MS,
      () => `${wanted - this.countAccepted()} accounts of the phase ${phase} were not accepted`,
    );
    return result;
  }

  /**
   * Sends no further accounts.
   *
   * @returns true if every account came to its end in time
   */
  async finish(): Promise<boolean> {
    this.posting.end();
    await this.sending;
    const all = [this.posting, ...this.submissions];
    return (await Promise.all(all.map(async (clients) => clients.finish(END_TIMEOUT_MS)))).every(Boolean);
  }

  private countAccepted(): number {
    return this.posting.calls.filter(({ operation, status }) => operation === 'schedule' && status === 201)
      .length;
  }

  private clientsOf(name: string): Clients {
    const load = { key: `${KEY}-${name}`, accountsPerSecond: ACCOUNTS_PER_SECOND, seconds: MAX_SECONDS };
    return new Clients(this.installation, load, this.random);
  }
}
