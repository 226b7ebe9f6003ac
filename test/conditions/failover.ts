import type { Condition } from './conditions';
import type { ConditionsEnvironment } from './environment';

/** The time that a cluster manager takes to notice the loss of the primary and to promote the standby. */
const PROMOTION_AFTER_MS = 5_000;

function replacePrimary(signal: 'SIGKILL' | 'SIGSTOP'): Condition['inject'] {
  return ({ instances, servers }: ConditionsEnvironment) => {
    const connections = instances.reduce((sum, { postgres }) => sum + postgres.connectionCount, 0);
    servers!.replacePrimary(signal, PROMOTION_AFTER_MS);
    return connections;
  };
}

const SYNCHRONOUS = {
  accountsPerSecond: 10,
  seconds: [4, 25, 5],
  backends: ['postgres', 'redis'],
  standby: 'synchronous',
} as const;

/** The primary is lost, and the standby is promoted five seconds later. */
export const FAILOVER: readonly Condition[] = [
  {
    ...SYNCHRONOUS,
    key: 'primary-killed',
    title: 'the primary is killed, and its synchronous standby promoted',
    inject: replacePrimary('SIGKILL'),
  },
  {
    ...SYNCHRONOUS,
    key: 'primary-silent',
    title: 'the primary falls silent with its connections open, and its synchronous standby is promoted',
    inject: replacePrimary('SIGSTOP'),
  },
];
