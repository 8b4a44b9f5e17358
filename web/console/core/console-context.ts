import type { ReadonlySignal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type ConsoleOperation, consoleOperations } from '#shared/contract/console/console-operations.ts'
import type { SignedIn } from '#shared/contract/console/sign-in.ts'
import type { ConsoleWording } from '#web/console/wording/console-wording.ts'
import type { ConsoleCalls } from './calls.ts'
import type { Membership } from './membership.ts'
import type { Navigation } from './navigation.ts'
import type { Preferences } from './preferences.ts'
import type { ProviderVisits } from './provider-visits.ts'

/** Tools available to every page of the console. */
export interface ConsoleTools {
  readonly calls: ConsoleCalls
  readonly navigation: Navigation
  readonly membership: Membership
  readonly visits: ProviderVisits
  /** The query with which the provider returned the person, or undefined if the page was opened in another way. */
  readonly returned: string | undefined
  readonly words: ReadonlySignal<ConsoleWording>
  readonly preferences: ReadonlySignal<Preferences>
  prefer(change: Partial<Preferences>): void
  /** Shows a message for a few seconds and announces it to screen readers. */
  tell(text: string): void
  readonly notice: ReadonlySignal<string>
}

export const ConsoleContext = createContext<ConsoleTools | null>(null)

/** Returns the tools of the surrounding console. */
export function useConsole(): ConsoleTools {
  const tools = useContext(ConsoleContext)
  if (tools === null) throw new Error('useConsole must be used inside the console.')
  return tools
}

/** The signed-in person. Pages only render after sign-in. */
export function useMe(): SignedIn {
  const presence = useConsole().membership.presence.value
  if (presence.kind !== 'signedIn') throw new Error('useMe must be used after sign-in.')
  return presence.me
}

/** Returns a check of the signed-in person's permissions. Operations without permission are not offered. */
export function useMay(): (operation: ConsoleOperation) => boolean {
  const { role } = useMe()
  return (operation) => consoleOperations[operation].roles.includes(role)
}
