import { Box, Breadcrumbs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet } from '@tanstack/react-router';
import { CircleCheck, Pause, Play } from 'lucide-react';
import { change, path } from '../api/client';
import { polled } from '../api/query-client';
import type { StateCountsView, SupplierSettingsView } from '../api/shapes';
import { ActionButton } from '../design/dialog';
import { Loaded, Note } from '../design/feedback';
import { formatCount } from '../design/format';
import { PageHead } from '../design/layout';
import { StateChip } from '../design/state';
import { useHasRole } from '../session/session';
import { supplierQuery } from './supplier-queries';

const route = getRouteApi('/signed-in/suppliers/$code');

const TABS = [
  ['/suppliers/$code', 'Progress'],
  ['/suppliers/$code/processes', 'Processes'],
  ['/suppliers/$code/submissions', 'Submissions'],
  ['/suppliers/$code/refused-lines', 'Refused lines'],
  ['/suppliers/$code/payment-instructions', 'Payment instructions'],
  ['/suppliers/$code/documents', 'Documents'],
  ['/suppliers/$code/settings', 'Settings'],
] as const;

/** The head and the tabs of a supplier. */
export function SupplierLayout() {
  const { code } = route.useParams();
  const query = useQuery({ ...supplierQuery(code), ...polled });
  const canChange = useHasRole('operator');
  const status = query.data?.settings.status;
  const states = query.data?.summary.states;
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
        actions={
          canChange && status && states && <StatusActions code={code} status={status} states={states} />
        }
      />
      {status === 'Paused' && states && (
        <Box mb="md">
          <Note tone="warn">
            The supplier is paused. Accounts that wait until it is resumed:{' '}
            {formatCount(countWaiting(states))}.
          </Note>
        </Box>
      )}
      <nav className="tabs" aria-label="Supplier">
        {TABS.map(([to, label]) => (
          <Link key={to} to={to} params={{ code }} activeOptions={{ exact: to === '/suppliers/$code' }}>
            {label}
          </Link>
        ))}
      </nav>
      <Loaded query={query}>{() => <Outlet />}</Loaded>
    </>
  );
}

/** Accounts that have not begun, without those that wait for a request of the supplier. */
function countWaiting({ PENDING: pending, STAGED: staged }: StateCountsView): number {
  return pending - staged;
}

function StatusActions({
  code,
  status,
  states,
}: {
  code: string;
  status: SupplierSettingsView['status'];
  states: StateCountsView;
}) {
  const waiting = formatCount(countWaiting(states));
  const set = (to: SupplierSettingsView['status']) => ({
    run: async () => change('POST', `${path('suppliers', code)}/status`, { status: to }),
    renews: [['supplier', code], ['overview']],
    announce: () => `${code} is ${to}.`,
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
          <p>New accounts and requests of the supplier are refused until it is resumed.</p>
          <p>
            Accounts that have not begun: {waiting}. They are held, and imported once the supplier is resumed.
            An account whose schedule window ends meanwhile is cancelled.
          </p>
          <p>Accounts in progress: {formatCount(states.IN_PROGRESS)}. Their imports end.</p>
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
          <p>The supplier can send accounts again.</p>
          {status === 'Paused' ? (
            <p>Accounts that wait: {waiting}. Their imports begin within about a minute.</p>
          ) : (
            <p>Accounts that were refused when the migration was completed have to be retried.</p>
          )}
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
          <p>Ends the migration: new accounts and requests of the supplier are refused from now on.</p>
          <p>
            Accounts that have not begun: {waiting}. They are refused: they end with the error{' '}
            <code>import_supplier_migration_not_ongoing</code>.
          </p>
          {states.STAGED > 0 && (
            <p>Staged accounts: {formatCount(states.STAGED)}. They stay, and can no longer be processed.</p>
          )}
        </ActionButton>
      )}
    </>
  );
}
