import type { PageLanguage } from '#shared/contract/configuration/words-by-language.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { SelectField, TextField } from '#web/console/ui/field.tsx'
import { fill } from '#web/wording/fill.ts'
import type { Config } from './config-form.ts'
import { configMember } from './config-json.tsx'
import { languagesLeft, purposePath, readPurpose, withLanguage, withPurpose } from './purpose-words.ts'

const place = `${configMember}/${purposePath.replace('.', '/')}`
const mostCharacters = 500

interface PurposeFieldsProps {
  readonly config: Config
  readonly onChange: (config: Config) => void
}

/** The purpose of the check, as a single text or in several languages with a default. */
export function PurposeFields({ config, onChange }: PurposeFieldsProps) {
  const { words } = useConsole()
  const { config: say, purpose, locale } = words.value
  const spoken = readPurpose(config)
  const { text, languages } = spoken
  const isMap = languages.length > 0
  const names = new Intl.DisplayNames(locale, { type: 'language' })
  const nameOf = (language: string) => names.of(language) ?? language
  const write = (language: PageLanguage, written: string | null) =>
    onChange(withPurpose(config, withLanguage(spoken, language, written)))
  return (
    <>
      <TextField
        label={isMap ? purpose.others : say.purpose}
        value={text}
        at={isMap ? `${place}/default` : place}
        maxLength={mostCharacters}
        onInput={(written) => onChange(withPurpose(config, { ...spoken, text: written }))}
      />
      {languages.map(([language, written]) => (
        <div class="inline" key={language}>
          <TextField
            label={fill(purpose.inLanguage, { language: nameOf(language) })}
            value={written}
            at={`${place}/${language}`}
            maxLength={mostCharacters}
            onInput={(typed) => write(language, typed)}
          />
          <Button
            label={fill(purpose.remove, { language: nameOf(language) })}
            onPress={() => write(language, null)}
          >
            {words.value.action.remove}
          </Button>
        </div>
      ))}
      <SelectField
        label={purpose.add}
        hint={purpose.addHint}
        value=""
        options={[['', purpose.choose], ...languagesLeft(spoken).map((one) => [one, nameOf(one)] as const)]}
        onChange={(chosen) => chosen !== '' && write(chosen as PageLanguage, '')}
      />
    </>
  )
}
