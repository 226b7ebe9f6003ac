import { appendFileSync } from 'node:fs';

/** Why a suite cannot run on a machine, and what to install. */
export const MISSING = {
  redis:
    'no redis-server or valkey-server is on the PATH; install the Debian package redis-server or valkey-server',
  chromium: 'no chromium is on the PATH; install the Debian package chromium',
  prometheus: 'no prometheus and promtool are on the PATH; install the Debian package prometheus',
  alertmanager: 'no alertmanager is on the PATH; install the Debian package prometheus-alertmanager',
  llvm: 'no PostgreSQL 15 or later with LLVM is below /usr/lib/postgresql; install the Debian packages postgresql and, from version 18 on, postgresql-18-jit',
  python: 'no python3 is on the PATH; install the Debian package python3',
  kubectl:
    'no kustomize (4 or later) and no kubectl (1.21 or later) is on the PATH; install the program of one of their releases (the Debian package kubernetes-client is too old)',
} as const;

/**
 * Says on standard error what is not tested on this machine, and why. The command that runs the tests counts it and
 * repeats it in its last lines (scripts/skipped.mjs).
 */
export function announceSkipped(what: string, why: string): void {
  const line = `SKIPPED: ${what}, because ${why}.\n`;
  process.stderr.write(line);
  const file = process.env['SKIPPED_FILE'];
  if (file) appendFileSync(file, line);
}
