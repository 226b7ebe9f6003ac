import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter as BullBoardAdapter } from '@bull-board/fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CONFIG, type Config } from '@portage/config';
import { PortageError } from '@portage/domain';
import { Logger } from '@portage/observability';
import { QUEUE_NAMES, QueueBackend, queueSettings } from '@portage/queues';
import { ErrorFilter } from '../http/error-filter';
import { BullBoardAccess } from './bull-board-access';

const PATH = '/queues';

/** Shows the queues of either backend at /queues, to the operator only. Without a password there is no board. */
export async function mountBullBoard(app: NestFastifyApplication): Promise<void> {
  const config = app.get<Config>(CONFIG);
  if (!config.BULL_BOARD_PASSWORD) {
    app.get(Logger).warning('BULL_BOARD_PASSWORD is not set: there is no Bull Board.');
    return;
  }
  const backend = app.get(QueueBackend);
  const errors = app.get(ErrorFilter);
  const access = app.get(BullBoardAccess);
  const board = new BullBoardAdapter();
  board.setBasePath(PATH);
  createBullBoard({
    queues: QUEUE_NAMES.map(
      (name) =>
        new BullMQAdapter(backend.queue(name), {
          description: queueSettings[name].description,
          readOnlyMode: config.BULL_BOARD_READ_ONLY,
        }),
    ),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Portage queues' } },
  });
  const fastify = app.getHttpAdapter().getInstance();
  await fastify.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      try {
        await access.check(request);
        return undefined;
      } catch (error) {
        if (error instanceof PortageError && error.code === 'not_authenticated')
          void reply.header('WWW-Authenticate', 'Basic realm="Portage queues", charset="UTF-8"');
        // Not thrown on: the board answers errors in its own way, as 500 with their stack.
        errors.answer(error, request, reply);
        return reply;
      }
    });
    await scope.register(board.registerPlugin(), { prefix: PATH });
  });
}
