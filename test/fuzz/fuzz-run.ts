import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, TestPortage } from '@portage/testing';
import { type Fuel, type MutatedRequest, mutatedRequest } from './mutated-request';
import { Random } from './random';

/** Answers that are waited for at once. */
const CONCURRENCY = 12;
const MEMORY_SAMPLES = 8;

/** An answer that no request may get, with what repeats it: `FUZZ_SEED` and the number. */
export interface Finding {
  number: number;
  route: string;
  what: string;
}

export interface FuzzResult {
  findings: Finding[];
  /** How often each route gave each status. */
  answers: Map<string, Map<number, number>>;
  slowestAnswerMs: number;
  /** Growth between the first quarter and the end, in bytes. */
  growth: Memory;
}

interface Memory {
  heap: number;
  resident: number;
}

/** The request of a number, again and again the same for a seed. */
export function requestOf(seed: number, number: number, fuel: Fuel): MutatedRequest {
  return mutatedRequest(new Random((seed + Math.imul(number, 0x9e3779b1)) | 0), fuel);
}

/** Sends so many mutated requests to a running API, and looks at every answer. */
export async function fuzz(
  portage: TestPortage,
  fuel: Fuel,
  { seed, requests, maxAnswerMs }: { seed: number; requests: number; maxAnswerMs: number },
): Promise<FuzzResult> {
  const findings: Finding[] = [];
  const answers: FuzzResult['answers'] = new Map();
  let slowestAnswerMs = 0;
  let next = 0;
  const sendUntil = async (end: number): Promise<void> => {
    while (next < end) {
      const number = next++;
      const request = requestOf(seed, number, fuel);
      const { name } = request.route;
      const start = performance.now();
      let what: string | undefined;
      try {
        const answer = await portage.send(request.method, request.path, request);
        what = problemOf(request, answer);
        const ofRoute = answers.get(name) ?? new Map<number, number>();
        answers.set(name, ofRoute.set(answer.status, (ofRoute.get(answer.status) ?? 0) + 1));
      } catch (error) {
        what = String(error);
      }
      const milliseconds = performance.now() - start;
      slowestAnswerMs = Math.max(slowestAnswerMs, milliseconds);
      if (milliseconds > maxAnswerMs) what ??= `took ${Math.round(milliseconds)} ms`;
      if (what) findings.push({ number, route: name, what });
    }
  };
  const sendAll = async (end: number) =>
    Promise.all(Array.from({ length: CONCURRENCY }, async () => sendUntil(end)));
  // What every route loads and every cache keeps is there after the first quarter.
  await sendAll(Math.ceil(requests / 4));
  const before = await leastMemory(portage);
  await sendAll(requests);
  const after = await leastMemory(portage);
  const growth = { heap: after.heap - before.heap, resident: after.resident - before.resident };
  return { findings, answers, slowestAnswerMs, growth };
}

/** What is wrong with an answer, whatever was asked: a fault, or something internal that shows. */
function problemOf({ route, method }: MutatedRequest, { status, body, text }: Answer): string | undefined {
  const code = String((body as { code?: unknown } | undefined)?.code);
  if (status >= 500 && !(method === route.method && route.statuses.includes(status) && code !== 'error'))
    return `${status} ${text.slice(0, 300)}`;
  if (status >= 400 && method !== 'HEAD' && typeof body !== 'object')
    return `${status} is not JSON: ${text.slice(0, 300)}`;
  if (/node_modules|\bat [\w.<>]+ \(|\.js:\d+|QueryFailed|SELECT |TypeError/.test(text))
    return `shows ${text.slice(0, 300)}`;
  return undefined;
}

/** Garbage comes and goes: the least of some samples is what is held. */
async function leastMemory(portage: TestPortage): Promise<Memory> {
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
