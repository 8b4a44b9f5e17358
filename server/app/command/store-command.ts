import { readSettings } from '#server/app/settings.ts'
import { runStore } from './run-store.ts'
import { terminal } from './terminal.ts'

process.exitCode = await runStore(process.argv.slice(2), readSettings, terminal)
