import { Breadcrumbs, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import {
  CircleCheck,
  KeyRound,
  OctagonX,
  Pause,
  Play,
  RotateCcw,
  Send,
  ShieldCheck,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { apiQuery, change, path } from '../api/client';
import type {
  WebhookAttemptPage,
  WebhookAttemptView,
  WebhookDetail,
  WebhookEndpointView,
  WebhookEndpointWithSecret,
  WebhookTestResult,
  WebhookVerificationResult,
} from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { ActionButton } from '../design/dialog';
import { Empty, Loaded } from '../design/feedback';
import { formatDuration, humanise } from '../design/format';
import { Facts, PageHead, Panel } from '../design/layout';
import { Paging } from '../design/paging';
import { Chip, StateChip } from '../design/state';
import { Distance, Moment } from '../design/time';
import { useHasRole } from '../session/session';
import { WebhookSecret } from './webhook-secret';

const route = getRouteApi('/signed-in/webhooks/$id');

const REFRESH_MS = 5_000;
/** Attempts that the page of an endpoint has. */
const SHOWN_ATTEMPTS = 100;

const COLUMNS: readonly Column<WebhookAttemptView>[] = [
  { id: 'at', header: 'Time', isRowHeader: true, cell: ({ occurred_at: at }) => <Moment at={at} /> },
  {
    id: 'outcome',
    header: 'Outcome',
    cell: ({ error }) =>
      error === null ? (
        <Chip tone="good" icon={CircleCheck} label="Delivered" />
      ) : (
        <Chip tone="bad" icon={OctagonX} label={humanise(error)} />
      ),
  },
  { id: 'status', header: 'HTTP status', isFigure: true, cell: ({ status }) => status ?? 'no answer' },
  { id: 'attempt', header: 'Attempt', isFigure: true, cell: ({ attempt }) => attempt },
  { id: 'duration', header: 'Duration', isFigure: true, cell: ({ duration_ms: ms }) => formatDuration(ms) },
  { id: 'type', header: 'Type', cell: ({ type }) => <code>{type}</code> },
  { id: 'event', header: 'Event', cell: ({ event_id: id }) => <code>{id}</code> },
];

/** One endpoint with its last attempts. */
export function WebhookPage() {
  const { id } = route.useParams();
  const { cursor } = route.useSearch();
  const canChange = useHasRole('operator');
  const query = useQuery({
    ...apiQuery<WebhookDetail>(['webhook', id], path('webhooks', id)),
    refetchInterval: REFRESH_MS,
  });
  const endpoint = query.data?.endpoint;
  return (
    <>
      <PageHead
        title={`Endpoint ${id}`}
        trail={
          <Breadcrumbs>
            <Link to="/webhooks" search={endpoint ? { supplier: endpoint.import_supplier } : {}}>
              Webhooks
            </Link>
            <span aria-current="page">{id}</span>
          </Breadcrumbs>
        }
        state={endpoint && <StateChip state={endpoint.status} />}
        detail={endpoint?.url}
        actions={endpoint && canChange && <Actions endpoint={endpoint} />}
      />
      <Loaded query={query}>
        {(detail) => (
          <>
            <Panel title="Endpoint">
              <EndpointFacts endpoint={detail.endpoint} />
            </Panel>
            {cursor === undefined ? (
              <Attempts id={id} attempts={detail.attempts} />
            ) : (
              <EarlierAttempts id={id} cursor={cursor} />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

function Attempts(props: { id: string; attempts: readonly WebhookAttemptView[]; cursor?: string }) {
  const { id, attempts, cursor } = props;
  const title = cursor === undefined ? 'Last attempts' : 'Earlier attempts';
  return (
    <Panel title={title} flush>
      {attempts.length === 0 ? (
        <Empty
          icon={Send}
          title={cursor === undefined ? 'Nothing was sent yet' : 'There are no earlier attempts'}
        />
      ) : (
        <DataTable caption={title} columns={COLUMNS} rows={attempts} rowId={(one) => one.id} />
      )}
      <Paging
        cursor={cursor}
        next={attempts.length < SHOWN_ATTEMPTS ? null : (attempts.at(-1)?.id ?? null)}
        to={(to) => ({ to: '/webhooks/$id', params: { id }, search: { cursor: to } })}
      />
    </Panel>
  );
}

function EarlierAttempts({ id, cursor }: { id: string; cursor: string }) {
  const query = useQuery(
    apiQuery<WebhookAttemptPage>(['webhook-attempts', id, cursor], `${path('webhooks', id)}/attempts`, {
      cursor,
      limit: SHOWN_ATTEMPTS,
    }),
  );
  return (
    <Loaded query={query}>{({ items }) => <Attempts id={id} attempts={items} cursor={cursor} />}</Loaded>
  );
}

function EndpointFacts({ endpoint }: { endpoint: WebhookEndpointView }) {
  return (
    <Facts
      facts={[
        ['Supplier', endpoint.import_supplier],
        ['Description', endpoint.description],
        ['Verified', <Moment key="verified" at={endpoint.verified_at} missing="not yet" />],
        ['Disabled', endpoint.disabled_reason && humanise(endpoint.disabled_reason)],
        ['Failing since', <Distance key="failing" at={endpoint.failing_since} missing="not failing" />],
        ['Next attempt', <Distance key="next" at={endpoint.next_attempt_at} />],
        ['Secret before valid until', <Moment key="previous" at={endpoint.previous_secret_until} />],
        ['Created', <Moment key="created" at={endpoint.created_at} />],
        [
          'Types',
          <ul key="types" className="small">
            {endpoint.types.map((type) => (
              <li key={type}>
                <code>{type}</code>
              </li>
            ))}
          </ul>,
        ],
      ]}
    />
  );
}

function Actions({ endpoint: { id, status, import_supplier: code } }: { endpoint: WebhookEndpointView }) {
  const navigate = useNavigate();
  const [rotated, setRotated] = useState<WebhookEndpointWithSecret>();
  const renews = [['webhook', id]];
  const act = async <T,>(action: string, body?: unknown) =>
    change<T>('POST', `${path('webhooks', id)}/${action}`, body);
  return (
    <>
      <ActionButton
        label="Verify"
        icon={ShieldCheck}
        title="Send a challenge"
        confirmLabel="Send challenge"
        run={async () => act<WebhookVerificationResult>('verify')}
        renews={renews}
        onDone={({ verified, error }) =>
          verified
            ? 'The receiver has returned the challenge.'
            : `Not verified: ${error?.detail ?? 'no answer'}`
        }
      >
        <p>Events are sent once the receiver has returned a challenge. It needs the secret first.</p>
      </ActionButton>
      <ActionButton
        label="Send test"
        icon={Send}
        title="Send a test event"
        confirmLabel="Send test event"
        run={async () => act<WebhookTestResult>('test')}
        renews={renews}
        onDone={({ delivered, status: answer, error }) =>
          delivered
            ? `The receiver answered with ${String(answer)}.`
            : `Not delivered: ${error?.detail ?? `status ${String(answer)}`}`
        }
      >
        <p>Sends one signed test event at once and shows what the receiver answered.</p>
      </ActionButton>
      <ActionButton
        label="Replay"
        icon={RotateCcw}
        title="Deliver events again"
        confirmLabel="Replay"
        run={async (fields) => act('replay', fields)}
        renews={renews}
        onDone={() => 'Events are delivered from the chosen place on.'}
      >
        <NativeSelect
          label="From"
          data={[
            { value: 'beginning', label: 'the first event' },
            { value: 'now', label: 'now: skip everything before' },
          ]}
          name="after"
        />
        <p>The receiver gets events again that it had; it recognises them by their ids.</p>
      </ActionButton>
      {status !== 'DISABLED' ? (
        <ActionButton
          key="Disable"
          label="Disable"
          icon={Pause}
          title="Disable the endpoint"
          confirmLabel="Disable"
          run={async () => act('disable')}
          renews={renews}
          onDone={() => 'The endpoint is disabled.'}
        >
          <p>Its events wait until it is enabled.</p>
        </ActionButton>
      ) : (
        <ActionButton
          key="Enable"
          label="Enable"
          icon={Play}
          title="Enable the endpoint"
          confirmLabel="Enable"
          run={async () => act('enable')}
          renews={renews}
          onDone={() => 'The endpoint is enabled.'}
        >
          <p>Delivery goes on where it stopped.</p>
        </ActionButton>
      )}
      <ActionButton
        label="Rotate secret"
        icon={KeyRound}
        title="Give the endpoint a new secret"
        confirmLabel="Rotate secret"
        run={async () => act<WebhookEndpointWithSecret>('rotate-secret')}
        renews={renews}
        onDone={(endpoint) => {
          setRotated(endpoint);
          return undefined;
        }}
      >
        <p>Events are signed with both secrets for 24 hours, so that the receiver can change over.</p>
      </ActionButton>
      <ActionButton
        label="Delete"
        icon={Trash2}
        title={`Delete endpoint ${id}`}
        confirmLabel="Delete endpoint"
        isDangerous
        typed={{ expected: id, what: 'The id of the endpoint.' }}
        run={async () => change('DELETE', path('webhooks', id), { confirm: id })}
        renews={[['webhooks', code]]}
        onDone={() => {
          void navigate({ to: '/webhooks', search: { supplier: code } });
          return `Endpoint ${id} was deleted.`;
        }}
      >
        <p>
          Its events are not delivered any more. An endpoint that is created later gets later events only.
        </p>
      </ActionButton>
      <WebhookSecret
        endpoint={rotated}
        onClose={() => {
          setRotated(undefined);
        }}
      />
    </>
  );
}
