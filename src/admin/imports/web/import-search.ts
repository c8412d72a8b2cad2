import { type ImportKind, importKinds } from '../kind-rules.ts'

/** Search parameters of the import page: what to import, patients by default. */
export interface ImportSearch {
  what?: Exclude<ImportKind, 'patients'>
}

export function readImportSearch({ what }: Record<string, unknown>): ImportSearch {
  const kind = importKinds.find((known) => known === what)
  return { what: kind === 'patients' ? undefined : kind }
}
