import { countPinned } from '#server/app/pinned-collections.ts'
import { readSettings } from '#server/app/settings.ts'
import { runPacks } from '#server/features/packs/packs.ts'
import { createOutbound } from '#server/platform/http/outbound/outbound.ts'
import { terminal } from './terminal/terminal.ts'

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
