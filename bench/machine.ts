import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { findRedisProgram } from '@portage/testing/installation';

/** Describes the machine and its servers in one line. */
export function describeMachine(postgres: string): string {
  const processors = cpus();
  const [{ model } = { model: 'processor' }] = processors;
  return [
    `${processors.length} cores (${model.trim()})`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${postgres}`,
    describeRedis(),
  ].join(', ');
}

function describeRedis(): string {
  const program = findRedisProgram();
  if (program === undefined) return 'no Redis';
  const version = /v=(\S+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[1];
  return `${program.replace('-server', '')} ${version}`;
}
