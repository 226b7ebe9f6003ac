import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, whatever its clock does. */
const MS_A_TICK = 10;

interface Stat {
  parent: number;
  /** Milliseconds, in user mode and in the kernel. */
  own: number;
  /** Of children that have ended. */
  ended: number;
}

/**
 * Processor time of a process and of all that it has started, also of what has ended since: milliseconds since its
 * start. PostgreSQL is its postmaster and a child a connection. NaN where there is no /proc.
 */
export function processorTime(pid: number): number {
  const root = stat(pid);
  if (!root) return NaN;
  let sum = root.own + root.ended;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const child = stat(Number(entry));
    if (child?.parent === pid) sum += child.own + child.ended;
  }
  return sum;
}

function stat(pid: number): Stat | undefined {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name of the program stands in brackets and may contain anything. What follows begins with field 3.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    parent: field(4),
    own: (field(14) + field(15)) * MS_A_TICK,
    ended: (field(16) + field(17)) * MS_A_TICK,
  };
}
