import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of the first of these programs that is installed. */
export function findProgram(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((program) => existsSync(program));
}

/** The path of an installed Chromium, if there is one. */
export function findChromium(): string | undefined {
  return findProgram('chromium', 'chromium-browser', 'google-chrome');
}
