import { accountProgram } from './command/programs.ts'
import { runCommand } from './command/run.ts'
import { terminal } from './command/terminal.ts'
import { readSettings } from './settings.ts'

process.exitCode = await runCommand(accountProgram, process.argv.slice(2), readSettings, terminal)
