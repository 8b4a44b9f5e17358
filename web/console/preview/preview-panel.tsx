import { useState } from 'preact/hooks'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import type { Account } from '#web/console/core/account.ts'
import { useConsole, useMe } from '#web/console/core/console-context.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { SelectField } from '#web/console/ui/field.tsx'
import type { PreviewedCheck, StepName } from '#web/preview/preview-messages.ts'
import { stepsOf } from '#web/preview/preview-walk.ts'
import { PreviewFrame } from './preview-frame.tsx'
import { type Check, checkOf, themeOfAccount } from './preview-plan.ts'

type Device = Pick<PreviewedCheck, 'isPhone' | 'isDark' | 'locale'>

export interface PreviewPanelProps {
  /** Undefined while the input is not a valid configuration. */
  readonly config: VerificationConfig | undefined
  readonly account: Account
}

/** Previews a check's screens before anything is saved. */
export function PreviewPanel({ config, account }: PreviewPanelProps) {
  const { words, preferences } = useConsole()
  const { environment, region } = useMe()
  const check = config && checkOf(config, themeOfAccount(account, region), environment)
  const { theme } = preferences.value
  const isDarkHere = theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
  const [device, setDevice] = useState<Device>({
    isPhone: true,
    isDark: isDarkHere,
    locale: words.value.locale,
  })
  const [wanted, setWanted] = useState<StepName>('consent')
  const [languages, setLanguages] = useState<readonly string[]>([])
  const [valid, setValid] = useState(check)
  const isOther = JSON.stringify(check) !== JSON.stringify(valid)
  if (check !== undefined && isOther) setValid(check)
  const { preview } = words.value
  if (valid === undefined) return <p class="note">{preview.invalid}</p>
  const steps = stepsOf(valid)
  const step = steps.includes(wanted) ? wanted : 'consent'
  return (
    <section class="preview" aria-label={preview.title}>
      <DeviceChoice {...{ device, setDevice, languages }} isFixed={fixedMode(valid)} />
      <StepChoice {...{ steps, step }} onStep={setWanted} />
      <PreviewFrame previewed={{ ...valid, ...device, step }} onStep={setWanted} onLanguages={setLanguages} />
      {check === undefined ? <p class="note warn">{preview.stale}</p> : <p class="small">{preview.lead}</p>}
    </section>
  )
}

/** True if the account uses a fixed light or dark mode for its pages. */
function fixedMode({ plan }: Check): boolean {
  return plan.theme.mode === 'light' || plan.theme.mode === 'dark'
}

interface DeviceChoiceProps {
  readonly device: Device
  readonly setDevice: (device: Device) => void
  readonly languages: readonly string[]
  readonly isFixed: boolean
}

function DeviceChoice({ device, setDevice, languages, isFixed }: DeviceChoiceProps) {
  const { words } = useConsole()
  const { preview, locale } = words.value
  const names = new Intl.DisplayNames([locale], { type: 'language' })
  const change = (changes: Partial<Device>) => setDevice({ ...device, ...changes })
  return (
    <div class="preview-device">
      <fieldset class="chips">
        <legend class="heard">{preview.device}</legend>
        <Button pressed={device.isPhone} onPress={() => change({ isPhone: true })}>
          {preview.phone}
        </Button>
        <Button pressed={!device.isPhone} onPress={() => change({ isPhone: false })}>
          {preview.desk}
        </Button>
      </fieldset>
      {!isFixed && (
        <fieldset class="chips">
          <legend class="heard">{preview.mode}</legend>
          <Button pressed={!device.isDark} onPress={() => change({ isDark: false })}>
            {preview.light}
          </Button>
          <Button pressed={device.isDark} onPress={() => change({ isDark: true })}>
            {preview.dark}
          </Button>
        </fieldset>
      )}
      <SelectField
        label={preview.language}
        value={device.locale}
        options={languages.map((one) => [one, names.of(one) ?? one] as const)}
        onChange={(chosen) => change({ locale: chosen })}
      />
    </div>
  )
}

interface StepChoiceProps {
  readonly steps: readonly StepName[]
  readonly step: StepName
  readonly onStep: (step: StepName) => void
}

function StepChoice({ steps, step, onStep }: StepChoiceProps) {
  const { words } = useConsole()
  const { preview } = words.value
  const at = steps.indexOf(step)
  const by = (distance: number) => {
    const next = steps[at + distance]
    if (next !== undefined) onStep(next)
  }
  return (
    <div class="preview-steps">
      <Button onPress={() => by(-1)}>{preview.previous}</Button>
      <SelectField
        label={preview.screen}
        value={step}
        options={steps.map((one, i) => [one, `${i + 1}. ${preview.steps[one]}`] as const)}
        onChange={onStep}
      />
      <Button onPress={() => by(1)}>{preview.next}</Button>
    </div>
  )
}
