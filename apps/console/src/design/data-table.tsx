import { type ColumnDef, tableFeatures, useTable } from '@tanstack/react-table';
import type { ReactNode } from 'react';

const features = tableFeatures({});

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Figures are aligned to the right. */
  isFigure?: boolean;
  /** Names the row for assistive technology. */
  isRowHeader?: boolean;
}

interface ColumnMeta {
  isFigure: boolean;
  isRowHeader: boolean;
}

/**
 * Rows in columns. On narrow screens the table scrolls in its own box, which the keyboard can scroll as well.
 *
 * @param props.columns defined outside of the component, so that the table keeps its model
 */
export function DataTable<Row extends object>(props: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  rowClass?: (row: Row) => string | undefined;
}) {
  const columns: ColumnDef<typeof features, Row>[] = props.columns.map((column) => ({
    id: column.id,
    header: column.header,
    cell: ({ row }: { row: { original: Row } }) => column.cell(row.original),
    meta: { isFigure: column.isFigure ?? false, isRowHeader: column.isRowHeader ?? false },
  }));
  const table = useTable({ features, columns, data: props.rows, getRowId: props.rowId });
  const metaOf = (meta: unknown) => meta as ColumnMeta;
  return (
    // A region that scrolls must be reachable by keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <div className="table-box" role="region" aria-label={`Table: ${props.caption}`} tabIndex={0}>
      <table>
        <caption className="visually-hidden">{props.caption}</caption>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <th
                  key={header.id}
                  scope="col"
                  className={metaOf(header.column.columnDef.meta).isFigure ? 'figure-cell' : undefined}
                >
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} className={props.rowClass?.(row.original)}>
              {row.getAllCells().map((cell) => {
                const { isFigure, isRowHeader } = metaOf(cell.column.columnDef.meta);
                const content = <table.FlexRender cell={cell} />;
                return isRowHeader ? (
                  <th key={cell.id} scope="row">
                    {content}
                  </th>
                ) : (
                  <td key={cell.id} className={isFigure ? 'figure-cell' : undefined}>
                    {content}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
