import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { describe as describeApi } from '#server/platform/http/description/description.ts'
import type { Schema } from '#server/platform/http/description/document.ts'
import { schemaOf } from '#server/platform/http/description/schemas.ts'
import { catalogue } from '#shared/contract/catalogue.ts'
import { problemBody } from '#shared/contract/problem-body.ts'
import { type Endpoint, scopesFor } from '#shared/endpoint.ts'
import { hosts, type Role } from '#shared/hosts.ts'
import { problemStatus } from '#shared/problem-codes.ts'
import { some } from '../../e2e/support/length.ts'
import { strictly } from '../support/contract/strictly.ts'

const roles = Object.keys(hosts) as Role[]
const document = describeApi(roles)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)
/** Lists each endpoint once, even if several roles share it. */
const endpoints = new Map(
  roles.flatMap((role) =>
    Object.entries<Endpoint>(catalogue[role]).map(
      ([name, endpoint]) => [endpoint, `${role}: ${name}`] as const,
    ),
  ),
)
const listed = [...endpoints].map(([endpoint, name]) => [name, endpoint] as const)

/** Finds properties that lack a description, in a schema and its nested schemas. */
function silentIn(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as Schema
  const own = Object.entries(properties)
    .filter(([, property]) => meaningOf(property) === undefined)
    .map(([name]) => `${at}.${name}`)
  return [...own, ...Object.entries(schema).flatMap(([key, inner]) => silentIn(inner, `${at}.${key}`))]
}

function meaningOf({ description, $ref, anyOf }: Schema): string | undefined {
  if (Array.isArray(anyOf) && description === undefined) return meaningOf(anyOf[0])
  if (description !== undefined || typeof $ref !== 'string') return description
  return (document.components.schemas![$ref.split('/').at(-1)!] as Schema).description
}

describe('docs/openapi.json', () => {
  test('is current (npm run openapi writes it)', () => {
    const written = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))
    expect(written).toEqual(JSON.parse(JSON.stringify(document)))
  })

  test('states the default of a member of a body in words, so that generators leave the member optional', () => {
    const withDefault = Object.entries(document.components.schemas as Record<string, Schema>).flatMap(
      ([name, { properties = {} }]) =>
        Object.entries(properties).flatMap(([member, schema]) =>
          'default' in schema ? [`${name}.${member}`] : [],
        ),
    )
    expect(withDefault).toEqual([])
  })

  test('names each section of a configuration differently, wherever it is used', () => {
    const { VerificationConfig, CreateSessionBody, LivenessConfig, VerifierConfigs } = document.components
      .schemas as Record<string, Schema>
    const nameOf = ({ $ref }: Schema) => String($ref).split('/').at(-1)
    expect(nameOf(VerificationConfig!.properties!.redirectConfig!)).toBe('RedirectConfig')
    expect(nameOf(VerificationConfig!.properties!.verifierConfigs!)).toBe('VerifierConfigs')
    expect(nameOf(CreateSessionBody!.properties!.verifierConfigs!)).toBe('VerifierConfigs')
    expect(nameOf(VerifierConfigs!.properties!.liveness!)).toBe('LivenessConfig')
    expect(LivenessConfig!.properties).toHaveProperty('leastAssurance')
  })

  test('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0')
    const { errors = [], valid } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    expect(errors).toEqual([])
    expect(valid).toBe(true)
  })

  test('shows an error as it is sent', () => {
    const { examples } = document.components.schemas!.Problem as { examples: readonly unknown[] }
    expect(examples).toHaveLength(1)
    expect(v.parse(v.strictObject(problemBody.entries), examples[0])).toMatchObject({
      type: 'urn:selfsame:problem:invalid_request',
      title: 'Bad Request',
      status: 400,
    })
  })

  test.each(some(['recommended-strict', 'recommended']))('passes the %s rules', async (ruleset) => {
    const config = await createConfig({ extends: [ruleset] })
    const source = JSON.stringify(document)
    const found = await lintFromString({ source, absoluteRef: '/openapi.json', config })
    expect(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  })

  test('is checked by rules that can fail', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const source = JSON.stringify({ ...document, info: { title: 'Selfsame', version: 'v1' } })
    const found = await lintFromString({ source, absoluteRef: '/openapi.json', config })
    expect(found.map(({ ruleId }) => ruleId)).toContain('info-license')
  })
})

describe('the document', () => {
  test('lists each endpoint of the catalogue once, with a unique operation id', () => {
    const paths = [...endpoints.keys()].map(({ method, path }) => `${method} ${path}`)
    expect(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
      paths.sort(),
    )
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('describes each parameter and each property', () => {
    const parameters = operations.flatMap(({ path, operation }) =>
      ((operation.parameters ?? []) as Schema[])
        .filter(({ description }) => description === undefined)
        .map(({ name }) => `${path} ${name}`),
    )
    expect([...parameters, ...silentIn(document, '#')]).toEqual([])
  })

  test.each(listed)('has a valid example of %s', (_name, { query, body, example }) => {
    expect(example).toBeDefined()
    const faults = [
      ...(query === undefined ? [] : (v.safeParse(query, example!.query ?? {}).issues ?? [])),
      ...(body === undefined ? [] : (v.safeParse(body, example!.body).issues ?? [])),
    ]
    expect(faults.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`)).toEqual([])
    if (query === undefined) expect(example!.query).toBeUndefined()
    if (body === undefined) expect(example!.body).toBeUndefined()
  })

  test.each(listed)(
    'has an example of what %s answers, and it holds',
    (_name, { path, method, ...endpoint }) => {
      const operation = document.paths[path]![method.toLowerCase()]!
      const { content } = (operation.responses as Record<string, { content: Record<string, Schema> }>)[
        endpoint.answersWith ?? 200
      ]!
      if (endpoint.plainText === true) return
      const { example } = content['application/json']!.examples as Record<string, { readonly value: unknown }>
      const shown = example!.value
      const { issues = [] } = v.safeParse(strictly(endpoint.result), shown)
      expect(issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`)).toEqual([])
      if (endpoint.example?.answer !== undefined) expect(shown).toEqual(endpoint.example.answer)
    },
  )

  test.each(operations)('declares what $method $path may answer', ({ path, method, operation }) => {
    const endpoint = endpointOf(path, method)
    const withBody = endpoint.body === undefined ? [] : [408, 413, 415]
    const withKey = endpoint.idempotency === 'none' ? [] : [409, 422]
    const statuses = new Set([
      endpoint.answersWith ?? 200,
      ...endpoint.errors,
      ...withBody,
      ...withKey,
      429,
      500,
      503,
    ])
    expect(Object.keys(operation.responses as object).map(Number)).toEqual(
      [...statuses].sort((a, b) => a - b),
    )
  })

  test.each(operations)('names the credential of $method $path', ({ path, method, operation }) => {
    const schemes = operation.security.flatMap(Object.keys)
    const endpoint = endpointOf(path, method)
    const expected = {
      none: [],
      key: ['ApiKey'],
      'key-or-bearer': ['ApiKey', 'AccessToken'],
      session: ['SessionToken'],
      kiosk: ['KioskToken'],
      console: ['ConsoleCookie'],
    }[endpoint.auth]
    expect(schemes.filter((name) => name !== 'ApiKeyHeader')).toEqual(expected)
    for (const scope of scopesFor(endpoint)) expect(operation.description).toContain(`\`${scope}\``)
  })

  test.each(roles)('of %s alone has the endpoints of that role, and is valid', async (role) => {
    const alone = describeApi([role])
    const expected = new Set(Object.values<Endpoint>(catalogue[role]).map(({ path }) => path))
    expect(new Set(Object.keys(alone.paths))).toEqual(expected)
    const config = await createConfig({ extends: ['recommended-strict'] })
    const found = await lintFromString({ source: JSON.stringify(alone), absoluteRef: '/o.json', config })
    expect(found.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  })

  test('contains nothing that stops client generators', () => {
    const faults: string[] = []
    const walk = (at: unknown, path: string, isMap: boolean): void => {
      if (typeof at !== 'object' || at === null) return
      const schema = at as Record<string, unknown>
      if (!isMap && 'const' in schema && typeof schema.type !== 'string')
        faults.push(`${path}: const without a type`)
      if (!isMap && JSON.stringify(schema.not) === '{}') faults.push(`${path}: not {}`)
      for (const [name, inner] of Object.entries(at)) {
        if (name === 'example' || name === 'examples') continue
        walk(inner, `${path}/${name}`, name === 'properties' && !isMap)
      }
    }
    walk(JSON.parse(JSON.stringify(document)), '#', false)
    expect(faults).toEqual([])
  })

  test('names every code of a problem', () => {
    const { Problem, ProblemCode } = document.components.schemas as Record<string, Schema>
    expect(Problem!.properties!.code).toMatchObject({ $ref: '#/components/schemas/ProblemCode' })
    expect(ProblemCode).toEqual({ type: 'string', enum: Object.keys(problemStatus) })
  })

  test('names each set of values once', () => {
    const inline: string[] = []
    const walk = (at: unknown, path: string): void => {
      if (typeof at !== 'object' || at === null) return
      const isDefinition = /^#\/components\/schemas\/\w+$/.test(path)
      const values = (at as Schema).enum as unknown[] | undefined
      if (!isDefinition && Array.isArray(values) && values.filter((one) => one !== null).length > 1)
        inline.push(`${path}: ${values}`)
      for (const [name, inner] of Object.entries(at))
        if (!/^examples?$/.test(name)) walk(inner, `${path}/${name}`)
    }
    walk(JSON.parse(JSON.stringify(document)), '#')
    expect(inline).toEqual([])
    const sets = Object.values(document.components.schemas as Record<string, Schema>).flatMap((schema) =>
      Array.isArray(schema.enum) ? [schema.enum.join()] : [],
    )
    expect(new Set(sets).size).toBe(sets.length)
  })

  test('names each body and each result once', () => {
    const inline = operations.flatMap(({ path, operation }) => {
      const { requestBody, responses } = JSON.parse(JSON.stringify(operation))
      const contents = [requestBody?.content ?? {}, (responses[200] ?? responses[202]).content]
      return contents.flatMap((content) =>
        Object.values<{ schema: Schema }>(content)
          .filter(({ schema }) => schema.$ref === undefined && schema.type !== 'string')
          .map(() => path),
      )
    })
    expect(inline).toEqual([])
    const texts = Object.values(document.components.schemas!).map((schema) => JSON.stringify(schema))
    expect(new Set(texts).size).toBe(texts.length)
  })

  test('mentions the event next to sessions', () => {
    expect(document.webhooks).toHaveProperty('VerificationCompleted')
    expect(describeApi(['liveness']).webhooks).toBeUndefined()
  })
})

function endpointOf(path: string, method: string): Endpoint {
  return [...endpoints.keys()].find(
    (candidate) => candidate.path === path && candidate.method === method.toUpperCase(),
  )!
}

describe('a schema in the document', () => {
  test.each([
    [
      'refuses a rule that is not described',
      v.pipe(
        v.string(),
        v.check(() => true, 'Secret.'),
      ),
    ],
    [
      'refuses a rule without words',
      v.pipe(
        v.string(),
        v.rawCheck(() => {}),
      ),
    ],
    ['a date', v.date()],
    ['a transformation without a schema', v.pipe(v.string(), v.toUpperCase())],
  ])('not with %s', (_what, schema) => {
    expect(() => schemaOf(schema)).toThrow()
  })

  test('contains the sentence of each of its rules', () => {
    const { SecuritySettings } = document.components.schemas as Record<string, Schema>
    expect(SecuritySettings!.description).toContain('cannot be combined with `expirationEnabled` false')
    expect(SecuritySettings!.description).toContain('requires expiration to be enabled')
  })

  test('contains null among the types', () => {
    expect(schemaOf(v.nullable(v.picklist(['a'])))).toEqual({ type: ['string', 'null'], enum: ['a', null] })
  })
})

describe('the line for curl', () => {
  /** Splits a command line the way a shell does, leaving out `curl` itself. */
  function wordsOf(line: string): string[] {
    const script = `curl() { printf '%s\\0' "$@"; }; ${line}`
    const env = {
      SELFSAME_URL: 'https://h',
      SELFSAME_API_KEY: 'k',
      SELFSAME_SESSION_TOKEN: 's',
      SELFSAME_KIOSK_TOKEN: 'k',
    }
    const { stdout, status } = spawnSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' })
    expect(status).toBe(0)
    return stdout.split('\0').slice(0, -1)
  }

  test.each(operations)('of $method $path sends the example', ({ path, method, operation }) => {
    const { body, query, example, auth } = endpointOf(path, method)
    const [sample] = operation['x-codeSamples'] as { source: string }[]
    const words = wordsOf(sample!.source)
    const valuesOf = (flag: string) => words.filter((_, i) => words[i - 1] === flag)
    const address = new URL(words.find((word) => word.startsWith('https://h'))!)
    expect(address.pathname).toBe(path)
    const sent = Object.entries(example?.query ?? {}).map(([name, value]) => [name, String(value)])
    expect([...address.searchParams]).toEqual(query === undefined ? [] : sent)
    expect(valuesOf('-d').map((text) => JSON.parse(text))).toEqual(body === undefined ? [] : [example?.body])
    expect(valuesOf('-X')[0] ?? (body === undefined ? 'GET' : 'POST')).toBe(method.toUpperCase())
    const credential = {
      none: undefined,
      session: 'Authorization: Bearer s',
      kiosk: 'Authorization: Bearer k',
    }[auth as 'none' | 'session' | 'kiosk']
    const expected = ['key', 'key-or-bearer'].includes(auth) ? 'Authorization: ApiKey k' : credential
    expect(valuesOf('-H').find((header) => header.startsWith('Authorization'))).toBe(expected)
  })
})
