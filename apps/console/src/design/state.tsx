import { Badge, Group } from '@mantine/core';
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CirclePlay,
  Clock,
  FlaskConical,
  Loader,
  type LucideIcon,
  OctagonX,
  Package,
  TriangleAlert,
} from 'lucide-react';
import type { CSSProperties } from 'react';
import { formatCount, formatShare, humanise } from './format';

/** A tone's colour, from console.css. */
export const colorOf = (tone: Tone): string => `var(--${tone})`;

export type Tone = 'calm' | 'busy' | 'held' | 'warn' | 'good' | 'bad';

interface Look {
  label: string;
  tone: Tone;
  icon: LucideIcon;
  /** The stripes of its segment of a bar, by their angle; or only an outline. Otherwise it is filled. */
  pattern?: string;
}

/** The states of an import process, in the order in which bars and lists show them. */
const PROCESS_STATES: Readonly<Record<string, Look>> = {
  PROCESSED: { label: 'Processed', tone: 'good', icon: CircleCheck },
  IN_PROGRESS: { label: 'In progress', tone: 'busy', icon: Loader, pattern: '90deg' },
  PENDING: { label: 'Pending', tone: 'calm', icon: Clock },
  DRY_RUN_SUCCEEDED: { label: 'Dry run succeeded', tone: 'held', icon: FlaskConical, pattern: '0deg' },
  STAGED: { label: 'Staged', tone: 'held', icon: Package },
  DRY_RUN_ERRORED: { label: 'Dry run errored', tone: 'warn', icon: TriangleAlert, pattern: '45deg' },
  ERRORED: { label: 'Errored', tone: 'bad', icon: OctagonX, pattern: '-45deg' },
  CANCELLED: { label: 'Cancelled', tone: 'calm', icon: Ban, pattern: 'hollow' },
};

export const PROCESS_STATUS_NAMES = Object.keys(PROCESS_STATES).filter((name) => name !== 'STAGED');

/** States of everything else: suppliers, submissions, webhooks, breakers, components, corrections, requests. */
const OTHER_STATES: Readonly<Record<string, [Tone, LucideIcon]>> = {
  ongoing: ['good', CirclePlay],
  paused: ['warn', CirclePause],
  complete: ['calm', CircleCheck],
  ok: ['good', CircleCheck],
  down: ['bad', OctagonX],
  closed: ['good', CircleCheck],
  open: ['busy', Loader],
  breaker_open: ['bad', OctagonX],
  'half-open': ['warn', TriangleAlert],
  not_configured: ['calm', CircleDashed],
  unknown: ['calm', CircleDashed],
  unverified: ['warn', TriangleAlert],
  enabled: ['good', CircleCheck],
  disabled: ['bad', CirclePause],
  received: ['busy', Loader],
  awaiting_release: ['held', FlaskConical],
  finished: ['good', CircleCheck],
  reconciled: ['good', CircleCheck],
  done: ['good', CircleCheck],
  answered: ['good', CircleCheck],
  stored: ['good', CircleCheck],
  refused: ['bad', OctagonX],
  unavailable: ['bad', OctagonX],
  missing: ['bad', OctagonX],
  unanswered: ['bad', OctagonX],
  succeeded: ['good', CircleCheck],
  aborted: ['warn', Ban],
  failed: ['bad', OctagonX],
  waiting: ['calm', Clock],
  unchanged: ['good', CircleCheck],
  correcting: ['busy', Loader],
  corrected: ['good', CircleCheck],
  would_correct: ['held', FlaskConical],
  correction_errored: ['bad', OctagonX],
};

export function lookOf(state: string): Look {
  const process = PROCESS_STATES[state.toUpperCase()];
  if (process) return process;
  const [tone, icon] = OTHER_STATES[state.toLowerCase()] ?? (['calm', CircleDashed] as const);
  return { label: state === 'ok' ? 'OK' : humanise(state), tone, icon };
}

/** A state as icon and label, with its colour, and the code of the error that has led to it. */
export function StateChip(props: { state: string; label?: string; error?: string | null }) {
  const { state, label, error = null } = props;
  const look = lookOf(state);
  return (
    <>
      <Chip tone={look.tone} icon={look.icon} label={label ?? look.label} />{' '}
      {error !== null && <code className="small">{error}</code>}
    </>
  );
}

export function Chip({ tone, icon: Icon, label }: { tone: Tone; icon: LucideIcon; label: string }) {
  return (
    <Badge className={`tone-${tone}`} color={colorOf(tone)} variant="light" leftSection={<Icon size={13} />}>
      {label}
    </Badge>
  );
}

/** How the segment of a state looks, and its key in the legend. */
function segmentOf({ tone, pattern }: Look): { className: string; style: CSSProperties } {
  const style = { '--tone': colorOf(tone), '--angle': pattern } as CSSProperties;
  if (pattern === undefined || pattern === 'hollow') return { className: `segment ${pattern ?? ''}`, style };
  return { className: 'segment striped', style };
}

/** The counts of all states that have any, in their order. */
function countedStates(
  states: Readonly<Record<string, number>>,
): [name: string, look: Look, count: number][] {
  const order = Object.keys(PROCESS_STATES);
  const place = (name: string) => {
    const index = order.indexOf(name.toUpperCase());
    return index < 0 ? order.length : index;
  };
  return Object.entries(states)
    .filter(([, count]) => count > 0)
    .sort(([one], [other]) => place(one) - place(other))
    .map(([name, count]) => [name, lookOf(name), count]);
}

/** A bar of the shares of all states; the same as text for assistive technology. */
export function StateBar({ states }: { states: Readonly<Record<string, number>> }) {
  const counted = countedStates(states);
  const total = counted.reduce((sum, [, , count]) => sum + count, 0);
  const text = counted.map(([, look, count]) => `${look.label} ${formatCount(count)}`).join(', ');
  return (
    <div className="state-bar" role="img" aria-label={total > 0 ? text : 'No accounts yet'}>
      {counted.map(([name, look, count]) => {
        const { className, style } = segmentOf(look);
        return (
          <span
            key={name}
            className={className}
            style={{ ...style, flexGrow: count }}
            title={`${look.label}: ${formatCount(count)} (${formatShare(count / total)})`}
          />
        );
      })}
    </div>
  );
}

/** The counts of a bar with the mark of their segment. */
export function StateLegend({ states }: { states: Readonly<Record<string, number>> }) {
  const counted = countedStates(states);
  if (counted.length === 0) return <p className="muted small">No accounts yet</p>;
  return (
    <Group component="ul" gap="xs" className="small">
      {counted.map(([name, look, count]) => {
        const { className, style } = segmentOf(look);
        return (
          <li key={name}>
            <span className={`key ${className}`} style={style} aria-hidden="true" />{' '}
            <span className="muted">{look.label}</span> <b>{formatCount(count)}</b>
          </li>
        );
      })}
    </Group>
  );
}
