/** What can be imported. By itself, because the addresses of the pages name it, and they are read before anything else has come. */
export const importKinds = ['patients', 'tasks', 'interactions', 'documents'] as const
export type ImportKind = (typeof importKinds)[number]
