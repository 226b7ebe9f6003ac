import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of an installed Chromium, if there is one. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return ['chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((program) => existsSync(program));
}
