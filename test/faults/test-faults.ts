import { findRedisProgram, type TestedBackend } from '@portage/testing';
import { brokenPromises } from './broken-promises';
import { DAMAGES } from './damages';
import { FaultEnvironment } from './fault-environment';
import { FAULTS, type Size } from './faults';
import { type Measured, runFault } from './run-fault';

export type Outcome = Measured & { backend: TestedBackend };

/** Tests every fault on every available backend. `finished` gets the measurements once all tests have passed. */
export function testFaults(size: Size, finished?: (outcomes: readonly Outcome[]) => void): void {
  const backends: TestedBackend[] = findRedisProgram() ? ['postgres', 'redis'] : ['postgres'];
  if (backends.length < 2)
    process.stderr.write(
      'SKIPPED: faults on Redis, because no redis-server or valkey-server is on the PATH.\n',
    );
  const outcomes: Outcome[] = [];
  const expected = backends.flatMap((backend) => faultsOn(backend, size)).length;

  describe.each(backends)('with the queue in %s', (backend) => {
    let environment: FaultEnvironment;
    beforeAll(async () => {
      environment = await FaultEnvironment.start(backend, size.waits);
    }, 120_000);
    afterAll(async () => {
      await environment.stop();
    }, 60_000);

    it.each(faultsOn(backend, size))(
      'every accepted account is imported exactly once: $title',
      async (fault) => {
        const measured = await runFault(fault, environment, size);
        process.stderr.write(`${line({ ...measured, backend })}\n`);
        expect(measured.brokenPromises).toEqual([]);
        expect(measured).toMatchObject({ lost: 0, doubled: 0 });
        outcomes.push({ ...measured, backend });
      },
      size.recoveryMs * 3,
    );

    // The queries are the same on every backend, so one backend is enough.
    if (backend !== backends.at(-1)) return;
    it.each(DAMAGES)('the checks find damage: $what', async ({ damage, found }) => {
      await environment.damage(damage);
      const findings = await brokenPromises(environment.portage, `${FAULTS[0]!.key}-%`);
      for (const finding of found) expect(findings).toContainEqual(expect.stringContaining(finding));
    });
  });

  afterAll(() => {
    if (backends.length === 2 && outcomes.length === expected) finished?.(outcomes);
  });
}

function faultsOn(backend: TestedBackend, { name }: Size) {
  return FAULTS.filter(
    ({ needsRedis, strikes }) => strikes[name] > 0 && (!needsRedis || backend === 'redis'),
  );
}

function line({ backend, fault, strikes, struck, posted, lost, doubled, recoveryMs }: Outcome): string {
  const recovered = (recoveryMs / 1_000).toFixed(1);
  return (
    `${backend}, ${fault.key}: ${strikes} strikes, ${struck} ${fault.struck}, ${posted} posted, ` +
    `${lost} lost, ${doubled} doubled, recovered in ${recovered} s`
  );
}
