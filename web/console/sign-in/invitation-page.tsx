import { useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { passkeyHindranceOf } from '#web/console/core/passkey-place.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Button, Submit } from '#web/console/ui/controls.tsx'
import { hasFaults } from '#web/console/ui/faults.ts'
import { TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { Entrance } from './entrance.tsx'
import { PasskeyHindrance } from './passkey-hindrance.tsx'
import { ProviderButton } from './provider-button.tsx'
import { CeremonyNote } from './sign-in-page.tsx'

interface InvitationPageProps {
  readonly code: string
  readonly onDone: () => void
}

/** Accepts an invitation. New people create a passkey; a signed-in person just adds the account. */
export function InvitationPage({ code, onDone }: InvitationPageProps) {
  const { words, membership } = useConsole()
  const [name, setName] = useState('')
  const doing = useDoing()
  const { signIn, action } = words.value
  const isSignedIn = membership.presence.value.kind === 'signedIn'
  const mayAccept = isSignedIn || passkeyHindranceOf(window) !== 'browser'
  const accept = () =>
    doing.run(async () => {
      if (isSignedIn) await membership.join(code)
      else await membership.accept(code, name.trim() === '' ? undefined : name.trim())
      onDone()
    })
  return (
    <Entrance title={signIn.invited}>
      {isSignedIn ? <p>{signIn.joinLead}</p> : <p>{signIn.invitedLead}</p>}
      <PasskeyHindrance />
      <Form
        onSubmit={accept}
        problem={hasFaults(doing.problem) ? doing.problem : undefined}
        label={signIn.invited}
      >
        {!isSignedIn && (
          <TextField
            label={signIn.name}
            hint={signIn.nameHint}
            value={name}
            onInput={setName}
            maxLength={100}
            at="name"
          />
        )}
        <CeremonyNote problem={doing.problem} title={signIn.notMade} advice={signIn.notMadeAdvice} />
        {!isSignedIn && <ProviderButton invitation={{ code, name: name.trim() }} />}
        <div class="buttons">
          {mayAccept && <Submit isBusy={doing.isBusy}>{isSignedIn ? signIn.join : signIn.make}</Submit>}
          <Button kind="quiet" onPress={onDone}>
            {isSignedIn ? action.cancel : signIn.title}
          </Button>
        </div>
      </Form>
    </Entrance>
  )
}
