import { readFile, writeFile } from 'node:fs/promises'
import { readWords } from '../../build/usage.ts'
import { supportPage, withTables } from './support-tables.ts'

readWords(`Usage: npm run browsers\n\nWrites the tables of ${supportPage} anew from shared/browsers.`, {})
await writeFile(supportPage, withTables(await readFile(supportPage, 'utf8')))
