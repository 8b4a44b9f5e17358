import { terminal } from '#server/app/command/terminal/terminal.ts'
import { readSettings } from '#server/app/settings.ts'
import { runStore } from './run-store.ts'

process.exitCode = await runStore(process.argv.slice(2), readSettings, terminal)
