import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../until';
import { Guard } from './guard';

/** A server, which its test does not stop. */
const server = () => spawn('sleep', ['60'], { stdio: 'ignore' });

describe('the guard of servers', () => {
  it('ends servers and removes their files once its input ends, as it does with the process of the test', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'portage-guard-'));
    const [redis, postgres] = [server(), server()];
    mkdirSync(join(directory, 'postgres'));
    writeFileSync(join(directory, 'postgres', 'postmaster.pid'), `${postgres.pid}\n`);
    const ended = Promise.all([redis, postgres].map(async (one) => once(one, 'exit')));
    const guard = new Guard(directory);
    guard.add(redis.pid!);
    guard.end();
    expect(await ended).toEqual([
      [null, 'SIGQUIT'],
      [null, 'SIGQUIT'],
    ]);
    await until(() => !existsSync(directory), 'the files are still there');
  });

  it('leaves them as they are after an orderly stop', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'portage-guard-'));
    const redis = server();
    const guard = new Guard(directory);
    guard.add(redis.pid!);
    await guard.stop();
    expect([redis.exitCode, redis.signalCode, existsSync(directory)]).toEqual([null, null, true]);
    redis.kill();
  });
});
