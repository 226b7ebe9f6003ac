import { readFileSync } from 'node:fs';

const SAMPLE_MS = 20;

/** How much memory a process has at the moment, in bytes. NaN where there is no /proc. */
export function residentMemory(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1_024;
  } catch {
    return NaN;
  }
}

/** Looks at a process every 20 ms until it is told to stop; then it tells the most that it has seen. */
export function watchMemory(pid: number): { most(): number } {
  let most = residentMemory(pid);
  const look = () => {
    most = Math.max(most, residentMemory(pid));
  };
  const timer = setInterval(look, SAMPLE_MS);
  return {
    most: () => {
      clearInterval(timer);
      look();
      return most;
    },
  };
}
