/** The eight roles of the interface, with the base path under which each one's endpoints stand. */
export const hosts = {
  configuration: { basePath: '/v1', name: 'Configuration service' },
  security: { basePath: '/v1', name: 'Security service' },
  'face-recognition': { basePath: '/v1', name: 'Face recognition' },
  demographic: { basePath: '/v1', name: 'Demographic estimation' },
  'face-verification': { basePath: '/v1', name: 'Face verification' },
  verify: { basePath: '/api/v1/verify', name: 'Verify' },
  'emotion-attention': { basePath: '/v1', name: 'Emotion and attention' },
  liveness: { basePath: '/v1', name: 'Liveness detection' },
} as const

export type Role = keyof typeof hosts

/** One deployment with its own store and keys. Tokens and signatures of one region are refused in another. */
export type Region = 'EU' | 'US'
