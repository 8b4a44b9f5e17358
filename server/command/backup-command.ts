import { runBackup } from '#server/backup/run-backup.ts'
import { readSettings } from '#server/settings.ts'
import { terminal } from './terminal.ts'

process.exitCode = await runBackup(process.argv.slice(2), readSettings, terminal)
