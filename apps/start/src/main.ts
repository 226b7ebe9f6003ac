import 'reflect-metadata';
import { Demo } from './demo';
import { printMessage } from './progress';
import { StartError } from './start-error';

/**
 * `npm start`: runs a complete installation on one machine and imports the sample book. `npm run dev` does the same with
 * `--watch`: API, worker and console follow changes of their sources.
 */
async function main(): Promise<number> {
  // Logs, reports and documents have personal data. The child processes inherit this.
  process.umask(0o077);
  // oxlint-disable-next-line portage/no-environment -- passed on to the child processes
  const demo = new Demo(process.argv.includes('--exit'), process.argv.includes('--watch'), process.env);
  let lastSignal = 0;
  const stop = () => {
    // npm forwards a signal that the terminal has already sent to this process.
    if (Date.now() - lastSignal < 1_000) return;
    if (lastSignal > 0) printMessage('Still stopping. Every process finishes its work first.');
    lastSignal = Date.now();
    demo.requestStop();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await demo.run();
  } catch (error) {
    const text =
      error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error);
    printMessage(String(text));
    return 1;
  } finally {
    await demo.stop();
  }
}

void main().then((status) => {
  process.exit(status);
});
