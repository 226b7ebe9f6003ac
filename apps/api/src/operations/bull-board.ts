import { createHash, timingSafeEqual } from 'node:crypto';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter as BullBoardAdapter } from '@bull-board/fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CONFIG, type Config } from '@portage/config';
import { PortageError } from '@portage/domain';
import { Logger } from '@portage/observability';
import { QUEUE_NAMES, QueueBackend, queueSettings } from '@portage/queues';
import { ErrorFilter } from '../http/error-filter';

const PATH = '/queues';

const hashed = (text: string) => createHash('sha256').update(text).digest();

/** Shows the queues of either backend at /queues, to the operator only. Without a password there is no board. */
export async function mountBullBoard(app: NestFastifyApplication): Promise<void> {
  const config = app.get<Config>(CONFIG);
  if (!config.BULL_BOARD_PASSWORD) {
    app.get(Logger).warning('BULL_BOARD_PASSWORD is not set: there is no Bull Board.');
    return;
  }
  const expected = hashed(`${config.BULL_BOARD_USER}:${config.BULL_BOARD_PASSWORD}`);
  const backend = app.get(QueueBackend);
  const errors = app.get(ErrorFilter);
  const board = new BullBoardAdapter();
  board.setBasePath(PATH);
  createBullBoard({
    queues: QUEUE_NAMES.map(
      (name) => new BullMQAdapter(backend.queue(name), { description: queueSettings[name].description }),
    ),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Portage queues' } },
  });
  const fastify = app.getHttpAdapter().getInstance();
  await fastify.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      const given = /^Basic +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
      // Hashes have one length, so comparing them takes the same time for every guess.
      if (timingSafeEqual(hashed(Buffer.from(given, 'base64').toString('utf8')), expected)) {
        done();
        return;
      }
      void reply.header('WWW-Authenticate', 'Basic realm="Portage queues", charset="UTF-8"');
      // Not handed to done(): the board answers errors in its own way, as 500 with their stack.
      errors.answer(
        new PortageError('not_authenticated', 'The queues are for operators: give user name and password.'),
        request,
        reply,
      );
    });
    await scope.register(board.registerPlugin(), { prefix: PATH });
  });
}
