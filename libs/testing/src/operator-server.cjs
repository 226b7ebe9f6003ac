// The operator's command line as a server: loading it takes most of the second that a command lasts. Commands run one
// after the other, each with the environment of its request. The address is sent to the parent process.
const { createServer } = require('node:http');
const { join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const CLI = join(__dirname, '..', '..', '..', 'dist', 'apps', 'cli', 'src');
const MAIN = join(CLI, 'main.js');
require(join(CLI, 'program.js'));

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

/** Runs the program like a process of its own: it sets its exit status when it has ended. */
async function run(args, env) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, MAIN, ...args];
  process.exitCode = undefined;
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  try {
    delete require.cache[MAIN];
    require(MAIN);
    while (process.exitCode === undefined) await sleep(5);
    // A process takes this long to end. Meanwhile the API is notified of the change.
    await sleep(50);
    return { status: process.exitCode, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.exitCode = undefined;
    stdout.restore();
    stderr.restore();
  }
}

function capture(stream) {
  const { write } = stream;
  let captured = '';
  stream.write = (text, ...rest) => {
    captured += text;
    rest.find((one) => typeof one === 'function')?.();
    return true;
  };
  return { text: () => captured, restore: () => (stream.write = write) };
}
