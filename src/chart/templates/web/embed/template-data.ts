/** A version as the API returns it. */
interface Version<Definition> {
  number: number
  revision: number
  definition: Definition
  publishedAt: string | Date | null
}
export interface TemplateOf<Definition> {
  id: string
  isActive: boolean
  draft: Version<Definition> | null
  published: Version<Definition> | null
}

/** The version that is edited. */
export const editedVersion = <V>({ draft, published }: { draft: V | null; published: V | null }): V => (draft ?? published)!
