import { auditProgram } from '#server/app/command/programs.ts'
import { runCommand } from '#server/app/command/run.ts'
import { terminal } from '#server/app/command/terminal/terminal.ts'
import { readSettings } from '#server/app/settings.ts'

process.exitCode = await runCommand(auditProgram, process.argv.slice(2), readSettings, terminal)
