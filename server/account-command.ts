import { runCommand } from './command/run.ts'
import { readSettings } from './settings.ts'

process.exitCode = await runCommand(process.argv.slice(2), readSettings, {
  tell: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
})
