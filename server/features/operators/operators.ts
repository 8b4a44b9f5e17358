import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { Audit } from '#server/features/audit/audit.ts'
import type { Sessions } from '#server/features/sessions/sessions.ts'
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
import { createInvitations, type Invitations } from './invitations.ts'
import { createLockOut, type LockOut } from './lock-out.ts'
import { createOwnerNotices, type OwnerNotices } from './notices/owner-notices.ts'
import type { OpenidSettings } from './openid/openid-settings.ts'
import { createProvider } from './openid/provider.ts'
import { createProviderSignIn } from './openid/provider-sign-in.ts'
import { createOperatorStore, type OperatorStore } from './operator-store.ts'
import { createPasskeys } from './passkeys.ts'
import { createPeople } from './people.ts'
import { createSessionNews, type SessionNews } from './session-news.ts'
import { createSignIns, type SignIns } from './sign-ins.ts'
import { createSignedIn } from './signed-in.ts'

export type { Browser, ConsoleCaller, Visitor } from './console-caller.ts'
export { deviceOf } from './device.ts'
export { type Invitations, invitationAddress } from './invitations.ts'
export { type OpenidSettings, openidEntries, openidOf } from './openid/openid-settings.ts'
export type { Member, Operator, SignIn, Team } from './operator-records.ts'
export type { OperatorStore } from './operator-store.ts'
export type { SignedInOperator } from './sign-ins.ts'
export { nobody } from './teams.ts'

interface Ports {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly phase: () => Phase
  readonly onFailure: (error: unknown) => void
  /** The store's hints that there is something new; see `OpenedStore`. */
  readonly onStoreHint?: ((tell: () => void) => () => void) | undefined
  /** This deployment's region. */
  readonly region: Region
  /** Attestation roots for passkey devices. */
  readonly passkeyRoots?: TrustedRoots
  /** The pages' public origin. */
  readonly origin: () => string
  /** The operator's own OpenID Connect provider, if there is one. */
  readonly openid?: OpenidSettings | undefined
  readonly now: Clock
}

/** The features that this one builds on. */
interface BuiltOn {
  readonly accounts: Accounts
  readonly audit: Audit
  readonly lastChange: Sessions['lastChange']
}

/** The parts of the server that the console needs: its own calls, and sign-ins. */
export interface Console {
  readonly handlers: ConsoleHandlers
  readonly signIns: SignIns
  readonly news: SessionNews
  /** The console's origin, with `localhost` instead of this machine's IP address. */
  readonly origin: () => string
}

/** The people who run accounts, and the console in which they do so. */
export interface OperatorFeature {
  readonly operators: OperatorStore
  readonly invitations: Invitations
  readonly lockOut: LockOut
  readonly ownerNotices: OwnerNotices
  readonly console: Console
}

export function createOperators(ports: Ports, { accounts, audit, lastChange }: BuiltOn): OperatorFeature {
  const { store, keyRing, region, passkeyRoots, phase, onFailure, now } = ports
  const operators = createOperatorStore(store, now)
  const invitations = createInvitations(store, operators, now)
  const ownerNotices = createOwnerNotices({ store, audit, onFailure, now })
  const origin = () => consoleOriginOf(ports.origin())
  const attested = passkeyRoots && { passkeyRoots }
  const signIns = createSignIns({ store, operators, accounts, region, ...attested, now })
  const all = {
    store,
    region,
    origin,
    operators,
    invitations,
    accounts,
    audit,
    signIns,
    ceremonies: createCeremonies(store, keyRing, now),
    provider: ports.openid && createProvider(ports.openid, now),
    ...attested,
    now,
  }
  return {
    operators,
    invitations,
    ownerNotices,
    lockOut: createLockOut(store, operators),
    console: {
      origin,
      signIns,
      news: createSessionNews({ lastChange, phase, onHint: ports.onStoreHint, onFailure }),
      handlers: {
        ...createGettingIn(all),
        ...createAcceptance(all),
        ...createSignedIn(all),
        ...createProviderSignIn(all),
        ...createPasskeys(all),
        ...createPeople(all),
        ...ownerNotices.handlers,
      },
    },
  }
}
