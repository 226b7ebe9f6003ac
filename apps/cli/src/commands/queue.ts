import { type QueueView, OperateQueues, ViewWorkers } from '@portage/operators';
import { Command } from 'commander';
import { command, type CommandOutput, show } from '../command';
import { table } from '../table';

/** `queue list`, `pause` and `resume`. */
export function queueCommands(): Command {
  return new Command('queue')
    .description('Queues: what waits in them, and their pause.')
    .addCommand(
      command('list', 'List the queues with their jobs, and the accounts that wait.').action(
        async ({ json }: { json?: true }) =>
          show(json ?? false, async (app) => toOutput(await app.get(OperateQueues).list())),
      ),
    )
    .addCommand(
      command('pause <name>', 'Pause a queue for all workers. Active jobs end.').action(
        async (name: string, { json }: { json?: true }) =>
          show(json ?? false, async (app) => toOutput(await app.get(OperateQueues).pause(name))),
      ),
    )
    .addCommand(
      command('resume <name>', 'Resume a paused queue.').action(
        async (name: string, { json }: { json?: true }) =>
          show(json ?? false, async (app) => toOutput(await app.get(OperateQueues).resume(name))),
      ),
    );
}

/** `worker list`. */
export function workerCommands(): Command {
  return new Command('worker').description('Workers: which report, and what they consume.').addCommand(
    command('list', 'List the workers of the last day, those seen last first.').action(
      async ({ json }: { json?: true }) =>
        show(json ?? false, async (app) => {
          const workers = await app.get(ViewWorkers).workers();
          const rows = workers.map((one) => [
            one.host,
            one.is_alive ? 'alive' : 'lost',
            one.last_seen_at,
            one.started_at,
            one.release,
            one.queues.map(({ queue, active }) => `${queue} ${active}`).join(', '),
            one.queues
              .filter(({ is_consuming: isConsuming }) => !isConsuming)
              .map(({ queue }) => queue)
              .join(', '),
          ]);
          const head = [
            'host',
            'state',
            'last report',
            'started',
            'release',
            'active jobs',
            'does not consume',
          ];
          return {
            json: workers,
            text: table(head, rows, 'No worker has reported. Accounts are accepted and wait.'),
          };
        }),
    ),
  );
}

const HEAD = [
  'queue',
  'state',
  'jobs waiting',
  'accounts waiting',
  'active',
  'deferred',
  'failed',
  'oldest waiting since',
  'jobs a second',
];

/** All queues, or the one that was changed. */
function toOutput(queues: QueueView | QueueView[]): CommandOutput {
  const rows = [queues]
    .flat()
    .map((one) => [
      one.name,
      one.paused ? 'paused' : 'running',
      one.waiting + one.prioritized,
      one.waiting_accounts ?? '-',
      one.active,
      one.delayed,
      one.failed,
      one.oldest_waiting_at ?? 'none',
      one.rate_per_second,
    ]);
  return { json: queues, text: table(HEAD, rows, '') };
}
