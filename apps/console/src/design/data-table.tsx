import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Column<Row> {
  /** Differs from those of the other columns. */
  header: string;
  cell: (row: Row) => ReactNode;
  /** Figures are aligned to the right. */
  isFigure?: boolean;
  /** Names the row for assistive technology. */
  isRowHeader?: boolean;
}

/** Rows in columns. On narrow screens the table scrolls in its own box, which the keyboard can scroll as well. */
export function DataTable<Row>(props: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Shown instead of a table without rows. */
  empty?: ReactNode;
}) {
  const { caption, columns, rows, rowId, empty } = props;
  if (rows.length === 0 && empty !== undefined) return empty;
  return (
    // A region that scrolls must be reachable by keyboard.
    <div
      className="table-box"
      role="region"
      aria-label={`Table: ${caption}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
      tabIndex={0}
    >
      <Table tabularNums highlightOnHover aria-label={caption}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ header, isFigure }) => (
              <Table.Th key={header} scope="col" className={isFigure ? 'nowrap figure-cell' : 'nowrap'}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowId(row)}>
              {columns.map(({ header, cell, isFigure, isRowHeader }) =>
                isRowHeader ? (
                  <Table.Th key={header} scope="row" fw={500}>
                    {cell(row)}
                  </Table.Th>
                ) : (
                  <Table.Td key={header} className={isFigure ? 'figure-cell' : undefined}>
                    {cell(row)}
                  </Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
