import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { boardChangeOf, HIDING_STYLE } from './board-changes';

const library = dirname(require.resolve('@bull-board/api'));
// oxlint-disable-next-line typescript/no-require-imports -- the package does not export its routes
const { appRoutes } = require(join(library, 'routes.js')) as {
  appRoutes: { api: { method: string | string[]; route: string | string[] }[] };
};

const writes = appRoutes.api
  .flatMap(({ method, route }) => [method].flat().flatMap((verb) => [route].flat().map((url) => [verb, url])))
  .map(([verb, url]) => `${verb!.toUpperCase()} ${url!}`)
  .filter((route) => !route.startsWith('GET '));

const PARAMS = { queueName: 'transactions', jobId: 'job-7', queueStatus: 'failed', schedulerId: 'roll-over' };

function changeOf(route: string, body?: unknown) {
  const [method, url] = route.split(' ') as [string, string];
  const params = Object.fromEntries(Object.entries(PARAMS).filter(([name]) => url.includes(`:${name}`)));
  return boardChangeOf({ method, params, body, routeOptions: { url: `/queues${url}` } });
}

it('every change of the library that removes, adds or rewrites jobs and schedules is refused, and no other', () => {
  expect(writes.length).toBeGreaterThan(20);
  expect(writes.filter((route) => !changeOf(route)).sort()).toEqual(
    [
      'PATCH /api/queues/:queueName/:jobId/update-data',
      'PATCH /api/queues/:queueName/job-schedulers/:schedulerId',
      'POST /api/queues/:queueName/add',
      'PUT /api/queues/:queueName/:jobId/clean',
      'PUT /api/queues/:queueName/:jobId/remove-unprocessed-children',
      'PUT /api/queues/:queueName/clean/:queueStatus',
      'PUT /api/queues/:queueName/empty',
      'PUT /api/queues/:queueName/job-schedulers/:schedulerId/remove',
      'PUT /api/queues/:queueName/obliterate',
    ].sort(),
  );
});

it('an unknown change is refused', () => {
  expect(changeOf('PUT /api/queues/:queueName/shred')).toBeUndefined();
  expect(changeOf('DELETE /api/queues/:queueName/:jobId')).toBeUndefined();
  expect(
    boardChangeOf({ method: 'PUT', params: {}, body: undefined, routeOptions: { url: undefined } }),
  ).toBeUndefined();
});

it('a change is described by its queue, its job and its numbers', () => {
  expect(changeOf('PUT /api/queues/:queueName/:jobId/retry')).toEqual({
    action: 'job.retry',
    queue: 'transactions',
    details: { job_id: 'job-7' },
  });
  expect(changeOf('PUT /api/queues/:queueName/retry/:queueStatus')).toEqual({
    action: 'queue.retry',
    queue: 'transactions',
    details: { status: 'failed' },
  });
  expect(changeOf('PUT /api/queues/pause')).toEqual({ action: 'queue.pause', queue: undefined, details: {} });
  expect(
    changeOf('PUT /api/queues/:queueName/rate-limit', { max: 5, duration: 1_000, text: 'a name' })?.details,
  ).toEqual({ max: 5, duration: 1_000 });
  expect(changeOf('PUT /api/queues/:queueName/concurrency', { concurrency: null })?.details).toEqual({
    concurrency: null,
  });
});

it('the icons by which refused changes are hidden exist in the pages of the library', () => {
  const scripts = join(dirname(require.resolve('@bull-board/ui/package.json')), 'dist', 'static', 'js');
  const text = readdirSync(scripts, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(scripts, name), 'utf8'))
    .join('\n');
  const icons = [...HIDING_STYLE.matchAll(/svg\.lucide-([\w-]+)/g)].map((match) => match[1]!);
  expect(icons.length).toBeGreaterThan(4);
  expect(icons.filter((icon) => !text.includes(`("${icon}",`))).toEqual([]);
});
