import { type HeldFault, holdAFault } from '../hold-a-fault';
import { shiftedClock } from '../shifted-clock';

const TEN_MINUTES = 600;

/** No fault of the network: the clocks of some programs differ from that of the database. */
function withClocks(
  envOf: Record<string, NodeJS.ProcessEnv>,
  more: Pick<HeldFault, 'title' | 'windowSeconds'>,
) {
  return holdAFault({
    minutes: 1,
    perSecond: 10,
    seconds: [4, 10, 6],
    needs: { envOf },
    ...more,
    strike: () => Object.keys(envOf).length,
  });
}

export default {
  'worker-ahead': withClocks(
    { 'worker-1': shiftedClock(TEN_MINUTES) },
    {
      title: 'the clock of a worker is ten minutes ahead, and every account has a schedule window',
      windowSeconds: 8,
    },
  ),
  'worker-behind': withClocks(
    { 'worker-1': shiftedClock(-TEN_MINUTES) },
    {
      title: 'the clock of a worker is ten minutes behind, and every account has a schedule window',
      windowSeconds: 8,
    },
  ),
  'clocks-apart': withClocks(
    { 'api-2': shiftedClock(TEN_MINUTES), 'worker-2': shiftedClock(TEN_MINUTES) },
    { title: 'the clocks of an API and a worker are ten minutes ahead of the others' },
  ),
};
