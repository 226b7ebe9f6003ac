import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Ban, CircleCheck, Cpu, OctagonX, Plug } from 'lucide-react';
import { apiQuery } from '../api/client';
import type { VendorList, VendorView } from '../api/shapes';
import { fillSteps, type Point } from '../design/chart';
import { Empty, Loaded } from '../design/feedback';
import { formatCount } from '../design/format';
import { Figure, Figures, PageHead, Panel } from '../design/layout';
import { StateChip } from '../design/state';
import { Distance } from '../design/time';
import { type Series, TimeSeries } from '../design/time-series';
import { breakerState, vendorName } from './vendor-name';

const REFRESH_MS = 10_000;

const OUTCOMES: readonly Series[] = [
  { label: 'Verified', tone: 'good', fill: true },
  { label: 'Refused', tone: 'warn', dash: [6, 4] },
  { label: 'Unavailable', tone: 'bad', dash: [2, 3] },
];

const BREAKER_LABELS: Readonly<Record<VendorView['breaker'], string>> = {
  closed: 'Breaker closed',
  open: 'Breaker open',
  'half-open': 'Breaker half open',
  not_configured: 'No key is set',
  unknown: 'Not reported',
};

/** Payment vendors: whether their circuit breakers let requests through, and what they answered. */
export function VendorsPage() {
  const query = useQuery({
    ...apiQuery<VendorList>(['vendors'], '/vendors'),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <PageHead
        title="Vendors"
        detail="A closed breaker lets requests through. It opens after failures in a row, so that requests fail at once instead of waiting."
      />
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Panel>
              <Empty icon={Plug} title="No payment vendor is configured" />
            </Panel>
          ) : (
            <>
              {items.map((vendor) => (
                <VendorPanel key={vendor.name} vendor={vendor} at={query.dataUpdatedAt} />
              ))}
            </>
          )
        }
      </Loaded>
    </>
  );
}

const MINUTE = 60;

/** A point for each of the last 60 minutes. A minute without outcomes is a gap: the worker may have stopped meanwhile. */
function lastHour(outcomes: VendorView['outcomes'], now: number): Point[] {
  const points = outcomes.map(({ at, verified, refused, unavailable }): Point => [
    Math.floor(new Date(at).getTime() / 1_000),
    verified,
    refused,
    unavailable,
  ]);
  const last = Math.floor(now / 1_000 / MINUTE) * MINUTE;
  return fillSteps(points, last - 59 * MINUTE, last, MINUTE);
}

const sum = (vendor: VendorView, name: 'verified' | 'refused' | 'unavailable') =>
  vendor.outcomes.reduce((total, minute) => total + minute[name], 0);

function VendorPanel({ vendor, at }: { vendor: VendorView; at: number }) {
  const { name, breaker, since, workers, outcomes, reported_at: reportedAt } = vendor;
  const open = workers.filter((worker) => worker.breaker !== 'closed');
  return (
    <Panel
      title={vendorName(name)}
      note={
        <>
          <StateChip state={breakerState(breaker)} label={BREAKER_LABELS[breaker]} />{' '}
          {since && <Distance at={since} side="past" />}
          {reportedAt && (
            <>
              {' '}
              reported <Distance at={reportedAt} side="past" />
            </>
          )}
        </>
      }
    >
      <Stack>
        <Figures>
          <Figure
            label="Verified"
            icon={CircleCheck}
            value={formatCount(sum(vendor, 'verified'))}
            note="last hour"
          />
          <Figure label="Refused" icon={Ban} value={formatCount(sum(vendor, 'refused'))} note="last hour" />
          <Figure
            label="Unavailable"
            icon={OctagonX}
            value={formatCount(sum(vendor, 'unavailable'))}
            note="last hour"
          />
          <Figure
            label="Workers"
            icon={Cpu}
            value={formatCount(workers.length)}
            note={open.length === 0 ? 'all closed' : `${formatCount(open.length)} not closed`}
          />
        </Figures>
        <TimeSeries title="Outcomes in each minute" series={OUTCOMES} points={lastHour(outcomes, at)} />
      </Stack>
    </Panel>
  );
}
