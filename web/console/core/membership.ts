import { type ReadonlySignal, signal } from '@preact/signals'
import { showingOf } from '#shared/contract/console/console-paths.ts'
import type { SignedIn } from '#shared/contract/console/sign-in.ts'
import type { ConsoleCalls, Gate } from './calls.ts'
import type { PasskeyAnswer } from './passkey.ts'

/** The sign-in state: unknown, signed out, or signed in. */
export type Presence =
  | { kind: 'asking' }
  | { kind: 'nobody' }
  | { kind: 'unreachable' }
  | { kind: 'signedIn'; me: SignedIn }

/** The sign-in state, and the operations that change it. */
export interface Membership {
  readonly presence: ReadonlySignal<Presence>
  /** Loads the state from the server. */
  ask(): Promise<void>
  signIn(): Promise<void>
  /** Accepts an invitation by creating a passkey. The name is required if the invitation does not include one. */
  accept(code: string, name: string | undefined): Promise<void>
  /** Accepts an invitation to another account on behalf of the signed-in person. */
  join(code: string): Promise<void>
  /** Navigates to the provider, either to sign in or to accept an invitation. */
  goToProvider(invitation?: { readonly code: string; readonly name: string }): Promise<void>
  /** Completes a sign-in with the provider's answer. Resolves to false if this browser did not start the sign-in. */
  returnFromProvider(returned: string): Promise<boolean>
  signOut(): Promise<void>
  switchTo(to: Partial<Pick<SignedIn, 'accountId' | 'environment'>>): Promise<void>
  readonly gate: Gate
}

interface MembershipOptions {
  readonly calls: () => ConsoleCalls
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  readonly show: (options: unknown) => Promise<PasskeyAnswer>
  readonly make: (options: unknown) => Promise<PasskeyAnswer>
  /** Storage that belongs to this tab only. */
  readonly tab: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Navigates to another site. */
  readonly leaveFor: (url: string) => void
  /** Lets the person sign in again at the provider, and resolves with the provider's answer. */
  readonly visit: (url: string) => Promise<string>
  /** True if the person was active recently. */
  readonly isActive: () => boolean
}

/**
 * [Note: The token outlives the tab] The token is issued once and is useless without the cookie. It is stored for the whole browser,
 * so that links opened in a new tab are signed in as well.
 */
const place = 'console-token'
/** The storage key for a sign-in that was started at the provider. */
const begunPlace = 'console-provider'

export function createMembership(options: MembershipOptions): Membership {
  const { calls, storage, show, make, isActive } = options
  const presence = signal<Presence>({ kind: 'asking' })
  const own = () => calls().own
  const enter = ({ antiForgery, me }: { antiForgery: string; me: SignedIn }) => {
    storage.setItem(place, antiForgery)
    presence.value = { kind: 'signedIn', me }
  }
  const leave = () => {
    storage.removeItem(place)
    presence.value = { kind: 'nobody' }
  }
  const askAgain = oneAtATime(async () => {
    const isByProvider = isShownByProvider(presence.peek())
    presence.value = { kind: 'signedIn', me: await showAgain(options, isByProvider) }
  })
  const ask = async () => {
    try {
      presence.value = { kind: 'signedIn', me: await own().getMe() }
    } catch (problem) {
      if (presence.peek().kind !== 'signedIn')
        presence.value = { kind: isAnswered(problem) ? 'nobody' : 'unreachable' }
    }
  }
  return {
    presence,
    ask,
    async signIn() {
      const { ceremony, options } = await own().beginSignIn({})
      enter(await own().finishSignIn({ ceremony, response: await show(options) }))
    },
    async accept(code, name) {
      const invited = name === undefined ? { code } : { code, name }
      const { ceremony, options } = await own().beginInvitation(invited)
      enter(await own().finishInvitation({ ...invited, ceremony, response: await make(options) }))
    },
    async join(code) {
      presence.value = { kind: 'signedIn', me: await own().joinAccount({ code }) }
    },
    ...throughProvider(options, enter),
    async signOut() {
      await own().signOut({})
      leave()
    },
    async switchTo(to) {
      const now = presence.peek()
      if (now.kind !== 'signedIn') return
      const { accountId, environment } = now.me
      presence.value = { kind: 'signedIn', me: await own().switchAccount({ accountId, environment, ...to }) }
    },
    gate: {
      isBackground: () => !isActive(),
      antiForgeryToken: () => storage.getItem(place) ?? '',
      showing: () => shownIn(presence.peek()),
      onMoved: () => void ask(),
      onSignedOut: () => presence.peek().kind === 'signedIn' && leave(),
      askAgain,
    },
  }
}

/** Empty when signed out. */
function shownIn(now: Presence): string {
  return now.kind === 'signedIn' ? showingOf(now.me) : ''
}

function isShownByProvider(now: Presence): boolean {
  return now.kind === 'signedIn' && now.me.shownBy === 'provider'
}

/** Confirms the person's identity again, with either a passkey or a fresh sign-in at the provider. */
async function showAgain({ calls, show, visit }: MembershipOptions, isByProvider: boolean) {
  const { own } = calls()
  if (isByProvider) {
    const { ceremony, url } = await own.beginProviderAgain({})
    return own.finishProviderAgain({ ceremony, returned: await visit(url) })
  }
  const { ceremony, options } = await own.beginAgain({})
  return own.finishAgain({ ceremony, response: await show(options) })
}

type Enter = (begun: { antiForgery: string; me: SignedIn }) => void

function throughProvider(
  { calls, tab, leaveFor }: MembershipOptions,
  enter: Enter,
): Pick<Membership, 'goToProvider' | 'returnFromProvider'> {
  return {
    async goToProvider({ code, name = '' } = { code: '', name: '' }) {
      const { ceremony, url } = await calls().own.beginProvider({})
      const taken = code === '' ? {} : { code, ...(name !== '' && { name }) }
      tab.setItem(begunPlace, JSON.stringify({ ceremony, ...taken }))
      leaveFor(url)
    },
    async returnFromProvider(returned) {
      const begun = tab.getItem(begunPlace)
      tab.removeItem(begunPlace)
      if (begun === null) return false
      const kept = JSON.parse(begun) as { ceremony: string }
      enter(await calls().own.finishProvider({ ...kept, returned }))
      return true
    },
  }
}

function isAnswered(problem: unknown): boolean {
  return typeof (problem as { status?: unknown }).status === 'number'
}

/** Combines calls that arrive while the work is in progress, so that the person is asked only once. Resolves to false on failure. */
function oneAtATime(work: () => Promise<void>): () => Promise<boolean> {
  let underWay: Promise<boolean> | undefined
  return () => {
    underWay ??= work()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        underWay = undefined
      })
    return underWay
  }
}
