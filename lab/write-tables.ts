import { readFile, writeFile } from 'node:fs/promises'
import { readWords } from '../build/usage.ts'
import { supportPage, withTables } from './browsers/support-tables.ts'
import { callsPage, callsTable } from './calls-table.ts'
import { withMarkedPlace } from './marked-place.ts'
import { programsPage, programsTable } from './programs-table.ts'

readWords(
  `Usage: npm run tables\n\nWrites the generated tables of ${supportPage}, ${callsPage} and ${programsPage} from the sources.`,
  {},
)
await rewrite(supportPage, withTables)
await rewrite(callsPage, (page) => withMarkedPlace(page, 'calls', callsTable(), callsPage))
await rewrite(programsPage, (page) => withMarkedPlace(page, 'programs', programsTable(), programsPage))

async function rewrite(page: string, change: (text: string) => string): Promise<void> {
  await writeFile(page, change(await readFile(page, 'utf8')))
}
