import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { Problem } from '#shared/problem.ts'
import { placeOf } from '#web/console/core/explain.ts'

/**
 * One thing that is wrong with what somebody entered, and the fields that show it.
 * [Note: Faults at their field] A field says with `at` which member it fills, as a path such as `verificationConfig/name`. The server's
 * pointer finds the field that comes closest; what has none stands at the head of the form. What the page finds itself is a
 * `Problem.at` too, in the words of the console, and goes the same way.
 */
export interface PlacedFault {
  /** `#/verificationConfig/age` is `verificationConfig/age`. */
  readonly path: string
  readonly message: string
  readonly fields: readonly FaultyField[]
}

interface FaultyField {
  readonly id: string
  readonly at: string
  readonly label: string
}

/** Whether a problem names what is wrong with single entries. */
export const hasFaults = (problem: unknown): problem is Problem =>
  problem instanceof Problem && problem.errors.length > 0

export const noFaults: readonly PlacedFault[] = []
export const Faults = createContext(noFaults)

/** What is wrong with the field that fills `at`. */
export function useFaults(at: string | undefined): readonly PlacedFault[] {
  const faults = useContext(Faults)
  return at === undefined ? noFaults : faults.filter(({ fields }) => fields.some((field) => field.at === at))
}

/** Finds the fields of each fault among those of a form that are shown. */
export function placeFaults(form: HTMLElement, problem: unknown): readonly PlacedFault[] {
  if (!hasFaults(problem)) return noFaults
  const fields = [...form.querySelectorAll<HTMLElement>('[data-at]')]
  return problem.errors.map(({ pointer, message }) => {
    const path = pointer.replace(/^#\/(query\/)?/, '')
    return { path, message, fields: fieldsOf(path, fields).map(describeField) }
  })
}

/** The closest, and one that takes all that is within its own. */
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

/** Shows the first field that has a fault, and puts the focus there; false where none has. */
export function showFirstFault(form: HTMLElement, faults: readonly PlacedFault[]): boolean {
  const ids = new Set(faults.flatMap(({ fields }) => fields.map(({ id }) => id)))
  const faulty = [...form.querySelectorAll<HTMLElement>('[data-at]')].filter(({ id }) => ids.has(id))
  const first = faulty.find(({ dataset }) => dataset.takes === 'all') ?? faulty[0]
  if (first === undefined) return false
  showField(first)
  return true
}

/** Brings a field to the middle of the screen with the focus in it; of a group, its first field. */
export function showField(field: HTMLElement): void {
  const control = field instanceof HTMLFieldSetElement ? field.querySelector<HTMLElement>('input') : field
  if (control instanceof HTMLTextAreaElement && control.dataset.from !== undefined)
    control.setSelectionRange(Number(control.dataset.from), Number(control.dataset.to))
  control?.focus()
  const place = field.closest('.field, .check') ?? field
  place.scrollIntoView({ block: place.clientHeight > innerHeight ? 'nearest' : 'center' })
}

/** The numbers of a form that a browser cannot read, which it hands over as if nothing stood there. */
export function unreadNumbers(form: HTMLFormElement, message: string): Problem | undefined {
  const errors = [...form.querySelectorAll<HTMLInputElement>('input[data-at]')]
    .filter(({ validity }) => validity.badInput)
    .map(({ dataset }) => ({ pointer: `#/${dataset.at}`, message }))
  return errors.length === 0 ? undefined : new Problem('invalid_request', message, { errors })
}
