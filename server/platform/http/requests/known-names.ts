import * as v from 'valibot'
import { knownNamesAlone, otherNamesOf } from '#shared/contract/sections.ts'
import type { Endpoint } from '#shared/endpoint.ts'

/** The schemas by which a request of an endpoint is checked; undefined where there is nothing to check. */
export function requestSchemasOf({ query, body, ignoresUnknownNames }: Endpoint) {
  if (ignoresUnknownNames) return { query, body }
  return {
    query: query === undefined ? nothing : refusingUnknown(query),
    body: body && refusingUnknown(body),
  }
}

const made = new WeakMap<v.GenericSchema, v.GenericSchema>()

/**
 * The same schema, in which each object that does not say otherwise refuses names that it does not declare. What an endpoint shares with
 * one that ignores them, such as a picture, is left as it is there. One schema is made into one, always the same.
 */
export function refusingUnknown(schema: v.GenericSchema): v.GenericSchema {
  const found = made.get(schema) ?? rebuilt(schema)
  made.set(schema, found)
  return found
}

const nothing = knownNamesAlone({})

type Inner = Readonly<{
  pipe?: readonly [v.GenericSchema, ...v.GenericPipeAction[]]
  entries?: v.ObjectEntries
  wrapped?: v.GenericSchema
  item?: v.GenericSchema
  options?: readonly v.GenericSchema[]
}>

/** Schemas hold what is within them in members of these names; their own work goes by these members. */
function rebuilt(schema: v.GenericSchema): v.GenericSchema {
  const { pipe, entries, wrapped, item, options } = schema as Inner
  if (otherNamesOf(schema) !== undefined) return schema
  if (pipe !== undefined) return v.pipe(refusingUnknown(pipe[0]), ...(pipe.slice(1) as []))
  if (entries !== undefined) return knownNamesAlone(eachRefusing(entries))
  if (wrapped !== undefined) return { ...schema, wrapped: refusingUnknown(wrapped) } as v.GenericSchema
  if (item !== undefined) return { ...schema, item: refusingUnknown(item) } as v.GenericSchema
  if (Array.isArray(options) && schema.type !== 'picklist')
    return { ...schema, options: options.map(refusingUnknown) } as v.GenericSchema
  return schema
}

function eachRefusing(entries: v.ObjectEntries): v.ObjectEntries {
  const inner = Object.entries(entries).map(([name, entry]) => [
    name,
    refusingUnknown(entry as v.GenericSchema),
  ])
  return Object.fromEntries(inner)
}
