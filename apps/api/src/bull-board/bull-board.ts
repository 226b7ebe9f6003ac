import { AsyncLocalStorage } from 'node:async_hooks';
import { createBullBoard } from '@bull-board/api';
import { FastifyAdapter as BullBoardAdapter } from '@bull-board/fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SteerImportProcesses } from '@portage/imports';
import { QueueChangeAudit, ViewProcess } from '@portage/operators';
import {
  CONFIG,
  type Config,
  type ErrorCode,
  type JobPayload,
  PortageError,
  QUEUE_NAMES,
  Queues,
} from '@portage/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CONSOLE_PATH } from '../console/serve-console';
import { ErrorFilter } from '../http/error-filter';
import { operatorOfRequest, storeOperator } from '../operator/current-operator';
import { BOARD_PATH, boardChangeOf, HIDING_STYLE } from './board-changes';
import { BullBoardAccess } from './bull-board-access';
import { importBatchPage } from './import-batch-page';
import { batchOf, ShownQueue } from './shown-queue';

const PROCESSES = '/import-processes';
const BATCHES = '/import-batches';

const processUrl = (...account: [supplier: string, externalAccountNumber: string]) =>
  `${BOARD_PATH}${PROCESSES}/${account.map(encodeURIComponent).join('/')}`;

/** The page of the library loads its fonts from another host. */
const EXTERNAL_LINKS = /<link\b[^>]*\bhref="(https?:)?\/\/[^>]*>/gi;

/** Errors after which a browser is sent to the login. */
const BEFORE_LOGIN: readonly ErrorCode[] = ['operator_session_required', 'password_change_required'];

/** The actor of the request in progress. The library calls the retry of a job without its request. */
const currentActor = new AsyncLocalStorage<string>();

/** Serves Bull Board at /queues, to operators who have signed in to the console. */
export async function mountBullBoard(app: NestFastifyApplication): Promise<void> {
  const config = app.get<Config>(CONFIG);
  const errors = app.get(ErrorFilter);
  const access = app.get(BullBoardAccess);
  const audit = app.get(QueueChangeAudit);
  const board = buildBoard(app, config);
  const fastify = app.getHttpAdapter().getInstance();
  await fastify.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      try {
        storeOperator(request, await access.check(request));
        return undefined;
      } catch (error) {
        const login =
          error instanceof PortageError && BEFORE_LOGIN.includes(error.code)
            ? access.loginOf(request)
            : undefined;
        if (login !== undefined) return reply.redirect(login);
        // Answered here, because the board would answer an error as 500 with its stack trace.
        errors.sendError(error, request, reply);
        return reply;
      }
    });
    scope.addHook('onSend', (_request, reply, payload, done) => {
      const isPage =
        typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html');
      done(
        null,
        isPage
          ? payload.replaceAll(EXTERNAL_LINKS, '').replace('</head>', `${HIDING_STYLE}</head>`)
          : payload,
      );
    });
    // After the body was read, and before the change: there is no change without an entry.
    scope.addHook('preHandler', async (request, reply) => {
      const change = boardChangeOf(request);
      if (!change) return undefined;
      try {
        await audit.record({ actor: actorOf(request), ...change });
        return undefined;
      } catch (error) {
        errors.sendError(error, request, reply);
        return reply;
      }
    });
    scope.addHook('preHandler', (request, _reply, done) => {
      currentActor.run(actorOf(request), done);
    });
    await scope.register(board.registerPlugin(), { prefix: BOARD_PATH });
    redirectToProcesses(scope, app.get(ViewProcess));
    serveBatchPages(scope, app.get(Queues));
  });
}

/** The operator of a request that was checked, as the audit records it. */
function actorOf(request: FastifyRequest): string {
  const operator = operatorOfRequest(request);
  if (!operator) throw new Error('A request to Bull Board was not checked.');
  return operator.actor;
}

function buildBoard(app: NestFastifyApplication, config: Config): BullBoardAdapter {
  const queues = app.get(Queues);
  const steering = app.get(SteerImportProcesses);
  const board = new BullBoardAdapter();
  board.setBasePath(BOARD_PATH);
  createBullBoard({
    queues: QUEUE_NAMES.map(
      (name) =>
        new ShownQueue(queues.get(name), {
          readOnlyMode: config.BULL_BOARD_READ_ONLY,
          processUrl,
          batchUrl: (jobId) => `${BOARD_PATH}${BATCHES}/${encodeURIComponent(jobId)}`,
          retry: async ({ name: job, data }) =>
            name === 'account-imports' &&
            job === 'import-account' &&
            steering.retryFailed(
              data as JobPayload<'account-imports', 'import-account'>,
              currentActor.getStore() ?? 'unknown',
            ),
        }),
    ),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Portage queues', sortQueues: false, hideDocsLink: true } },
  });
  // An error that an error handler throws goes to the handler of all routes. The board's own one answers each error
  // with 500 and its message.
  board.setErrorHandler((error) => {
    throw error;
  });
  return board;
}

/** A job names its account, and the console has the page of its process. */
function redirectToProcesses(scope: FastifyInstance, processes: ViewProcess): void {
  scope.get<{ Params: { supplier: string; number: string } }>(
    `${BOARD_PATH}${PROCESSES}/:supplier/:number`,
    { schema: { hide: true } as object },
    async ({ params }, reply) => {
      const { id } = await processes.readByNumber(params.supplier, params.number);
      const supplier = encodeURIComponent(params.supplier);
      return reply.redirect(`${CONSOLE_PATH}/suppliers/${supplier}/processes/${id}`);
    },
  );
}

function serveBatchPages(scope: FastifyInstance, queues: Queues): void {
  scope.get<{ Params: { jobId: string } }>(
    `${BOARD_PATH}${BATCHES}/:jobId`,
    { schema: { hide: true } as object },
    async ({ params: { jobId } }, reply) => {
      const job = await queues.get('account-imports').getJob(jobId);
      const batch = batchOf(job?.data);
      if (!batch)
        return reply
          .status(404)
          .send({ code: 'not_found', detail: `There is no job ${jobId} of a batch. It may have ended.` });
      return reply.type('text/html; charset=utf-8').send(importBatchPage(jobId, batch, processUrl));
    },
  );
}
