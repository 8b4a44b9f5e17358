import { useConsole } from '#web/console/core/console-context.ts'
import { explain } from '#web/console/core/explain.ts'
import type { Membership } from '#web/console/core/membership.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'

/** Switches the account or environment. Asks before unsaved changes are lost, and reports failures. */
export function useSwitch(): Membership['switchTo'] {
  const { words, membership, navigation, tell } = useConsole()
  const doing = useDoing()
  return (to) =>
    doing.run(async () => {
      if (!navigation.mayLeave()) return
      try {
        await membership.switchTo(to)
      } catch (problem) {
        return tell(explain(problem, words.peek()).title)
      }
      const { page, parts } = navigation.address.peek()
      // The open item belongs to the previous account.
      const kept = ['developers', 'settings'].includes(page) ? parts : []
      navigation.go({ page, parts: kept }, { isForced: true })
    })
}
