import type { Context } from '#web/capture/machine/state.ts'
import { Phrase } from '#web/ui/phrase.tsx'
import type { Wording } from '#web/wording/wording.ts'

/** A link to the account's help page or mailbox; renders nothing if the account has neither. */
export function AskLink({ context, wording }: { context: Context; wording: Wording }) {
  const asker = context.plan ?? context.asker
  if (!asker?.theme.supportUrl) return null
  return (
    <a class="button quiet" href={asker.theme.supportUrl} target="_blank" rel="noopener">
      <span>
        <Phrase text={wording.asker.ask} plan={asker} />
      </span>
    </a>
  )
}
