import { readSettings } from '#server/app/settings.ts'
import { collectionProgram } from './programs.ts'
import { runCommand } from './run.ts'
import { terminal } from './terminal.ts'

process.exitCode = await runCommand(collectionProgram, process.argv.slice(2), readSettings, terminal)
