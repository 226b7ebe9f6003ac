import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Loader, Radio, WifiOff } from 'lucide-react';
import { formatTimeOfDay } from '../design/format';
import { colorOf } from '../design/state';
import { useNow } from '../design/time';
import { overviewQuery } from '../overview/overview-query';

/** Figures that are older than this are not live, also if no read has failed yet. */
const MAX_AGE_MS = 10_000;

/** Whether the figures are those of this moment. False while reads fail or are not answered. */
export function useIsLive(): boolean {
  const { data, isError, dataUpdatedAt } = useQuery(overviewQuery);
  const now = useNow();
  return data !== undefined && !isError && now - dataUpdatedAt < MAX_AGE_MS;
}

/** Whether figures are renewed, on every page. */
export function LiveIndicator() {
  const { dataUpdatedAt, isPending } = useQuery(overviewQuery);
  const isLive = useIsLive();
  const [label, Icon, tone, title] = isLive
    ? (['Live', Radio, 'good', 'Figures are read every 2 s.'] as const)
    : isPending
      ? (['Connecting', Loader, 'warn', 'Figures are being read.'] as const)
      : (['Not live', WifiOff, 'bad', notReadSince(dataUpdatedAt)] as const);
  return (
    <Badge role="status" title={title} variant="light" color={colorOf(tone)} leftSection={<Icon size={14} />}>
      {label}
    </Badge>
  );
}

const notReadSince = (at: number): string =>
  at === 0 ? 'Figures could not be read.' : `Figures could not be read since ${formatTimeOfDay(at)}.`;
