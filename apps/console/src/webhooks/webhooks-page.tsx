import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import { apiQuery, path } from '../api/client';
import type { WebhookEndpointView, WebhookList } from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { Empty, Loaded } from '../design/feedback';
import { PageHead, Panel } from '../design/layout';
import { StateChip } from '../design/state';
import { Distance } from '../design/time';
import { useHasRole } from '../session/session';
import { PerSupplier } from '../suppliers/supplier-picker';
import { CreateWebhook } from './create-webhook';

const route = getRouteApi('/signed-in/webhooks');

const REFRESH_MS = 15_000;

const COLUMNS: readonly Column<WebhookEndpointView>[] = [
  {
    id: 'url',
    header: 'URL',
    isRowHeader: true,
    cell: ({ id, url }) => (
      <Link to="/webhooks/$id" params={{ id }}>
        {url}
      </Link>
    ),
  },
  { id: 'status', header: 'State', cell: ({ status }) => <StateChip state={status} /> },
  { id: 'description', header: 'Description', cell: ({ description }) => description },
  {
    id: 'failing',
    header: 'Failing since',
    cell: ({ failing_since: at }) => <Distance at={at} missing="not failing" />,
  },
  { id: 'next', header: 'Next attempt', cell: ({ next_attempt_at: at }) => <Distance at={at} /> },
];

/** The webhook endpoints of a supplier that is chosen here. */
export function WebhooksPage() {
  const { supplier } = route.useSearch();
  const navigate = useNavigate();
  return (
    <>
      <PageHead title="Webhooks" />
      <PerSupplier
        chosen={supplier}
        onChoose={(code) => void navigate({ to: '/webhooks', search: { supplier: code } })}
      >
        {(code) => <Endpoints code={code} />}
      </PerSupplier>
    </>
  );
}

function Endpoints({ code }: { code: string }) {
  const canChange = useHasRole('operator');
  const query = useQuery({
    ...apiQuery<WebhookList>(['webhooks', code], `${path('suppliers', code)}/webhooks`),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Panel
      title={`Endpoints of ${code}`}
      flush
      actions={canChange && <CreateWebhook key={code} code={code} />}
    >
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Webhook} title="This supplier has no webhook endpoints">
              Suppliers create endpoints with their API, operators here.
            </Empty>
          ) : (
            <DataTable caption="Webhook endpoints" columns={COLUMNS} rows={items} rowId={({ id }) => id} />
          )
        }
      </Loaded>
    </Panel>
  );
}
