import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@portage/testing';

const TIMEOUT_MS = 300_000;

/** The commands and settings of docs/operating.md on backups, with the folders of a test instead of those of the page. */
export class BackupPage {
  private readonly blocks: readonly string[];

  constructor(
    readonly folders: { backups: string; portage: string },
    /** The folder of pg_dump and its like. */
    private readonly tools: string,
    /** An option of pg_dump that the page names beside the command. */
    private readonly dumpOption: string | undefined,
  ) {
    const page = readFileSync(join(REPOSITORY, 'docs', 'operating.md'), 'utf8');
    const [, section = ''] = /^## Backup and restore\n(.*?)^## /ms.exec(page) ?? [];
    if (!section.includes(dumpOption ?? ''))
      throw new Error(`docs/operating.md does not name ${dumpOption}.`);
    this.blocks = [...section.matchAll(/^ *```(?:sh|ini)\n(.*?)^ *```$/gms)].map(([, block = '']) => block);
  }

  /** Runs the blocks that contain `commands` in one shell. @throws Error with its output if a command fails */
  async run(env: NodeJS.ProcessEnv, ...commands: readonly string[]): Promise<void> {
    const { PATH = '', HOME } = process.env;
    const script = commands.map((command) => this.block(command)).join('\n');
    await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
      cwd: REPOSITORY,
      env: { PATH: `${this.tools}:${PATH}`, HOME, ...env },
      timeout: TIMEOUT_MS,
    });
  }

  /** The settings of PostgreSQL in the block that contains `setting`. */
  settings(setting: string): Record<string, string> {
    const lines = this.block(setting).matchAll(/^ *(\w+) = '(.*)'$/gm);
    return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
  }

  private block(part: string): string {
    const block = this.blocks.find((one) => one.includes(part));
    if (block === undefined) throw new Error(`docs/operating.md has no commands with ${part}.`);
    return block
      .replace('pg_dump ', `pg_dump ${this.dumpOption ?? ''} `)
      .replaceAll('/var/backups/portage', this.folders.backups)
      .replaceAll('./.portage', this.folders.portage);
  }
}
