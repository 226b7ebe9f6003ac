import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Logger, PortageError } from '@portage/platform';
import type { FastifyInstance } from 'fastify';
import { sendFile, type StoredFile } from '../http/stored-file';
import { readConsoleFiles } from './console-files';

export const CONSOLE_PATH = '/console';

/** dist/console, beside dist/apps/api/src/console. */
const BUILT_FOLDER = join(__dirname, '..', '..', '..', '..', 'console');

/** Names below assets/ have a hash of their content, so a browser never has to ask for them again. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * Serves the operator's console: its files, and its page for every other address below /console/, because the page
 * itself finds what to show at an address. The files are public; everything that they show needs a session.
 */
export function serveConsole(app: NestFastifyApplication): void {
  const files = readConsoleFiles(BUILT_FOLDER);
  if (!files) {
    app.get(Logger).warn('The console was not built: there is nothing at /console/. Run npm run build.');
    return;
  }
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  const hidden = { schema: { hide: true } as object };
  const page = files.get('index.html') as StoredFile;

  // The router ignores a slash at the end, so this is /console/ as well.
  fastify.get(CONSOLE_PATH, hidden, (request, reply) => {
    const [path = '', query] = request.raw.url?.split('?') ?? [];
    if (path.endsWith('/')) return sendFile(page, request, reply);
    return reply.redirect(`${CONSOLE_PATH}/${query === undefined ? '' : `?${query}`}`, 308);
  });
  fastify.get<{ Params: { '*': string } }>(`${CONSOLE_PATH}/*`, hidden, (request, reply) => {
    const name = request.params['*'];
    if (!name.startsWith('assets/')) return sendFile(page, request, reply);
    const file = files.get(name);
    // A page of an older release can ask for a file that this release does not have.
    if (!file) throw new PortageError('not_found', 'The console has no such file. Load the page again.');
    void reply.header('Cache-Control', IMMUTABLE);
    return sendFile(file, request, reply);
  });
}
