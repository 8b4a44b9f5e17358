import type { Endpoint } from '../endpoint.ts'
import type { Role } from '../hosts.ts'
import { getAge, getGender } from './demographic.ts'
import { detectEmotionAttention } from './emotion-attention.ts'
import { compareFaceEmbeddings, detectFaces, getFaceEmbeddings } from './face-verification.ts'
import { healthz } from './health.ts'
import { detectLiveness } from './liveness.ts'
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

/** The whole interface in one value: each role with its endpoints. */
export const catalogue = {
  configuration: {
    healthz,
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
  },
  security: { healthz, getToken, getUtcNow },
  'face-recognition': {
    healthz,
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
  demographic: { healthz, getAge, getGender },
  'face-verification': { healthz, detectFaces, getFaceEmbeddings, compareFaceEmbeddings },
  verify: { healthz, getVerifyToken, verifyDuplicate, resetCollection },
  'emotion-attention': { healthz, detectEmotionAttention },
  liveness: { healthz, detectLiveness },
} as const satisfies Record<Role, Record<string, Endpoint>>

export type Catalogue = typeof catalogue
