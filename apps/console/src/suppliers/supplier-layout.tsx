import { Breadcrumbs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet } from '@tanstack/react-router';
import { CircleCheck, Pause, Play } from 'lucide-react';
import { change, path } from '../api/client';
import type { Schemas } from '../api/shapes';
import { ActionButton } from '../design/dialog';
import { Loaded } from '../design/feedback';
import { PageHead } from '../design/layout';
import { StateChip } from '../design/state';
import { useLiveTopic, usePolling } from '../live/live';
import { useHasRole } from '../session/session';
import { supplierQuery } from './supplier-queries';

const route = getRouteApi('/signed-in/suppliers/$code');

/** The head and the tabs of a supplier. */
export function SupplierLayout() {
  const { code } = route.useParams();
  useLiveTopic(`supplier:${code}`);
  const refetchInterval = usePolling();
  const query = useQuery({ ...supplierQuery(code), refetchInterval });
  const canChange = useHasRole('operator');
  const status = query.data?.settings.status;
  return (
    <>
      <PageHead
        title={code}
        trail={
          <Breadcrumbs>
            <Link to="/suppliers">Suppliers</Link>
            <span aria-current="page">{code}</span>
          </Breadcrumbs>
        }
        state={status && <StateChip state={status} />}
        detail={query.data?.settings.organisation}
        actions={canChange && status && <StatusActions code={code} status={status} />}
      />
      <nav className="tabs" aria-label="Supplier">
        <Link to="/suppliers/$code" params={{ code }} activeOptions={{ exact: true }}>
          Progress
        </Link>
        <Link to="/suppliers/$code/processes" params={{ code }}>
          Processes
        </Link>
        <Link to="/suppliers/$code/submissions" params={{ code }}>
          Submissions
        </Link>
        <Link to="/suppliers/$code/settings" params={{ code }}>
          Settings
        </Link>
      </nav>
      <Loaded query={query}>{() => <Outlet />}</Loaded>
    </>
  );
}

function StatusActions({ code, status }: { code: string; status: Schemas['Supplier']['status'] }) {
  const set = (to: Schemas['Supplier']['status']) => ({
    run: async () => change('POST', `${path('suppliers', code)}/status`, { status: to }),
    renews: [['supplier', code], ['overview']],
    onDone: () => `${code} is ${to}.`,
  });
  return (
    <>
      {status === 'Ongoing' ? (
        <ActionButton
          key="Pause"
          label="Pause"
          icon={Pause}
          title={`Pause ${code}`}
          confirmLabel="Pause supplier"
          {...set('Paused')}
        >
          <p>The supplier&rsquo;s accounts and requests are refused until it is resumed.</p>
          <p>What was accepted before stays stored.</p>
        </ActionButton>
      ) : (
        <ActionButton
          key="Resume"
          label="Resume"
          icon={Play}
          title={`Resume ${code}`}
          confirmLabel="Resume supplier"
          {...set('Ongoing')}
        >
          <p>The supplier can send accounts again, and waiting accounts are processed.</p>
        </ActionButton>
      )}
      {status !== 'Complete' && (
        <ActionButton
          label="Complete"
          icon={CircleCheck}
          title={`Complete ${code}`}
          confirmLabel="Complete migration"
          typed={{ expected: code, what: 'The code of the supplier.' }}
          isDangerous
          {...set('Complete')}
        >
          <p>Ends the migration: the supplier&rsquo;s accounts and requests are refused from now on.</p>
        </ActionButton>
      )}
    </>
  );
}
