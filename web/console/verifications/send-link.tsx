import type { PageLanguage } from '#shared/contract/configuration/words-by-language.ts'
import { useConsole, useMe } from '#web/console/core/console-context.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { mailAddress, messageOf, textAddress } from './invitation.ts'
import { invitationTexts } from './invitation-texts.ts'

interface SendLinkProps {
  readonly address: string
  /** Milliseconds since 1970. */
  readonly until: number
  readonly language: PageLanguage
}

/** Opens the operator's mail program, messages or share sheet with a message that contains the link. */
export function SendLink({ address, until, language }: SendLinkProps) {
  const { words } = useConsole()
  const { accounts, accountId } = useMe()
  const { send } = words.value
  const account = accounts.find((one) => one.accountId === accountId)?.name ?? words.value.product
  const message = messageOf({ account, link: address, until }, invitationTexts[language], language)
  const share = () =>
    // Closing the share sheet is not an error.
    void navigator.share({ title: message.subject, text: message.body }).catch(() => undefined)
  return (
    <fieldset class="send-link">
      <legend>{send.title}</legend>
      <p class="small">{send.hint}</p>
      <div class="buttons">
        <a class="press plain" href={mailAddress(message)}>
          {send.mail}
        </a>
        <a class="press plain" href={textAddress(message)}>
          {send.text}
        </a>
        {'share' in navigator && <Button onPress={share}>{send.share}</Button>}
      </div>
    </fieldset>
  )
}
