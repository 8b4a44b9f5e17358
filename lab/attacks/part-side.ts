import type { Row } from './rows.ts'
import { runAttacks, type Wanted } from './run.ts'

/** One part of a run in a process of its own: it is told what is wanted, and answers with the rows. */
process.on('message', (wanted: Wanted) => {
  void measured(wanted).then((rows) => process.send!(rows))
})

async function measured(wanted: Wanted): Promise<Row[]> {
  const rows: Row[] = []
  await runAttacks(wanted, (row) => rows.push(row))
  return rows
}
