import { createOutbound } from '#server/http/outbound/outbound.ts'
import { countPinned } from '#server/packs/pinned-collections.ts'
import { runPacks } from '#server/packs/run-packs.ts'
import { readSettings } from '#server/settings.ts'
import { terminal } from './terminal.ts'

process.exitCode = await runPacks(process.argv.slice(2), terminal, () => {
  const settings = readSettings()
  return {
    packsDir: settings.packsDir,
    outbound: createOutbound({ allowLoopback: false }),
    countPinned: (pack) => countPinned(settings, pack),
    now: Date.now,
    ...terminal,
  }
})
