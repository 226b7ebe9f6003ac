import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Installation } from '@portage/testing';
import { buildMutatedRequest, type MutatedRequest, type RequestSource } from './mutated-request';
import { Random } from './random';

/** The number of concurrent requests. */
const CONCURRENCY = 12;
const MEMORY_SAMPLES = 8;

/** An answer that no request may get. `FUZZ_SEED` and the number reproduce the request. */
export interface Finding {
  number: number;
  route: string;
  problem: string;
}

export interface FuzzResult {
  findings: Finding[];
  /** The number of answers by route and status. */
  answers: Map<string, Map<number, number>>;
  slowestAnswerMs: number;
  /** Memory growth from the first quarter of the requests to the end, in bytes. */
  growth: Memory;
}

interface Memory {
  heap: number;
  resident: number;
}

/** Builds the request with this number. It depends only on the seed and the number. */
export function buildRequest(seed: number, number: number, source: RequestSource): MutatedRequest {
  return buildMutatedRequest(new Random((seed + Math.imul(number, 0x9e3779b1)) | 0), source);
}

/** Sends mutated requests to a running API and checks every answer. */
export async function fuzz(
  portage: Installation,
  source: RequestSource,
  { seed, requests, maxAnswerMs }: { seed: number; requests: number; maxAnswerMs: number },
): Promise<FuzzResult> {
  const findings: Finding[] = [];
  const answers: FuzzResult['answers'] = new Map();
  let slowestAnswerMs = 0;
  let next = 0;
  const sendUntil = async (end: number): Promise<void> => {
    while (next < end) {
      const number = next++;
      const request = buildRequest(seed, number, source);
      const { name } = request.route;
      const start = performance.now();
      let problem: string | undefined;
      try {
        const answer = await portage.send(request.method, request.path, request);
        problem = problemOf(request, answer);
        const ofRoute = answers.get(name) ?? new Map<number, number>();
        answers.set(name, ofRoute.set(answer.status, (ofRoute.get(answer.status) ?? 0) + 1));
      } catch (error) {
        problem = String(error);
      }
      const milliseconds = performance.now() - start;
      slowestAnswerMs = Math.max(slowestAnswerMs, milliseconds);
      if (milliseconds > maxAnswerMs) problem ??= `took ${Math.round(milliseconds)} ms`;
      if (problem) findings.push({ number, route: name, problem });
    }
  };
  const sendAll = async (end: number) =>
    Promise.all(Array.from({ length: CONCURRENCY }, async () => sendUntil(end)));
  // After the first quarter all modules are loaded and all caches are filled.
  await sendAll(Math.ceil(requests / 4));
  const before = await sampleMemory(portage);
  await sendAll(requests);
  const after = await sampleMemory(portage);
  const growth = { heap: after.heap - before.heap, resident: after.resident - before.resident };
  return { findings, answers, slowestAnswerMs, growth };
}

/** Describes an internal error or exposed internals in an answer; undefined if there are none. */
function problemOf({ route, method }: MutatedRequest, { status, body, text }: Answer): string | undefined {
  const code = String((body as { code?: unknown } | undefined)?.code);
  if (status >= 500 && !(method === route.method && route.statuses.includes(status) && code !== 'error'))
    return `${status} ${text.slice(0, 300)}`;
  if (status >= 400 && method !== 'HEAD' && typeof body !== 'object')
    return `${status} is not JSON: ${text.slice(0, 300)}`;
  if (/node_modules|\bat [\w.<>]+ \(|\.js:\d+|QueryFailed|SELECT |TypeError/.test(text))
    return `exposes internals: ${text.slice(0, 300)}`;
  return undefined;
}

/** The minimum of several samples, which excludes most of the memory that the garbage collector will free. */
async function sampleMemory(portage: Installation): Promise<Memory> {
  const samples: Memory[] = [];
  for (let count = 0; count < MEMORY_SAMPLES; count += 1) {
    const { text } = await portage.get('/metrics');
    samples.push({
      heap: gauge(text, 'nodejs_heap_size_used_bytes'),
      resident: gauge(text, 'process_resident_memory_bytes'),
    });
    await sleep(250);
  }
  return {
    heap: Math.min(...samples.map(({ heap }) => heap)),
    resident: Math.min(...samples.map(({ resident }) => resident)),
  };
}

function gauge(text: string, name: string): number {
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(text) ?? [];
  if (value === undefined) throw new Error(`There is no ${name} in the metrics.`);
  return Number(value);
}
