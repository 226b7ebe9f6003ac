/** Writes a line to standard output. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs one step of the demo, and prints its name and duration. */
export async function runStep<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  process.stdout.write(`${name} ... `);
  try {
    const result = await work();
    printLine(`${((performance.now() - start) / 1_000).toFixed(1)} s`);
    return result;
  } catch (error) {
    printLine('failed');
    throw error;
  }
}
