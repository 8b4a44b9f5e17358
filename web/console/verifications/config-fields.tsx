import { challengeTypes, leastAssurances } from '#shared/contract/configuration/check-settings.ts'
import {
  defaultReferenceThreshold,
  referenceTypes,
} from '#shared/contract/configuration/reference-verifier.ts'
import {
  evidenceKeeps,
  faceRecognitionTypes,
  resultFlags,
} from '#shared/contract/configuration/verification-config.ts'
import { useConsole, useMe } from '#web/console/core/console-context.ts'
import { CheckField, SelectField, TextField } from '#web/console/ui/field.tsx'
import {
  type AgeType,
  ageTypes,
  memberAt,
  numberFrom,
  withAgeType,
  withFaceType,
  withLeastAssurance,
  withLiveness,
} from './config-form.ts'
import { placeOfMember as at, type ConfigFieldsProps, useMembers } from './config-members.tsx'
import { DenyFields } from './deny-fields.tsx'
import { EditorSection } from './editor-sections.tsx'
import { KioskFields } from './kiosk-fields.tsx'
import { PurposeFields } from './purpose-fields.tsx'

/** The configuration form, in sections. Changes go into the same value that the JSON shows. */
export function ConfigFields(props: ConfigFieldsProps) {
  const { words } = useConsole()
  const { config } = words.value
  const { text, number, flag, read, write } = useMembers(props)
  const attempts = 'retryConfig.attempts'
  const signed = 'securityConfig.forceSignedInput'
  return (
    <>
      <EditorSection name="checks">
        <LivenessFields {...props} />
        <AgeFields {...props} />
        <FaceField {...props} />
        <ReferenceFields {...props} />
        <CheckField
          label={config.gender}
          checked={read('verifierConfigs.gender.type') === 'CalculationOnly'}
          at={at('verifierConfigs.gender')}
          onChange={(isOn) => write('verifierConfigs.gender.type', isOn ? 'CalculationOnly' : undefined)}
        />
        {flag('verifierConfigs.commonSettings.failOnMultipleFacesDetected', config.manyFaces)}
        <SelectField
          label={config.tries}
          value={read(attempts) || '2'}
          at={at('retryConfig')}
          options={['0', '1', '2'].map((one) => [one, one] as const)}
          onChange={(chosen) => write(attempts, chosen === '2' ? undefined : Number(chosen))}
        />
      </EditorSection>
      <EditorSection name="ways">
        {text('redirectConfig.passedUrl', config.passedUrl, config.addressHint)}
        {text('redirectConfig.failedUrl', config.failedUrl, config.addressHint)}
        {text('webhookConfig.eventCallbackUrl', config.webhook, config.webhookHint)}
        <CheckField
          label={config.signed}
          checked={memberAt(props.config, signed) !== false}
          at={at(signed)}
          onChange={(isOn) => write(signed, isOn ? undefined : false)}
        />
      </EditorSection>
      <EditorSection name="results">
        <div class="checks">
          {resultFlags.map((name) => flag(`resultParameterConfig.${name}`, config.flag[name]))}
        </div>
      </EditorSection>
      <EditorSection name="privacy">
        <PurposeFields {...props} />
        {text('privacyConfig.controller', config.controller)}
        {text('privacyConfig.privacyUrl', config.privacyUrl)}
        {text('privacyConfig.termsUrl', config.termsUrl)}
      </EditorSection>
      <EditorSection name="retention">
        {number('historyConfig.days', config.historyDays, config.historyHint)}
        <EvidenceFields {...props} />
      </EditorSection>
      <EditorSection name="kiosk">
        <KioskFields {...props} />
      </EditorSection>
    </>
  )
}

/** Settings for the pictures that are stored for reviewers. */
function EvidenceFields(props: ConfigFieldsProps) {
  const { words } = useConsole()
  const { config } = words.value
  const { number, read, write } = useMembers(props)
  const keep = 'evidenceConfig.keep'
  return (
    <>
      <SelectField
        label={config.keepPictures}
        hint={config.keepHint}
        value={read(keep) || 'none'}
        at={at(keep)}
        options={evidenceKeeps.map((one) => [one, config.keep[one]] as const)}
        onChange={(chosen) => write(keep, chosen === 'none' ? undefined : chosen)}
      />
      {read(keep) !== '' && number('evidenceConfig.hours', config.keepHours, config.keepHoursHint)}
    </>
  )
}

function LivenessFields(props: ConfigFieldsProps) {
  const { words } = useConsole()
  const { config, assurance } = words.value
  const { canReachHigh } = useMe()
  const { read, write, flag } = useMembers(props)
  const isOn = read('verifierConfigs.liveness.type') === 'Verification'
  const challenge = 'verifierConfigs.liveness.challengeType'
  const least = 'verifierConfigs.liveness.leastAssurance'
  const evidence = 'verifierConfigs.liveness.evidence'
  return (
    <>
      <CheckField
        label={config.liveness}
        checked={isOn}
        at={at('verifierConfigs.liveness')}
        onChange={(checked) => props.onChange(withLiveness(props.config, checked))}
      />
      {isOn && (
        <div class="nested">
          <SelectField
            label={config.challenge}
            value={read(challenge) || 'Balanced'}
            at={at(challenge)}
            options={challengeTypes.map((one) => [one, config[one]] as const)}
            onChange={(chosen) => write(challenge, chosen)}
          />
          <SelectField
            label={config.leastAssurance}
            hint={
              read(least) === 'high' ? (canReachHigh ? config.highHint : config.highOutOfReach) : undefined
            }
            value={read(least) || 'low'}
            at={at(least)}
            options={leastAssurances.map((one) => [one, assurance[one]] as const)}
            onChange={(chosen) => props.onChange(withLeastAssurance(props.config, chosen))}
          />
          {(read(least) || 'low') === 'low' && (
            <CheckField
              label={config.evidenceOptional}
              checked={read(evidence) === 'optional'}
              at={at(evidence)}
              onChange={(checked) => write(evidence, checked ? 'optional' : undefined)}
            />
          )}
          {flag('verifierConfigs.liveness.allowAlternative', config.allowAlternative)}
        </div>
      )}
    </>
  )
}

function AgeFields(props: ConfigFieldsProps) {
  const { words } = useConsole()
  const { config } = words.value
  const { read, write, number } = useMembers(props)
  const type = (read('verifierConfigs.age.type') || 'Disabled') as AgeType
  const rule = 'verifierConfigs.age.thresholdConfig'
  return (
    <>
      <SelectField
        label={config.age}
        value={type}
        at={at('verifierConfigs.age')}
        options={ageTypes.map((one) => [one, one === 'Disabled' ? config.ageDisabled : config[one]] as const)}
        onChange={(chosen) => props.onChange(withAgeType(props.config, chosen))}
      />
      {type === 'ThresholdVerification' && (
        <div class="nested">
          {number(`${rule}.threshold`, config.threshold)}
          <SelectField
            label={config.direction}
            value={read(`${rule}.direction`) || 'Above'}
            at={at(`${rule}.direction`)}
            options={[
              ['Above', config.Above],
              ['Below', config.Below],
            ]}
            onChange={(chosen) => write(`${rule}.direction`, chosen)}
          />
          {number(`${rule}.marginInYears`, config.margin, config.marginHint)}
        </div>
      )}
      {type === 'RangeVerification' && (
        <div class="nested">
          {number('verifierConfigs.age.rangeConfig.minimum', config.minimum)}
          {number('verifierConfigs.age.rangeConfig.maximum', config.maximum)}
        </div>
      )}
    </>
  )
}

function FaceField(props: ConfigFieldsProps) {
  const { words } = useConsole()
  const { config } = words.value
  const { read } = useMembers(props)
  const type = read('verifierConfigs.faceRecognition.type') || 'Disabled'
  const labels = { ...config, Disabled: config.faceDisabled, CalculationOnly: config.faceCalculationOnly }
  return (
    <>
      <SelectField
        label={config.face}
        value={type}
        at={at('verifierConfigs.faceRecognition')}
        options={faceRecognitionTypes.map((one) => [one, labels[one]] as const)}
        onChange={(chosen) => props.onChange(withFaceType(props.config, chosen))}
      />
      {type !== 'Disabled' && (
        <div class="nested">
          <DenyFields {...props} />
        </div>
      )}
    </>
  )
}

function ReferenceFields(props: ConfigFieldsProps) {
  const { words } = useConsole()
  const { config } = words.value
  const { read, write } = useMembers(props)
  const path = 'verifierConfigs.reference.type'
  const threshold = 'verifierConfigs.reference.threshold'
  const type = read(path) || 'Disabled'
  return (
    <>
      <SelectField
        label={config.reference}
        hint={type === 'Disabled' ? undefined : config.referenceHint}
        value={type}
        at={at('verifierConfigs.reference')}
        options={referenceTypes.map((one) => [one, config[`reference${one}`]] as const)}
        onChange={(chosen) => write(path, chosen === 'Disabled' ? undefined : chosen)}
      />
      {type === 'Verification' && (
        <div class="nested">
          <TextField
            label={config.referenceThreshold}
            type="number"
            value={read(threshold) || String(defaultReferenceThreshold)}
            at={at(threshold)}
            onInput={(value) => write(threshold, numberFrom(value))}
          />
        </div>
      )}
    </>
  )
}
