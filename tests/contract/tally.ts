import type { TestProject } from 'vitest/node'

/** The scope of a single contract test. */
export interface Tried {
  readonly endpoint: string
  readonly status?: number
  /** A limit that was tested from one side. */
  readonly limit?: string
  /** A cross-cutting rule, such as `credentials` or `tenants`. */
  readonly rule?: string
}

declare module 'vitest' {
  interface TaskMeta {
    tried?: Tried
  }
}

/** A setup that vitest calls before everything else. The function it returns runs last and sums up the contract suite. */
export function setup(project: TestProject): () => void {
  return () => {
    const tried = project.vitest.state
      .getTestModules()
      .flatMap((module) => [...module.children.allTests()].flatMap((test) => test.meta().tried ?? []))
    if (tried.length > 0) console.log(summary(tried))
  }
}

function summary(tried: readonly Tried[]): string {
  const count = (of: (one: Tried) => boolean) => tried.filter(of).length
  const distinct = (of: (one: Tried) => string) => new Set(tried.map(of)).size
  const limits = new Set(
    tried.flatMap(({ endpoint, limit }) => (limit === undefined ? [] : `${endpoint} ${limit}`)),
  )
  const rules = new Set(tried.flatMap(({ rule }) => rule ?? []))
  return [
    'The contract suite tried',
    `  ${distinct(({ endpoint }) => endpoint)} endpoints`,
    `  ${count(({ status, limit, rule }) => status !== undefined && limit === undefined && rule === undefined)} declared statuses`,
    `  ${limits.size} limits at ${count(({ limit }) => limit !== undefined)} values`,
    `  ${count(({ status }) => status === 200)} results against their definitions`,
    `  ${rules.size} rules that hold for several endpoints, ${count(({ rule }) => rule !== undefined)} times`,
  ].join('\n')
}
