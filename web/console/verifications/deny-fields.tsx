import { denyModes, mostDenyCollections } from '#shared/contract/configuration/verification-config.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { CheckField, FieldGroup, SelectField } from '#web/console/ui/field.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { fill } from '#web/wording/fill.ts'
import { deniedIn, withDenied } from './config-form.ts'
import { placeOfMember as at, type ConfigFieldsProps, useMembers } from './config-members.tsx'

const ids = 'verifierConfigs.faceRecognition.denyCollectionIds'
const mode = 'verifierConfigs.faceRecognition.denyMode'

/** Chooses collections of faces that must not pass, and the consequence for a person who matches one. */
export function DenyFields(props: ConfigFieldsProps) {
  const { words, calls } = useConsole()
  const { config: phrases } = words.value
  const { config, onChange } = props
  const { read, write } = useMembers(props)
  const found = useAccountData(() => calls.recognition.getAllCollections())
  const collections = found.value?.collections
  const chosen = deniedIn(config)
  const others = (collections ?? []).filter(({ collectionId }) => !chosen.includes(collectionId))
  const isMissing = (id: string) =>
    collections !== undefined && !collections.some(({ collectionId }) => collectionId === id)
  return (
    <FieldGroup legend={phrases.deny} at={at(ids)}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {chosen.map((id) => (
        <CheckField
          key={id}
          label={isMissing(id) ? fill(phrases.denyMissing, { id }) : id}
          checked
          onChange={() =>
            onChange(
              withDenied(
                config,
                chosen.filter((one) => one !== id),
              ),
            )
          }
        />
      ))}
      {others.length > 0 && chosen.length < mostDenyCollections && (
        <SelectField
          label={phrases.denyAdd}
          hint={phrases.denyHint}
          value=""
          options={[['', phrases.denyNone], ...others.map(({ collectionId: id }) => [id, id] as const)]}
          onChange={(id) => id !== '' && onChange(withDenied(config, [...chosen, id]))}
        />
      )}
      {collections?.length === 0 && <p class="small">{phrases.denyNoCollections}</p>}
      {chosen.length > 0 && (
        <SelectField
          label={phrases.denyMode}
          value={read(mode) || 'review'}
          at={at(mode)}
          options={denyModes.map((one) => [one, phrases.denyModes[one]] as const)}
          onChange={(next) => write(mode, next === 'review' ? undefined : next)}
        />
      )}
    </FieldGroup>
  )
}
