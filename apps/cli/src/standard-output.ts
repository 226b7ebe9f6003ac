/**
 * Writes to standard output and waits while the reader is slow, so that what is still unread takes no memory.
 *
 * @returns false once the reader has gone (`| head`): there is nobody left to write for
 */
export async function print(text: string): Promise<boolean> {
  const { stdout } = process;
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') resolve(false);
      else reject(error);
    };
    stdout.once('error', failed);
    stdout.write(text, (error) => {
      if (error) return;
      stdout.off('error', failed);
      resolve(true);
    });
  });
}
