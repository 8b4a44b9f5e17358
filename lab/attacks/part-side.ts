import type { Row } from './rows.ts'
import { type RunOptions, runAttacks } from './run.ts'

/** Runs one part in its own process: receives the run's options and sends back the rows. */
process.on('message', (wanted: RunOptions) => {
  void measured(wanted).then((rows) => process.send!(rows))
})

async function measured(wanted: RunOptions): Promise<Row[]> {
  const rows: Row[] = []
  await runAttacks(wanted, (row) => rows.push(row))
  return rows
}
