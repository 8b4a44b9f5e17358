import { type Survival, surviveKills, withDevice } from '../../e2e/support/kiosk/kiosk-torture.ts'

/**
 * Checks people at a kiosk while its server is unreachable, kills its browser with SIGKILL in the middle of every third visit, brings the server
 * back, and counts.
 */
export async function tortureKiosk(visits: number): Promise<Record<string, number>> {
  const kills = Math.floor(visits / 3)
  const checks = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const
  return withDevice(async (site, device) =>
    figuresOf(await surviveKills(site, device, { checks, visits, kills })),
  )
}

function figuresOf({ acknowledged, unknown, arrivals, receivedCount }: Survival): Record<string, number> {
  const captures = new Set(arrivals.map(({ kiosk }) => kiosk.captureId))
  const times = arrivals.map(({ capturedAt }) => capturedAt)
  const sorted = [...times].sort()
  return {
    acknowledged: acknowledged.length,
    'ended while it was kept': unknown,
    arrived: captures.size,
    'received by the count of the kiosk': receivedCount,
    'arrived twice': arrivals.length - captures.size,
    'out of order': times.filter((time, i) => time !== sorted[i]).length,
    missing: Math.max(0, acknowledged.length - captures.size),
    'decided otherwise than on the spot': arrivals.filter(({ kiosk }) => kiosk.differs).length,
  }
}
