import { Phrase } from '#web/ui/phrase.tsx'
import type { ScreenProps } from './screen-props.ts'

/** Where the account is asked; nothing where it names no place, and at a kiosk, which nothing leads away from. */
export function SupportLink({ context, wording }: Pick<ScreenProps, 'context' | 'wording'>) {
  const { plan, staysHere } = context
  const address = plan?.theme.supportUrl
  if (address === undefined || staysHere) return null
  return (
    <a class="button quiet" href={address} target="_blank" rel="noopener">
      <span>
        <Phrase text={wording.links.support} plan={plan} />
      </span>
    </a>
  )
}
