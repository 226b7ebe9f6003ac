import { Badge } from '@mantine/core';
import { Loader, type LucideIcon, Radio, RefreshCw, WifiOff } from 'lucide-react';
import { colorOf } from '../design/state';
import { type LiveState, useLiveState } from './live';

const LOOKS: Readonly<Record<LiveState, [label: string, icon: LucideIcon, title: string]>> = {
  connecting: ['Connecting', Loader, 'The stream of changes is being opened.'],
  live: ['Live', Radio, 'Changes are shown as they happen.'],
  reconnecting: [
    'Reconnecting',
    RefreshCw,
    'The stream of changes was interrupted. Figures are read every 5 s.',
  ],
  polling: ['Every 5 s', WifiOff, 'There is no stream of changes. Figures are read every 5 s.'],
};

/** Whether figures on the page renew themselves. */
export function LiveIndicator() {
  const state = useLiveState();
  const [label, Icon, title] = LOOKS[state];
  return (
    <Badge
      role="status"
      title={title}
      variant="light"
      color={colorOf(state === 'live' ? 'good' : 'warn')}
      leftSection={<Icon size={14} />}
    >
      {label}
    </Badge>
  );
}
