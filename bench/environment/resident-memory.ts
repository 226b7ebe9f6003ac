import { readFileSync } from 'node:fs';

const SAMPLE_INTERVAL_MS = 20;

/** The current resident memory of a process in bytes. NaN on a system without /proc. */
export function residentMemory(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1_024;
  } catch {
    return NaN;
  }
}

/** Samples the memory of a process every 20 ms until `peak` is called, which returns the maximum. */
export function watchMemory(pid: number): { peak(): number } {
  let peak = residentMemory(pid);
  const sample = () => {
    peak = Math.max(peak, residentMemory(pid));
  };
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS);
  return {
    peak: () => {
      clearInterval(timer);
      sample();
      return peak;
    },
  };
}
