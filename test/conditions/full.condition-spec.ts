import { CLOCKS, HISTORY, SILENCE } from './conditions';
import { FAILOVER } from './failover';
import { testAsynchronousStandby } from './asynchronous-standby';
import { testOutsideServices } from './outside-services';
import { REDIS } from './redis-conditions';
import { testSampleBooks } from './sample-book';
import { testConditions } from './test-conditions';

/** The parts of `npm run test:conditions`, by name. */
const PARTS = { silence: SILENCE, clocks: CLOCKS, history: HISTORY, failover: FAILOVER, redis: REDIS };

const { CONDITIONS_PART, CONDITIONS_ONLY, CONDITIONS_SEEDS = '1' } = process.env;
const seeds = CONDITIONS_SEEDS.split(',').map(Number);

for (const [part, conditions] of Object.entries(PARTS)) {
  const chosen = conditions.filter(({ key }) => !CONDITIONS_ONLY || key === CONDITIONS_ONLY);
  if ((!CONDITIONS_PART || part === CONDITIONS_PART) && chosen.length > 0)
    testConditions(part, chosen, seeds);
}

const isChosen = (part: string, key: string) =>
  (!CONDITIONS_PART || CONDITIONS_PART === part) && (!CONDITIONS_ONLY || CONDITIONS_ONLY === key);
if (!CONDITIONS_PART || CONDITIONS_PART === 'failover') testAsynchronousStandby(CONDITIONS_ONLY);
if (isChosen('redis', 'sample-book')) testSampleBooks();
if (isChosen('outside', 'outside')) testOutsideServices();
