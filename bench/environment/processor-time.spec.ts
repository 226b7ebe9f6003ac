import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { processorTime } from './processor-time';

const onLinux = existsSync('/proc/self/stat') ? it : it.skip;

describe('processor time', () => {
  onLinux('has that of children which have ended in it', () => {
    const before = processorTime(process.pid);
    const burn = 'const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);';
    execFileSync(process.execPath, ['-e', burn]);
    expect(processorTime(process.pid) - before).toBeGreaterThan(250);
  });

  it('is not a number for a process that does not exist', () => {
    expect(processorTime(2 ** 30)).toBeNaN();
  });
});
