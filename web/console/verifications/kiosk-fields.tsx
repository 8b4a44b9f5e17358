import { useState } from 'preact/hooks'
import { kioskOutcomes, outcomeTextMaximum } from '#shared/contract/configuration/kiosk-config.ts'
import { type PageLanguage, pageLanguages } from '#shared/contract/configuration/words-by-language.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { SelectField, TextField } from '#web/console/ui/field.tsx'
import { fill } from '#web/wording/fill.ts'
import { type ConfigFieldsProps, placeOfMember, useMembers } from './config-members.tsx'

/** The operator's own words for the ends of a visit at a kiosk, one language at a time. */
export function KioskFields(props: ConfigFieldsProps) {
  const { words } = useConsole()
  const { config, locale } = words.value
  const { read, write } = useMembers(props)
  const [language, setLanguage] = useState<PageLanguage>('en')
  const names = new Intl.DisplayNames(locale, { type: 'language' })
  const field = (path: string, label: string) => (
    <TextField
      key={path}
      label={label}
      value={read(path)}
      at={placeOfMember(path)}
      maxLength={outcomeTextMaximum}
      onInput={(typed) => write(path, typed === '' ? undefined : typed)}
    />
  )
  return (
    <>
      <SelectField
        label={config.kioskLanguage}
        hint={config.kioskHint}
        value={language}
        options={pageLanguages.map((one) => [one, names.of(one) ?? one] as const)}
        onChange={setLanguage}
      />
      {kioskOutcomes.map((outcome) => {
        const path = `kioskConfig.outcomeTexts.${outcome}.${language}`
        return (
          <div key={outcome}>
            {field(`${path}.title`, fill(config.outcomeTitle, { outcome: config.outcome[outcome] }))}
            {field(`${path}.text`, fill(config.outcomeText, { outcome: config.outcome[outcome] }))}
          </div>
        )
      })}
    </>
  )
}
