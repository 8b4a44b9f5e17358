import type { Endpoint } from '../endpoint.ts'
import type { Role } from '../hosts.ts'
import {
  createKey,
  getAccount,
  getKeys,
  revokeKey,
  rotateSigningKey,
  rotateWebhookSecret,
  setPrimaryKey,
  updateAccount,
} from './account/account.ts'
import { getAuditLog, verifyAuditLog } from './account/audit.ts'
import { deletePerson, exportPerson, resetPasskeys } from './account/person.ts'
import { getRequests } from './account/request-log.ts'
import { getDeliveries, resendDelivery, resendFailed } from './account/webhook.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoints,
  sendTestEvent,
  updateWebhookEndpoint,
} from './account/webhook-endpoint.ts'
import { getAge, getGender } from './analysis/demographic.ts'
import { detectEmotionAttention } from './analysis/emotion-attention.ts'
import { getQuality } from './analysis/face-quality.ts'
import { compareFaceEmbeddings, detectFaces, getFaceEmbeddings } from './analysis/face-verification.ts'
import { detectLiveness } from './analysis/liveness.ts'
import { createSignature, validateSignature } from './configuration/signature.ts'
import {
  createOrUpdateVerification,
  createVerification,
  deleteVerification,
  getAllVerifications,
  getVerification,
  getVerificationVersions,
  updateVerification,
} from './configuration/verification.ts'
import { healthz, readyz } from './health.ts'
import { createKiosk, getAllKiosks, revokeKiosk } from './kiosk/kiosk.ts'
import {
  createCollection,
  deleteCollection,
  deleteFace,
  getAllCollections,
  getAllFaces,
  getCollection,
  indexFace,
  searchFace,
  searchOrIndexFace,
  updateCollection,
} from './recognition/recognition.ts'
import { getVerifyToken, resetCollection, verifyDuplicate } from './recognition/verify.ts'
import { getToken, getUtcNow } from './security/security.ts'
import { getSession, initRedirectSession, submitSession, submitStep } from './sessions/session.ts'
import { createSession } from './sessions/session-creation.ts'
import { cancelHandoff, createHandoff, takeHandoff } from './sessions/session-handoff.ts'
import { cancelSession, getSessions, reviewSession } from './sessions/session-list.ts'
import { bindPasskey, createPasskeyOptions, verifyPasskey } from './sessions/session-passkey.ts'
import { getSessionResult } from './sessions/session-result.ts'
import { completeTestSession } from './sessions/session-test.ts'
import { getSessionTimeline } from './sessions/session-timeline.ts'
import { getUsage } from './sessions/session-usage.ts'

/** What integrators and pages of theirs call: each role with its endpoints. */
export const clientCatalogue = {
  configuration: {
    healthz,
    readyz,
    createSignature,
    validateSignature,
    getVerification,
    getAllVerifications,
    getVerificationVersions,
    createVerification,
    createOrUpdateVerification,
    updateVerification,
    deleteVerification,
    getSessionResult,
    getSessions,
    getSessionTimeline,
    cancelSession,
    reviewSession,
    getUsage,
    createSession,
    initRedirectSession,
    getSession,
    submitStep,
    submitSession,
    completeTestSession,
    createHandoff,
    takeHandoff,
    cancelHandoff,
    createPasskeyOptions,
    verifyPasskey,
    bindPasskey,
    getAccount,
    updateAccount,
    getKeys,
    createKey,
    revokeKey,
    setPrimaryKey,
    rotateSigningKey,
    rotateWebhookSecret,
    getRequests,
    getAuditLog,
    verifyAuditLog,
    getDeliveries,
    resendDelivery,
    resendFailed,
    createWebhookEndpoint,
    getWebhookEndpoints,
    sendTestEvent,
    updateWebhookEndpoint,
    deleteWebhookEndpoint,
    deletePerson,
    exportPerson,
    resetPasskeys,
    createKiosk,
    getAllKiosks,
    revokeKiosk,
  },
  security: { healthz, readyz, getToken, getUtcNow },
  'face-recognition': {
    healthz,
    readyz,
    getCollection,
    getAllCollections,
    createCollection,
    updateCollection,
    deleteCollection,
    searchFace,
    indexFace,
    searchOrIndexFace,
    deleteFace,
    getAllFaces,
  },
  demographic: { healthz, readyz, getAge, getGender },
  'face-verification': { healthz, readyz, detectFaces, getFaceEmbeddings, compareFaceEmbeddings, getQuality },
  verify: { healthz, readyz, getVerifyToken, verifyDuplicate, resetCollection },
  'emotion-attention': { healthz, readyz, detectEmotionAttention },
  liveness: { healthz, readyz, detectLiveness },
} as const satisfies Record<Role, Record<string, Endpoint>>

export type ClientCatalogue = typeof clientCatalogue
