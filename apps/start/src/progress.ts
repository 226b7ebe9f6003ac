import { escapeForTerminal } from '@portage/text';

/** Writes to standard output, with control, bidirectional and zero-width characters escaped. */
function print(text: string): void {
  process.stdout.write(escapeForTerminal(text));
}

/** Writes a line to standard output. */
export function printLine(line: string): void {
  print(`${line}\n`);
}

/** Writes a line to standard error, escaped like standard output. */
export function printMessage(line: string): void {
  process.stderr.write(escapeForTerminal(`${line}\n`));
}

/** Runs one step of the demo, and prints its name and duration. */
export async function runStep<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  print(`${name} ... `);
  try {
    const result = await work();
    printLine(`${((performance.now() - start) / 1_000).toFixed(1)} s`);
    return result;
  } catch (error) {
    printLine('failed');
    throw error;
  }
}
