import { resolve } from 'node:path'
import type { Browser } from '@playwright/test'
import { median } from '#lab/statistics/quantile.ts'
import type { Acting } from '../../../e2e/support/acted/acting.ts'
import { loadPeople, type Person } from '../../../e2e/support/acted/people.ts'
import { createCheck, signLink } from '../../../e2e/support/acted/scenario.ts'
import { launchBrowser } from '../../../e2e/support/browser.ts'
import { productOf, sessionFiguresOf, startReceiver } from '../../../e2e/support/product.ts'
import { call } from '../../../shared/call.ts'
import { getSessions } from '../../../shared/contract/sessions/session-list.ts'
import { type BuiltServer, startBuiltServer } from '../../../tests/support/programs/built-server.ts'
import { type LinkVisit, visitOverLink } from '../weak-link/link-visit.ts'

/** How many visits of each build are made for the first kind of visit. The others get a quarter. */
const visits = Number(process.env.PACE_VISITS ?? 24)
const mostPeople = 5

/** A kind of visit: how people act, and how many actions are requested. */
interface Kind {
  readonly name: string
  readonly acting: Acting
  readonly challengeType: 'Balanced' | 'Advanced'
  readonly actions: string
  readonly visits: number
}

const kinds: readonly Kind[] = [
  {
    name: 'human',
    acting: { manner: 'asked', brings: true },
    challengeType: 'Balanced',
    actions: 'turnLeft,turnRight',
    visits,
  },
  {
    name: 'slow',
    acting: { manner: 'asked', brings: true, pace: 'reading', turnsWrongFirst: 'corrected' },
    challengeType: 'Balanced',
    actions: 'turnLeft,turnRight',
    visits: Math.ceil(visits / 4),
  },
  {
    name: 'threeActions',
    acting: { manner: 'asked', brings: true },
    challengeType: 'Advanced',
    actions: 'turnLeft,turnRight,lookUp',
    visits: Math.ceil(visits / 4),
  },
]

export interface VisitTimesOptions {
  /** The folder of another build to compare with this one. */
  readonly former?: string | undefined
  /** The names of kinds, separated by commas. */
  readonly only?: string | undefined
}

/**
 * Times from the camera's first picture to the verdict, in milliseconds, the share that passed at the first try, and the bytes of request bodies,
 * for people who act as people do, who read slowly and turn the wrong way first, and who perform three actions. Alternates
 * with the other build, if there is one.
 */
export async function visitTimes({ former, only }: VisitTimesOptions): Promise<Record<string, number>> {
  const browser = await launchBrowser()
  const receiver = await startReceiver()
  try {
    const figures: Record<string, number> = {}
    const everybody = await loadPeople(browser)
    const builds = { '': '.', ...(former !== undefined && { 'former.': resolve(former) }) }
    for (const kind of kinds) {
      if (only !== undefined && !only.split(',').includes(kind.name)) continue
      const people = everybody
        .filter(({ actions }) =>
          kind.actions.split(',').every((action) => actions.some((own) => own === action)),
        )
        .slice(0, mostPeople)
      Object.assign(figures, await timesOf(kind, people, builds, browser, receiver))
    }
    return figures
  } finally {
    await browser.close()
    await receiver.stop()
  }
}

async function timesOf(
  kind: Kind,
  people: readonly Person[],
  builds: Readonly<Record<string, string>>,
  browser: Browser,
  receiver: Awaited<ReturnType<typeof startReceiver>>,
): Promise<Record<string, number>> {
  const servers = new Map<string, BuiltServer>()
  try {
    for (const [build, root] of Object.entries(builds))
      servers.set(
        build,
        await startBuiltServer({ CHALLENGE_ACTIONS: kind.actions, LOG_LEVEL: 'silent' }, [], { root }),
      )
    const seen = new Map([...servers.keys()].map((build) => [build, [] as LinkVisit[]]))
    for (let i = 0; i < kind.visits; i++)
      for (const [build, server] of servers) {
        const { challengeType, acting } = kind
        const site = { product: productOf(server), receiver }
        const check = await createCheck(site, { liveness: { type: 'Verification', challengeType } })
        const { clip } = people[i % people.length]!
        const visit = await visitOverLink(browser, await signLink(site, check), clip, acting)
        seen.get(build)!.push(visit)
        const took = Math.round((visit.verdict ?? Number.NaN) - (visit.camera ?? Number.NaN))
        const why = visit.passed ? '' : ` (${await reasonsOf(server)})`
        process.stderr.write(`${kind.name} ${build || 'this'}: ${visit.endedAt}${why}, ${took} ms\n`)
      }
    return Object.assign(
      { [`pace.${kind.name}.people`]: people.length },
      ...[...seen].map(([build, all]) => figuresOf(`pace.${build}${kind.name}`, all)),
    )
  } finally {
    for (const server of servers.values()) await server.stop()
  }
}

/** Why the latest session did not pass, and the server's count of findings so far. */
async function reasonsOf({ origin, apiKey }: BuiltServer): Promise<string> {
  const { sessions } = await call(fetch, origin, getSessions, { credential: { apiKey }, query: { limit: 1 } })
  const figures = await sessionFiguresOf(origin, apiKey)
  const found = figures.filter(
    (line) => line.startsWith('selfsame_session_findings_total') && !line.endsWith(' 0'),
  )
  return [...(sessions[0]?.verificationFailedReasons ?? []), ...found].join(', ')
}

function figuresOf(name: string, seen: readonly LinkVisit[]): Record<string, number> {
  const passed = seen.filter((visit) => visit.passed)
  const took = passed.map(({ verdict, camera }) => verdict! - camera!)
  return {
    [`${name}.visits`]: seen.length,
    [`${name}.passed`]: passed.length,
    ...(took.length > 0 && {
      [`${name}.cameraToVerdictMs`]: median(took),
      [`${name}.cameraToVerdictMsMost`]: Math.max(...took),
      [`${name}.sentBytes`]: median(passed.map(({ sentBytes }) => sentBytes)),
      [`${name}.sentFrameBytes`]: median(passed.map(({ frameBytes }) => frameBytes)),
      [`${name}.sentFilmBytes`]: median(passed.map(({ filmBytes }) => filmBytes)),
      [`${name}.stepAnswerMs`]: median(passed.flatMap(({ stepAnswers }) => stepAnswers)),
    }),
  }
}
