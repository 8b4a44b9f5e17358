import * as v from 'valibot'
import { nearName } from '../near-name.ts'
import { jsonObject } from './elements.ts'

/** The `type` of the fault that a name is. */
const unknownNameType = 'unknown_name'
/** What names of the caller's own begin with. */
export const ownPrefix = 'x-'
/** A check and no schema: what else is wrong is reported as well. */
const unknownName = { ...v.check<unknown, string>(() => false, ''), type: unknownNameType as 'check' }

/**
 * Which names an object of a request takes besides those that it declares: `none`; `own`, those of the caller, which begin with `x-`; `any`.
 * Of an object that does not say, its endpoint decides.
 */
export type OtherNames = 'none' | 'own' | 'any'

/**
 * A section of a configuration: as `jsonObject`, but names that it does not declare are refused, each for itself.
 * [Note: A name that is misspelt is refused] A verifier that nobody knows checks nobody. Names that begin with `x-` are the
 * caller's own.
 */
export function section<const E extends v.ObjectEntries>(entries: E): v.ObjectSchema<E, undefined> {
  return refusing(entries, 'own')
}

/** As `section`, without names of the caller's own. */
export function knownNamesAlone<const E extends v.ObjectEntries>(entries: E): v.ObjectSchema<E, undefined> {
  return refusing(entries, 'none')
}

/** The same object, which takes other names wherever it stands: they are somebody else's to define. */
export function withAnyNames<S extends v.GenericSchema>(schema: S): S {
  return { ...schema, otherNames: 'any' satisfies OtherNames }
}

/** What a schema says of other names; undefined where its endpoint decides. */
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

/** Whether a fault is a name that is not known. */
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

/** More known names than this are not listed: a reader finds them in the documentation faster. */
const mostListed = 12

function unknownNameMessage(name: string, known: readonly string[], otherNames: 'none' | 'own'): string {
  if (known.length === 0) return 'Is not a known name: nothing is taken here.'
  const fault = `Is not a known name${remedyFor(name, known)}`
  return otherNames === 'own' ? `${fault} Names of your own begin with ${ownPrefix}.` : fault
}

function remedyFor(name: string, known: readonly string[]): string {
  const near = nearName(name, known)
  if (near !== undefined) return `: did you mean ${near}?`
  return known.length > mostListed ? '.' : `. Known names: ${known.join(', ')}.`
}
