import {
  attentionEventKinds,
  attentionKinds,
  attentionStates,
  attentionSubjects,
} from '#shared/contract/account/attention.ts'
import { actorKinds, auditFaults } from '#shared/contract/account/audit.ts'
import { accountEvents, sessionEvents } from '#shared/contract/account/event.ts'
import { requestOutcomes } from '#shared/contract/account/request-log.ts'
import { deliveryErrors, deliveryStates } from '#shared/contract/account/webhook.ts'
import { genders } from '#shared/contract/analysis/demographic.ts'
import { spoofTypes } from '#shared/contract/analysis/liveness.ts'
import { qualityComponents } from '#shared/contract/analysis/quality-components.ts'
import {
  assurances,
  challengeTypes,
  evidenceUses,
  leastAssurances,
  livenessEvidenceRules,
  livenessPolicies,
} from '#shared/contract/configuration/check-settings.ts'
import { referenceTypes } from '#shared/contract/configuration/reference-verifier.ts'
import { signatureStates } from '#shared/contract/configuration/signature.ts'
import {
  denyModes,
  evidenceKeeps,
  faceRecognitionTypes,
} from '#shared/contract/configuration/verification-config.ts'
import { environments } from '#shared/contract/environment.ts'
import { kioskStates } from '#shared/contract/kiosk/kiosk.ts'
import { candidateFindings } from '#shared/contract/recognition/named-faces.ts'
import { resultSources } from '#shared/contract/recognition/recognition.ts'
import { onTheSpotResults } from '#shared/contract/sessions/kiosk-answer.ts'
import { logoGrounds } from '#shared/contract/sessions/logo.ts'
import {
  actions,
  failedReasons,
  injectionHints,
  sessionStates,
  stepRequests,
  testResults,
  verificationResults,
  verifierResults,
  visitProblems,
} from '#shared/contract/sessions/session.ts'
import { visitBrowsers, visitDevices } from '#shared/contract/sessions/session-device.ts'
import { milestones, sessionOutcomes } from '#shared/contract/sessions/session-ending.ts'
import { evidencePictures, evidenceStates } from '#shared/contract/sessions/session-evidence.ts'
import { linkStates } from '#shared/contract/sessions/session-link.ts'
import { reviewStates, sessionOrders, sessionSources } from '#shared/contract/sessions/session-list.ts'
import { ceremonies, passkeyUses, unattested } from '#shared/contract/sessions/session-passkey.ts'
import { findingKinds } from '#shared/contract/sessions/session-result.ts'
import {
  cueAnswers,
  cueNames,
  measuredScores,
  stepOutcomes,
} from '#shared/contract/sessions/session-timeline.ts'
import { usageIntervals, usageSplits } from '#shared/contract/sessions/session-usage.ts'
import { themeFonts, themeModes } from '#shared/contract/sessions/theme.ts'
import { scopes } from '#shared/endpoint.ts'
import { problemStatus } from '#shared/problem-codes.ts'
import type { Schema } from './document.ts'

/** The enums' names in the document, and therefore in generated clients. */
const names: Readonly<Record<string, readonly string[]>> = {
  AccountEventName: accountEvents,
  Action: actions,
  ActorKind: actorKinds,
  AgeVerifierType: ['Disabled', 'CalculationOnly', 'ThresholdVerification', 'RangeVerification'],
  Assurance: assurances,
  AuditFault: auditFaults,
  AttentionKind: attentionKinds,
  AttentionEventKind: attentionEventKinds,
  AttentionState: attentionStates,
  AttentionSubject: attentionSubjects,
  CalculationType: ['Disabled', 'CalculationOnly'],
  CandidateFinding: candidateFindings,
  ChallengeType: challengeTypes,
  CueAnswer: cueAnswers,
  CueName: cueNames,
  DeliveryError: deliveryErrors,
  DeliveryState: deliveryStates,
  DenyMode: denyModes,
  Direction: ['Above', 'Below'],
  Environment: environments,
  EvidenceKeep: evidenceKeeps,
  EvidencePicture: evidencePictures,
  EvidenceState: evidenceStates,
  EvidenceUse: evidenceUses,
  FaceRecognitionType: faceRecognitionTypes,
  FailedReason: failedReasons,
  FindingKind: findingKinds,
  Gender: genders,
  InjectionHint: injectionHints,
  KioskState: kioskStates,
  LeastAssurance: leastAssurances,
  LivenessEvidenceRule: livenessEvidenceRules,
  LivenessPolicy: livenessPolicies,
  LivenessType: ['Disabled', 'Verification'],
  LogoGround: logoGrounds,
  MeasuredScore: measuredScores,
  Milestone: milestones,
  OnTheSpotResult: onTheSpotResults,
  PasskeyCeremony: ceremonies,
  PasskeyUse: passkeyUses,
  ProblemCode: Object.keys(problemStatus),
  QualityComponent: qualityComponents,
  ReferenceType: referenceTypes,
  RequestOutcome: requestOutcomes,
  ResultSource: resultSources,
  ReviewState: reviewStates,
  Scope: scopes,
  SessionOrder: sessionOrders,
  SessionOutcome: sessionOutcomes,
  SessionEventName: sessionEvents,
  SessionSource: sessionSources,
  SessionState: sessionStates,
  SignatureState: signatureStates,
  LinkState: linkStates,
  SpoofType: spoofTypes,
  StepRequest: stepRequests,
  StepOutcome: stepOutcomes,
  TestResult: testResults,
  ThemeFont: themeFonts,
  ThemeMode: themeModes,
  UnattestedBecause: unattested,
  UsageInterval: usageIntervals,
  UsageSplit: usageSplits,
  VerificationResult: verificationResults,
  VerifierResult: verifierResults,
  VisitBrowser: visitBrowsers,
  VisitDevice: visitDevices,
  VisitProblem: visitProblems,
}

const nameOf = new Map(Object.entries(names).map(([name, values]) => [values.join(), name]))

/** A named enum's schema, or undefined if no enum has that name. */
export function enumNamed(name: string): Schema | undefined {
  const values = names[name]
  return values && { type: 'string', enum: values }
}

/** Replaces a named enum's schema with a reference that keeps its description. Returns any other schema unchanged. */
export function withNamedEnum(schema: Schema, prefix: string): Schema {
  if (!Array.isArray(schema.enum)) return schema
  const { type, enum: listed, ...rest } = schema
  const name = nameOf.get(listed.filter((one) => one !== null).join())
  if (name === undefined) return schema
  const $ref = `${prefix}${name}`
  return listed.includes(null) ? { ...rest, anyOf: [{ $ref }, { type: 'null' }] } : { ...rest, $ref }
}
