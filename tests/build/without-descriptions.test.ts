import type { Plugin, UserConfigFnObject } from 'vite'
import { describe, expect, test } from 'vitest'
import { withoutDescriptions } from '../../build/without-descriptions.ts'
import viteConfig from '../../vite.config.ts'

const { transform } = withoutDescriptions() as unknown as {
  transform(code: string, id: string): { code: string } | undefined
}
const contract = '/house/shared/contract/a.ts'

describe('the part of the contract that a bundle leaves out', () => {
  test('includes the text of a description, however it is built', () => {
    const code =
      "const a = v.pipe(v.string(), v.description('What ' + it + ' is.'), v.minLength(1, 'Must not be empty.'))"
    expect(transform(code, contract)!.code).toBe(
      "const a = v.pipe(v.string(), v.description(''), v.minLength(1, 'Must not be empty.'))",
    )
  })

  test('includes the text of a described element', () => {
    const code = "v.object({ name: text('What it is ' + 'called.'), on: v.optional(flag('Yes.')) })"
    expect(transform(code, contract)!.code).toBe("v.object({ name: text(''), on: v.optional(flag('')) })")
  })

  test("includes an endpoint's descriptions for the document, but nothing that is validated", () => {
    const code =
      "endpoint({ path: '/a', summary: 'Does.', description: 'x' + v.description('y'), body: v.object({ description: v.string() }), example: { body: {} } })"
    expect(transform(code, contract)!.code).toBe(
      "endpoint({ path: '/a', summary: undefined, description: undefined, body: v.object({ description: v.string() }), example: undefined })",
    )
  })

  test('includes nothing of other files', () => {
    expect(transform("v.description('a')", '/house/web/a.ts')).toBeUndefined()
  })

  test('is left out of every page', () => {
    const config = viteConfig as UserConfigFnObject
    const { plugins = [] } = config({ command: 'build', mode: 'production', isSsrBuild: false })
    expect(plugins.flat().map((plugin) => (plugin as Plugin).name)).toContain('without-descriptions')
  })
})
