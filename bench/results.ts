import type { Findings, Goal, Table } from './measures/measure';
import { spread } from './statistics';

const HEADING = `# Results of the benchmarks

Written by \`npm run bench\`, a section each time its measure runs; [docs/performance.md](../docs/performance.md) says what they mean. Contenders take turns within one run; figures are medians, with the least and the most in brackets. Read the ratios: absolute figures move from machine to machine.
`;

export interface Section {
  readonly name: string;
  readonly title: string;
  readonly when: Date;
  readonly machine: string;
  readonly rounds: number;
  readonly findings: Findings;
}

/** The page with the section of one measure in the place of its former one; sections stand in the order of `names`. */
export function withSection(page: string, section: Section, names: readonly string[]): string {
  const sections = new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((text) => [text.slice(0, text.indexOf('\n')).trim(), text.trim()]),
  );
  sections.set(section.name, sectionText(section));
  const inOrder = names.flatMap((name) => sections.get(name) ?? []);
  return [HEADING, ...inOrder.map((text) => `## ${text}\n`)].join('\n');
}

/** Whether a goal is met, and with how much to spare. */
export function verdict(goal: Goal): string {
  const limit = 'atLeast' in goal ? goal.atLeast : goal.atMost;
  if (Number.isNaN(goal.found)) return 'unknown';
  if (limit === 0) return isMet(goal) ? 'met' : 'missed';
  const percent = Math.round((Math.abs(goal.found - limit) / limit) * 100);
  return isMet(goal) ? `met, ${percent} % to spare` : `missed by ${percent} %`;
}

function isMet(goal: Goal): boolean {
  return 'atLeast' in goal ? goal.found >= goal.atLeast : goal.found <= goal.atMost;
}

/** As many digits as say something. */
export function figure(value: number): string {
  if (Number.isNaN(value)) return '-';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The median of several rounds, with both ends. */
export function figures(values: readonly number[]): string {
  const { median, least, most } = spread(values);
  return values.length < 2 ? figure(median) : `${figure(median)} (${figure(least)} to ${figure(most)})`;
}

/** What stands below the heading of a measure, its name first. */
export function sectionText({ name, title, when, machine, rounds, findings }: Section): string {
  const made = `${when.toISOString().slice(0, 16).replace('T', ' ')} UTC on ${machine}; ${rounds === 1 ? 'one round' : `${rounds} rounds`}.`;
  const { load, tables, goals } = findings;
  return [
    name,
    `${title}. ${load}`,
    made,
    ...tables.map(tableText),
    ...(goals.length > 0 ? [goalsText(goals)] : []),
  ].join('\n\n');
}

function goalsText(goals: readonly Goal[]): string {
  const rows = goals.map((goal) => {
    const unit = goal.unit === undefined ? '' : ` ${goal.unit}`;
    const wanted =
      'atLeast' in goal ? `at least ${figure(goal.atLeast)}${unit}` : `at most ${figure(goal.atMost)}${unit}`;
    return [goal.what, wanted, `${figure(goal.found)}${unit}`, verdict(goal)];
  });
  const reasons = goals.flatMap((goal) =>
    goal.inTheWay === undefined || isMet(goal) ? [] : [`What is in the way (${goal.what}): ${goal.inTheWay}`],
  );
  return [tableText({ columns: ['goal', 'wanted', 'found', ''], rows }), ...reasons].join('\n\n');
}

function tableText({ caption, columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const text = [columns, columns.map(() => '---'), ...rows].map(line).join('\n');
  return caption === undefined ? text : `${caption}:\n\n${text}`;
}
