// biome-ignore-all lint/a11y/noRedundantRoles: cells that are cards on a narrow screen would lose the roles of a table

import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  readonly name: string
  readonly head: string
  readonly cell: (row: Row) => ComponentChildren
  /** Replaces the text of the header, for a control such as a box that chooses all rows. */
  readonly headCell?: ComponentChildren
  readonly isNumber?: boolean
  /** An actions column. Its header is visually hidden but still announced by screen readers. */
  readonly isQuiet?: boolean
  /** The column takes the width that the others leave, and its text is cut there. */
  readonly isElastic?: boolean
  /** The place of the cell in the two lines that a dense row has on a narrow screen; absent if it is left out there. */
  readonly narrow?: 'box' | 'lead' | 'end' | 'mark' | 'rest' | 'act'
  /** How to sort by this column; absent if it cannot be sorted. */
  readonly sorting?: {
    readonly direction: 'ascending' | 'descending' | 'none'
    readonly onPress: () => void
  }
}

interface TableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly isBusy?: boolean
  readonly isNew?: (row: Row) => boolean
  readonly selected?: string | null
  /** The table has few, short cells and stays a table on narrow screens. */
  readonly isCompact?: boolean
  /** Each row is one line, and two on narrow screens, where only columns with a `narrow` place are shown. */
  readonly isDense?: boolean
}

/** A data table. On narrow screens, each row becomes a card with headers next to the cells, but the ARIA roles stay those of a table. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  isBusy = false,
  isNew,
  selected = null,
  isCompact = false,
  isDense = false,
}: TableProps<Row>) {
  const table = (
    <table
      class={isDense ? 'table dense' : isCompact ? 'table compact' : 'table'}
      role="table"
      aria-busy={isBusy}
    >
      <caption class="heard">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name, isNumber, sorting, ...column }) => (
            <th
              key={name}
              role="columnheader"
              scope="col"
              class={isNumber ? 'number' : undefined}
              aria-sort={sorting?.direction}
            >
              <Head {...column} {...(sorting && { sorting })} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr
            key={rowKey(row)}
            role="row"
            class={isNew?.(row) ? 'new' : undefined}
            aria-selected={selected === rowKey(row) ? 'true' : undefined}
          >
            {columns.map(({ name, head, cell, isNumber, isQuiet, isElastic, narrow }) => (
              <td
                key={name}
                role="cell"
                data-head={isQuiet ? '' : head}
                data-narrow={isDense ? narrow : undefined}
                class={isNumber ? 'number' : isElastic ? 'elastic' : undefined}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
  // Lines are not broken, so on a screen of middle width the table is moved within its box instead of the page.
  return isDense ? <div class="scrolled">{table}</div> : table
}

/** A header: a control, a button that sorts, or a text. */
function Head<Row>({ head, headCell, isQuiet, sorting }: Omit<Column<Row>, 'name' | 'cell'>) {
  if (headCell !== undefined) return <>{headCell}</>
  if (sorting === undefined) return <span class={isQuiet ? 'heard' : undefined}>{head}</span>
  return (
    <button type="button" class="sorter" onClick={sorting.onPress}>
      {head}
    </button>
  )
}
