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
} from './account.ts'
import { getAuditLog, verifyAuditLog } from './audit.ts'
import { getAge, getGender } from './demographic.ts'
import { detectEmotionAttention } from './emotion-attention.ts'
import { compareFaceEmbeddings, detectFaces, getFaceEmbeddings } from './face-verification.ts'
import { healthz, readyz } from './health.ts'
import { createKiosk, getAllKiosks, revokeKiosk } from './kiosk.ts'
import { detectLiveness } from './liveness.ts'
import { deletePerson } from './person.ts'
import {
  createCollection,
  deleteCollection,
  deleteFace,
  getAllCollections,
  getCollection,
  indexFace,
  searchFace,
  searchOrIndexFace,
  updateCollection,
} from './recognition.ts'
import { getToken, getUtcNow } from './security.ts'
import { getSession, initRedirectSession, submitSession, submitStep } from './session.ts'
import { createSession } from './session-creation.ts'
import { cancelHandoff, createHandoff, takeHandoff } from './session-handoff.ts'
import { getSessionResult } from './session-result.ts'
import { createSignature, validateSignature } from './signature.ts'
import {
  createOrUpdateVerification,
  createVerification,
  deleteVerification,
  getAllVerifications,
  getVerification,
  updateVerification,
} from './verification.ts'
import { getVerifyToken, resetCollection, verifyDuplicate } from './verify.ts'
import { getDeliveries, resendDelivery } from './webhook.ts'

/** What integrators and pages of theirs call: each role with its endpoints. */
export const clientCatalogue = {
  configuration: {
    healthz,
    readyz,
    createSignature,
    validateSignature,
    getVerification,
    getAllVerifications,
    createVerification,
    createOrUpdateVerification,
    updateVerification,
    deleteVerification,
    getSessionResult,
    createSession,
    initRedirectSession,
    getSession,
    submitStep,
    submitSession,
    createHandoff,
    takeHandoff,
    cancelHandoff,
    getAccount,
    updateAccount,
    getKeys,
    createKey,
    revokeKey,
    setPrimaryKey,
    rotateSigningKey,
    rotateWebhookSecret,
    getAuditLog,
    verifyAuditLog,
    getDeliveries,
    resendDelivery,
    deletePerson,
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
  },
  demographic: { healthz, readyz, getAge, getGender },
  'face-verification': { healthz, readyz, detectFaces, getFaceEmbeddings, compareFaceEmbeddings },
  verify: { healthz, readyz, getVerifyToken, verifyDuplicate, resetCollection },
  'emotion-attention': { healthz, readyz, detectEmotionAttention },
  liveness: { healthz, readyz, detectLiveness },
} as const satisfies Record<Role, Record<string, Endpoint>>

export type ClientCatalogue = typeof clientCatalogue
