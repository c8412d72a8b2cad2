/** Which patients of the list are selected: some by id, or all that its filters match. The anchor is where a range begins. */
export type Selection = { ids: ReadonlySet<string>; matching: boolean; anchor: string | null }

export const nobody: Selection = { ids: new Set(), matching: false, anchor: null }

export const isNobody = ({ ids, matching }: Selection): boolean => !matching && ids.size === 0

export const isSelected = ({ ids, matching }: Selection, id: string): boolean => matching || ids.has(id)

/** Selects one more, or one less. After "all that match", one less leaves the page's others. */
export function toggled(selection: Selection, id: string, page: readonly string[]): Selection {
  const ids = new Set(selection.matching ? page : selection.ids)
  if (!ids.delete(id)) ids.add(id)
  return { ids, matching: false, anchor: id }
}

/** Selects everyone from the anchor to where the range ends, too. */
export function extended(selection: Selection, between: readonly string[]): Selection {
  return { ids: new Set([...selection.ids, ...between]), matching: false, anchor: selection.anchor }
}

/** Selects the whole page; when all of it is selected already, none of it. */
export function pageToggled(selection: Selection, page: readonly string[]): Selection {
  if (selection.matching) return nobody
  const ids = new Set(selection.ids)
  const all = page.every((id) => ids.has(id))
  for (const id of page) {
    if (all) ids.delete(id)
    else ids.add(id)
  }
  return { ids, matching: false, anchor: null }
}

/** Of the page: whether all, some or none are selected, for the box in the head. */
export function pageState(selection: Selection, page: readonly string[]): boolean | 'indeterminate' {
  const count = page.filter((id) => isSelected(selection, id)).length
  return count === 0 ? false : count === page.length ? true : 'indeterminate'
}
