import { OperateQueues } from '@portage/operators';
import type { Command } from 'commander';
import { command, group } from '../command';

const COLUMNS = ['name', 'paused', 'waiting_accounts', 'oldest_waiting_at', 'rate_per_second'];

/** `queue list`, `pause` and `resume`. */
export function queueCommands(): Command {
  return group('queue', 'Queues: what waits in them, and their pause.', [
    command('list', 'List the queues, and the accounts that wait.', async (app) => ({
      value: await app.get(OperateQueues).list(),
      columns: COLUMNS,
    })),
    command(
      'pause <name>',
      'Pause a queue for all workers. Active jobs end.',
      async (app, _options: object, name: string) => ({ value: await app.get(OperateQueues).pause(name) }),
    ),
    command('resume <name>', 'Resume a paused queue.', async (app, _options: object, name: string) => ({
      value: await app.get(OperateQueues).resume(name),
    })),
  ]);
}
