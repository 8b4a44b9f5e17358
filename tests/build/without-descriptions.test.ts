import { describe, expect, test } from 'vitest'
import { withoutDescriptions } from '../../build/without-descriptions.ts'

const { transform } = withoutDescriptions() as unknown as {
  transform(code: string, id: string): { code: string } | undefined
}
const contract = '/house/shared/contract/a.ts'

describe('what a bundle leaves out of the contract', () => {
  test('is the text of a description, however it is made', () => {
    const code =
      "const a = v.pipe(v.string(), v.description('What ' + it + ' is.'), v.minLength(1, 'Must not be empty.'))"
    expect(transform(code, contract)!.code).toBe(
      "const a = v.pipe(v.string(), v.description(''), v.minLength(1, 'Must not be empty.'))",
    )
  })

  test('is the text of an element that is described', () => {
    const code = "v.object({ name: text('What it is ' + 'called.'), on: v.optional(flag('Yes.')) })"
    expect(transform(code, contract)!.code).toBe("v.object({ name: text(''), on: v.optional(flag('')) })")
  })

  test('is what an endpoint says for the document, and nothing that is checked', () => {
    const code =
      "endpoint({ path: '/a', summary: 'Does.', description: 'x' + v.description('y'), body: v.object({ description: v.string() }), example: { body: {} } })"
    expect(transform(code, contract)!.code).toBe(
      "endpoint({ path: '/a', summary: undefined, description: undefined, body: v.object({ description: v.string() }), example: undefined })",
    )
  })

  test('is nothing of any other file', () => {
    expect(transform("v.description('a')", '/house/web/a.ts')).toBeUndefined()
  })
})
