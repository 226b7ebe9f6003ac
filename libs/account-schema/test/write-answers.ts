/*
 * Writes every answer (error codes, paths, texts, warnings) about the sample books, the cases of all rules and warnings,
 * 20,000 mutations of them, and every value of every field, one a line. Run it before and after a change of the schema,
 * and compare the two files:
 *
 *   npx swc libs --out-dir dist/answers --copy-files && node dist/answers/libs/account-schema/test/write-answers.js FILE
 */
import 'reflect-metadata';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { createWriteStream, readFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { constraintsOf } from '../src/compiler/constraints';
import type { SchemaContext } from '../src/context';
import { contractClasses } from '../src/openapi/contract-shapes';
import { validateAccount, validateBody } from '../src/validate';
import { findWarnings } from '../src/warnings/find-warnings';
import { core } from './context';
import { mutated, mutatedExample, valuesOf } from './payloads';
import { contextOf, errorsOf } from './rules/answers-of';
import { RULE_CASES } from './rules/cases/all';
import { applyEdits, type RuleCase } from './rules/rule-case';
import { example, operatorContext } from './rules/settings';
import { WARNING_CASES } from './warnings/cases';

const MUTATIONS = 20_000;

const EXAMPLES = [
  '01-domestic-dual-fuel',
  '02-minimal',
  '03-business-two-addresses',
  '04-unknown-occupier',
  '05-ten-broken-rules',
  '06-broken-account-rules',
];

interface Subject {
  readonly name: string;
  readonly account: unknown;
  readonly context: SchemaContext;
}

/** The answer about an account: its errors, or its warnings and a digest of what is stored. */
function answerOf({ account, context }: Pick<Subject, 'account' | 'context'>): unknown {
  const result = validateAccount(account, context);
  if (!result.ok) return result;
  const stored = createHash('sha256').update(JSON.stringify(result.value)).digest('base64');
  return { warnings: findWarnings(result.value, context), stored, ignored: result.ignoredFields };
}

function* bookSubjects(): Generator<Subject> {
  const contexts = (['core', 'gb-energy'] as const).map((profile) => operatorContext(profile));
  for (const name of EXAMPLES)
    for (const context of contexts)
      yield { name: `${name} ${context.profile}`, account: example(name), context };
  for (const book of ['book', 'book-gb-energy']) {
    const lines = readFileSync(`examples/${book}.ndjson`, 'utf8').trimEnd().split('\n');
    for (const [i, line] of lines.entries()) {
      // A line of the sample book is no JSON.
      if (!line.endsWith('}')) continue;
      const parsed = JSON.parse(line) as { payload?: unknown };
      for (const context of [...contexts, core])
        yield {
          name: `${book} ${i + 1} ${context.profile}${context === core ? ' unconfigured' : ''}`,
          account: parsed.payload ?? parsed,
          context,
        };
    }
  }
}

function* caseSubjects(cases: readonly RuleCase[]): Generator<Subject> {
  for (const one of cases) {
    if (one.bodyName) continue;
    for (const kind of ['breakingEdits', 'holdingEdits'] as const)
      yield {
        name: `${one.code} ${one.at} ${kind}`,
        account: applyEdits(one.body(), one[kind]),
        context: contextOf(one),
      };
  }
}

async function main(path: string): Promise<void> {
  const file = createWriteStream(path);
  const write = (name: string, answer: unknown) => file.write(`${name} ${JSON.stringify(answer)}\n`);
  const subjects = [...bookSubjects(), ...caseSubjects([...RULE_CASES, ...WARNING_CASES])];
  for (const one of subjects) write(one.name, answerOf(one));
  for (const one of RULE_CASES) {
    write(`stored ${one.code} ${one.at} breaks`, await errorsOf(one, one.breakingEdits));
    write(`stored ${one.code} ${one.at} holds`, await errorsOf(one, one.holdingEdits));
  }
  for (let i = 0; i < MUTATIONS; i += 1) {
    const { name, account, context } = subjects[i % subjects.length] as Subject;
    const [mutation] = fc.sample(mutated(account), { seed: i, numRuns: 1 });
    write(`mutation ${i} of ${name}`, answerOf({ account: mutation, context }));
  }
  const contexts = [core, operatorContext('core'), operatorContext('gb-energy')];
  for (const type of contractClasses()) {
    for (const field of constraintsOf(type))
      for (const [i, value] of valuesOf(field).entries())
        write(`${type.name}.${field.property} ${i}`, validateBody(type, { [field.property]: value }, core));
    for (const [i, mutation] of fc.sample(mutatedExample(type), { seed: 1, numRuns: 50 }).entries())
      for (const context of contexts)
        write(`${type.name} ${i} ${context.profile}`, validateBody(type, mutation, context));
  }
  file.end();
  await finished(file);
}

void main(process.argv[2] ?? 'answers.txt');
