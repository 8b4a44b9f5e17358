/** A session plan with three actions that checks nothing but liveness. */
export const plan = {
  verifiers: { liveness: true, age: false, gender: false, faceRecognition: false, emotion: false },
  challenge: { type: 'Advanced' as const, actionCount: 3 },
  evidence: null,
  locale: null,
  theme: { accountName: 'Northwind', accentColour: null, logo: null, region: 'EU' },
  embedOrigins: [],
}
