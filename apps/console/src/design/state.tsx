import { formatCount, formatShare, humanise } from './format';
import { Icon, type IconName } from './icon';

export type Tone = 'calm' | 'busy' | 'held' | 'warn' | 'good' | 'bad';

interface Look {
  label: string;
  tone: Tone;
  icon: IconName;
  /** Class of the segment of a bar, which has a pattern of its own beside its colour. */
  segment: string;
}

/** The states of an import process, in the order in which bars and lists show them. */
const PROCESS_STATES: Readonly<Record<string, Look>> = {
  PROCESSED: { label: 'Processed', tone: 'good', icon: 'circle-check', segment: 'processed' },
  IN_PROGRESS: { label: 'In progress', tone: 'busy', icon: 'loader', segment: 'in-progress' },
  PENDING: { label: 'Pending', tone: 'calm', icon: 'clock', segment: 'pending' },
  DRY_RUN_SUCCEEDED: {
    label: 'Dry run succeeded',
    tone: 'held',
    icon: 'flask-conical',
    segment: 'dry-run-succeeded',
  },
  STAGED: { label: 'Staged', tone: 'held', icon: 'package', segment: 'staged' },
  DRY_RUN_ERRORED: {
    label: 'Dry run errored',
    tone: 'warn',
    icon: 'triangle-alert',
    segment: 'dry-run-errored',
  },
  ERRORED: { label: 'Errored', tone: 'bad', icon: 'octagon-x', segment: 'errored' },
  CANCELLED: { label: 'Cancelled', tone: 'calm', icon: 'ban', segment: 'cancelled' },
};

export const PROCESS_STATUS_NAMES = Object.keys(PROCESS_STATES).filter((name) => name !== 'STAGED');

/** States of everything else: suppliers, submissions, webhooks, breakers, components, keys, requests. */
const OTHER_STATES: Readonly<Record<string, [Tone, IconName]>> = {
  ongoing: ['good', 'circle-play'],
  paused: ['warn', 'circle-pause'],
  complete: ['calm', 'circle-check'],
  ok: ['good', 'circle-check'],
  down: ['bad', 'octagon-x'],
  closed: ['good', 'circle-check'],
  open: ['busy', 'loader'],
  breaker_open: ['bad', 'octagon-x'],
  'half-open': ['warn', 'triangle-alert'],
  half_open: ['warn', 'triangle-alert'],
  unknown: ['calm', 'circle-dashed'],
  enabled: ['good', 'circle-check'],
  disabled: ['bad', 'circle-pause'],
  active: ['good', 'circle-check'],
  revoked: ['calm', 'ban'],
  receiving: ['busy', 'loader'],
  received: ['busy', 'loader'],
  importing: ['busy', 'loader'],
  processing: ['busy', 'loader'],
  in_progress: ['busy', 'loader'],
  validating: ['busy', 'loader'],
  running: ['busy', 'loader'],
  finished: ['good', 'circle-check'],
  reconciled: ['good', 'circle-check'],
  completed: ['good', 'circle-check'],
  done: ['good', 'circle-check'],
  sent: ['good', 'circle-check'],
  delivered: ['good', 'circle-check'],
  answered: ['good', 'circle-check'],
  unanswered: ['bad', 'octagon-x'],
  succeeded: ['good', 'circle-check'],
  aborted: ['warn', 'ban'],
  aborting: ['warn', 'loader'],
  rolled_back: ['warn', 'undo-2'],
  rolling_back: ['warn', 'loader'],
  failed: ['bad', 'octagon-x'],
  errored: ['bad', 'octagon-x'],
  pending: ['calm', 'clock'],
  waiting: ['calm', 'clock'],
  cancelled: ['calm', 'ban'],
};

export function lookOf(state: string): Look {
  const process = PROCESS_STATES[state.toUpperCase()];
  if (process) return process;
  const [tone, icon] = OTHER_STATES[state.toLowerCase()] ?? (['calm', 'circle-dashed'] as const);
  return { label: state === 'ok' ? 'OK' : humanise(state), tone, icon, segment: 'other' };
}

/** A state as icon and label, with its colour. */
export function StateChip({ state, label }: { state: string; label?: string }) {
  const look = lookOf(state);
  return <Chip tone={look.tone} icon={look.icon} label={label ?? look.label} />;
}

export function Chip({ tone, icon, label }: { tone: Tone; icon: IconName; label: string }) {
  return (
    <span className={`chip tone-${tone}`}>
      <Icon name={icon} size={13} />
      {label}
    </span>
  );
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
export function StateBar({
  states,
  thick = false,
}: {
  states: Readonly<Record<string, number>>;
  thick?: boolean;
}) {
  const counted = countedStates(states);
  const total = counted.reduce((sum, [, , count]) => sum + count, 0);
  const text = counted.map(([, look, count]) => `${look.label} ${formatCount(count)}`).join(', ');
  return (
    <div
      className={thick ? 'state-bar thick' : 'state-bar'}
      role="img"
      aria-label={total > 0 ? text : 'No accounts yet'}
    >
      {counted.map(([name, look, count]) => (
        <span
          key={name}
          className={`segment segment-${look.segment}`}
          style={{ flexGrow: count }}
          title={`${look.label}: ${formatCount(count)} (${formatShare(count / total)})`}
        />
      ))}
    </div>
  );
}

/** The counts of a bar with the mark of their segment. */
export function StateLegend({
  states,
  most = 8,
}: {
  states: Readonly<Record<string, number>>;
  most?: number;
}) {
  const counted = countedStates(states);
  if (counted.length === 0) return <p className="muted small">No accounts yet</p>;
  return (
    <ul className="legend">
      {counted.slice(0, most).map(([name, look, count]) => (
        <li key={name}>
          <span className={`key segment-${look.segment}`} aria-hidden="true" />
          <span className="muted">{look.label}</span> <b>{formatCount(count)}</b>
        </li>
      ))}
    </ul>
  );
}
