import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Column, DataTable } from './data-table';
import { Empty, Loaded } from './feedback';
import { type FilterField, FilterForm } from './filter-form';
import { Panel } from './layout';
import { Paging } from './paging';

interface ListPage<Row> {
  items: Row[];
  next_cursor: string | null;
}

/** A list with filters, whose filters and page are in the address. */
export function FilteredList<Row, Name extends string>(props: {
  title: string;
  note?: string;
  actions?: ReactNode;
  /** What one row is: "No entry matches". */
  noun: string;
  fields: readonly FilterField<Name>[];
  filters: Partial<Record<Name, string | undefined>>;
  cursor: string | undefined;
  query: UseQueryOptions<ListPage<Row>, Error, ListPage<Row>>;
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  to: (filters: Partial<Record<Name, string | undefined>>, cursor?: string) => NavigateOptions;
}) {
  const { title, noun, filters, cursor, columns, rowId, to } = props;
  const navigate = useNavigate();
  const query = useQuery(props.query);
  return (
    <Panel title={title} note={props.note} actions={props.actions} flush>
      <FilterForm
        key={JSON.stringify(filters)}
        label={`Filter: ${title}`}
        submitLabel="Show"
        fields={props.fields}
        filters={filters}
        onChange={(search) => void navigate(to(search))}
      />
      <Loaded query={query} lines={8}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <Empty
                icon={Search}
                title={next === null ? `No ${noun} matches` : `None of the newest matches`}
              >
                {next === null ? 'Change or clear the filters.' : 'Search on among older ones.'}
              </Empty>
            ) : (
              <DataTable caption={title} columns={columns} rows={items} rowId={rowId} />
            )}
            <Paging
              cursor={cursor}
              next={next}
              nextLabel={items.length === 0 ? 'Search on' : 'Next page'}
              to={(after) => to(filters, after)}
            />
          </>
        )}
      </Loaded>
    </Panel>
  );
}
