import type { createMetrics } from '#server/platform/telemetry/figures/metrics.ts'

/** The sources behind an idle process's figures. */
export const quietSources: Parameters<typeof createMetrics>[0] = {
  analysesUnderWay: () => 0,
  parallelAnalyses: () => 1,
  storeBytes: async () => 0,
  storeMostBytes: async () => undefined,
  disks: { data: async () => ({ free: 50e9, size: 100e9 }) },
  ready: async () => true,
  unreadableCollections: () => 0,
  queuePlaces: 64,
  bytes: { mostBytes: 1000, underWay: () => 0, refused: () => 0 },
  writes: { trouble: () => undefined, failures: () => 0 },
  clockDriftInSeconds: () => undefined,
  pack: 'standard',
}
