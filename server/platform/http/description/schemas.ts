import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { refusingUnknown } from '#server/platform/http/requests/known-names.ts'
import { accountDetail, apiKeyDetail } from '#shared/contract/account/account.ts'
import { auditEntry } from '#shared/contract/account/audit.ts'
import { delivery, webhookEvent } from '#shared/contract/account/webhook.ts'
import { ageEstimate } from '#shared/contract/analysis/demographic.ts'
import { landmarks2D, landmarks3D, point2D, point3D } from '#shared/contract/analysis/emotion-attention.ts'
import { faceQuality, qualityOfComponents } from '#shared/contract/analysis/face-quality.ts'
import { face, image } from '#shared/contract/analysis/image.ts'
import { securitySettings } from '#shared/contract/configuration/signature.ts'
import { verificationDetail, verificationOverview } from '#shared/contract/configuration/verification.ts'
import { verificationConfig, verifierConfigs } from '#shared/contract/configuration/verification-config.ts'
import { kioskConfiguration, sealingKey } from '#shared/contract/kiosk/kiosk-device.ts'
import { problemBody } from '#shared/contract/problem-body.ts'
import { otherNamesOf, ownPrefix } from '#shared/contract/sections.ts'
import { kioskAnswer } from '#shared/contract/sessions/kiosk-answer.ts'
import { logoDetail } from '#shared/contract/sessions/logo.ts'
import {
  capturedFrame,
  capturePlan,
  nextStep,
  submittedFrame,
  testOutcome,
} from '#shared/contract/sessions/session.ts'
import { listedSession } from '#shared/contract/sessions/session-list.ts'
import { attestationDetail, sessionPasskey } from '#shared/contract/sessions/session-passkey.ts'
import { finding, reviewDetail, sessionResult } from '#shared/contract/sessions/session-result.ts'
import { theme } from '#shared/contract/sessions/theme.ts'
import type { Schema } from './document.ts'
import { enumNamed, withNamedEnum } from './named-enums.ts'
import { sentenceOf } from './unexpressed-rules.ts'

/** The schemas that have a name in the document. All others are inlined. */
const named: Readonly<Record<string, GenericSchema>> = {
  Account: accountDetail,
  AdHocVerifierConfigs: refusingUnknown(verifierConfigs),
  AgeEstimate: ageEstimate,
  ApiKey: apiKeyDetail,
  Attestation: attestationDetail,
  AuditEntry: auditEntry,
  CapturePlan: capturePlan,
  CapturedFrame: refusingUnknown(capturedFrame),
  Delivery: delivery,
  Face: face,
  FaceQuality: faceQuality,
  Finding: finding,
  Image: image,
  KioskAnswer: kioskAnswer,
  KioskConfiguration: kioskConfiguration,
  Landmarks2D: landmarks2D,
  Landmarks3D: landmarks3D,
  ListedSession: listedSession,
  Logo: logoDetail,
  NextStep: nextStep,
  Point2D: point2D,
  Point3D: point3D,
  Problem: problemBody,
  QualityComponents: qualityOfComponents,
  Review: reviewDetail,
  SealingKey: sealingKey,
  SecuritySettings: securitySettings,
  SessionPasskey: sessionPasskey,
  SessionResult: sessionResult,
  SubmittedFrame: refusingUnknown(submittedFrame),
  TestOutcome: refusingUnknown(testOutcome),
  Theme: theme,
  VerificationCompleted: webhookEvent,
  VerificationConfig: verificationConfig,
  VerificationDetail: verificationDetail,
  VerificationOverview: verificationOverview,
  VerifierConfigs: verifierConfigs,
}

/** The prefix for references to named schemas. */
export const prefix = '#/components/schemas/'
const ruleKey = 'x-rules'

/** All JSON numbers are finite, and text normalisation is described in prose if it matters. */
const needless = ['finite', 'normalize']

const config = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  ignoreActions: needless,
  overrideRef: ({ referenceId }) => `${prefix}${referenceId}`,
  overrideAction: ({ valibotAction, jsonSchema }) =>
    ['check', 'raw_check', 'partial_check'].includes(valibotAction.type)
      ? withSentence(jsonSchema, sentenceOf(valibotAction))
      : undefined,
  overrideSchema: ({ valibotSchema, jsonSchema, errors }) =>
    errors === undefined ? describeSentences(valibotSchema, jsonSchema) : undefined,
} satisfies ConversionConfig

/** The schema for a request body or a result. @throws if JSON Schema cannot express it */
export function schemaOf(schema: GenericSchema): Schema {
  return convert(schema, 'input', defaultInWords)
}

/** Query parameters, described by the values that their text is parsed into. @throws like `schemaOf` */
export function querySchemaOf(schema: GenericSchema): Schema {
  return convert(schema, 'output', (one) => one)
}

/** The named schemas that a part of the document refers to, directly or indirectly. `own` are the document's own definitions. */
export function componentsOf(
  part: unknown,
  own: Readonly<Record<string, Schema>> = {},
): Record<string, Schema> {
  const found = new Map<string, Schema>()
  const collect = (from: unknown) => {
    for (const [, name] of JSON.stringify(from).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name!)) continue
      const schema = own[name!] ?? definition(name!)
      found.set(name!, schema)
      collect(schema)
    }
  }
  collect(part)
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function definition(name: string): Schema {
  const valueSet = enumNamed(name)
  if (valueSet !== undefined) return valueSet
  const { $defs } = toJsonSchema(named[name]!, {
    ...config,
    definitions: namedIn(named[name]!),
    typeMode: 'input',
  })
  return finished($defs![name]!, defaultInWords)
}

function convert(
  schema: GenericSchema,
  typeMode: 'input' | 'output',
  change: (one: Schema) => Schema,
): Schema {
  const { $schema, $defs, ...rest } = toJsonSchema(schema, {
    ...config,
    definitions: namedIn(schema),
    typeMode,
  })
  return finished(rest, change)
}

/**
 * The named schemas within a schema, including itself. The converter converts every definition it receives on each call, so
 * it is given only these.
 */
function namedIn(schema: GenericSchema): Record<string, GenericSchema> {
  const seen = new Set<unknown>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    for (const inner of Object.values(value)) visit(inner)
  }
  visit(schema)
  return Object.fromEntries(Object.entries(named).filter(([, candidate]) => seen.has(candidate)))
}

/** This is set aside first because a later description in the pipe would replace it. */
function withSentence(schema: JsonSchema, sentence: string): JsonSchema {
  const sentences = sentencesIn(schema)
  return { ...schema, [ruleKey]: [...sentences, sentence] } as JsonSchema
}

function sentencesIn(schema: object): string[] {
  return (schema as Record<string, string[]>)[ruleKey] ?? []
}

/** Appends its rules' sentences to each description, and replaces named enums. */
function finished(schema: unknown, change: (one: Schema) => Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    typeof value === 'object' && value !== null ? withNamedEnum(change(withRules(value)), prefix) : value,
  )
}

/**
 * [Note: Defaults are said in words] Generators mark a body member as required if it has a default, although callers may
 * omit it. Query parameters keep their defaults, because generators treat those as optional.
 */
function defaultInWords(schema: Schema): Schema {
  const isSchema = ['type', 'anyOf', '$ref', 'enum'].some((name) => name in schema)
  const isObject = typeof schema.default === 'object' && !Array.isArray(schema.default)
  if (!isSchema || !('default' in schema) || isObject) return withoutNullDefault(schema)
  const { default: value, description = '', ...rest } = schema
  const isSaid = / when absent| where nothing is said/.test(description)
  const sentences = [description, ...(isSaid ? [] : [`If absent: ${JSON.stringify(value)}.`])]
  return { ...rest, description: sentences.filter((sentence) => sentence !== '').join(' ') }
}

function withoutNullDefault(schema: Schema): Schema {
  if (!('type' in schema) || schema.default !== null) return schema
  const { default: _value, ...rest } = schema
  return rest
}

function withRules(schema: Schema): Schema {
  if (!(ruleKey in schema)) return schema
  const { [ruleKey]: sentences, description, ...rest } = schema
  return { ...rest, description: [description, ...(sentences as string[])].filter(Boolean).join(' ') }
}

function describeSentences(schema: GenericSchema, jsonSchema: JsonSchema): JsonSchema | undefined {
  const otherNames = otherNamesOf(schema)
  if (otherNames !== 'none' && otherNames !== 'own') return simplify(schema.type, jsonSchema)
  const own = otherNames === 'own' ? { patternProperties: { [`^${ownPrefix}`]: {} } } : {}
  const closed = { ...jsonSchema, ...own, additionalProperties: false }
  return simplify(schema.type, closed) ?? closed
}

/** Uses shorter equivalents: null among the types, no empty `required`, no rule that applies to every property name. */
function simplify(type: string, schema: JsonSchema): JsonSchema | undefined {
  if (type === 'literal') return withType(schema)
  if (type === 'nullable' || type === 'nullish') return withNull(schema)
  if (Object.values(schema.properties ?? {}).some(isNever)) return withoutNever(schema)
  if (type === 'record' && isAnyText(schema.propertyNames)) {
    const { propertyNames, ...rest } = schema
    return rest
  }
  if (schema.required?.length === 0) {
    const { required, ...rest } = schema
    return rest
  }
  return undefined
}

function withNull({ anyOf, ...rest }: JsonSchema): JsonSchema | undefined {
  const inner = anyOf?.[0]
  if (typeof inner !== 'object' || typeof inner.type !== 'string') return undefined
  const { const: only, ...others } = inner
  const listed = inner.enum ?? (only === undefined ? undefined : [only])
  const values = listed === undefined ? {} : { enum: [...listed, null] }
  return { ...others, ...values, type: [inner.type, 'null'], ...rest }
}

/** Generators do not infer a constant's type. */
function withType(schema: JsonSchema): JsonSchema | undefined {
  const type = typeof schema.const
  return type === 'string' || type === 'boolean' || type === 'number' ? { type, ...schema } : undefined
}

function isNever(schema: unknown): boolean {
  return JSON.stringify((schema as { not?: unknown } | undefined)?.not) === '{}'
}

/** Generators reject a schema for a member that must be absent, so the description says it instead. */
function withoutNever({ properties = {}, ...rest }: JsonSchema): JsonSchema {
  const entries = Object.entries(properties)
  const never = entries.filter(([, inner]) => isNever(inner)).map(([name]) => `\`${name}\``)
  const schema = { ...rest, properties: Object.fromEntries(entries.filter(([, inner]) => !isNever(inner))) }
  return withSentence(simplify('', schema) ?? schema, `Must not have ${never.join(', ')}.`)
}

function isAnyText(schema: unknown): boolean {
  return JSON.stringify(schema) === '{"type":"string"}'
}
