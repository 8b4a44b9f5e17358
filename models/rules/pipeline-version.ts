import manifest from '../weights/manifest.json' with { type: 'json' }

/** Changes whenever the same picture may lead to a different answer. */
export const pipelineVersion: string = manifest.pipelineVersion
