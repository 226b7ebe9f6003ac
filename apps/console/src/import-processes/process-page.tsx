import { Alert, Breadcrumbs, Stack, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import {
  Ban,
  CircleCheck,
  CirclePlay,
  Clock,
  ExternalLink,
  FlaskConical,
  type LucideIcon,
  OctagonX,
  Send,
  TriangleAlert,
  Undo2,
} from 'lucide-react';
import { apiQuery, path } from '../api/client';
import type {
  AccountRequestSummary,
  FollowUpView,
  ProcessDetailView,
  TimelineEntryView,
} from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { Empty, Loaded } from '../design/feedback';
import { formatCount, formatDuration, humanise } from '../design/format';
import { Facts, PageHead, Panel } from '../design/layout';
import { boardUrl, SubmissionLink, SupplierLink } from '../design/links';
import { colorOf, StateChip, type Tone } from '../design/state';
import { Distance, Moment } from '../design/time';
import { useHasRole } from '../session/session';
import { type ProcessAction, ProcessActionButton } from './process-action-dialog';
import { EraseAccount, EraseProcess } from './erase-actions';
import { CorrectionsPanel } from './corrections-panel';
import { AccountDataPanel, PayloadPanel } from './personal-data';
import { TakeBackAccount } from './take-back-account';

const route = getRouteApi('/signed-in/suppliers/$code/processes/$id');

const REFRESH_MS = 5_000;

/** Actions that the state of a process allows. */
const ALLOWED: Readonly<Record<string, readonly ProcessAction[]>> = {
  PENDING: ['cancel'],
  DRY_RUN_SUCCEEDED: ['release', 'cancel'],
  ERRORED: ['retry'],
  DRY_RUN_ERRORED: ['retry'],
  CANCELLED: ['retry'],
};

/** Everything about one account, except its personal data. */
export function ProcessPage() {
  const { code, id } = route.useParams();
  const query = useQuery({
    ...apiQuery<ProcessDetailView>(['process', code, id], path('suppliers', code, 'processes', id)),
    refetchInterval: REFRESH_MS,
  });
  const canChange = useHasRole('operator');
  const isAdmin = useHasRole('admin');
  const number = query.data?.external_account_number;
  return (
    <>
      <PageHead
        title={number ?? `Process ${id}`}
        trail={
          <Breadcrumbs>
            <Link to="/suppliers">Suppliers</Link>
            <SupplierLink code={code} />
            <Link to="/suppliers/$code/processes" params={{ code }}>
              Processes
            </Link>
            <span aria-current="page">{number ?? id}</span>
          </Breadcrumbs>
        }
        state={query.data && <StateChip state={query.data.status} />}
        detail={
          query.data && (
            <>
              Version {query.data.version}, attempt {query.data.attempt}, changed{' '}
              <Distance at={query.data.updated_at} />
            </>
          )
        }
        actions={
          query.data &&
          canChange && (
            <>
              <ProcessActions process={query.data} />
              {isAdmin && <EraseProcess process={query.data} />}
            </>
          )
        }
      />
      <Loaded query={query}>
        {(process) => (
          <div className="wide-narrow">
            <Stack miw={0}>
              {process.error && <ProcessErrorPanel error={process.error} />}
              {process.warnings.length > 0 && <WarningsPanel warnings={process.warnings} />}
              <Panel title="Timeline" note={`${formatCount(process.timeline.length)} events`}>
                <EventTimeline entries={process.timeline} />
              </Panel>
              {process.corrections.length > 0 && <CorrectionsPanel process={process} canRead={canChange} />}
              <Panel title="Requests after the import" flush>
                <DataTable
                  caption="Requests after the import"
                  columns={REQUEST_COLUMNS}
                  rows={process.requests}
                  rowId={({ id }) => id}
                  empty={<Empty icon={Send} title="No requests yet" />}
                />
              </Panel>
              <PayloadPanel process={process} canRead={canChange} />
              <AccountDataPanel process={process} canRead={canChange} />
            </Stack>
            <Stack miw={0}>
              <AboutPanel process={process} />
              <CreatedPanel process={process} canTakeBack={canChange} canErase={isAdmin} />
              <Panel title="Follow-ups">
                {process.follow_ups.length === 0 ? (
                  <p className="muted">None.</p>
                ) : (
                  <Stack component="ul" gap="sm">
                    {process.follow_ups.map((followUp) => (
                      <FollowUpItem key={`${followUp.kind} ${followUp.detail}`} followUp={followUp} />
                    ))}
                  </Stack>
                )}
              </Panel>
            </Stack>
          </div>
        )}
      </Loaded>
    </>
  );
}

/** The actions that the state of the process allows. An open dialog stays when its action has changed the state. */
function ProcessActions({ process }: { process: ProcessDetailView }) {
  return (['cancel', 'release', 'retry'] as const).map((action) => (
    <ProcessActionButton
      key={action}
      code={process.import_supplier}
      // Some processes are changed only where their state is asked for.
      selection={{ external_account_numbers: [process.external_account_number], status: process.status }}
      action={action}
      isOffered={ALLOWED[process.status]?.includes(action) ?? false}
      variant="default"
    />
  ));
}

function ProcessErrorPanel({ error }: { error: NonNullable<ProcessDetailView['error']> }) {
  return (
    <section aria-label="Error">
      <Alert role="note" color={colorOf('bad')} icon={<OctagonX />} title={<code>{error.code}</code>}>
        {error.detail !== null && <p>{error.detail}</p>}
        <ul>
          {error.fields.map(({ path: field, code, value_masked: value }, index) => (
            // An account can break rules with one code twice at one path.
            <li key={index}>
              <code>{code}</code> at <code>{field}</code>
              {value !== null && (
                <>
                  , value masked <code>{value}</code>
                </>
              )}
            </li>
          ))}
        </ul>
      </Alert>
    </section>
  );
}

/** What is implausible in the account. It was imported or rehearsed nevertheless. */
function WarningsPanel({ warnings }: { warnings: ProcessDetailView['warnings'] }) {
  return (
    <section aria-label="Warnings">
      <Alert
        role="note"
        color={colorOf('warn')}
        icon={<TriangleAlert />}
        title={`${formatCount(warnings.length)} ${warnings.length === 1 ? 'warning' : 'warnings'}`}
      >
        <Stack component="ul" gap="xs">
          {warnings.map(({ code, attr, detail }, index) => (
            <li key={index}>
              <code>{code}</code> at <code>{attr}</code>
              {detail !== null && <div className="small">{detail}</div>}
            </li>
          ))}
        </Stack>
      </Alert>
    </section>
  );
}

function lookOfEvent(event: string): [Tone, LucideIcon] {
  if (event.includes('ERROR')) return ['bad', OctagonX];
  if (event.includes('CANCEL')) return ['calm', Ban];
  if (event.includes('DRY_RUN') || event.includes('STAGED')) return ['held', FlaskConical];
  if (/PROCESSED|SUCCEEDED|COMPLETED/.test(event)) return ['good', CircleCheck];
  if (event.includes('START')) return ['busy', CirclePlay];
  if (event.includes('ROLLED')) return ['warn', Undo2];
  return ['busy', Clock];
}

function EventTimeline({ entries }: { entries: readonly TimelineEntryView[] }) {
  if (entries.length === 0) return <p className="muted">No events.</p>;
  return (
    <Timeline role="list" className="timeline" active={entries.length} bulletSize={28}>
      {entries.map((entry, index) => {
        const [tone, Icon] = lookOfEvent(entry.event);
        return (
          // Events are only appended.
          <Timeline.Item role="listitem" key={index} color={colorOf(tone)} bullet={<Icon size={14} />}>
            <b>{humanise(entry.event)}</b>{' '}
            {entry.error_code && <code className="bad-text">{entry.error_code}</code>}
            <div className="muted small">
              version {entry.version}
              {entry.attempt > 0 && `, attempt ${entry.attempt}`}
              {entry.actor && ` · by ${entry.actor}`}
            </div>
            <div className="small">
              <Moment at={entry.at} />{' '}
              {entry.duration_ms !== null && (
                <span className="muted">after {formatDuration(entry.duration_ms)}</span>
              )}
            </div>
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

function AboutPanel({ process }: { process: ProcessDetailView }) {
  const { links, submission_id: submission } = process;
  return (
    <Panel title="Process">
      <Facts
        facts={[
          ['External identifier', process.external_identifier],
          ['Received', <Moment key="received" at={process.received_at} />],
          ['Submission', submission && <SubmissionLink key="submission" id={submission} />],
          ['Dry run only', process.is_dry_run ? 'Yes' : 'No'],
          ['Window from', <Moment key="from" at={process.schedule_window_start} />],
          ['Window until', <Moment key="until" at={process.schedule_window_end} />],
          [
            'Job',
            links.job && (
              <a key="job" href={boardUrl('account-imports', links.job)} target="_blank" rel="noreferrer">
                Open in Bull Board <ExternalLink size={12} />
              </a>
            ),
          ],
          [
            'Trace',
            links.trace && (
              <a key="trace" href={links.trace} target="_blank" rel="noreferrer">
                Open trace <ExternalLink size={12} />
              </a>
            ),
          ],
        ]}
      />
    </Panel>
  );
}

const CREATED_COUNTS = [
  'customers',
  'agreements',
  'supply_points',
  'ledgers',
  'transactions',
  'statements',
  'notes',
  'payment_instructions',
  'documents',
] as const;

function CreatedPanel({
  process,
  canTakeBack,
  canErase,
}: {
  process: ProcessDetailView;
  canTakeBack: boolean;
  canErase: boolean;
}) {
  const { created, import_supplier: code, id } = process;
  return (
    <Panel
      title="Created account"
      actions={
        created?.erased_at === null && (
          <>
            {canTakeBack && <TakeBackAccount process={process} />}
            {canErase && <EraseAccount number={created.platform_account_number} code={code} id={id} />}
          </>
        )
      }
    >
      {created === null ? (
        <p className="muted">No account was created.</p>
      ) : (
        <Facts
          facts={[
            ['Account number', <code key="number">{created.platform_account_number}</code>],
            ['Created', <Moment key="created" at={created.created_at} />],
            ...CREATED_COUNTS.map((name) => [humanise(name), formatCount(created[name])] as const),
            ...(created.erased_at === null
              ? []
              : [['Personal data erased', <Moment key="erased" at={created.erased_at} />] as const]),
          ]}
        />
      )}
    </Panel>
  );
}

function FollowUpItem({ followUp: { kind, state, updated_at: at, detail } }: { followUp: FollowUpView }) {
  return (
    <li>
      <b>{humanise(kind)}</b> <StateChip state={state} />
      <div className="muted small">
        <Distance at={at} />
      </div>
      {detail && <div className="small">{detail}</div>}
    </li>
  );
}

const REQUEST_COLUMNS: readonly Column<AccountRequestSummary>[] = [
  { header: 'Request', isRowHeader: true, cell: ({ kind }) => humanise(kind) },
  { header: 'State', cell: ({ status, error_code: error }) => <StateChip state={status} error={error} /> },
  { header: 'Actor', cell: ({ actor }) => actor },
  { header: 'Time', cell: ({ at }) => <Moment at={at} /> },
];
