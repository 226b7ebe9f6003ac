import { typicalBook } from '../book';
import { bare, portage } from '../environment/program';
import { SUPPLIER } from '../environment/servers';
import { answersInTurns, answersTable, rateOf, turnSeconds } from './answers';
import type { Bench, Findings, Measure } from './measure';

const CONNECTIONS = 32;
const BARE = 'bare Fastify with ajv';

/** So many different ones that nobody profits from having seen the same account before. */
const PAYLOADS = 1_000;

export const validate: Measure = {
  name: 'validate',
  title: 'Accounts that the API validates in a second',
  async run(bench: Bench): Promise<Findings> {
    const { payloads, meanBytes } = typicalBook(PAYLOADS, SUPPLIER);
    const installation = await bench.servers.installation(bench.servers.backends[0] ?? 'postgres');
    try {
      const contender = (path: string) => ({
        connections: CONNECTIONS,
        status: 200,
        request: (nth: number) => ({
          method: 'POST' as const,
          path,
          body: payloads[nth % payloads.length] ?? '',
        }),
      });
      const service = await installation.start(portage, 0);
      const yardstick = await installation.start(bare, 0);
      const results = await answersInTurns(bench, [
        { name: portage.name, running: service, ...contender('/v2/data-import/accounts/validate/') },
        { name: BARE, running: yardstick, ...contender('/validate') },
      ]);
      return {
        load:
          `${CONNECTIONS} connections, ${turnSeconds(bench)} s a turn, accounts of ${Math.round(meanBytes).toLocaleString('en')} bytes on average. ` +
          'Portage with token, log, limits and every rule; the yardstick checks fields only, with a schema made from the same classes.',
        tables: [answersTable(results, BARE)],
        goals: [
          {
            what: 'against bare Fastify with ajv',
            found: rateOf(results, portage.name) / rateOf(results, BARE),
            atLeast: 0.7,
            inTheWay:
              'rules between fields, a sixth of the time of the API, which the yardstick does not have, nor token, questions about stored accounts, log and hooks; another fifth is reading the body, for both.',
          },
        ],
      };
    } finally {
      await installation.close();
    }
  },
};
