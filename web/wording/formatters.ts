const made = new Map<string, object>()

/** Making a formatter costs far more than formatting, and a long table formats hundreds of values. */
function keep<T extends object>(kind: string, locale: string, options: object, make: () => T): T {
  const key = `${kind} ${locale} ${JSON.stringify(options)}`
  const kept = made.get(key) as T | undefined
  if (kept !== undefined) return kept
  const formatter = make()
  made.set(key, formatter)
  return formatter
}

export function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return keep('number', locale, options, () => new Intl.NumberFormat(locale, options))
}

export function timeFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return keep('time', locale, options, () => new Intl.DateTimeFormat(locale, options))
}

export function pluralRules(locale: string): Intl.PluralRules {
  return keep('plural', locale, {}, () => new Intl.PluralRules(locale))
}
