/** The kinds of import. In a separate file because the routes need it before the import code is loaded. */
export const importKinds = ['patients', 'tasks', 'interactions', 'documents'] as const
export type ImportKind = (typeof importKinds)[number]
