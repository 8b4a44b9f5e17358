import type { Accounts } from '#server/features/accounts/account-records.ts'
import type { Audit } from '#server/features/audit/audit.ts'
import type { SessionRows } from '#server/features/sessions/listing/session-rows.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Phase } from '#server/platform/running/phase.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { TrustedRoots } from '#server/platform/web-authn/attestation/trusted-roots.ts'
import type { Region } from '#shared/hosts.ts'
import { createAcceptance } from './acceptance.ts'
import { createCeremonies } from './ceremonies.ts'
import type { ConsoleHandlers } from './console-caller.ts'
import { consoleOriginOf } from './console-origin.ts'
import { createGettingIn } from './getting-in.ts'
import type { Invitations } from './invitations.ts'
import type { OwnerNotices } from './notices/owner-notices.ts'
import type { OpenidSettings } from './openid/openid-settings.ts'
import { createProvider } from './openid/provider.ts'
import { createProviderSignIn } from './openid/provider-sign-in.ts'
import type { OperatorStore } from './operator-store.ts'
import { createPasskeys } from './passkeys.ts'
import { createPeople } from './people.ts'
import { createSessionNews, type SessionNews } from './session-news.ts'
import { createSignIns, type SignIns } from './sign-ins.ts'
import { createSignedIn } from './signed-in.ts'

interface Dependencies {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly operators: OperatorStore
  readonly invitations: Invitations
  readonly accounts: Accounts
  readonly audit: Audit
  readonly ownerNotices: OwnerNotices
  readonly sessionRows: Pick<SessionRows, 'lastChange'>
  readonly phase: () => Phase
  readonly onFailure: (error: unknown) => void
  /** Where this deployment is. */
  readonly region: Region
  /** Who may vouch for the device of a passkey. */
  readonly passkeyRoots?: TrustedRoots
  /** The public origin of the pages. */
  readonly origin: () => string
  /** The operator's own provider of OpenID Connect, where there is one. */
  readonly openid?: OpenidSettings | undefined
  readonly now: Clock
}

/** What the console needs of the server: its own calls, and who is signed in. */
export interface Console {
  readonly handlers: ConsoleHandlers
  readonly signIns: SignIns
  readonly news: SessionNews
  /** Where it is, `localhost` in place of a number of this machine. */
  readonly origin: () => string
}

export function createConsole({ origin: pages, openid, ...services }: Dependencies): Console {
  const origin = () => consoleOriginOf(pages())
  const signIns = createSignIns(services)
  const ceremonies = createCeremonies(services.store, services.keyRing, services.now)
  const provider = openid && createProvider(openid, services.now)
  const all = { ...services, origin, signIns, ceremonies, provider }
  return {
    origin,
    signIns,
    news: createSessionNews(services),
    handlers: {
      ...createGettingIn(all),
      ...createAcceptance(all),
      ...createSignedIn(all),
      ...createProviderSignIn(all),
      ...createPasskeys(all),
      ...createPeople(all),
      ...services.ownerNotices.handlers,
    },
  }
}
