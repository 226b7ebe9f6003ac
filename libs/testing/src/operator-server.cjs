// The operator's command line as a server: loading it takes most of the second that a command lasts. Commands run one
// after the other, each with the environment that its request names. The address is sent to the parent process.
const { createServer } = require('node:http');
const { join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const CLI = join(__dirname, '..', '..', '..', 'dist', 'apps', 'cli', 'src');
require('reflect-metadata');
const { program } = require(join(CLI, 'program.js'));

let last = Promise.resolve();
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const { args, env } = JSON.parse(body);
    last = last.then(async () => response.end(JSON.stringify(await run(args, env))));
  });
});
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
process.on('disconnect', () => process.exit());

async function run(args, env) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  let stdout = '';
  const { write } = process.stdout;
  process.stdout.write = (text, ...rest) => {
    stdout += text;
    rest.find((one) => typeof one === 'function')?.();
    return true;
  };
  try {
    await program().parseAsync(['node', 'portage', ...args]);
    // A process takes this long to end. Meanwhile the API is notified of the change.
    await sleep(50);
    return { stdout };
  } catch (error) {
    return { stdout, error: error.stack ?? error.message };
  } finally {
    process.stdout.write = write;
  }
}
