import * as v from 'valibot'
import { nearName } from '../near-name.ts'
import { jsonObject } from './elements.ts'

/** The error type for an unknown name. */
const unknownNameType = 'unknown_name'
/** The prefix for names that callers may add. */
export const ownPrefix = 'x-'
/** This is a check rather than a schema, so that other errors are still reported. */
const unknownName = { ...v.check<unknown, string>(() => false, ''), type: unknownNameType as 'check' }

/**
 * Which undeclared names a request object accepts: `none`, `own` (the caller's names that begin with `x-`) or `any`.
 * If an object does not specify this, its endpoint decides.
 */
export type OtherNames = 'none' | 'own' | 'any'

/**
 * A section of a configuration. Like `jsonObject`, but reports each undeclared name as a fault.
 * [Note: A name that is misspelt is refused] A misspelt verifier would check nothing. Callers may add names that begin with
 * `x-`.
 */
export function section<const E extends v.ObjectEntries>(entries: E): v.ObjectSchema<E, undefined> {
  return refusing(entries, 'own')
}

/** Like `section`, but without the caller's own names. */
export function knownNamesAlone<const E extends v.ObjectEntries>(entries: E): v.ObjectSchema<E, undefined> {
  return refusing(entries, 'none')
}

/** Makes the object accept any other name, because it is defined by a third party. */
export function withAnyNames<S extends v.GenericSchema>(schema: S): S {
  return { ...schema, otherNames: 'any' satisfies OtherNames }
}

/** The other names that a schema accepts, or undefined if its endpoint decides. */
export function otherNamesOf(schema: object): OtherNames | undefined {
  return (schema as { readonly otherNames?: OtherNames }).otherNames
}

function refusing<const E extends v.ObjectEntries>(
  entries: E,
  otherNames: 'none' | 'own',
): v.ObjectSchema<E, undefined> {
  const schema = jsonObject(entries)
  const refuses = {
    ...schema,
    otherNames,
    '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const sent = dataset.value
      const checked = schema['~run'](dataset, config)
      if (!isObject(sent)) return checked
      for (const name of unknownNames(sent, entries, otherNames)) {
        if (config.abortEarly && checked.issues !== undefined) break
        const path: [v.ObjectPathItem] = [
          { type: 'object', origin: 'key', input: sent, key: name, value: sent[name] },
        ]
        const message = unknownNameMessage(name, Object.keys(entries), otherNames)
        v._addIssue(unknownName, 'name', checked, config, { path, message })
      }
      return checked
    },
  }
  return refuses
}

/** True if the error is about an unknown name. */
export function isUnknownName({ type }: v.BaseIssue<unknown>): boolean {
  return type === unknownNameType
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unknownNames(sent: object, entries: v.ObjectEntries, otherNames: 'none' | 'own'): string[] {
  const isOwn = (name: string) => otherNames === 'own' && name.startsWith(ownPrefix)
  return Object.keys(sent).filter((name) => !Object.hasOwn(entries, name) && !isOwn(name))
}

/** If there are more known names than this, the message does not list them, because the documentation is quicker to read. */
const mostListed = 12

function unknownNameMessage(name: string, known: readonly string[], otherNames: 'none' | 'own'): string {
  if (known.length === 0) return 'Is not a known name: no members are accepted here.'
  const fault = `Is not a known name${remedyFor(name, known)}`
  return otherNames === 'own' ? `${fault} Names of your own begin with ${ownPrefix}.` : fault
}

function remedyFor(name: string, known: readonly string[]): string {
  const near = nearName(name, known)
  if (near !== undefined) return `: did you mean ${near}?`
  return known.length > mostListed ? '.' : `. Known names: ${known.join(', ')}.`
}
