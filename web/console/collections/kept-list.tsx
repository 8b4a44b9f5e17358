import { useConsole } from '#web/console/core/console-context.ts'
import { Section } from '#web/console/ui/pieces.tsx'
import { type Column, Table } from '#web/console/ui/table.tsx'

interface ListProps<Row> {
  readonly title: string
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly columns: readonly Column<Row>[]
}

/** Lists one kind of data that is stored about a person, or says that there is none. */
export function List<Row>({ title, ...table }: ListProps<Row>) {
  const { words } = useConsole()
  return (
    <Section title={title}>
      {table.rows.length === 0 ? <p>{words.value.person.none}</p> : <Table caption={title} {...table} />}
    </Section>
  )
}
