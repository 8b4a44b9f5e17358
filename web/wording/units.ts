import { numberFormat } from './formatters.ts'

type UnitDisplay = 'short' | 'long'

/** Formats bytes as megabytes, or as gigabytes from a thousand megabytes. */
export function sizeOf(bytes: number, locale: string, unitDisplay: UnitDisplay): string {
  return bytes < 1e9
    ? unitOf(bytes / 1e6, 'megabyte', locale, unitDisplay)
    : unitOf(bytes / 1e9, 'gigabyte', locale, unitDisplay)
}

/** Formats a value with its unit. A value below ten keeps one decimal. */
export function unitOf(value: number, unit: string, locale: string, unitDisplay: UnitDisplay): string {
  const maximumFractionDigits = value < 10 ? 1 : 0
  return numberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits }).format(value)
}
