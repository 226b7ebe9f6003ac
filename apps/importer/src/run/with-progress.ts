import type { Progress, Step } from './progress';

/** Runs `work` and shows its steps every `everyMs`, and once more when it has ended. */
export async function withProgress<T>(
  progress: Progress,
  everyMs: number,
  steps: () => Step[],
  work: () => Promise<T>,
): Promise<T> {
  const showing = setInterval(() => {
    progress.show(steps());
  }, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(showing);
    progress.show(steps());
  }
}
