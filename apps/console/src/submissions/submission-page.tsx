import { Breadcrumbs, Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Activity, Clock, Download, Layers, OctagonX, TriangleAlert } from 'lucide-react';
import { apiQuery, downloadUrl, path } from '../api/client';
import type { SubmissionDetailView } from '../api/shapes';
import { Loaded, Note } from '../design/feedback';
import { formatCount, formatRate, formatShare, humanise } from '../design/format';
import { Facts, Figure, Figures, PageHead, Panel } from '../design/layout';
import { SupplierLink } from '../design/links';
import { StateBar, StateChip, StateLegend } from '../design/state';
import { Distance, Moment } from '../design/time';
import { ProcessActionButton } from '../import-processes/process-action-dialog';
import { polled } from '../api/query-client';
import { useHasRole } from '../session/session';
import { AbortSubmission } from './abort-submission';
import { RollBackSubmission } from './roll-back-submission';
import { formatMeasure, ReconciliationPanel, wordsOf } from './reconciliation-panel';
import { countAwaiting, progressOf } from './submission-progress';

const route = getRouteApi('/signed-in/submissions/$id');

const STATES = [
  'pending',
  'in_progress',
  'processed',
  'errored',
  'dry_run_succeeded',
  'dry_run_errored',
  'cancelled',
  'unchanged',
  'correcting',
  'corrected',
  'would_correct',
  'correction_errored',
] as const;

/** One book: how far it is, whether it reconciles, its results, its end. */
export function SubmissionPage() {
  const { id } = route.useParams();
  const query = useQuery({
    ...apiQuery<SubmissionDetailView>(['submission', id], path('submissions', id)),
    ...polled,
  });
  const canChange = useHasRole('operator');
  const { data } = query;
  return (
    <>
      <PageHead
        title={data?.reference ?? `Submission ${id}`}
        trail={
          <Breadcrumbs>
            {data && <SupplierLink code={data.import_supplier} />}
            {data && (
              <Link to="/suppliers/$code/submissions" params={{ code: data.import_supplier }}>
                Submissions
              </Link>
            )}
            <span aria-current="page">{data?.reference ?? id}</span>
          </Breadcrumbs>
        }
        state={data && <StateChip state={data.status} />}
        detail={
          data && (
            <>
              Submission {data.id}, opened by {data.opened_by} <Distance at={data.created_at} />
            </>
          )
        }
        actions={
          data &&
          canChange && (
            <>
              <ProcessActionButton
                code={data.import_supplier}
                selection={{ status: 'DRY_RUN_SUCCEEDED', submission: data.id }}
                action="release"
                isOffered={countAwaiting(data) > 0}
              />
              <AbortSubmission submission={data} />
              {data.kind === 'accounts' && <RollBackSubmission submission={data} />}
            </>
          )
        }
      />
      <Loaded query={query}>
        {(submission) => (
          <>
            {countAwaiting(submission) > 0 && (
              <Note tone="warn">
                Accounts that wait for their release: {formatCount(countAwaiting(submission))}. They are
                created once they are released.
              </Note>
            )}
            <Progress submission={submission} />
            <Plan plan={submission.plan} />
            <ReconciliationPanel submission={submission} />
            <div className="columns">
              <Results submission={submission} />
              <Panel title="Submission">
                <Facts
                  facts={[
                    ['Opened', <Moment key="opened" at={submission.created_at} />],
                    ['Received completely', <Moment key="completed" at={submission.completed_at} />],
                    ['Finished', <Moment key="finished" at={submission.finished_at} />],
                    ['Kind', humanise(submission.kind)],
                    ...(submission.kind === 'accounts' ? [['Mode', humanise(submission.mode)] as const] : []),
                    ['Dry run only', submission.is_dry_run ? 'Yes' : 'No'],
                    ...Object.entries(submission.expected as Record<string, string | number>).map(
                      ([measure, value]) =>
                        [`Expected ${wordsOf(measure).toLowerCase()}`, formatMeasure(value)] as const,
                    ),
                  ]}
                />
              </Panel>
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

/** What a rehearsal has found that the submission would do. */
function Plan({ plan }: { plan: SubmissionDetailView['plan'] }) {
  if (plan === null) return null;
  return (
    <Panel title="Plan" note="what the same book would do without the dry run">
      <Facts
        facts={[
          ['New', formatCount(plan.would_create)],
          ['Corrected', formatCount(plan.would_correct)],
          ['Unchanged', formatCount(plan.unchanged)],
          ['Refused', formatCount(plan.refused)],
        ]}
      />
    </Panel>
  );
}

function Progress({ submission }: { submission: SubmissionDetailView }) {
  const { counts } = submission;
  const states = Object.fromEntries(STATES.map((state) => [state, counts[state]]));
  const { accepted, ended, failed } = progressOf(submission);
  const noun = submission.kind === 'additions' ? 'Lines' : 'Accounts';
  return (
    <>
      <Figures>
        <Figure
          label="Progress"
          icon={Activity}
          value={accepted > 0 ? formatShare(ended / accepted) : '–'}
          note={`${formatCount(ended)} of ${formatCount(accepted)}`}
        />
        <Figure
          label="Received"
          icon={Layers}
          value={formatCount(counts.received)}
          note={`${formatCount(counts.refused)} refused, ${formatCount(counts.repeated)} repeated`}
        />
        <Figure label="Errors" icon={OctagonX} value={formatCount(failed)} isBad={failed > 0} />
        <Figure
          label="With warnings"
          icon={TriangleAlert}
          value={formatCount(submission.accounts_with_warnings)}
          note="of imported and rehearsed accounts"
        />
        <Figure
          label={`${noun} a second`}
          icon={Activity}
          value={submission.processed_per_second === null ? '–' : formatRate(submission.processed_per_second)}
          {...(submission.finished_at === null ? {} : { note: 'mean until its end' })}
        />
        <Figure
          label="Estimated end"
          icon={Clock}
          value={<Distance at={submission.estimated_end_at} side="future" />}
        />
      </Figures>
      <Panel
        title={`States of ${noun.toLowerCase()}`}
        note={
          <>
            counted <Distance at={submission.counted_at} side="past" />
          </>
        }
      >
        <Stack gap="xs">
          <StateBar states={states} />
          <StateLegend states={states} />
          <p className="small">
            {submission.kind === 'accounts' && (
              <Link
                to="/suppliers/$code/processes"
                params={{ code: submission.import_supplier }}
                search={{ submission: submission.id }}
              >
                List its processes
              </Link>
            )}
            {counts.refused > 0 && (
              <>
                {submission.kind === 'accounts' && ', '}
                <Link
                  to="/suppliers/$code/refused-lines"
                  params={{ code: submission.import_supplier }}
                  search={{ submission: submission.id }}
                >
                  list its refused lines
                </Link>
              </>
            )}
          </p>
        </Stack>
      </Panel>
    </>
  );
}

const DOWNLOADS = [
  ['All as CSV', { format: 'csv' }],
  ['All as NDJSON', { format: 'ndjson' }],
  ['Errors as CSV', { format: 'csv', outcome: 'refused,errored,dry_run_errored,correction_errored' }],
] as const;

function Results({ submission: { id, kind } }: { submission: SubmissionDetailView }) {
  const results = `${path('submissions', id)}/results`;
  return (
    <Panel title="Results">
      <p className="muted">
        {kind === 'additions'
          ? 'One row for each line, in the order of arrival, with its kind, its outcome and its errors, and how many of its items were added, existed, differ from those that existed, or were moved into the open period.'
          : 'One row for each account, in the order of arrival, with its outcome, its errors, its warnings and the digest of its payload. A further line about an account has a row of its own, which names the row that counts.'}
      </p>
      <Group mt="sm" gap="xs">
        {DOWNLOADS.map(([label, parameters]) => (
          <Button
            key={label}
            component="a"
            href={downloadUrl(results, parameters)}
            download
            variant="default"
            leftSection={<Download size={14} />}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Panel>
  );
}
