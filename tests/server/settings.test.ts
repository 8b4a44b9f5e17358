import { describe, expect, test } from 'vitest'
import { drawAction } from '#server/sessions/plan.ts'
import { readSettings } from '#server/settings.ts'
import { warningsOf } from '#server/warnings.ts'
import { type Action, actions } from '#shared/contract/session.ts'

describe('the settings', () => {
  test('have a default for everything, fit for one machine', () => {
    expect(readSettings({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      dataDir: './data',
      webDir: undefined,
      region: 'EU',
      publicUrl: undefined,
      listensOnLoopback: true,
      webhookAllowLoopback: true,
      imageUrlAllow: [],
      challengeActions: ['turnLeft', 'turnRight', 'lookUp', 'smile'],
      attemptLimit: undefined,
      collectionLimit: 100_000,
      embedOrigins: [],
      secret: undefined,
      analysisThreads: 1,
      demo: true,
      logLevel: 'warn',
    })
  })

  test('are stricter where others can reach the server', () => {
    expect(readSettings({ HOST: '0.0.0.0' })).toMatchObject({
      webhookAllowLoopback: false,
      attemptLimit: 5,
      demo: false,
    })
  })

  test('are read as they are meant', () => {
    const env = {
      PORT: '0',
      CHALLENGE_ACTIONS: 'turnLeft, smile,turnLeft',
      ATTEMPT_LIMITS: '3',
      COLLECTION_LIMIT: '2',
      EMBED_ORIGINS: 'https://a.example http://localhost:3000',
      PUBLIC_URL: 'https://id.example/',
      DATA_DIR: '',
    }
    expect(readSettings(env)).toMatchObject({
      port: 0,
      challengeActions: ['turnLeft', 'smile'],
      attemptLimit: 3,
      collectionLimit: 2,
      embedOrigins: ['https://a.example', 'http://localhost:3000'],
      publicUrl: 'https://id.example',
      dataDir: './data',
    })
  })

  test.each([
    ['PORT', '65536'],
    ['PORT', 'x'],
    ['REGION', 'UK'],
    ['CHALLENGE_ACTIONS', 'jump'],
    ['CHALLENGE_ACTIONS', ','],
    ['EMBED_ORIGINS', '*'],
    ['PUBLIC_URL', 'https://id.example/path'],
    ['SECRET', 'short'],
    ['ANALYSIS_THREADS', '0'],
    ['DEMO', 'maybe'],
  ])('refuse %s=%s, and name it', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(name)
  })
})

describe('drawing actions', () => {
  const last = (below: number) => below - 1

  test('takes none twice while others are left', () => {
    const drawn: Action[] = []
    for (let i = 0; i < actions.length; i++) drawn.push(drawAction(actions, drawn))
    expect(new Set(drawn).size).toBe(actions.length)
  })

  test('takes none twice in a row when all were drawn', () => {
    expect(drawAction(['blink', 'smile'], ['smile', 'blink'], last)).toBe('smile')
    expect(drawAction(['blink', 'smile'], ['blink', 'smile'], last)).toBe('blink')
    expect(drawAction(['blink'], ['blink'])).toBe('blink')
  })

  test('draws each action about as often', () => {
    const counts = new Map<Action, number>()
    for (let i = 0; i < 6000; i++) {
      const action = drawAction(actions, [])
      counts.set(action, (counts.get(action) ?? 0) + 1)
    }
    for (const action of actions) expect(Math.abs(counts.get(action)! - 1000)).toBeLessThan(200)
  })
})

describe('the warnings', () => {
  const codes = (env: Record<string, string>, pipe = false) =>
    warningsOf(readSettings(env), pipe).map(({ code }) => code)

  test('are none for the defaults on one machine', () => {
    expect(codes({}, true)).toEqual([])
  })

  test('are few for a careful deployment, and many for a careless one', () => {
    const careful = { HOST: '0.0.0.0', PUBLIC_URL: 'https://id.example', SECRET: 'x'.repeat(32) }
    expect(codes(careful)).toEqual([])
    const careless = {
      HOST: '0.0.0.0',
      PUBLIC_URL: 'http://id.example',
      DEMO: 'true',
      ATTEMPT_LIMITS: 'off',
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      CHALLENGE_ACTIONS: 'blink',
    }
    expect(codes(careless, true)).toEqual([
      'weak_challenge',
      'no_tls',
      'private_targets',
      'demo_public',
      'no_limits',
      'secret_beside_store',
      'key_in_log',
    ])
  })
})
