import { escapeForTerminal } from '@portage/text';

/**
 * Writes to standard output and waits for a slow reader, so that unread output does not fill the memory (backpressure).
 * Names, notes and payloads come from suppliers, so control, bidirectional and zero-width characters are escaped. Every
 * command prints through this module.
 *
 * @returns false once the reader has closed the pipe (`| head`)
 */
export async function print(text: string): Promise<boolean> {
  const { stdout } = process;
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') resolve(false);
      else reject(error);
    };
    stdout.once('error', onError);
    stdout.write(escapeForTerminal(text), (error) => {
      if (error) return;
      stdout.off('error', onError);
      resolve(true);
    });
  });
}

/** As {@link print}, without waiting for the reader, for short text such as the help. */
export function printShort(text: string): void {
  process.stdout.write(escapeForTerminal(text));
}

/** Writes a message to standard error, escaped like {@link print}. */
export function printMessage(text: string): void {
  process.stderr.write(escapeForTerminal(text));
}
