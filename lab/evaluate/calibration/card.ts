/**
 * A model's card with the block that a calibration writes: between `<!-- calibration NAME -->` and `<!-- /calibration
 * NAME -->`, or at the end if the card has none yet.
 */
export function withBlock(card: string, name: string, text: string): string {
  const [start, end] = [`<!-- calibration ${name} -->`, `<!-- /calibration ${name} -->`]
  const block = `${start}\n${text.trim()}\n${end}`
  const from = card.indexOf(start)
  const to = card.indexOf(end)
  if (from < 0 || to < from) return `${card.trimEnd()}\n\n${block}\n`
  return card.slice(0, from) + block + card.slice(to + end.length)
}
