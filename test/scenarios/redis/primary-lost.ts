import { type HeldFault, holdAFault } from '../hold-a-fault';
import { REDIS_PROGRAMS } from '../redis-programs';
import type { Scenario } from '../scenario';

const TITLES = {
  sentinel: 'the primary that Sentinels watch',
  cluster: 'the node of a cluster that stores the queues',
} as const;

const STRIKES: readonly { name: string; verb: string; strike: HeldFault['strike'] }[] = [
  { name: 'killed', verb: 'killed', strike: async ({ servers }) => servers.redis!.killPrimary() },
  { name: 'silent', verb: 'suspended', strike: async ({ servers }) => servers.redis!.suspendPrimary() },
];

/** What was in the lost server and not in its replica is lost there, and the database has it. */
export default Object.fromEntries(
  REDIS_PROGRAMS.flatMap(({ name: server, program, missing }) =>
    (['sentinel', 'cluster'] as const).flatMap((topology) =>
      STRIKES.map(({ name, verb, strike }): [string, Scenario] => [
        `${server}-${topology}-${name}`,
        holdAFault({
          title: `${TITLES[topology]} is ${verb}, on ${server}`,
          minutes: 2,
          backends: ['redis'],
          missing,
          needs: { redis: { topology, program } },
          perSecond: 10,
          seconds: [5, 20, 3],
          strike,
        }),
      ]),
    ),
  ),
);
