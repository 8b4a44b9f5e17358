/**
 * Updates a calibration's block in a model's card. The block is between `<!-- calibration NAME -->` and `<!-- /calibration NAME -->`, or is appended
 * if the card does not have one yet.
 */
export function withBlock(card: string, name: string, text: string): string {
  const [start, end] = [`<!-- calibration ${name} -->`, `<!-- /calibration ${name} -->`]
  const block = `${start}\n${text.trim()}\n${end}`
  const from = card.indexOf(start)
  const to = card.indexOf(end)
  if (from < 0 || to < from) return `${card.trimEnd()}\n\n${block}\n`
  return card.slice(0, from) + block + card.slice(to + end.length)
}
