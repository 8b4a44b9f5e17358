import * as v from 'valibot'
import { knownNamesAlone, otherNamesOf } from '#shared/contract/sections.ts'
import type { Endpoint } from '#shared/endpoint.ts'

/** The schemas that check a request to an endpoint. A schema is undefined if there is nothing to check. */
export function requestSchemasOf({ query, body, ignoresUnknownNames }: Endpoint) {
  if (ignoresUnknownNames) return { query, body }
  return {
    query: query === undefined ? nothing : refusingUnknown(query),
    body: body && refusingUnknown(body),
  }
}

const made = new WeakMap<v.GenericSchema, v.GenericSchema>()

/**
 * Returns the schema with every object refusing undeclared names, unless the object says otherwise. Parts shared with an
 * endpoint that ignores such names, for example a picture, are left unchanged. The same schema always gives the same result.
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

/** Valibot stores nested schemas under these member names, and looks them up there. */
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
