import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { apiQuery } from '../api/client';
import type { List, Page } from '../api/shapes';
import { type Column, DataTable } from './data-table';
import { Empty, Loaded } from './feedback';
import { type FilterField, FilterForm } from './filter-form';
import { Panel } from './layout';

/** A list of the operator API in a panel. Its filters and its page are in the address, which the browser goes back in. */
export function ListPanel<Row>(props: {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  /** What one row of a filtered list is: "No entry matches". */
  noun?: string;
  /** Why a list without filters is empty, and what fills it. */
  empty?: ReactNode;
  queryKey: readonly unknown[];
  url: string;
  /** Parameters beside the filters. */
  query?: Readonly<Record<string, string | number>>;
  /** The interval at which the first page is read. Rows of further pages must not move while they are read. */
  refreshMs?: number;
  fields?: readonly FilterField[];
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
}) {
  const { title, noun, empty, fields = [], query, refreshMs, columns, rowId } = props;
  const navigate = useNavigate();
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const filters = Object.fromEntries(fields.map(({ name }) => [name, search[name]]));
  const { cursor } = search;
  const goTo = (to: Readonly<Record<string, string | undefined>>) => void navigate({ to: '.', search: to });
  const page = useQuery({
    ...apiQuery<List<Row> & Partial<Page<Row>>>([...props.queryKey, filters, cursor ?? ''], props.url, {
      ...query,
      ...filters,
      cursor,
    }),
    ...(refreshMs !== undefined && cursor === undefined ? { refetchInterval: refreshMs } : {}),
  });
  return (
    <Panel title={title} note={props.note} actions={props.actions} flush>
      {fields.length > 0 && (
        <FilterForm
          key={JSON.stringify(filters)}
          label={`Filter: ${title}`}
          submitLabel="Show"
          fields={fields}
          filters={filters}
          onChange={goTo}
        />
      )}
      <Loaded query={page}>
        {({ items, next_cursor: next }) => (
          <>
            <DataTable
              caption={title}
              columns={columns}
              rows={items}
              rowId={rowId}
              empty={
                empty ??
                (next ? (
                  <Empty icon={Search} title="None of the newest matches">
                    Search on among older ones.
                  </Empty>
                ) : (
                  <Empty icon={Search} title={`No ${noun} matches`}>
                    Change or clear the filters.
                  </Empty>
                ))
              }
            />
            {(cursor !== undefined || Boolean(next)) && (
              <Group component="nav" aria-label="Pages" justify="flex-end" gap="xs" p="sm">
                <Button
                  variant="default"
                  disabled={cursor === undefined}
                  onClick={() => {
                    goTo(filters);
                  }}
                  leftSection={<ChevronLeft size={14} />}
                >
                  First page
                </Button>
                <Button
                  variant="default"
                  disabled={!next}
                  onClick={() => {
                    goTo({ ...filters, cursor: next ?? undefined });
                  }}
                  rightSection={<ChevronRight size={14} />}
                >
                  {items.length === 0 ? 'Search on' : 'Next page'}
                </Button>
              </Group>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
