import { Box, Group, NavLink, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Ban, Building2, CircleCheck, KeyRound, Plus } from 'lucide-react';
import { change, path } from '../api/client';
import type { ApiKeyView, IssuedApiKey, OrganisationView } from '../api/shapes';
import type { Column } from '../design/data-table';
import { ActionButton } from '../design/dialog';
import { Empty, Loaded } from '../design/feedback';
import { PageHead, Panel } from '../design/layout';
import { ListPanel } from '../design/list-panel';
import { Chip } from '../design/state';
import { Moment } from '../design/time';
import { useHasRole } from '../session/session';
import { CreateSupplier } from '../suppliers/create-supplier';
import { organisationsQuery } from './organisation-queries';

const route = getRouteApi('/signed-in/keys');

/** Organisations and the API keys of the chosen one. */
export function KeysPage() {
  const { organisation } = route.useSearch();
  const query = useQuery(organisationsQuery);
  const isAdmin = useHasRole('admin');
  return (
    <>
      <PageHead
        title="Organisations and keys"
        detail="An organisation is a tenant: it owns suppliers and API keys, and sees only its own."
        actions={
          isAdmin && (
            <>
              <CreateOrganisation />
              <CreateSupplier />
            </>
          )
        }
      />
      <Loaded query={query}>
        {({ items }) => {
          const chosen = organisation ?? items[0]?.name;
          if (chosen === undefined)
            return (
              <Panel>
                <Empty icon={Building2} title="There are no organisations yet">
                  Create the first one, then its supplier and its key.
                </Empty>
              </Panel>
            );
          return (
            <Group align="start">
              <Box flex="1 1 13rem">
                <Panel title="Organisations" flush>
                  <Organisations organisations={items} chosen={chosen} />
                </Panel>
              </Box>
              <Box flex="4 1 30rem" miw={0}>
                <Keys organisation={chosen} isAdmin={isAdmin} />
              </Box>
            </Group>
          );
        }}
      </Loaded>
    </>
  );
}

function Organisations({
  organisations,
  chosen,
}: {
  organisations: readonly OrganisationView[];
  chosen: string;
}) {
  return (
    <ul>
      {organisations.map(({ name }) => (
        <li key={name}>
          <NavLink
            renderRoot={(root) => <Link {...root} to="/keys" search={{ organisation: name }} />}
            label={name}
            active={name === chosen}
            aria-current={name === chosen ? 'true' : undefined}
          />
        </li>
      ))}
    </ul>
  );
}

function Keys({ organisation, isAdmin }: { organisation: string; isAdmin: boolean }) {
  const url = `${path('organisations', organisation)}/api-keys`;
  const renews = [['api-keys', organisation]];
  const columns: readonly Column<ApiKeyView>[] = [
    { header: 'Prefix', isRowHeader: true, cell: ({ prefix }) => <code>{prefix}</code> },
    {
      header: 'State',
      cell: ({ revoked_at: at }) =>
        at === null ? (
          <Chip tone="good" icon={CircleCheck} label="Valid" />
        ) : (
          <Chip tone="calm" icon={Ban} label="Revoked" />
        ),
    },
    { header: 'Issued', cell: ({ created_at: at }) => <Moment at={at} /> },
    { header: 'Revoked', cell: ({ revoked_at: at }) => <Moment at={at} /> },
    ...(isAdmin
      ? [
          {
            header: 'Actions',
            cell: ({ prefix, revoked_at: at }: ApiKeyView) =>
              at === null && (
                <ActionButton
                  label="Revoke"
                  icon={Ban}
                  title={`Revoke the key ${prefix}`}
                  confirmLabel="Revoke key"
                  isDangerous
                  typed={{ expected: prefix, what: 'The prefix of the key.' }}
                  run={async () => change('DELETE', path('api-keys', prefix))}
                  renews={renews}
                  announce={() => `The key ${prefix} is revoked.`}
                >
                  <p>The key and every token that was obtained with it are refused from now on.</p>
                </ActionButton>
              ),
          },
        ]
      : []),
  ];
  return (
    <ListPanel
      title={`API keys of ${organisation}`}
      actions={
        isAdmin && (
          <ActionButton
            label="Issue key"
            icon={KeyRound}
            title={`Issue an API key to ${organisation}`}
            confirmLabel="Issue key"
            run={async () => change<IssuedApiKey>('POST', url)}
            renews={renews}
            secret={{
              label: 'API key',
              of: (issued) => issued.api_key,
              note: 'Send it to the supplier over a channel that only the two of you read.',
            }}
          >
            <p>The key gives access to all suppliers of the organisation. It is shown once.</p>
          </ActionButton>
        )
      }
      empty={<Empty icon={KeyRound} title="This organisation has no keys" />}
      queryKey={['api-keys', organisation]}
      url={url}
      columns={columns}
      rowId={({ prefix }) => prefix}
    />
  );
}

function CreateOrganisation() {
  return (
    <ActionButton
      label="Create organisation"
      icon={Plus}
      title="Create an organisation"
      confirmLabel="Create"
      run={async (fields) => change<OrganisationView>('POST', '/organisations', fields)}
      renews={[organisationsQuery.queryKey]}
      announce={(created) => `Organisation ${created.name} was created.`}
    >
      <TextInput label="Name" required maxLength={128} name="name" />
    </ActionButton>
  );
}
