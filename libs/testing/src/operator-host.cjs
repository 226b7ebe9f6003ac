// The operator's command line without its start: loading it takes most of the second that a command lasts. Commands
// come one after the other, with the environment that this process was started with.
const { join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const CLI = join(__dirname, '..', '..', '..', 'dist', 'apps', 'cli', 'src');
require('reflect-metadata');
const { program } = require(join(CLI, 'program.js'));

let last = Promise.resolve();
process.on('message', ({ id, args }) => {
  last = last.then(async () => process.send({ id, ...(await run(args)) }));
});
process.on('disconnect', () => process.exit());

async function run(args) {
  let stdout = '';
  const { write } = process.stdout;
  process.stdout.write = (text, ...rest) => {
    stdout += text;
    rest.find((one) => typeof one === 'function')?.();
    return true;
  };
  try {
    await program().parseAsync(['node', 'portage', ...args]);
    // As long as a process takes to end, in which what was changed is announced to the API.
    await sleep(50);
    return { stdout };
  } catch (error) {
    return { stdout, error: error.stack ?? error.message };
  } finally {
    process.stdout.write = write;
  }
}
