/** A condition that weakens the deployment: a stable code, and its meaning. */
export interface Warning {
  readonly code: string
  readonly meaning: string
}

export function when(applies: boolean, warning: Warning): Warning[] {
  return applies ? [warning] : []
}
