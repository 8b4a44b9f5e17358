import { dirname, posix, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { circlesIn } from './circles.ts'
import { countsOf } from './counts.ts'
import { houseRules, violationsOf } from './house-rules.ts'
import { roomCircles } from './rooms.ts'
import { parseSource, readSource, type SourceFile, sourcePaths } from './source-file.ts'

const root = resolve(import.meta.dirname, '../..')

let read: readonly SourceFile[] | undefined

function house(): readonly SourceFile[] {
  read ??= sourcePaths(root).map((path) => readSource(root, path))
  return read
}

/** For each rule, files that break it, with their paths and contents. */
const planted: Readonly<Record<string, readonly (readonly [path: string, text: string])[]>> = {
  'shared imports valibot only': [
    ['shared/planted.ts', "import { z } from 'zod'"],
    ['shared/planted.ts', "import type { Frame } from '#models/picture/frame.ts'"],
    ['shared/contract/planted.ts', "import { readFile } from 'node:fs/promises'"],
    ['shared/planted.ts', "export { Picture } from '../models/picture.ts'"],
  ],
  'models import shared only': [
    ['models/planted.ts', "import * as ort from 'onnxruntime-web'"],
    ['models/planted.ts', "import type { AnalysisApi } from '#workers/api.ts'"],
    ['models/planted.ts', "const fs = await import('node:fs')"],
    ['models/planted.ts', "import { recipes } from '#lab/networks/recipes.ts'"],
    ['models/networks/planted.ts', "import * as ort from 'onnxruntime-web'"],
  ],
  'rules of models import no network and no pipeline': [
    ['models/rules/planted.ts', "import { embed } from '../networks/embedder.ts'"],
    ['models/rules/challenge/planted.ts', "import { createPipeline } from '#models/pipeline/pipeline.ts'"],
  ],
  'workers import shared and models': [
    ['workers/planted.ts', "import sharp from 'sharp'"],
    ['workers/planted.ts', "import { openRuntime } from './node/runtime.ts'"],
    ['workers/planted.ts', "import type { State } from '#web/capture/machine/state.ts'"],
  ],
  'workers/onnx imports no other folder': [
    ['workers/onnx/planted.ts', "import { openRuntime } from '../node/runtime.ts'"],
    ['workers/onnx/planted.ts', "import { Picture } from '#models/picture/picture.ts'"],
    ['workers/onnx/planted.ts', "import { Buffer } from 'node:buffer'"],
  ],
  'workers/web imports no other host': [
    ['workers/web/planted.ts', "import { openRuntime } from '../node/runtime.ts'"],
    ['workers/web/planted.ts', "import { createHash } from 'node:crypto'"],
    ['workers/web/planted.ts', "import * as ort from 'onnxruntime-node'"],
  ],
  'workers/node imports no other host': [
    ['workers/node/planted.ts', "import { fetchWeights } from '../web/weights.ts'"],
    ['workers/node/planted.ts', "import { readSettings } from '#server/app/settings.ts'"],
  ],
  'web imports shared, the rules of models and the types of workers/api': [
    ['web/planted.tsx', "import { createAnalysis } from '#workers/analysis.ts'"],
    ['web/planted.tsx', "import { Frame } from '#models/picture/frame.ts'"],
    ['web/planted.tsx', "import type { Frame } from '#models/picture/frame.ts'"],
    ['web/planted.ts', "import { something } from '#workers/api.ts'"],
    ['web/planted.ts', "import type { Verdict } from '../server/features/sessions/verdict.ts'"],
    ['web/planted.ts', "import { join } from 'node:path'"],
    ['web/planted.ts', "new URL('../server/app/main.ts', import.meta.url)"],
  ],
  'server imports shared, the rules of models and the types of workers/api': [
    ['server/planted.ts', "import type { Frame } from '#models/picture/frame.ts'"],
    ['server/planted.ts', "import { createPipeline } from '#models/pipeline/pipeline.ts'"],
    ['server/planted.ts', "import { createAnalysis } from '../workers/analysis.ts'"],
    [
      'server/planted.ts',
      "import type { CameraProblem } from '#web/capture/analysis/camera/camera-problem.ts'",
    ],
    ['server/planted.ts', "import { openRuntime } from '#workers/node/runtime.ts'"],
  ],
  'only the analysis pool holds the wire to the workers': [
    ['server/features/sessions/planted.ts', "import { carryProblems } from '#workers/wire.ts'"],
  ],
  'every file of the server has its place in layers.ts': [
    ['server/planted.ts', ''],
    ['server/features/planted/planted.ts', ''],
  ],
  'lower layers of the server import no higher ones': [
    ['server/platform/http/planted.ts', "import { answerFor } from '#server/features/callers/callers.ts'"],
    ['server/platform/store/planted.ts', "import type { Settings } from '#server/app/settings.ts'"],
    [
      'server/features/accounts/planted.ts',
      "import { rowOf } from '#server/features/sessions/records/session-record.ts'",
    ],
    ['server/features/sessions/planted.ts', "import type { A } from '#server/app/compose.ts'"],
  ],
  'features import only the public file of other features': [
    [
      'server/features/links/planted.ts',
      "import type { Accounts } from '#server/features/accounts/account-records.ts'",
    ],
    ['server/features/verify/planted.ts', "import { createGallery } from '../recognition/gallery.ts'"],
    ['server/app/compose.ts', "import { createLogos } from '#server/features/accounts/logos.ts'"],
    [
      'server/features/kiosks/planted.ts',
      "import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'",
    ],
    ['server/app/main.ts', "import { createAdmitKiosk } from '#server/features/kiosks/admission.ts'"],
    ['server/app/serving/planted.ts', "export { deviceOf } from '#server/features/operators/device.ts'"],
  ],
  'e2e imports shared only': [
    ['e2e/planted.ts', "import { readSettings } from '../server/app/settings.ts'"],
    ['e2e/planted.ts', "import type { State } from '#web/capture/machine/state.ts'"],
    ['e2e/planted.ts', "import { frame } from '#models/picture/frame.ts'"],
  ],
  'no other folder imports server': [
    ['build.ts', "import { readSettings } from './server/app/settings.ts'"],
    ['web/planted.ts', "import { readSettings } from '#server/app/settings.ts'"],
    ['workers/node/planted.ts', "type Settings = import('#server/app/settings.ts').Settings"],
  ],
  'no other folder imports tests': [
    ['server/planted.ts', "import { face } from '../tests/support/observations.ts'"],
  ],
  'lab imports no page': [['lab/planted.ts', "import { capture } from '#web/capture/analysis/analyser.ts'"]],
  'no other folder imports lab': [
    ['server/planted.ts', "import { recipes } from '#lab/networks/recipes.ts'"],
    ['models/planted.ts', "import { recipes } from '../lab/networks/recipes.ts'"],
  ],
  'packages of lab stay in lab': [
    ['server/planted.ts', "import Delaunator from 'delaunator'"],
    ['e2e/planted.ts', "import type { Human } from '@vladmandic/human'"],
    ['tests/planted.ts', "const { default: asc } = await import('assemblyscript/asc')"],
    ['build/planted.ts', "import { parseTar } from 'nanotar'"],
  ],
  'koa stays where requests are served': [
    ['server/features/sessions/planted.ts', "import type { Context } from 'koa'"],
    ['server/app/main.ts', "import Router from '@koa/router'"],
    ['server/app/readiness.ts', "const { default: Koa } = await import('koa')"],
  ],
  'WebAuthn has one file on the server, its statements a folder, and one file in each page': [
    [
      'server/features/sessions/passkeys/ceremonies.ts',
      "import { verifyAuthenticationResponse } from '@simplewebauthn/server'",
    ],
    ['web/capture/main.tsx', "import { startAuthentication } from '@simplewebauthn/browser'"],
  ],
  'lmdb stays in its store file': [
    ['server/platform/store/tables.ts', "import { open } from 'lmdb'"],
    ['server/app/main.ts', "const lmdb = require('lmdb')"],
  ],
  'redis stays with its store': [
    ['server/platform/store/drivers/lmdb.ts', "import { createClient } from 'redis'"],
    ['server/app/main.ts', "import { RESP_TYPES } from '@redis/client'"],
  ],
  'pg stays with its store': [
    ['server/platform/store/tables.ts', "import { Pool } from 'pg'"],
    ['server/app/main.ts', "import type { PoolClient } from 'pg'"],
  ],
  'onnxruntime-node is loaded in one place, which silences it': [
    ['workers/node/runtime.ts', "const ort = await import('onnxruntime-node')"],
    ['tests/workers/planted.test.ts', "import * as ort from 'onnxruntime-node'"],
    ['lab/planted.ts', "const { InferenceSession } = require('onnxruntime-node')"],
    ['e2e/planted.ts', "import { InferenceSession } from 'onnxruntime-node'"],
  ],
  'onnxruntime stays with the hosts of the pipeline': [
    ['server/features/analysis/planted.ts', "import * as ort from 'onnxruntime-node'"],
    ['workers/ort-session.ts', "import type { Tensor } from 'onnxruntime-web/wasm'"],
    ['web/planted.ts', "import * as ort from 'onnxruntime-web/wasm'"],
  ],
  'the environment is read in server/app/settings.ts': [
    ['server/app/main.ts', 'const port = process.env.PORT'],
    ['server/app/main.ts', "const port = process['env'].PORT"],
    ['workers/node/planted.ts', 'const { env } = process'],
    ['server/platform/http/planted.ts', 'const port = globalThis.process.env.PORT'],
    ['server/platform/http/planted.ts', "import { env } from 'node:process'"],
  ],
  'pure files import no package': [
    ['models/rules/verdict.ts', "import * as v from 'valibot'"],
    ['server/features/sessions/results/redirect.ts', "import { lookup } from 'node:dns'"],
    ['models/rules/challenge/performed.ts', "import { pino } from 'pino'"],
    ['server/features/links/query-signature.ts', "import { SignJWT } from 'jose'"],
    ['web/capture/machine/machine.ts', "import { signal } from '@preact/signals'"],
    ['web/capture/analysis/action-watch.ts', "import { wrap } from 'comlink'"],
  ],
  'no file has a meaningless name': [
    ['server/index.ts', ''],
    ['web/utils.ts', ''],
    ['server/platform/http/http-helpers.ts', ''],
    ['server/features/sessions/session-manager.ts', ''],
    ['shared/common.ts', ''],
    ['tests/support/helper.ts', ''],
  ],
  'no file is longer than 300 lines': [['server/planted.ts', 'export const a = 1\n'.repeat(301)]],
  'nothing of the product is cast to never': [
    ['server/app/planted.ts', 'const a = b as never'],
    ['web/planted.tsx', 'send({ body: undefined as never })'],
  ],
  'no file re-exports everything of another': [['web/planted.ts', "export * from './session/state.ts'"]],
}

/** Files that come close to breaking a rule but do not. */
const keeping: readonly (readonly [path: string, text: string])[] = [
  ['shared/planted.ts', "import * as v from 'valibot'"],
  ['models/planted.ts', "import canonical from './weights/canonical-face.json' with { type: 'json' }"],
  ['workers/node/planted.ts', "import * as ort from 'onnxruntime-web/wasm'"],
  ['workers/node/native-library.ts', "const ort = await import('onnxruntime-node')"],
  ['lab/planted.ts', "import type { Tensor } from 'onnxruntime-node'"],
  ['web/planted.ts', "new URL('../workers/web/analysis.worker.ts', import.meta.url)"],
  ['web/planted.ts', "import { type Analysis, type Wanted } from '#workers/api.ts'"],
  ['models/rules/verdict.ts', "import { toUnit } from './embedding.ts'"],
  ['server/app/planted.ts', "import { isAgeCertain } from '#models/rules/age/age-rule.ts'"],
  ['web/planted.ts', "import { isAgeCertain } from '#models/rules/age/age-rule.ts'"],
  ['lab/planted.ts', "import { readSettings } from '../server/app/settings.ts'"],
  ['lab/planted.ts', "import Delaunator from 'delaunator'"],
  ['server/features/analysis/pool.ts', "import { carryProblems } from '#workers/wire.ts'"],
  ['server/app/serving/compose.ts', "import Koa from 'koa'"],
  [
    'server/features/links/planted.ts',
    "import type { Accounts } from '#server/features/accounts/accounts.ts'",
  ],
  ['server/features/links/planted.ts', "import { createNonces } from './nonces.ts'"],
  ['server/app/planted.ts', "import { createLinks } from '#server/features/links/links.ts'"],
  ['server/platform/store/drivers/redis.ts', "import { createClient } from 'redis'"],
  ['server/platform/store/drivers/postgres/postgres-pool.ts', "import { Pool } from 'pg'"],
  ['server/app/settings.ts', 'const env = process.env'],
  ['server/features/recognition/index/face-index.ts', 'export interface FaceIndex {}'],
  ['server/app/planted.ts', 'export const a = 1\n'.repeat(300)],
  ['server/app/planted.ts', "// import Koa from 'koa'\nconst words = 'process.env'"],
  ['tests/planted.ts', 'const a = b as never'],
  ['server/app/planted.ts', 'function a(): never {}'],
  ['tests/planted.ts', "import { readSettings } from '#server/app/settings.ts'"],
]

function firstLine(text: string): string {
  return text.split('\n')[0] || 'nothing in it'
}

/** `server/main-stop` tests one aspect of `server/app/main.ts`. */
function isOfSource(place: string, sources: ReadonlySet<string>): boolean {
  const words = posix.basename(place).split('-')
  return words.some((_, i) =>
    sources.has(`${posix.dirname(place)}/${words.slice(0, words.length - i).join('-')}`),
  )
}

/** `server/features/sessions/sessions` tests how the files in `server/features/sessions/` work together. */
function isOfFolder(place: string, folders: ReadonlySet<string>): boolean {
  const folder = posix.dirname(place)
  return folders.has(folder) && posix.basename(place).split('-').includes(posix.basename(folder))
}

describe('the rules of the house', () => {
  test('each rule has a planted violation', () => {
    expect(Object.keys(planted)).toEqual(houseRules.map(({ name }) => name))
  })

  for (const [name, files] of Object.entries(planted)) {
    for (const [path, text] of files) {
      test(`${name}: refuses ${path} with ${firstLine(text)}`, () => {
        expect(violationsOf(parseSource(path, text)).join('\n')).toContain(`${name}: ${path}: `)
      })
    }
  }

  for (const [path, text] of keeping) {
    test(`accepts ${path} with ${firstLine(text)}`, () => {
      expect(violationsOf(parseSource(path, text))).toEqual([])
    })
  }

  test('no folder holds more than 22 files', () => {
    const folders = new Map<string, number>()
    for (const path of sourcePaths(root)) {
      const folder = path.replace(/(^|\/)[^/]*$/, '')
      folders.set(folder, (folders.get(folder) ?? 0) + 1)
    }
    const exempt = /contract|wording|weights/
    expect([...folders].filter(([folder, count]) => count > 22 && !exempt.test(folder))).toEqual([])
  })

  test('the test of a file is found by its path', () => {
    const paths = sourcePaths(root)
    const sources = new Set(paths.map((path) => path.replace(/\.tsx?$/, '')))
    const folders = new Set(paths.map((path) => dirname(path)))
    const ofHouse = /^tests\/(?=(shared|models|workers|web|server|lab|build)\/)(.*)\.test\.tsx?$/
    const lost = paths.filter((path) => {
      const place = ofHouse.exec(path)?.[2]
      return place !== undefined && !isOfSource(place, sources) && !isOfFolder(place, folders)
    })
    expect(lost).toEqual([])
  })

  test('there are no import cycles', () => {
    expect(
      circlesIn(house().filter(({ path }) => /^(shared|models|workers|web|server)\//.test(path))),
    ).toEqual([])
  })

  test('the rooms of no folder import each other', () => {
    // Inside these features, folder-orders.ts declares the order of the folders.
    const rooms = house().filter(({ path }) => /^(shared|models|workers|web|server|lab)\//.test(path))
    expect(roomCircles(rooms)).toEqual([])
  })

  test('import cycles are found, including those of types', () => {
    const planted = [
      parseSource('server/app/a.ts', "import { b } from './b.ts'"),
      parseSource('server/app/b.ts', "import type { C } from './c.ts'"),
      parseSource('server/app/c.ts', "import { a } from './a.ts'\nimport { d } from './d.ts'"),
      parseSource('server/app/d.ts', "import { join } from 'node:path'"),
    ]
    expect(circlesIn(planted)).toEqual([['server/app/a.ts', 'server/app/b.ts', 'server/app/c.ts']])
  })

  test('the counts are printed', () => {
    const counts = countsOf(house())
    console.log(JSON.stringify(counts, null, 2))
    expect(counts).toMatchObject({ pairsOfFolders: 0, circlesOfFiles: 0 })
  })

  test('planted files are counted', () => {
    const planted = [
      parseSource('server/features/links/a.ts', "import { b } from '../accounts/accounts.ts'\nconst a = 1\n"),
      parseSource('server/features/accounts/b.ts', "import { a } from '../links/a.ts'\n"),
    ]
    expect(countsOf(planted)).toMatchObject({
      importsBetweenFeatures: 2,
      filesReached: 2,
      facesReached: 1,
      pairsOfFolders: 1,
      lines: { server: 3 },
    })
  })

  test('the code keeps all rules', () => {
    expect(house().length).toBeGreaterThan(80)
    expect(house().flatMap(violationsOf)).toEqual([])
  })
})
