import type { BrowserContext } from '@playwright/test'
import { listStaticFiles } from '../../../server/platform/http/responses/static-files.ts'
import { createWebhookEndpoint } from '../../../shared/contract/account/webhook-endpoint.ts'
import { updateVerification } from '../../../shared/contract/configuration/verification.ts'
import { createCollection } from '../../../shared/contract/recognition/recognition.ts'
import { initRedirectSession, submitSession, submitStep } from '../../../shared/contract/sessions/session.ts'
import { denyFace } from '../../../shared/contract/sessions/session-faces.ts'
import { getSessions, reviewSession } from '../../../shared/contract/sessions/session-list.ts'
import {
  assignReview,
  getSecondOpinions,
  giveSecondOpinion,
} from '../../../shared/contract/sessions/session-reviewing.ts'
import { consoleOf, signedInAs } from '../../../tests/support/console-visitor.ts'
import { type Host, startHost } from '../../../tests/support/host.ts'
import { pairDevice } from '../../../tests/support/kiosk-device.ts'
import { startReceiver } from '../../../tests/support/programs/receiver.ts'
import { newVerification, signedQuery } from '../../../tests/support/visit.ts'
import { sampleFilmPicture, samplePicture } from './sample-picture.ts'
import { type SampleVisit, sampleVisit } from './sample-visits.ts'

const days = 6
const visitsADay = 60
const minute = 60_000
const hour = 60 * minute
const filmPictures = 6
const millisecondsApart = 380
const consent = { given: true, wordingVersion: '1', locale: 'en' }

/** A server with some hundred sessions of a week, and a person who is signed in to its console. */
export interface FilledConsole {
  readonly host: Host
  /** The address of the console. */
  readonly address: string
  /** Signs the person in and gives the browser the server's clock. */
  signIn(context: BrowserContext): Promise<void>
  stop(): Promise<void>
}

/**
 * Fills a server in memory, whose clock is moved instead of waiting. [Note: Drawn people] A fake analysis reads from each
 * picture's comment whom it shows, so that a week takes seconds; the pictures that reviewers see show an astronaut.
 * @param webDir the built pages
 */
export async function startFilledConsole(webDir = 'dist/web'): Promise<FilledConsole> {
  await drawSamples()
  const refusing = await startReceiver(Array(5000).fill(503))
  const taking = await startReceiver()
  const host = await startHost({ site: { files: await listStaticFiles(webDir) } })
  await host.services.accounts.update(host.accountId, { name: 'Northwind Bank' })
  const checks = await furnish(host, refusing.address, taking.address)
  for (let day = 0, number = 0; day < days; day++) {
    const end = host.now() + 24 * hour
    for (let i = 0; i < visitsADay; i++, number++) {
      await visit(host, checks, sampleVisit(number))
      host.pass(3 * minute)
    }
    host.pass(Math.max(0, end - host.now()))
    await host.services.expireOverdue()
  }
  await review(host)
  await today(host, checks)
  const visitor = await signedInAs(host, 'owner', 'Ada Lovelace')
  return {
    host,
    address: `${consoleOf(host)}/console`,
    async signIn(context) {
      const [name, value] = visitor.cookie()!.split('=') as [string, string]
      await context.addCookies([{ name, value, url: consoleOf(host) }])
      await context.addInitScript((token) => {
        localStorage.setItem('console-token', token)
      }, visitor.token()!)
      await context.clock.setSystemTime(host.now())
    },
    async stop() {
      await host.close()
      refusing.close()
      taking.close()
    },
  }
}

interface Checks {
  readonly opening: string
  readonly door: string
}

async function furnish(host: Host, refusing: string, taking: string): Promise<Checks> {
  await host.call(createCollection, {
    body: { collectionId: 'not-welcome', description: 'Faces that must not pass' },
  })
  await host.call(createCollection, { body: { collectionId: 'members', description: 'People with a card' } })
  const opening = await newVerification(host, {
    verifierConfigs: {
      age: { type: 'ThresholdVerification', thresholdConfig: { threshold: 18, direction: 'Above' } },
      faceRecognition: { type: 'CalculationOnly', denyCollectionIds: ['not-welcome'] },
    },
    evidenceConfig: { keep: 'all', hours: 168 },
    privacyConfig: { purpose: 'To open an account' },
    retryConfig: { attempts: 0 },
  })
  const door = await newVerification(host, {
    verifierConfigs: {
      gender: { type: 'CalculationOnly' },
      commonSettings: { failOnMultipleFacesDetected: true },
    },
  })
  await rename(host, opening, 'Account opening')
  await rename(host, door, 'Front door')
  const body = { events: ['VerificationCompleted', 'VerificationReviewed'] as const }
  await host.call(createWebhookEndpoint, { body: { url: taking, events: [...body.events] } })
  await host.call(createWebhookEndpoint, { body: { url: refusing, events: ['VerificationCompleted'] } })
  await pairDevice(host, door)
  return { opening, door }
}

async function rename(host: Host, verificationId: string, name: string): Promise<void> {
  await host.call(updateVerification, { body: { verificationId, name } })
}

async function visit(host: Host, { opening, door }: Checks, sample: SampleVisit): Promise<string> {
  const { end, scene, seconds, externalId, userAgent } = sample
  const verificationId = sample.isAtTheDoor ? door : opening
  const queryString = await signedQuery(host, `reExternalId=${externalId}`)
  const answer = await host.fetch(initRedirectSession.path, {
    method: 'POST',
    headers: { 'User-Agent': userAgent, 'Content-Type': 'application/json' },
    body: JSON.stringify({ verificationId, queryString }),
  })
  const { verificationSessionId, sessionToken: bearer } = (await answer.json()) as {
    verificationSessionId: string
    sessionToken: string
  }
  const send = (body: object) => host.call(submitSession, { bearer, body: { frames: [], consent, ...body } })
  if (end === 'declined') await send({ consent: { ...consent, given: false } })
  if (end === 'noCamera') await send({ problem: 'cameraUnavailable' })
  host.pass(seconds * 1000)
  if (end === 'closedAfter')
    await host.call(submitStep, {
      bearer,
      body: { step: 0, frames: [{ bytes: await samplePicture(scene), time: 0 }] },
    })
  if (end === 'submitted') await send(await pictures(sample))
  return verificationSessionId
}

/** Before the server limits the formats that its own library reads. */
async function drawSamples(): Promise<void> {
  await pictures(sampleVisit(0))
}

/** One large picture, and a film of a few small ones. */
async function pictures({ scene, seconds }: SampleVisit): Promise<object> {
  const trail = await Promise.all(
    Array.from({ length: filmPictures }, async (_, i) => ({
      bytes: await sampleFilmPicture({ ...scene, shot: (scene.shot ?? 0) * 100 + i }, i * 4),
      time: i * millisecondsApart,
    })),
  )
  return { frames: [{ bytes: await samplePicture(scene), time: seconds * 500, challengeStep: 0 }], trail }
}

/** Some reviews were made and some of them twice, a few are assigned, and one face must not pass any more. */
async function review(host: Host): Promise<void> {
  const { sessions } = await host.call(getSessions, { query: { review: 'wanted', limit: 60 } })
  const ids = sessions.map(({ verificationSessionId }) => verificationSessionId)
  const { apiKey } = await host.services.accounts.keys.create(host.accountId, 'Back office', [
    'review',
    'configure',
  ])
  await host.services.accounts.update(host.accountId, { secondOpinionPercent: 100 })
  for (const [i, verificationSessionId] of ids.slice(6).entries())
    await host.call(reviewSession, {
      body: { verificationSessionId, decision: i % 4 === 0 ? 'Pass' : 'Fail' },
      apiKey,
    })
  await host.services.accounts.update(host.accountId, { secondOpinionPercent: 5 })
  await giveOpinions(host)
  await host.call(assignReview, {
    body: { verificationSessionIds: ids.slice(0, 4), reviewer: 'Ada Lovelace' },
  })
}

/** A second reviewer mostly agrees, and leaves a few sessions to others. */
async function giveOpinions(host: Host): Promise<void> {
  const { apiKey } = await host.services.accounts.keys.create(host.accountId, 'Night shift', ['review'])
  const { sessions } = await host.call(getSecondOpinions, { apiKey })
  for (const [i, { verificationSessionId }] of sessions.slice(4).entries())
    await host.call(giveSecondOpinion, {
      body: { verificationSessionId, decision: i % 6 === 2 ? 'Pass' : 'Fail' },
      apiKey,
    })
}

/** The visits of this morning, among them two by a person who must not pass. */
async function today(host: Host, checks: Checks): Promise<void> {
  const stranger = { ...sampleVisit(2), externalId: 'user-2001' }
  const scene = { ...stranger.scene, person: 'unwelcome' }
  const first = await visit(host, checks, {
    ...stranger,
    isAtTheDoor: false,
    scene: { ...scene, shot: 9001 },
  })
  await host.call(denyFace, {
    body: {
      verificationSessionId: first,
      collectionId: 'not-welcome',
      note: 'Came with a stolen document.',
      expiresInDays: 365,
    },
  })
  await visit(host, checks, {
    ...stranger,
    externalId: 'user-2002',
    isAtTheDoor: false,
    scene: { ...scene, shot: 9002 },
  })
  for (let number = 1000; number < 1024; number++) {
    await visit(host, checks, sampleVisit(number))
    host.pass(minute)
  }
  await host.services.deliveries.settle()
}
