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
import { apiQuery, change, path } from '../api/client';
import type {
  WebhookAttemptView,
  WebhookEndpointView,
  WebhookEndpointWithSecret,
  WebhookTestResult,
  WebhookVerificationResult,
} from '../api/shapes';
import type { Column } from '../design/data-table';
import { ActionButton } from '../design/dialog';
import { Empty, Loaded } from '../design/feedback';
import { formatDuration, humanise } from '../design/format';
import { Facts, PageHead, Panel } from '../design/layout';
import { ListPanel } from '../design/list-panel';
import { Chip, StateChip } from '../design/state';
import { Distance, Moment } from '../design/time';
import { useHasRole } from '../session/session';
import { WEBHOOK_SECRET } from './create-webhook';

const route = getRouteApi('/signed-in/webhooks/$id');

const REFRESH_MS = 5_000;

const COLUMNS: readonly Column<WebhookAttemptView>[] = [
  { header: 'Time', isRowHeader: true, cell: ({ occurred_at: at }) => <Moment at={at} /> },
  {
    header: 'Outcome',
    cell: ({ error }) =>
      error === null ? (
        <Chip tone="good" icon={CircleCheck} label="Delivered" />
      ) : (
        <Chip tone="bad" icon={OctagonX} label={humanise(error)} />
      ),
  },
  { header: 'HTTP status', isFigure: true, cell: ({ status }) => status ?? 'no answer' },
  { header: 'Attempt', isFigure: true, cell: ({ attempt }) => attempt },
  { header: 'Duration', isFigure: true, cell: ({ duration_ms: ms }) => formatDuration(ms) },
  { header: 'Type', cell: ({ type }) => <code>{type}</code> },
  { header: 'Event', cell: ({ event_id: id }) => <code>{id}</code> },
];

/** One endpoint with its last attempts. */
export function WebhookPage() {
  const { id } = route.useParams();
  const canChange = useHasRole('operator');
  const query = useQuery({
    ...apiQuery<WebhookEndpointView>(['webhook', id], path('webhooks', id)),
    refetchInterval: REFRESH_MS,
  });
  const endpoint = query.data;
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
        {(shown) => (
          <>
            <Panel title="Endpoint">
              <EndpointFacts endpoint={shown} />
            </Panel>
            <ListPanel
              title="Attempts"
              note="newest first"
              empty={<Empty icon={Send} title="Nothing was sent yet" />}
              queryKey={['webhook-attempts', id]}
              url={`${path('webhooks', id)}/attempts`}
              refreshMs={REFRESH_MS}
              columns={COLUMNS}
              rowId={(attempt) => attempt.id}
            />
          </>
        )}
      </Loaded>
    </>
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
  const renews = [
    ['webhook', id],
    ['webhook-attempts', id],
  ];
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
        announce={({ verified, error }) =>
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
        announce={({ delivered, status: answer, error }) =>
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
        announce={() => 'Events are delivered from the chosen place on.'}
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
          announce={() => 'The endpoint is disabled.'}
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
          announce={() => 'The endpoint is enabled.'}
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
        secret={WEBHOOK_SECRET}
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
        onDone={() => void navigate({ to: '/webhooks', search: { supplier: code } })}
        announce={() => `Endpoint ${id} was deleted.`}
      >
        <p>
          Its events are not delivered any more. An endpoint that is created later gets later events only.
        </p>
      </ActionButton>
    </>
  );
}
