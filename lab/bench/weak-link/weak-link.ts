import { resolve } from 'node:path'
import type { Browser } from '@playwright/test'
import { needFootage } from '#lab/footage.ts'
import { median } from '#lab/statistics/quantile.ts'
import { type Clip, loadClip } from '../../../e2e/support/acted/clips.ts'
import { createCheck, signLink } from '../../../e2e/support/acted/scenario.ts'
import { launchBrowser } from '../../../e2e/support/browser.ts'
import { productOf, startReceiver } from '../../../e2e/support/product.ts'
import { type BuiltServer, startBuiltServer } from '../../../tests/support/programs/built-server.ts'
import { type LinkVisit, visitOverLink } from './link-visit.ts'
import { type Link, startRelay } from './relay.ts'

const clipName = 'tranvanluyt2203_real.mp4'
/** A weak mobile network and a decent one. */
const links: Readonly<Record<string, Link>> = {
  '1.6': { down: 1.6, up: 0.75, roundTrip: 150 },
  '5': { down: 5, up: 1.5, roundTrip: 150 },
}
const visits = Number(process.env.BENCH_LINK_VISITS ?? 6)

export interface WeakLinkOptions {
  /** The folder of another build to compare with this one. */
  readonly former?: string | undefined
  /** The names of links, separated by commas. */
  readonly only?: string | undefined
}

/**
 * `npm run bench -- weak-link`: visits with an empty cache over links that are slower than this machine. Measures the time until the consent screen,
 * until the page knows whether there is a face, and until it has the face's points, and counts the visits that pass. With `--former FOLDER`,
 * alternates with another build.
 */
export async function benchWeakLink({ former, only }: WeakLinkOptions): Promise<Record<string, number>> {
  needFootage(clipName)
  const browser = await launchBrowser()
  const receiver = await startReceiver()
  const figures: Record<string, number> = {}
  const builds = { '': '.', ...(former !== undefined && { 'former.': resolve(former) }) }
  const servers = new Map<string, BuiltServer>()
  try {
    const clip = await loadClip(browser, clipName)
    for (const [build, root] of Object.entries(builds)) servers.set(build, await startServer(root))
    for (const [name, link] of Object.entries(links)) {
      if (only !== undefined && !only.split(',').includes(name)) continue
      const seen = new Map([...servers.keys()].map((build) => [build, [] as LinkVisit[]]))
      for (let i = 0; i < visits; i++)
        for (const [build, server] of servers) {
          const visit = await visitOnce(browser, server, receiver, clip, link)
          process.stderr.write(`${name} ${build || 'this'}: ${lineOf(visit)}\n`)
          seen.get(build)!.push(visit)
        }
      for (const [build, all] of seen) Object.assign(figures, figuresOf(`weakLink.${build}${name}`, all))
    }
    return figures
  } finally {
    await browser.close()
    await receiver.stop()
    for (const server of servers.values()) await server.stop()
  }
}

function startServer(root: string): Promise<BuiltServer> {
  const settings = {
    CHALLENGE_ACTIONS: 'turnLeft,turnRight,lookUp',
    LOG_LEVEL: 'silent',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
  }
  return startBuiltServer(settings, [], { root })
}

async function visitOnce(
  browser: Browser,
  server: BuiltServer,
  receiver: Awaited<ReturnType<typeof startReceiver>>,
  clip: Clip,
  link: Link,
): Promise<LinkVisit> {
  const site = { product: productOf(server), receiver }
  const check = await createCheck(site, { liveness: { type: 'Verification', challengeType: 'Balanced' } })
  const relay = await startRelay(new URL(server.origin), link)
  try {
    const address = (await signLink(site, check)).replace(server.origin, relay.origin)
    return await visitOverLink(browser, address, clip)
  } finally {
    await relay.stop()
  }
}

function lineOf({ passed, endedAt, ...visit }: LinkVisit): string {
  const shown = times
    .map((name) => [name, visit[name]] as const)
    .map(([name, at]) => `${name} ${at === undefined ? '-' : Math.round(Number(at))}`)
  return `${passed ? 'passed' : endedAt}; ${shown.join(', ')}`
}

const times = ['consent', 'camera', 'look', 'points', 'whole', 'verdict'] as const

function figuresOf(name: string, seen: readonly LinkVisit[]): Record<string, number> {
  const figures: Record<string, number> = {
    [`${name}.visits`]: seen.length,
    [`${name}.passed`]: seen.filter(({ passed }) => passed).length,
  }
  const add = (figure: string, read: (visit: LinkVisit) => number | undefined) => {
    const values = seen.map(read).filter((value) => value !== undefined)
    if (values.length === 0) return
    figures[`${name}.${figure}`] = median(values)
    figures[`${name}.${figure}Most`] = Math.max(...values)
  }
  for (const milestone of times) add(`${milestone}Ms`, (visit) => visit[milestone])
  for (const milestone of ['look', 'points'] as const)
    add(`${milestone}AfterCameraMs`, ({ camera, [milestone]: at }) =>
      at === undefined || camera === undefined ? undefined : at - camera,
    )
  for (const milestone of ['look', 'points', 'whole'] as const)
    add(`${milestone}Bytes`, ({ bytes }) => bytes[milestone] || undefined)
  return figures
}
