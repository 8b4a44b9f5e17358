/** The eight roles of the interface, with the base path and the purpose of each. */
export const hosts = {
  configuration: {
    basePath: '/v1',
    name: 'Configuration service',
    purpose:
      'Verifications, signed links, sessions and their results. All for servers, except the calls that carry the token of a session.',
  },
  security: {
    basePath: '/v1',
    name: 'Security service',
    purpose: 'Bearer tokens for client-side use, and the time.',
  },
  'face-recognition': {
    basePath: '/v1',
    name: 'Face recognition',
    purpose: 'Collections of faces: searching, indexing and deleting.',
  },
  demographic: {
    basePath: '/v1',
    name: 'Demographic estimation',
    purpose: 'Age and gender of the faces in a picture.',
  },
  'face-verification': {
    basePath: '/v1',
    name: 'Face verification',
    purpose: 'Finding faces, and comparing two of them.',
  },
  verify: {
    basePath: '/api/v1/verify',
    name: 'Verify',
    purpose: 'Duplicate detection against a collection, with separate tokens.',
  },
  'emotion-attention': {
    basePath: '/v1',
    name: 'Emotion and attention',
    purpose: 'Emotion, attention and landmarks of the dominant face.',
  },
  liveness: {
    basePath: '/v1',
    name: 'Liveness detection',
    purpose: 'Whether a picture shows a living face or a spoof.',
  },
} as const

export type Role = keyof typeof hosts

/** A deployment with a separate store and keys. Tokens and signatures of one region are rejected in another. */
export type Region = 'EU' | 'US'
