/** A setting that weakens the deployment: a stable code, and what it means. */
export interface Warning {
  readonly code: string
  readonly meaning: string
}

export function when(applies: boolean, warning: Warning): Warning[] {
  return applies ? [warning] : []
}
