import { createSignature, type SecuritySettings } from '#shared/contract/configuration/signature.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import {
  type Action,
  initRedirectSession,
  type NextStep,
  submitSession,
  submitStep,
} from '#shared/contract/sessions/session.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { frameOf, type Scene } from './drawn/fake-picture.ts'
import type { Host } from './host.ts'

let names = 0

export const consent = { given: true, wordingVersion: '1', locale: 'en' }

/** Creates a verification with this configuration. Drawn visits send no film, so evidence is optional unless the configuration says otherwise. */
export async function newVerification(
  host: Host,
  verificationConfig: VerificationConfig = {},
): Promise<string> {
  const body = { name: `verification ${++names}`, verificationConfig: withoutEvidence(verificationConfig) }
  return (await host.call(createVerification, { body })).verificationId
}

function withoutEvidence(config: VerificationConfig): VerificationConfig {
  const { liveness } = config.verifierConfigs ?? {}
  if (liveness === undefined || (liveness.leastAssurance ?? 'low') !== 'low') return config
  const left = { evidence: 'optional' as const, ...liveness }
  return { ...config, verifierConfigs: { ...config.verifierConfigs, liveness: left } }
}

/** Signs the query for a link. */
export async function signedQuery(host: Host, query: string, securitySettings?: Partial<SecuritySettings>) {
  const body = { queryString: query, ...(securitySettings === undefined ? {} : { securitySettings }) }
  return (await host.call(createSignature, { body })).signedQueryString
}

/** Opens a session with a signed link. */
export async function openSession(host: Host, verificationId: string, query = '') {
  const queryString = await signedQuery(host, query)
  const opened = await host.call(initRedirectSession, { body: { verificationId, queryString } })
  return { ...opened, bearer: opened.sessionToken }
}

export type Opened = Awaited<ReturnType<typeof openSession>>

export function step(host: Host, { bearer }: Opened, number: number, ...scenes: Scene[]) {
  return host.call(submitStep, {
    bearer,
    body: { step: number, frames: scenes.map((scene) => frameOf(scene)) },
  })
}

export function submit(host: Host, { bearer }: Opened, ...scenes: Scene[]) {
  const frames = scenes.map((scene) => ({ ...frameOf(scene), challengeStep: 0 }))
  return host.call(submitSession, { bearer, body: { frames, consent } })
}

/** Completes a session the way it is requested. Returns the integrator's result. */
export async function visit(host: Host, verificationId: string, scene: Scene, query = '') {
  const opened = await openSession(host, verificationId, query)
  let { next } = await step(host, opened, 0, scene)
  const asked: Action[] = []
  while (next !== null) {
    asked.push(next.action)
    next = (await act(host, opened, next, scene)).next
  }
  const submitted = await submit(host, opened, scene)
  return { opened, asked, submitted, result: await resultOf(host, opened) }
}

export function act(host: Host, opened: Opened, next: NextStep, scene: Scene) {
  return step(host, opened, next.step, { ...scene, acted: next.action })
}

export function resultOf(host: Host, { verificationSessionId }: Opened) {
  return host.call(getSessionResult, { query: { verificationSessionId } })
}

/** The code of the problem that makes a call fail. */
export async function problemOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no problem',
    (error) => error.code ?? String(error),
  )
}
