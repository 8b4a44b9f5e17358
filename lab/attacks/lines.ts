import type { Rate } from './rates.ts'
import type { Row } from './rows.ts'

/** Formats a row for the terminal. */
export function lineOf({
  name,
  figure,
  film,
  asked,
  rate,
  atStandard,
  atHigh,
  withinLimits,
  rival,
  found,
}: Row): string {
  const counts = `${Math.round(rate.value * rate.n)} of ${rate.n}, ${rate.people} people`
  const limits = withinLimits === undefined ? '' : `, within limits ${percent(withinLimits.value)}`
  const sure = atStandard === undefined ? '' : `, standard ${shareOf(atStandard)}`
  const surest = atHigh === undefined ? '' : `, high ${shareOf(atHigh)}`
  const along = `${film === undefined ? '' : `, film ${film}`}${asked === undefined ? '' : `, ${asked}`}`
  const other = rival === undefined ? '' : `, ${rival.name} takes ${shareOf(rival.rate)} for living`
  const why = Object.entries(found).map(([finding, times]) => `${finding} ${times}`)
  return `${`${name} ${figure}`.padEnd(48)} ${shareOf(rate)} (${counts})${limits}${sure}${surest}${along}${other}; ${why.join(', ')}`
}

/** For example `12 % [8, 16]`. */
export function shareOf({ value, low, high }: Rate): string {
  return `${percent(value)} [${percent(low, '')}, ${percent(high, '')}]`
}

export function percent(share: number, unit = ' %'): string {
  const value = share * 100
  return `${Number(value.toFixed(value < 10 && value > 0 ? 1 : 0))}${unit}`
}
