import 'reflect-metadata';
import { loadConfig, Logger, reportFailedStart } from '@portage/platform';
import { createApi } from './create-api';

/** Starts the API. It answers HTTP requests and stores accepted work; the worker processes it. */
async function main(): Promise<void> {
  // oxlint-disable-next-line portage/no-environment -- this process reads its environment here only
  const config = loadConfig('api', process.env);
  const app = await createApi(config);
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  await app.listen(config.API_PORT, config.API_HOST);
  const { port } = app.getHttpServer().address() as { port: number };
  app.get(Logger).log('The API is listening.', { address: config.API_HOST, port });
}

main().catch((error: unknown) => {
  reportFailedStart('API', error);
  process.exit(1);
});
