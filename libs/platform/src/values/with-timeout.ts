/** A promise has not settled in time. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/**
 * Settles as `promise` does, or rejects after `timeoutMs`. The work behind `promise` is not cancelled.
 *
 * @param buildError builds the error after the timeout
 */
export async function withTimeout<T>(
  timeoutMs: number,
  promise: Promise<T>,
  buildError: () => Error = () => new TimedOut(`No answer within ${timeoutMs} ms.`),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(buildError());
    }, timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
