/**
 * Writes to standard output and waits for a slow reader, so that unread output does not fill the memory (backpressure).
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
    stdout.write(text, (error) => {
      if (error) return;
      stdout.off('error', onError);
      resolve(true);
    });
  });
}
