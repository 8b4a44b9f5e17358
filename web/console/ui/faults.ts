import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { Problem } from '#shared/problem.ts'
import { placeOf } from '#web/console/core/explain.ts'

/**
 * A fault in a form, along with the fields that show it.
 * [Note: Faults at their field] A field's `at` names the member that it fills, as a path such as `verificationConfig/name`. The server's
 * pointer selects the closest field, and a fault without a pointer appears at the top of the form. Faults that the page itself finds
 * also use `Problem.at`, with the console's wording, and are handled the same way.
 */
export interface PlacedFault {
  /** `verificationConfig/age` for `#/verificationConfig/age`. */
  readonly path: string
  readonly message: string
  readonly fields: readonly FaultyField[]
}

interface FaultyField {
  readonly id: string
  readonly at: string
  readonly label: string
}

/** True if a problem has faults that belong to individual fields. */
export const hasFaults = (problem: unknown): problem is Problem =>
  problem instanceof Problem && problem.errors.length > 0

export const noFaults: readonly PlacedFault[] = []
export const Faults = createContext(noFaults)

/** The faults for the field that fills `at`. */
export function useFaults(at: string | undefined): readonly PlacedFault[] {
  const faults = useContext(Faults)
  return at === undefined ? noFaults : faults.filter(({ fields }) => fields.some((field) => field.at === at))
}

/** Finds the visible fields for each of a form's faults. */
export function placeFaults(form: HTMLElement, problem: unknown): readonly PlacedFault[] {
  if (!hasFaults(problem)) return noFaults
  const fields = [...form.querySelectorAll<HTMLElement>('[data-at]')]
  return problem.errors.map(({ pointer, message }) => {
    const path = pointer.replace(/^#\/(query\/)?/, '')
    return { path, message, fields: fieldsOf(path, fields).map(describeField) }
  })
}

/** The closest field, plus any fields that take all faults within their member. */
function fieldsOf(path: string, fields: readonly HTMLElement[]): HTMLElement[] {
  const near = fields.filter((field) => `${path}/`.startsWith(`${field.dataset.at}/`))
  const closest = Math.max(...near.map((field) => field.dataset.at!.length))
  return near.filter(({ dataset }) => dataset.at!.length === closest || dataset.takes === 'all')
}

function describeField(field: HTMLElement): FaultyField {
  const labels = field instanceof HTMLFieldSetElement ? [field.querySelector('legend')] : labelsOf(field)
  return { id: field.id, at: field.dataset.at!, label: labels[0]?.textContent ?? placeOf(field.dataset.at!) }
}

const labelsOf = (field: HTMLElement) => [...((field as HTMLInputElement).labels ?? [])]

/** Focuses the first field that has a fault. Returns false if there is none. */
export function showFirstFault(form: HTMLElement, faults: readonly PlacedFault[]): boolean {
  const ids = new Set(faults.flatMap(({ fields }) => fields.map(({ id }) => id)))
  const faulty = [...form.querySelectorAll<HTMLElement>('[data-at]')].filter(({ id }) => ids.has(id))
  const first = faulty.find(({ dataset }) => dataset.takes === 'all') ?? faulty[0]
  if (first === undefined) return false
  showField(first)
  return true
}

/** Scrolls a field to the middle of the screen and focuses it. For a group, focuses its first field. */
export function showField(field: HTMLElement): void {
  const control = field instanceof HTMLFieldSetElement ? field.querySelector<HTMLElement>('input') : field
  if (control instanceof HTMLTextAreaElement && control.dataset.from !== undefined)
    control.setSelectionRange(Number(control.dataset.from), Number(control.dataset.to))
  control?.focus()
  const place = field.closest('.field, .check') ?? field
  place.scrollIntoView({ block: place.clientHeight > innerHeight ? 'nearest' : 'center' })
}

/** Reports number fields whose content the browser cannot parse, because it would otherwise submit them as empty. */
export function unreadNumbers(form: HTMLFormElement, message: string): Problem | undefined {
  const errors = [...form.querySelectorAll<HTMLInputElement>('input[data-at]')]
    .filter(({ validity }) => validity.badInput)
    .map(({ dataset }) => ({ pointer: `#/${dataset.at}`, message }))
  return errors.length === 0 ? undefined : new Problem('invalid_request', message, { errors })
}
