import { type ImportKind, importKinds } from '../kind-rules.ts'

/** What is imported, as it stands in the address; patients where it says nothing. */
export interface ImportSearch {
  what?: Exclude<ImportKind, 'patients'>
}

export function readImportSearch({ what }: Record<string, unknown>): ImportSearch {
  const kind = importKinds.find((known) => known === what)
  return { what: kind === 'patients' ? undefined : kind }
}
