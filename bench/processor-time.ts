import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

interface ProcessStat {
  parent: number;
  /** Milliseconds in user and kernel mode. */
  own: number;
  /** Milliseconds of children that have ended. */
  endedChildren: number;
}

/**
 * CPU time of a process and all its children, including ended ones, in milliseconds since its start. PostgreSQL has a
 * postmaster and one child per connection. NaN on a system without /proc.
 */
export function processorTime(pid: number): number {
  const root = readStat(pid);
  if (!root) return NaN;
  let sum = root.own + root.endedChildren;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const child = readStat(Number(entry));
    if (child?.parent === pid) sum += child.own + child.endedChildren;
  }
  return sum;
}

function readStat(pid: number): ProcessStat | undefined {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The program name is in parentheses and may contain any character. The text after it starts with field 3.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    parent: field(4),
    own: (field(14) + field(15)) * MS_PER_TICK,
    endedChildren: (field(16) + field(17)) * MS_PER_TICK,
  };
}
