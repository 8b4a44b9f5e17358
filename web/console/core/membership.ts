import { type ReadonlySignal, signal } from '@preact/signals'
import { showingOf } from '#shared/contract/console/console-paths.ts'
import type { SignedIn } from '#shared/contract/console/sign-in.ts'
import type { ConsoleCalls, Gate } from './calls.ts'
import type { PasskeyAnswer } from './passkey.ts'

/** Who is signed in: not known yet, nobody, or somebody. */
export type Presence =
  | { kind: 'asking' }
  | { kind: 'nobody' }
  | { kind: 'unreachable' }
  | { kind: 'signedIn'; me: SignedIn }

/** Who is signed in, and what changes that. */
export interface Membership {
  readonly presence: ReadonlySignal<Presence>
  /** Asks the server who this is. */
  ask(): Promise<void>
  signIn(): Promise<void>
  /** Takes an invitation by making a passkey, under a name where the invitation has none. */
  accept(code: string, name: string | undefined): Promise<void>
  /** Takes an invitation to a further account as who is signed in. */
  join(code: string): Promise<void>
  signOut(): Promise<void>
  switchTo(to: Partial<Pick<SignedIn, 'accountId' | 'environment'>>): Promise<void>
  readonly gate: Gate
}

interface MembershipOptions {
  readonly calls: () => ConsoleCalls
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  readonly show: (options: unknown) => Promise<PasskeyAnswer>
  readonly make: (options: unknown) => Promise<PasskeyAnswer>
  /** Whether somebody did something of late. */
  readonly isActive: () => boolean
}

/**
 * [Note: The token outlives the tab] It is told once and is worth nothing without the cookie. Kept for the browser, a link that
 * is opened in a new tab is signed in as well.
 */
const place = 'console-token'

export function createMembership({ calls, storage, show, make, isActive }: MembershipOptions): Membership {
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
    const { ceremony, options } = await own().beginAgain({})
    const me = await own().finishAgain({ ceremony, response: await show(options) })
    presence.value = { kind: 'signedIn', me }
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

/** Empty where nobody is signed in. */
function shownIn(now: Presence): string {
  return now.kind === 'signedIn' ? showingOf(now.me) : ''
}

function isAnswered(problem: unknown): boolean {
  return typeof (problem as { status?: unknown }).status === 'number'
}

/** Whether it came to an end. Several calls that need the passkey at once ask the person once. */
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
