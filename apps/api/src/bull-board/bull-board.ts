import { createBullBoard } from '@bull-board/api';
import { FastifyAdapter as BullBoardAdapter } from '@bull-board/fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ViewProcess } from '@portage/operators';
import { type ErrorCode, PortageError, QUEUE_NAMES, Queues } from '@portage/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CONSOLE_PATH } from '../console/serve-console';
import { ErrorFilter } from '../http/error-filter';
import { OperatorAccess } from '../operator/operator-access';
import { showQueue } from './show-queue';

const BOARD_PATH = '/queues';
const PROCESSES_PATH = `${BOARD_PATH}/import-processes`;

/** The page of the library loads its fonts from another host. */
const EXTERNAL_LINKS = /<link\b[^>]*\bhref="(https?:)?\/\/[^>]*>/gi;

/** Errors after which a browser is sent to the login. */
const BEFORE_LOGIN: readonly ErrorCode[] = ['operator_session_required', 'password_change_required'];

/**
 * Serves Bull Board at /queues, to operators who have signed in to the console. It only shows the queues: jobs are derived
 * from stored processes, which the console and the command line pause, retry and cancel.
 */
export async function mountBullBoard(app: NestFastifyApplication): Promise<void> {
  const errors = app.get(ErrorFilter);
  const access = app.get(OperatorAccess);
  const queues = app.get(Queues);
  const board = buildBoard(queues);
  const fastify = app.getHttpAdapter().getInstance();
  await fastify.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      try {
        request.operator = await access.authenticate(request);
        if (request.method !== 'GET' && request.method !== 'HEAD')
          throw new PortageError(
            'method_not_allowed',
            'Bull Board only shows the queues. The console pauses queues, and retries and cancels imports.',
          );
        // The board itself would wait for as long as the queue does not answer.
        if (request.url.startsWith(`${BOARD_PATH}/api/`) && !(await queues.isReachable()))
          throw new PortageError('unavailable', 'The queue does not answer. Try again later.');
        return undefined;
      } catch (error) {
        if (error instanceof PortageError && BEFORE_LOGIN.includes(error.code) && isPage(request))
          return reply.redirect(`${CONSOLE_PATH}/login?next=${encodeURIComponent(request.url)}`);
        // Answered here, because the board would answer an error as 500 with its stack trace.
        errors.sendError(error, request, reply);
        return reply;
      }
    });
    scope.addHook('onSend', (_request, reply, payload, done) => {
      const isHtml =
        typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html');
      done(null, isHtml ? payload.replaceAll(EXTERNAL_LINKS, '') : payload);
    });
    await scope.register(board.registerPlugin(), { prefix: BOARD_PATH });
    redirectToProcesses(scope, app.get(ViewProcess));
  });
}

function isPage({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true;
}

function buildBoard(queues: Queues): BullBoardAdapter {
  const board = new BullBoardAdapter();
  board.setBasePath(BOARD_PATH);
  createBullBoard({
    queues: QUEUE_NAMES.map((name) =>
      showQueue(queues.get(name), {
        process: (supplier, number) =>
          `${PROCESSES_PATH}/${encodeURIComponent(supplier)}/${encodeURIComponent(number)}`,
        processes: (supplier) => `${CONSOLE_PATH}/suppliers/${encodeURIComponent(supplier)}/processes`,
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
    `${PROCESSES_PATH}/:supplier/:number`,
    { schema: { hide: true } as object },
    async ({ params }, reply) => {
      const { id } = await processes.readByNumber(params.supplier, params.number);
      const supplier = encodeURIComponent(params.supplier);
      return reply.redirect(`${CONSOLE_PATH}/suppliers/${supplier}/processes/${id}`);
    },
  );
}
