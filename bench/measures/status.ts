import { bare, portage } from '../environment/program';
import type { RunningProgram } from '../environment/running-program';
import { SUPPLIER } from '../environment/servers';
import { formatFigure } from '../results';
import { storeProcesses } from '../stored/processes';
import { type ApiContender, interleaveApis, apiTable, rateOf, turnSeconds } from './api-turns';
import type { Bench, Findings, Measure } from './measure';

const CONNECTIONS = 32;
const STORED = 100_000;

const V2 = 'Portage, v2';
const V1 = 'Portage, v1';
const BARE = 'bare Fastify, one read';

export const status: Measure = {
  name: 'status',
  title: 'Status reads per second',
  async run(bench: Bench): Promise<Findings> {
    const stored = bench.isQuick ? 5_000 : STORED;
    const installation = await bench.servers.installation(bench.servers.backends[0] ?? 'postgres');
    try {
      bench.log(`storing ${formatFigure(stored)} processes`);
      await storeProcesses(installation, stored);
      const processes = await installation.sql<{ id: string; name: string }>(
        'SELECT id, external_identifier AS name FROM import_process ORDER BY payload_hash LIMIT 50000',
      );
      const asked = (
        name: string,
        running: RunningProgram,
        path: (one: { id: string; name: string }) => string,
      ): ApiContender => {
        const requests = processes.map((one) => ({ method: 'GET' as const, path: path(one) }));
        const request = (nth: number) => requests[nth % requests.length] ?? { method: 'GET', path: '/' };
        return { name, running, request, connections: CONNECTIONS, status: 200 };
      };
      const service = await installation.start(portage, 0);
      const yardstick = await installation.start(bare, 0);
      const results = await interleaveApis(bench, [
        asked(V2, service, ({ name }) => `/v2/data-import/accounts/${SUPPLIER}/${name}/`),
        asked(V1, service, ({ name }) => `/v1/data-import/account-transfer-status/${SUPPLIER}/${name}/`),
        asked(BARE, yardstick, ({ id }) => `/status/${id}`),
      ]);
      const against = (name: string) => rateOf(results, name) / rateOf(results, BARE);
      return {
        load:
          `${CONNECTIONS} connections, ${turnSeconds(bench)} s per turn, one of ${formatFigure(stored)} processes chosen at random. ` +
          'The yardstick is one prepared query by primary key.',
        tables: [apiTable(results, BARE)],
        goals: [
          { name: 'v2 against the bare route', measured: against(V2), atLeast: 0.8 },
          { name: 'v1 against the bare route', measured: against(V1), atLeast: 0.8 },
        ],
      };
    } finally {
      await installation.close();
    }
  },
};
