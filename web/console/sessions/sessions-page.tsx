import { useState } from 'preact/hooks'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { withQuery } from '#web/console/core/address.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { saveFile } from '#web/console/core/save-file.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { SelectField } from '#web/console/ui/field.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Empty, PageHead } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { count } from '#web/wording/fill.ts'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { readColumns, writeColumns } from './columns/chosen-columns.ts'
import { ColumnChooser } from './columns/column-chooser.tsx'
import { readFilters } from './filters.ts'
import { SessionFilters } from './session-filters.tsx'
import { SessionTable } from './session-table.tsx'
import { sessionsCsv } from './sessions-csv.ts'
import { type Order, orderText, readOrder, sorted, sortings } from './sorting.ts'
import { useSessionList } from './use-session-list.ts'
import { ViewBar } from './view-bar.tsx'

/** A paged list of sessions, with filters in the address. New sessions wait above the list until the person asks to see them. */
export function SessionsPage() {
  const { words, navigation } = useConsole()
  const filters = readFilters(navigation.address.value.query)
  const isFiltered = Object.keys(filters).length > 0
  const { list, isLoading, problem, cursor, more, moreProblem, reload, showNew } = useSessionList(filters)
  const { sessions } = words.value
  const address = navigation.address.value
  const order = readOrder(address.query.sort)
  const setOrder = (next: Order | undefined) =>
    navigation.go(withQuery(address, { sort: next === undefined ? null : orderText(next) }), {
      isReplaced: true,
    })
  const rows = sorted(list.shown, order, words.value.locale)
  const { columns, chooseColumns } = useColumns()
  const choice = useChoice(rows)
  const download = (some: typeof rows) => saveFile(csvName(), sessionsCsv(some, words.value), 'text/csv')
  return (
    <>
      <PageHead title={words.value.page.sessions}>
        <Button onPress={() => download(rows)}>{sessions.csv}</Button>
      </PageHead>
      <ViewBar />
      <SessionFilters filters={filters} />
      <div class="live">
        <News
          waiting={list.waiting.length}
          onShow={showNew}
          sortedRows={order !== undefined && cursor !== null ? rows.length : null}
        />
        <ColumnChooser chosen={columns} onChoose={chooseColumns} />
        <div class="narrow-only">
          <OrderField order={order} onOrder={setOrder} />
        </div>
      </div>
      {choice.chosen.length > 0 && (
        <BulkBar
          chosen={choice.chosen}
          onExport={() => download(choice.chosen)}
          onClear={choice.clear}
          onDone={() => {
            choice.clear()
            reload()
          }}
        />
      )}
      <ProblemNote problem={problem} onRetry={reload} />
      {list.shown.length > 0 ? (
        <SessionTable
          sessions={rows}
          isBusy={isLoading}
          caption={sessions.caption}
          order={order}
          onOrder={setOrder}
          shown={columns}
          chosen={choice.ids}
          onChoose={choice.choose}
        />
      ) : (
        !isLoading && problem === undefined && <NothingFits isFiltered={isFiltered} />
      )}
      <ProblemNote problem={moreProblem} />
      {cursor !== null && <Button onPress={more}>{words.value.action.more}</Button>}
    </>
  )
}

/** The columns that are shown, as chosen in this browser. */
function useColumns() {
  const [columns, setColumns] = useState(() => readColumns(localStorage))
  const chooseColumns = (next: typeof columns) => {
    writeColumns(localStorage, next)
    setColumns(next)
  }
  return { columns, chooseColumns }
}

/** The sessions that are chosen for an action on several. */
function useChoice(rows: readonly ListedSession[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return {
    ids,
    chosen: rows.filter(({ verificationSessionId }) => ids.has(verificationSessionId)),
    choose: (some: readonly string[], isOn: boolean) =>
      setIds((before) => new Set([...before, ...some].filter((id) => isOn || !some.includes(id)))),
    clear: () => setIds(new Set()),
  }
}

interface NewsProps {
  readonly waiting: number
  readonly onShow: () => void
  /** How many rows the chosen order covers; null if it covers all. */
  readonly sortedRows: number | null
}

/** Offers the sessions that are new, or says what the list shows. */
function News({ waiting, onShow, sortedRows }: NewsProps) {
  const { words } = useConsole()
  const { sessions, locale } = words.value
  if (waiting > 0)
    return (
      <Button kind="quiet" onPress={onShow}>
        {count(locale, sessions.newOnes, waiting)}
      </Button>
    )
  return (
    <span class="small">
      {sortedRows === null ? sessions.upToDate : count(locale, sessions.sortedShown, sortedRows)}
    </span>
  )
}

/** Advice for when there are no sessions, or none that match. */
function NothingFits({ isFiltered }: { isFiltered: boolean }) {
  const { words, navigation } = useConsole()
  const { sessions, action, page } = words.value
  if (isFiltered)
    return (
      <Empty title={sessions.none} advice={sessions.noneAdvice}>
        <Button onPress={() => navigation.go({ page: 'sessions' })}>{action.clear}</Button>
      </Empty>
    )
  return (
    <Empty title={sessions.empty} advice={sessions.emptyAdvice}>
      <Link to={{ page: 'verifications' }} class="press primary">
        {page.verifications}
      </Link>
    </Empty>
  )
}

function csvName(): string {
  return `sessions-${new Date().toISOString().slice(0, 10)}.csv`
}

/** Selects the sort order on narrow screens, which have no table header. */
function OrderField({
  order,
  onOrder,
}: {
  order: Order | undefined
  onOrder: (order: Order | undefined) => void
}) {
  const { words } = useConsole()
  const { sessions, session } = words.value
  const named = { ...sessions, took: session.took }
  const options = sortings.flatMap((by) =>
    [false, true].map((isDescending) => {
      const text = orderText({ by, isDescending })
      return [text, `${named[by]} ${isDescending ? '↓' : '↑'}`] as const
    }),
  )
  return (
    <SelectField
      label={sessions.order}
      value={order === undefined ? '' : orderText(order)}
      options={[['', sessions.newestFirst], ...options]}
      onChange={(text) => onOrder(readOrder(text))}
    />
  )
}
