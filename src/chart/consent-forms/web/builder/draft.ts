import type { Clause, ConsentDefinition } from '../../definition-rules.ts'

/* Changes of a definition in the editor. None changes the one that it is given. */

export function newClause({ clauses }: ConsentDefinition): Clause {
  const used = new Set(clauses.map(({ id }) => id))
  let number = clauses.length + 1
  while (used.has(`clause_${number}`)) number++
  return { id: `clause_${number}`, kind: 'other', title: { en: '', fr: '' }, text: { en: '', fr: '' }, needsInitials: true }
}

export const setClause = (definition: ConsentDefinition, id: string, part: Partial<Clause>): ConsentDefinition => ({
  ...definition,
  clauses: definition.clauses.map((clause) => (clause.id === id ? { ...clause, ...part } : clause)),
})

/** Moves a clause up (-1) or down (1). At the end nothing moves. */
export function moveClause(definition: ConsentDefinition, id: string, by: -1 | 1): ConsentDefinition {
  const { clauses } = definition
  const from = clauses.findIndex((clause) => clause.id === id)
  const [moved, other] = [clauses[from], clauses[from + by]]
  if (!moved || !other) return definition
  return { ...definition, clauses: clauses.map((clause) => (clause === moved ? other : clause === other ? moved : clause)) }
}

/** Takes back the removal of a clause, at its place. Nothing if its id is used again. */
export const restoreClause = (definition: ConsentDefinition, clause: Clause, at: number): ConsentDefinition =>
  definition.clauses.some(({ id }) => id === clause.id)
    ? definition
    : { ...definition, clauses: definition.clauses.toSpliced(at, 0, clause) }

/** With the item if it was not there, otherwise without it. */
export const toggled = <Item>(items: readonly Item[], item: Item): Item[] =>
  items.includes(item) ? items.filter((one) => one !== item) : [...items, item]
