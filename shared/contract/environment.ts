/** Live data, and data of test accounts. */
export const environments = ['live', 'test'] as const
export type Environment = (typeof environments)[number]
