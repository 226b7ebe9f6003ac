import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { processorTime } from './processor-time';

const onLinux = existsSync('/proc/self/stat') ? it : it.skip;

describe('CPU time', () => {
  onLinux('includes children that have ended', () => {
    const before = processorTime(process.pid);
    const burn = 'const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);';
    execFileSync(process.execPath, ['-e', burn]);
    expect(processorTime(process.pid) - before).toBeGreaterThan(250);
  });

  it('is NaN for a process that does not exist', () => {
    expect(processorTime(2 ** 30)).toBeNaN();
  });
});
