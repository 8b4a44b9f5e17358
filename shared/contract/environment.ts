/** What counts, and what only tries things out. */
export const environments = ['live', 'test'] as const
export type Environment = (typeof environments)[number]
