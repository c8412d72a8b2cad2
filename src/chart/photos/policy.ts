/** Null: signed out. */
type Who = { id: string } | null

/** Markup is a statement of its author, which no one else changes or deletes. */
export const mayChangeLayer = (actor: Who, layer: { authorId: string }): boolean => layer.authorId === actor?.id
