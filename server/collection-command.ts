import { collectionProgram } from './command/programs.ts'
import { runCommand } from './command/run.ts'
import { terminal } from './command/terminal.ts'
import { readSettings } from './settings.ts'

process.exitCode = await runCommand(collectionProgram, process.argv.slice(2), readSettings, terminal)
