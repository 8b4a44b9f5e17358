import type { ReadonlySignal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { SignedIn } from '#shared/contract/console/sign-in.ts'
import { type ConsoleOperation, consoleOperations } from '#shared/contract/console-operations.ts'
import type { ConsoleWording } from '#web/console/wording/console-wording.ts'
import type { ConsoleCalls } from './calls.ts'
import type { Membership } from './membership.ts'
import type { Navigation } from './navigation.ts'
import type { Preferences } from './preferences.ts'
import type { ProviderVisits } from './provider-visits.ts'

/** Tools that are available on every console page. */
export interface ConsoleTools {
  readonly calls: ConsoleCalls
  readonly navigation: Navigation
  readonly membership: Membership
  readonly visits: ProviderVisits
  /** The query string from the provider's redirect, or undefined if the page was opened in any other way. */
  readonly returned: string | undefined
  readonly words: ReadonlySignal<ConsoleWording>
  readonly preferences: ReadonlySignal<Preferences>
  prefer(change: Partial<Preferences>): void
  /** Shows a message for a few seconds and announces it to screen readers. */
  tell(text: string): void
  readonly notice: ReadonlySignal<string>
}

export const ConsoleContext = createContext<ConsoleTools | null>(null)

/** Returns the tools that the surrounding console provides. */
export function useConsole(): ConsoleTools {
  const tools = useContext(ConsoleContext)
  if (tools === null) throw new Error('useConsole must be used inside the console.')
  return tools
}

/** Returns the signed-in person. Pages only render after sign-in. */
export function useMe(): SignedIn {
  const presence = useConsole().membership.presence.value
  if (presence.kind !== 'signedIn') throw new Error('useMe must be used after sign-in.')
  return presence.me
}

/** Returns a function that checks the signed-in person's permissions. The console does not offer operations without permission. */
export function useMay(): (operation: ConsoleOperation) => boolean {
  const { role } = useMe()
  return (operation) => consoleOperations[operation].roles.includes(role)
}
