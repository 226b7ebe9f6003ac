import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { compileContract } from '@portage/account-schema';
import { httpTimeouts, loadConfig, Logger, reportFailedStart } from '@portage/platform';
import { WorkerModule } from './worker.module';

/** No route of the worker reads a body. */
const MAX_BODY_BYTES = 1_000;

const SIGNALS: NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];

/** A worker that stops exits at the latest as long after DRAIN_TIMEOUT_MS. */
const EXIT_AFTER_DRAIN_MS = 5_000;

/** Starts the worker, which processes jobs. It serves HTTP for health and metrics only. */
async function main(): Promise<void> {
  // oxlint-disable-next-line portage/no-environment -- the one place where this process reads its environment
  const config = loadConfig('worker', process.env);
  compileContract();
  const app = await NestFactory.create<NestFastifyApplication>(
    WorkerModule.with(config),
    new FastifyAdapter({
      ...httpTimeouts(config),
      bodyLimit: MAX_BODY_BYTES,
      routerOptions: { ignoreTrailingSlash: true },
      return503OnClosing: false,
    }),
    // A failed start is reported by one line.
    { bufferLogs: true, autoFlushLogs: false, abortOnError: false },
  );
  app.useLogger(app.get(Logger));
  app.flushLogs();
  app.enableShutdownHooks(SIGNALS, { useProcessExit: true });
  // A job or a connection that does not end must not keep the process.
  for (const signal of SIGNALS)
    process.once(signal, () => {
      setTimeout(() => process.exit(1), config.DRAIN_TIMEOUT_MS + EXIT_AFTER_DRAIN_MS).unref();
    });
  await app.listen(config.WORKER_PORT, config.WORKER_HOST);
  const { port } = app.getHttpServer().address() as { port: number };
  app.get(Logger).log('The worker is taking jobs.', { address: config.WORKER_HOST, port });
}

main().catch((error: unknown) => {
  reportFailedStart('worker', error);
  process.exit(1);
});
