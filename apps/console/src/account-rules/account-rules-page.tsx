import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Plus, ScrollText, Trash2 } from 'lucide-react';
import { InvalidInput } from '../api/api-error';
import { apiQuery, change, path } from '../api/client';
import { queryClient, renew } from '../api/query-client';
import type { InstanceSettings, ReferenceList, ReferenceListSummary, ReferenceLists } from '../api/shapes';
import type { Column } from '../design/data-table';
import { ActionButton } from '../design/dialog';
import { Empty, Loaded, useNotify } from '../design/feedback';
import { formatCount, humanise } from '../design/format';
import { Facts, PageHead, Panel } from '../design/layout';
import { ListPanel } from '../design/list-panel';
import { Moment } from '../design/time';
import { useHasRole } from '../session/session';
import { SetRule } from './set-rule';

const route = getRouteApi('/signed-in/rules');

const LIST_QUERIES = [['reference-lists'], ['reference-list']];

/** What the account rules of the installation compare with: lists of codes, and settings. */
export function AccountRulesPage() {
  const { list } = route.useSearch();
  const isAdmin = useHasRole('admin');
  return (
    <>
      <PageHead
        title="Account rules"
        detail="Lists and settings that hold for all suppliers. Settings of one supplier are on its page."
      />
      <Lists isAdmin={isAdmin} />
      {list !== undefined && <Entries list={list} />}
      <Settings isAdmin={isAdmin} />
    </>
  );
}

function Lists({ isAdmin }: { isAdmin: boolean }) {
  const navigate = useNavigate();
  // The entries of a list that is gone are not read again.
  const leave = async () => {
    await navigate({ to: '/rules', search: {} });
    renew(...LIST_QUERIES);
  };
  const columns: readonly Column<ReferenceListSummary>[] = [
    {
      header: 'List',
      isRowHeader: true,
      cell: ({ list }) => (
        <Link to="/rules" search={{ list }}>
          {list}
        </Link>
      ),
    },
    { header: 'Entries', isFigure: true, cell: ({ entries }) => formatCount(entries) },
    { header: 'Imported', cell: ({ imported_at: at }) => <Moment at={at} /> },
    ...(isAdmin
      ? [
          {
            header: 'Actions',
            cell: ({ list }: ReferenceListSummary) => (
              <RemoveList list={list} onRemoved={() => void leave()} />
            ),
          },
        ]
      : []),
  ];
  return (
    <ListPanel
      title="Reference lists"
      actions={isAdmin && <ImportLists />}
      empty={
        <Empty icon={ScrollText} title="No list is configured">
          Codes without a list are not checked.
        </Empty>
      }
      queryKey={['reference-lists']}
      url="/reference-lists"
      columns={columns}
      rowId={({ list }) => list}
    />
  );
}

function RemoveList({ list, onRemoved }: { list: string; onRemoved: () => void }) {
  return (
    <ActionButton
      label="Remove"
      icon={Trash2}
      title={`Remove the list ${list}`}
      confirmLabel="Remove list"
      isDangerous
      typed={{ expected: list, what: 'The name of the list.' }}
      run={async () => change('DELETE', path('reference-lists', list))}
      onDone={onRemoved}
      announce={() => `The list ${list} was removed.`}
    >
      <p>Its codes are not checked any more.</p>
    </ActionButton>
  );
}

function ImportLists() {
  return (
    <ActionButton
      label="Import lists"
      icon={Plus}
      title="Import reference lists"
      confirmLabel="Import"
      run={async ({ lists = '' }) => change<ReferenceLists>('POST', '/reference-lists', parseLists(lists))}
      renews={LIST_QUERIES}
      announce={({ items }) => `Imported: ${items.map(({ list }) => list).join(', ')}.`}
    >
      <Textarea
        label="Lists"
        description="A JSON object: each member is a list, as in the file of the command reference import."
        required
        rows={10}
        name="lists"
      />
      <p>Each list replaces the stored one of its name. All of them are imported, or none.</p>
    </ActionButton>
  );
}

/** @throws InvalidInput */
function parseLists(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInput('This is not JSON. Paste the whole file, from { to }.');
  }
}

function Entries({ list }: { list: string }) {
  const query = useQuery(apiQuery<ReferenceList>(['reference-list', list], path('reference-lists', list)));
  return (
    <Panel title={`Entries of ${list}`}>
      <Loaded query={query}>
        {({ entries }) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls
          <pre className="payload" tabIndex={0} aria-label={`Entries of ${list}`}>
            {JSON.stringify(entries, null, 2)}
          </pre>
        )}
      </Loaded>
    </Panel>
  );
}

function Settings({ isAdmin }: { isAdmin: boolean }) {
  const notify = useNotify();
  const query = useQuery(apiQuery<InstanceSettings>(['instance-settings'], '/instance-settings'));
  const names = Object.keys(query.data ?? {});
  const set = async (name: string, value: string | null) => {
    await change<InstanceSettings>('PATCH', '/instance-settings', { [name]: value });
    await queryClient.invalidateQueries({ queryKey: ['instance-settings'] });
    notify(`${humanise(name)} was set.`);
  };
  return (
    <Panel
      title="Settings of the installation"
      actions={isAdmin && names.length > 0 && <SetRule names={names} subject="the installation" run={set} />}
    >
      <Loaded query={query}>
        {(settings) => (
          <Facts
            facts={Object.entries(settings).map(([name, value]) => [
              humanise(name),
              value === null ? null : String(value),
            ])}
          />
        )}
      </Loaded>
    </Panel>
  );
}
