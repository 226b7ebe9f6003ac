import { typicalBook } from '../book';
import { bare, portage } from '../environment/program';
import { SUPPLIER } from '../environment/servers';
import { interleaveApis, apiTable, rateOf, turnSeconds } from './api-turns';
import type { Bench, Findings, Measure } from './measure';

const CONNECTIONS = 32;
const BARE = 'bare Fastify with ajv';

/** Number of different accounts, so that no contender benefits from validating the same account again. */
const PAYLOADS = 1_000;

export const validate: Measure = {
  name: 'validate',
  title: 'Accounts per second that the API validates',
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
      const results = await interleaveApis(bench, [
        { name: portage.name, running: service, ...contender('/v2/data-import/accounts/validate/') },
        { name: BARE, running: yardstick, ...contender('/validate') },
      ]);
      return {
        load:
          `${CONNECTIONS} connections, ${turnSeconds(bench)} s per turn, accounts of ${Math.round(meanBytes).toLocaleString('en')} bytes on average. ` +
          'Portage with token, log, limits and all rules; the yardstick checks fields only, with a schema from the same classes.',
        tables: [apiTable(results, BARE)],
        goals: [
          {
            name: 'against bare Fastify with ajv',
            measured: rateOf(results, portage.name) / rateOf(results, BARE),
            atLeast: 0.7,
            missReason:
              'features that the yardstick does not have: cross-field rules (a sixth of the time of the API), token, lookups of stored accounts, log and hooks. Another fifth is reading the body, in both programs.',
          },
        ],
      };
    } finally {
      await installation.close();
    }
  },
};
