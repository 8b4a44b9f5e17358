import type { AnonymousCaller } from '#server/features/callers/callers.ts'
import type { Tokens } from '#server/features/tokens/tokens.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { tokenKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import type { Handler } from '#shared/endpoint.ts'
import type { ReadAssertion } from './assertions.ts'
import type { KioskReports } from './kiosk-reports.ts'

const lifetimeInSeconds = 900

/** Exchanges an assertion for a token. */
export function createTokenKiosk(
  readAssertion: ReadAssertion,
  tokens: Pick<Tokens, 'issueKiosk'>,
  reports: KioskReports,
  now: Clock,
): Handler<typeof tokenKiosk, AnonymousCaller> {
  return async ({ body }) => {
    const { accountId, kioskId } = await readAssertion(body.assertion)
    await reports.see(kioskId)
    return {
      access_token: await tokens.issueKiosk({ accountId, kioskId }, now() + lifetimeInSeconds * 1000),
      token_type: 'Bearer',
      expires_in: lifetimeInSeconds,
      scope: 'kiosk',
    }
  }
}
