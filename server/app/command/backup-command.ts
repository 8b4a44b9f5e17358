import { runBackup } from './run-backup.ts'
import { readSettings } from '#server/app/settings.ts'
import { terminal } from './terminal.ts'

process.exitCode = await runBackup(process.argv.slice(2), readSettings, terminal)
