import { setTimeout as pause } from 'node:timers/promises'
import { collectionProgram } from '#server/app/command/programs.ts'
import { runCommand } from '#server/app/command/run.ts'
import { readSettings } from '#server/app/settings.ts'
import { createFakeAnalysis } from '../drawn/fake-analysis.ts'

/** `npm run collection -- import-pictures` with drawn pictures that each take a while. */
const analysis = createFakeAnalysis()
process.exitCode = await runCommand(collectionProgram, process.argv.slice(2), readSettings, {
  write: (text) => void process.stdout.write(`${text}\n`),
  error: (text) => void process.stderr.write(`${text}\n`),
  ask: async () => '',
  startAnalysis: () => ({
    ...analysis,
    async analyse(...asked) {
      await pause(15)
      return analysis.analyse(...asked)
    },
  }),
})
