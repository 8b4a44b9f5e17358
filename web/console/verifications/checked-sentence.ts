import type { ConsoleWording } from '#web/console/wording/console-wording.ts'
import { fill } from '#web/wording/fill.ts'
import { type Config, memberAt } from './config-form.ts'

/** Describes the checks of a configuration in one sentence. */
export function checkedSentence(config: Config, words: ConsoleWording): string {
  const clauses = [
    ...ofLiveness(config, words),
    ...ofAge(config, words),
    ...ofFace(config, words),
    ...ofRest(config, words),
  ]
  const { checked } = words
  if (clauses.length === 0) return checked.nothing
  const [last, ...before] = clauses.reverse()
  const list = before.length === 0 ? last! : `${before.reverse().join(checked.comma)}${checked.and}${last}`
  return fill(checked.sentence, { list })
}

const at = (config: Config, path: string) => memberAt(config, `verifierConfigs.${path}`)

function ofLiveness(config: Config, { checked, assurance }: ConsoleWording): string[] {
  if (at(config, 'liveness.type') !== 'Verification') return []
  const least = at(config, 'liveness.leastAssurance')
  const isThree = at(config, 'liveness.challengeType') === 'Advanced'
  return [
    isThree ? checked.living3 : checked.living1,
    ...(least === 'standard' || least === 'high'
      ? [fill(checked.assurance, { level: assurance[least] })]
      : []),
  ]
}

function ofAge(config: Config, { checked }: ConsoleWording): string[] {
  const n = Number(at(config, 'age.thresholdConfig.threshold'))
  const margin = Number(at(config, 'age.thresholdConfig.marginInYears') ?? 0)
  switch (at(config, 'age.type')) {
    case 'CalculationOnly':
      return [checked.ageKnown]
    case 'ThresholdVerification':
      return at(config, 'age.thresholdConfig.direction') === 'Below'
        ? [fill(checked.below, { n: n - margin })]
        : [fill(checked.above, { n: n + margin })]
    case 'RangeVerification': {
      const from = String(at(config, 'age.rangeConfig.minimum'))
      return [fill(checked.range, { from, to: String(at(config, 'age.rangeConfig.maximum')) })]
    }
    default:
      return []
  }
}

function ofFace(config: Config, { checked }: ConsoleWording): string[] {
  const said: Readonly<Record<string, string>> = {
    CalculationOnly: checked.faceKept,
    DuplicateVerification: checked.duplicate,
    MatchVerification: checked.match,
    UniqueMatchVerification: checked.uniqueMatch,
  }
  const clause = said[String(at(config, 'faceRecognition.type'))]
  return clause === undefined ? [] : [clause]
}

function ofRest(config: Config, { checked }: ConsoleWording): string[] {
  const reference = at(config, 'reference.type')
  return [
    ...(reference === 'Verification' ? [checked.reference] : []),
    ...(reference === 'CalculationOnly' ? [checked.referenceKnown] : []),
    ...(at(config, 'gender.type') === 'CalculationOnly' ? [checked.gender] : []),
    ...(at(config, 'commonSettings.failOnMultipleFacesDetected') === true ? [checked.alone] : []),
  ]
}
