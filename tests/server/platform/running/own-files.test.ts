import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ownFilesOf } from '#server/platform/running/own-files.ts'

test("the server's own files are found in its sources", () => {
  const { builtPages, ...sources } = ownFilesOf(resolve('server/app/main.ts'))
  expect(Object.values(sources).filter((path) => !existsSync(path))).toEqual([])
  expect(builtPages).toBe(resolve('dist/web'))
})

test("the server's own files are found in the build", () => {
  expect(ownFilesOf(resolve('dist/server/main.js'))).toEqual({
    analysisWorker: resolve('dist/server/analysis.worker.js'),
    searchWorker: resolve('dist/server/search.worker.js'),
    base64Worker: resolve('dist/server/base64.worker.js'),
    documents: resolve('docs'),
    weights: resolve('models/weights'),
    builtPages: resolve('dist/web'),
  })
})
