import * as v from 'valibot'

/** A text with what it means. */
export function text(meaning: string) {
  return v.pipe(v.string(), v.description(meaning))
}

/** A text or null, with what it means. */
export function nullableText(meaning: string) {
  return v.pipe(v.nullable(v.string()), v.description(meaning))
}

/** A moment as ISO 8601 in UTC, with what it means. */
export function timestamp(meaning: string) {
  return v.pipe(v.string(), v.description(meaning), v.metadata({ format: 'date-time' }))
}

const isoPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** A moment that a caller sends: ISO 8601 with its offset. */
export function isoMoment(meaning: string) {
  return v.pipe(
    v.string(),
    v.regex(isoPattern, 'Must be an ISO 8601 time with its offset, such as 2026-01-31T12:00:00Z.'),
    v.check((time) => !Number.isNaN(Date.parse(time)), 'Must be an existing date and time.'),
    v.description(meaning),
    v.metadata({ format: 'date-time' }),
  )
}

/** A yes or no, with what yes means. */
export function flag(meaning: string) {
  return v.pipe(v.boolean(), v.description(meaning))
}

/** A grey square of eight pixels, a JPEG in Base64: what stands for a picture in the examples. */
export const tinyJpeg =
  '/9j/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////' +
  'wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AX//Z'

/** A whole number that arrives as text in a query string. */
export function queryInteger(minimum: number, maximum: number) {
  return v.pipe(
    v.union([
      v.pipe(v.string(), v.regex(/^-?\d{1,15}$/, 'Must be a whole number.'), v.transform(Number)),
      v.number(),
    ]),
    v.number(),
    v.integer(),
    v.minValue(minimum),
    v.maxValue(maximum),
  )
}

/**
 * An object of a request. Read every object that a caller sends with this one: `v.object` alone takes a list for an
 * object without any members, and so a list where everything is optional.
 */
export function jsonObject<const E extends v.ObjectEntries>(entries: E): v.ObjectSchema<E, undefined> {
  return notList(v.object(entries))
}

/** A map of a request: as `jsonObject`, with names of the caller's own. */
export function jsonRecord<const V extends v.GenericSchema>(
  value: V,
): v.RecordSchema<v.StringSchema<undefined>, V, undefined> {
  return notList(v.record(v.string(), value))
}

const lenientSchemas = new WeakSet<object>()

/** Checks as the schema does, and hands on what was sent: members that it does not know stay. */
export function asSent<S extends v.GenericSchema>(schema: S): S {
  const lenient: S = {
    ...schema,
    '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const sent = dataset.value
      const checked = schema['~run'](dataset, config)
      if (checked.typed) checked.value = sent
      return checked
    },
  }
  lenientSchemas.add(lenient)
  return lenient
}

/** Whether a schema was made by `asSent`: what it lets through may have members that it does not name. */
export function isAsSent(schema: object): boolean {
  return lenientSchemas.has(schema)
}

function notList<S extends v.GenericSchema>(schema: S): S {
  return {
    ...schema,
    '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      if (!Array.isArray(dataset.value)) return schema['~run'](dataset, config)
      v._addIssue(schema, 'type', dataset, config)
      return dataset
    },
  }
}

const iso8601 = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** A moment that arrives as ISO 8601 in a query string. A day alone is its begin in UTC, as `Date.parse` has it. */
export function queryTime(meaning: string) {
  return v.pipe(
    v.string(),
    v.check(
      (time) => iso8601.test(time) && isOfCalendar(time),
      'Must be a time in ISO 8601, such as 2027-01-31 or 2027-01-31T12:00:00Z.',
    ),
    v.description(meaning),
  )
}

/** Also not the 30th of February, which would be taken for a day in March. */
export function isOfCalendar(time: string): boolean {
  const day = time.slice(0, 10)
  const at = Date.parse(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === day
  return isDay && !Number.isNaN(Date.parse(time))
}

/** A yes or no that arrives as text in a query string: `true` or `false` in any case, as Python writes `True`. */
export function queryBoolean() {
  return v.pipe(
    v.union([
      v.pipe(
        v.string(),
        v.regex(/^(true|false)$/i, 'Must be true or false.'),
        v.transform((text) => text.toLowerCase() === 'true'),
      ),
      v.boolean(),
    ]),
    v.boolean(),
  )
}
