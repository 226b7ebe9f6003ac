import { type Progress, type Step } from './progress';

/** Shows the steps every so often while `work` is under way, and once more when it has ended. */
export async function watched<T>(
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
