import type { ReactNode } from 'react';

export interface Column<Row> {
  id: string;
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
}) {
  const { caption, columns, rows, rowId } = props;
  return (
    // A region that scrolls must be reachable by keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <div className="table-box" role="region" aria-label={`Table: ${caption}`} tabIndex={0}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ id, header, isFigure }) => (
              <th key={id} scope="col" className={isFigure ? 'figure-cell' : undefined}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowId(row)}>
              {columns.map(({ id, cell, isFigure, isRowHeader }) =>
                isRowHeader ? (
                  <th key={id} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={id} className={isFigure ? 'figure-cell' : undefined}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
