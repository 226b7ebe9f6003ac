import { chosenBackends, findRedisProgram, type TestedBackend } from '@portage/testing';
import { CORRUPTIONS } from './corruptions';
import { FaultEnvironment } from './fault-environment';
import { type Fault, FAULTS, type Size } from './faults';
import { interruptRollback } from './interrupted-rollback';
import { PostingClient } from './posting-client';
import { type Measurement, runFault } from './run-fault';
import { UPLOAD_FAULTS } from './upload-faults';
import { UploadingClient } from './uploading-client';
import { findViolations } from './violations';
import { WebhookClient } from './webhook-client';
import { WEBHOOK_FAULTS } from './webhook-faults';

export type Outcome = Measurement & { backend: TestedBackend };

/** Tests every fault on every available backend. Calls `onSuccess` with the measurements after all tests have passed. */
export function testFaults(size: Size, onSuccess?: (outcomes: readonly Outcome[]) => void): void {
  const available: TestedBackend[] = findRedisProgram() ? ['postgres', 'redis'] : ['postgres'];
  const backends = chosenBackends(available);
  if (available.length < 2)
    process.stderr.write(
      'SKIPPED: faults on Redis, because no redis-server or valkey-server is on the PATH.\n',
    );
  const outcomes: Outcome[] = [];
  const expected = backends.flatMap((backend) => [
    ...faultsOn(FAULTS, backend, size),
    ...faultsOn(UPLOAD_FAULTS, backend, size),
    ...faultsOn(WEBHOOK_FAULTS, backend, size),
  ]).length;

  describe.each(backends)('with the queue in %s', (backend) => {
    let environment: FaultEnvironment;
    beforeAll(async () => {
      environment = await FaultEnvironment.start(backend, size.waits);
    }, 120_000);
    afterAll(async () => {
      await environment.stop();
    }, 60_000);

    // First, because the tables of accounts are compared as a whole.
    if (size.name === 'full')
      it(
        'a rollback that is killed in the middle and run again leaves every table of accounts as it was',
        async () => {
          const { left, ...found } = await interruptRollback(environment, size);
          process.stderr.write(`${backend}, rollback: killed with ${left.join(', ')} accounts left\n`);
          expect(found).toEqual({ changedTables: [], violations: [] });
        },
        size.recoveryTimeoutMs * 3,
      );

    const record = (measured: Measurement) => {
      process.stderr.write(`${summaryLine({ ...measured, backend })}\n`);
      expect(measured.violations).toEqual([]);
      expect(measured).toMatchObject({ lost: 0, doubled: 0 });
      outcomes.push({ ...measured, backend });
    };

    it.each(faultsOn(FAULTS, backend, size))(
      'every accepted account is imported exactly once: $title',
      async (fault) => {
        const { portage } = environment;
        record(await runFault(fault, environment, size, (book) => new PostingClient(portage, book)));
      },
      size.recoveryTimeoutMs * 3,
    );

    const uploadFaults = faultsOn(UPLOAD_FAULTS, backend, size);
    if (uploadFaults.length > 0)
      it.each(uploadFaults)(
        'every account of an upload is counted all the time and imported exactly once: $title',
        async (fault) => {
          const { portage } = environment;
          record(
            await runFault(fault, environment, size, (book) => new UploadingClient(portage, book, fault.key)),
          );
        },
        size.recoveryTimeoutMs * 3,
      );

    const webhookFaults = faultsOn(WEBHOOK_FAULTS, backend, size);
    if (webhookFaults.length > 0)
      it.each(webhookFaults)(
        'every event is delivered, first in the order of the feed: $title',
        async (fault) => {
          const { portage } = environment;
          record(
            await runFault(
              fault,
              environment,
              size,
              (book) => new WebhookClient(portage, book, `${fault.key}-%`),
            ),
          );
        },
        size.recoveryTimeoutMs * 3,
      );

    // The queries are the same on every backend, so one backend is enough.
    if (backend !== backends.at(-1)) return;
    it.each(CORRUPTIONS)('the checks detect $title', async ({ sql, expected }) => {
      await environment.corrupt(sql);
      const findings = await findViolations(environment.portage, `${FAULTS[0]!.key}-%`);
      for (const finding of expected) expect(findings).toContainEqual(expect.stringContaining(finding));
    });
  });

  afterAll(() => {
    if (backends.length === 2 && outcomes.length === expected) onSuccess?.(outcomes);
  });
}

function faultsOn<F extends Pick<Fault, 'needsRedis' | 'injections'>>(
  faults: readonly F[],
  backend: TestedBackend,
  { name }: Size,
): F[] {
  return faults.filter(
    ({ needsRedis, injections }) => injections[name] > 0 && (!needsRedis || backend === 'redis'),
  );
}

function summaryLine({
  backend,
  fault,
  injections,
  affectedCount,
  posted,
  lost,
  doubled,
  recoveryMs,
}: Outcome): string {
  const recovered = (recoveryMs / 1_000).toFixed(1);
  return (
    `${backend}, ${fault.key}: ${injections} injections, ${affectedCount} ${fault.affected}, ${posted} posted, ` +
    `${lost} lost, ${doubled} doubled, recovered in ${recovered} s`
  );
}
