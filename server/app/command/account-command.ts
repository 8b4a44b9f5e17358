import { readSettings } from '#server/app/settings.ts'
import { accountProgram } from './programs.ts'
import { runCommand } from './run.ts'
import { terminal } from './terminal/terminal.ts'

process.exitCode = await runCommand(accountProgram, process.argv.slice(2), readSettings, terminal)
