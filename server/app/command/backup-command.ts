import { readSettings } from '#server/app/settings.ts'
import { runBackup } from './run-backup.ts'
import { terminal } from './terminal/terminal.ts'

process.exitCode = await runBackup(process.argv.slice(2), readSettings, terminal)
