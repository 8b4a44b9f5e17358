import { useState } from 'preact/hooks'
import type { Account } from '#web/console/core/account.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { FieldGroup, FileField } from '#web/console/ui/field.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { logoFrom } from './logo-picture.ts'

interface LogoFieldProps {
  readonly account: Account
  readonly onSaved: (answer: { account: Account }) => void
}

/** The account's logo. It is saved as soon as a file is chosen. */
export function LogoField({ account, onSaved }: LogoFieldProps) {
  const { words, calls, tell } = useConsole()
  const may = useMay()
  const [isBad, setBad] = useState(false)
  const doing = useDoing()
  const { settings, feedback } = words.value
  const send = (logo: string | null) =>
    doing.run(async () => {
      onSaved(await calls.configuration.updateAccount({ logo }))
      tell(feedback.saved)
    })
  const choose = async (file: File | null) => {
    if (file === null) return
    const picture = await logoFrom(file).catch(() => null)
    setBad(picture === null)
    if (picture !== null) await send(picture)
  }
  const { logo } = account
  return (
    <FieldGroup legend={settings.logo}>
      {logo !== null && (
        <span class="plate" data-ground={logo.ground}>
          <img src={logo.address} alt={settings.logo} width={logo.width} height={logo.height} />
        </span>
      )}
      {may('updateAccount') && (
        <FileField
          label={settings.logo}
          hint={settings.logoHint}
          error={isBad ? settings.logoBad : undefined}
          accept="image/png,image/jpeg,image/svg+xml"
          onChoose={choose}
          at="logo"
        />
      )}
      <ProblemNote problem={doing.problem} />
      {logo !== null && may('updateAccount') && (
        <Button isBusy={doing.isBusy} onPress={() => send(null)}>
          {settings.removeLogo}
        </Button>
      )}
    </FieldGroup>
  )
}
