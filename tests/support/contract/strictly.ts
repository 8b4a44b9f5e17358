import * as v from 'valibot'
import { isAsSent } from '#shared/contract/elements.ts'

/**
 * The same schema, but without tolerance for unknown members. Readers are lenient, but the server sends precisely the
 * declared members, except when it returns input unchanged.
 */
export function strictly(schema: v.GenericSchema): v.GenericSchema {
  if (isAsSent(schema)) return schema
  if ('pipe' in schema) {
    const [first, ...rest] = schema.pipe as [v.GenericSchema, ...v.GenericPipeAction[]]
    return v.pipe(strictly(first), ...(rest as []))
  }
  if (is<v.ObjectSchema<v.ObjectEntries, undefined>>(schema, 'object', 'strict_object')) {
    const entries = Object.entries(schema.entries).map(([name, entry]) => [
      name,
      strictly(entry as v.GenericSchema),
    ])
    return v.strictObject(Object.fromEntries(entries))
  }
  if (is<v.ArraySchema<v.GenericSchema, undefined>>(schema, 'array')) return v.array(strictly(schema.item))
  if (is<v.OptionalSchema<v.GenericSchema, undefined>>(schema, 'optional', 'exact_optional'))
    return v.optional(strictly(schema.wrapped))
  if (is<v.NullableSchema<v.GenericSchema, undefined>>(schema, 'nullable'))
    return v.nullable(strictly(schema.wrapped))
  if (is<v.NullishSchema<v.GenericSchema, undefined>>(schema, 'nullish'))
    return v.nullish(strictly(schema.wrapped))
  if (is<v.UnionSchema<v.GenericSchema[], undefined>>(schema, 'union'))
    return v.union(schema.options.map(strictly))
  return schema
}

function is<S extends v.GenericSchema>(schema: v.GenericSchema, ...types: string[]): schema is S {
  return types.includes(schema.type)
}
