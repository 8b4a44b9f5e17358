/**
 * Copies a text; false where it was not. Browsers inside other apps often have no clipboard, or refuse it: there a selection may still
 * be copied. Nothing may be called copied before this says so.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

/** The older way, by a field that nobody sees. It stands in the dialog that is open, for all around that is out of reach. */
function copySelected(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true // no keyboard comes up
  Object.assign(field.style, { position: 'fixed', insetBlockStart: '0', opacity: '0' })
  const place = focused?.closest('dialog') ?? document.body
  place.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
