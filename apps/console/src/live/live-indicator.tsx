import { Icon, type IconName } from '../design/icon';
import { type LiveState, useLiveState } from './live';

const LOOKS: Readonly<Record<LiveState, [label: string, icon: IconName, title: string]>> = {
  connecting: ['Connecting', 'loader', 'The stream of changes is being opened.'],
  live: ['Live', 'radio', 'Changes are shown as they happen.'],
  reconnecting: [
    'Reconnecting',
    'refresh-cw',
    'The stream of changes was interrupted. Figures are read every 5 s.',
  ],
  polling: ['Every 5 s', 'wifi-off', 'There is no stream of changes. Figures are read every 5 s.'],
};

/** Whether figures on the page renew themselves. */
export function LiveIndicator() {
  const state = useLiveState();
  const [label, icon, title] = LOOKS[state];
  return (
    <span className={`live live-${state}`} role="status" title={title}>
      <Icon name={icon} size={14} />
      {label}
    </span>
  );
}
