import { readSettings } from '#server/app/settings.ts'
import { auditProgram } from './programs.ts'
import { runCommand } from './run.ts'
import { terminal } from './terminal.ts'

process.exitCode = await runCommand(auditProgram, process.argv.slice(2), readSettings, terminal)
