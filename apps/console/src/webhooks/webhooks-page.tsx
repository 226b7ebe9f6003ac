import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Building2, Webhook } from 'lucide-react';
import { path } from '../api/client';
import type { WebhookEndpointView } from '../api/shapes';
import type { Column } from '../design/data-table';
import { Empty, Loaded } from '../design/feedback';
import { PageHead } from '../design/layout';
import { ListPanel } from '../design/list-panel';
import { StateChip } from '../design/state';
import { Distance } from '../design/time';
import { useHasRole } from '../session/session';
import { suppliersQuery } from '../suppliers/supplier-queries';
import { CreateWebhook } from './create-webhook';

const route = getRouteApi('/signed-in/webhooks');

const REFRESH_MS = 15_000;

const COLUMNS: readonly Column<WebhookEndpointView>[] = [
  {
    header: 'URL',
    isRowHeader: true,
    cell: ({ id, url }) => (
      <Link to="/webhooks/$id" params={{ id }}>
        {url}
      </Link>
    ),
  },
  { header: 'State', cell: ({ status }) => <StateChip state={status} /> },
  { header: 'Description', cell: ({ description }) => description },
  {
    header: 'Failing since',
    cell: ({ failing_since: at }) => <Distance at={at} missing="not failing" />,
  },
  { header: 'Next attempt', cell: ({ next_attempt_at: at }) => <Distance at={at} /> },
];

/** The webhook endpoints of a supplier that is chosen here. */
export function WebhooksPage() {
  const { supplier } = route.useSearch();
  const navigate = useNavigate();
  const query = useQuery(suppliersQuery);
  return (
    <>
      <PageHead title="Webhooks" />
      <Loaded query={query}>
        {({ items }) => {
          const code = supplier ?? items[0]?.code;
          if (code === undefined) return <Empty icon={Building2} title="There are no suppliers yet" />;
          const codes = items.map((one) => one.code);
          return (
            <>
              <NativeSelect
                maw="20rem"
                label="Supplier"
                data={codes.includes(code) ? codes : [code, ...codes]}
                value={code}
                onChange={({ currentTarget }) =>
                  void navigate({ to: '/webhooks', search: { supplier: currentTarget.value } })
                }
              />
              <Endpoints code={code} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function Endpoints({ code }: { code: string }) {
  const canChange = useHasRole('operator');
  return (
    <ListPanel
      title={`Endpoints of ${code}`}
      actions={canChange && <CreateWebhook key={code} code={code} />}
      empty={
        <Empty icon={Webhook} title="This supplier has no webhook endpoints">
          Suppliers create endpoints with their API, operators here.
        </Empty>
      }
      queryKey={['webhooks', code]}
      url={`${path('suppliers', code)}/webhooks`}
      refreshMs={REFRESH_MS}
      columns={COLUMNS}
      rowId={({ id }) => id}
    />
  );
}
