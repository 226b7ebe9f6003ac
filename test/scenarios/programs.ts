import { execFile } from 'node:child_process';

const TIMEOUT_MS = 120_000;

/** Runs a program to its end. @returns its status and what it has printed */
export async function runProgram(
  program: string,
  args: readonly string[],
  { env, timeoutMs = TIMEOUT_MS }: { env: NodeJS.ProcessEnv; timeoutMs?: number },
): Promise<{ status: number; output: string }> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, ...args],
      { env: { PATH, HOME, ...env }, timeout: timeoutMs },
      (error, stdout, stderr) => {
        const output = stdout + stderr;
        if (error && typeof error.code !== 'number') reject(new Error(output, { cause: error }));
        else resolve({ status: Number(error?.code ?? 0), output });
      },
    );
  });
}

/** Runs a program that is expected to fail. @returns what it has printed */
export async function failureOf(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const { status, output } = await runProgram(program, args, { env });
  if (status === 0) throw new Error(`${program} did not fail.`);
  return output;
}
