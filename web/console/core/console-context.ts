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

/** What every page of the console is given. */
export interface ConsoleTools {
  readonly calls: ConsoleCalls
  readonly navigation: Navigation
  readonly membership: Membership
  readonly visits: ProviderVisits
  /** The query that the provider sent the person back with; undefined where the page was opened otherwise. */
  readonly returned: string | undefined
  readonly words: ReadonlySignal<ConsoleWording>
  readonly preferences: ReadonlySignal<Preferences>
  prefer(change: Partial<Preferences>): void
  /** Shown for a while, and read out. */
  tell(text: string): void
  readonly notice: ReadonlySignal<string>
}

export const ConsoleContext = createContext<ConsoleTools | null>(null)

/** The tools of the console that is around. */
export function useConsole(): ConsoleTools {
  const tools = useContext(ConsoleContext)
  if (tools === null) throw new Error('There is no console around.')
  return tools
}

/** Who is signed in; pages are shown to nobody else. */
export function useMe(): SignedIn {
  const presence = useConsole().membership.presence.value
  if (presence.kind !== 'signedIn') throw new Error('Nobody is signed in.')
  return presence.me
}

/** Whether who is signed in may do something: what they may not is not offered. */
export function useMay(): (operation: ConsoleOperation) => boolean {
  const { role } = useMe()
  return (operation) => consoleOperations[operation].roles.includes(role)
}
