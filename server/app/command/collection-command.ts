import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSettings, type Settings } from '#server/app/settings.ts'
import { createAnalysisPool, startWorkerThread } from '#server/features/analysis/analysis.ts'
import { ownFilesOf } from '#server/platform/running/own-files.ts'
import { collectionProgram } from './programs.ts'
import { runCommand } from './run.ts'
import { terminal } from './terminal/terminal.ts'

const own = fileURLToPath(import.meta.url)
const { analysisWorker } = ownFilesOf(own.endsWith('.ts') ? join(dirname(own), '../main.ts') : own)

/** Like the server's, with timeouts long enough for a machine that is busy with other work. */
function startAnalysis({ analysisThreads, pack, packsDir }: Settings) {
  return createAnalysisPool({
    threads: analysisThreads,
    startWorker: () => startWorkerThread(analysisWorker, pack, packsDir),
    pieceTimeoutInMilliseconds: 60_000,
    patienceInMilliseconds: 600_000,
    onFailure: (error) => terminal.error(`An analysis worker failed: ${String(error)}`),
  })
}

const io = { ...terminal, startAnalysis }
process.exitCode = await runCommand(collectionProgram, process.argv.slice(2), readSettings, io)
