import { setTimeout as pause } from 'node:timers/promises'
import { loadClip } from '../../../e2e/support/acted/clips.ts'
import { createCheck, signLink, visit } from '../../../e2e/support/acted/scenario.ts'
import { launchBrowser } from '../../../e2e/support/browser.ts'
import { startReceiver } from '../../../e2e/support/product.ts'
import { createKey } from '../../../shared/contract/account/account.ts'
import { verifyAuditLog } from '../../../shared/contract/account/audit.ts'
import { createSignature } from '../../../shared/contract/configuration/signature.ts'
import { createVerification } from '../../../shared/contract/configuration/verification.ts'
import { initRedirectSession } from '../../../shared/contract/sessions/session.ts'
import { completeTestSession } from '../../../shared/contract/sessions/session-test.ts'
import type { BuiltServer } from '../../../tests/support/programs/built-server.ts'
import { type Caller, callerOf } from '../caller.ts'
import { type AcknowledgedWrites, attempt } from './acknowledged.ts'

const testClients = 4
const visitedWithinMilliseconds = 180_000
const clip = 'Krzysiek354_real.webm'
/** Entries are moved to the log within half a second, or within ten seconds if another process takes over. */
const settledWithinMilliseconds = 60_000

/** Creates a key for the test account. */
export async function makeTestKey(caller: Caller): Promise<string> {
  const { apiKey } = await caller.call(createKey, {
    body: { name: 'torture', mode: 'test', scopes: ['admin', 'configure'] },
  })
  return apiKey
}

/** Opens and completes test sessions, each on a different process, until `count` of them have been acknowledged. */
export async function completeTestSessions(
  known: AcknowledgedWrites,
  count: number,
  callerAt: (i: number) => Caller,
): Promise<void> {
  const { verificationId } = await callerAt(0).call(createVerification, {
    body: { name: 'torture', verificationConfig: {} },
  })
  let begun = 0
  const complete = async () => {
    while (known.testSessions.size < count)
      await attempt(known, async () => {
        const caller = callerAt(begun++)
        const { signedQueryString: queryString } = await caller.call(createSignature, {
          body: { queryString: '' },
        })
        const { verificationSessionId } = await caller.call(initRedirectSession, {
          body: { verificationId, queryString },
        })
        await caller.call(completeTestSession, {
          body: { verificationSessionId, testOutcome: { result: 'passed' } },
        })
        known.testSessions.add(verificationSessionId)
      })
  }
  await Promise.all(Array.from({ length: testClients }, complete))
}

/** Runs visits with an acted person, each on a different process. A visit that is interrupted by a kill is repeated. */
export async function visitAsActed(
  known: AcknowledgedWrites,
  count: number,
  productAt: (i: number) => { readonly origin: string; readonly apiKey: string },
): Promise<void> {
  if (count === 0) return
  const browser = await launchBrowser()
  const receiver = await startReceiver()
  const acted = await loadClip(browser, clip)
  for (let begun = 0; known.actedVisits.size < count && begun < 4 * count; begun++)
    await attempt(
      known,
      async () => {
        const { origin: address, apiKey } = productAt(begun)
        const site = { receiver, product: { address, apiKey, sessionFigures: async () => [] } }
        const liveness = { type: 'Verification', challengeType: 'Balanced' } as const
        const verificationId = await createCheck(site, { liveness }, { webhookConfig: {} })
        const link = await signLink(site, verificationId)
        const { result } = await visit(site, browser, link, acted, { manner: 'asked', reads: 'page' })
        known.actedVisits.add(result.verificationSessionId)
      },
      visitedWithinMilliseconds,
    )
  await receiver.stop()
  await browser.close()
}

/** Makes each process verify each account's log until all of them give the same answer. Counts the remaining faults and differences. */
export async function verifyEverywhere(
  servers: readonly BuiltServer[],
  apiKeys: readonly string[],
): Promise<Record<string, number>> {
  let [auditFaults, auditDifferences, auditEntries] = [0, 0, 0]
  for (const apiKey of apiKeys)
    for (const until = Date.now() + settledWithinMilliseconds; ; await pause(1000)) {
      const verdicts = await Promise.all(
        servers.map(({ origin }) => callerOf(origin, apiKey).call(verifyAuditLog, { query: {} })),
      )
      const faults = verdicts.filter(({ valid }) => !valid).length
      const differences = new Set(verdicts.map(({ checked }) => checked)).size - 1
      if (faults + differences > 0 && Date.now() < until) continue
      auditFaults += faults
      auditDifferences += differences
      auditEntries += verdicts[0]!.checked
      break
    }
  return { auditFaults, auditDifferences, auditEntries }
}
