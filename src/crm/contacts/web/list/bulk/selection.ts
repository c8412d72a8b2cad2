/** The selected patients: by id, or all matches of the list's filters. The anchor is the start of a range. */
export type Selection = { ids: ReadonlySet<string>; matching: boolean; anchor: string | null }

export const emptySelection: Selection = { ids: new Set(), matching: false, anchor: null }

export const isEmptySelection = ({ ids, matching }: Selection): boolean => !matching && ids.size === 0

export const isSelected = ({ ids, matching }: Selection, id: string): boolean => matching || ids.has(id)

/** Toggles one patient. Deselecting one of "all matches" keeps the others on the page. */
export function toggled(selection: Selection, id: string, page: readonly string[]): Selection {
  const ids = new Set(selection.matching ? page : selection.ids)
  if (!ids.delete(id)) ids.add(id)
  return { ids, matching: false, anchor: id }
}

/** Adds the range from the anchor to the selection. */
export function extended(selection: Selection, between: readonly string[]): Selection {
  return { ids: new Set([...selection.ids, ...between]), matching: false, anchor: selection.anchor }
}

/** Selects the whole page, or deselects it if all of it is selected. */
export function pageToggled(selection: Selection, page: readonly string[]): Selection {
  if (selection.matching) return emptySelection
  const ids = new Set(selection.ids)
  const all = page.every((id) => ids.has(id))
  for (const id of page) {
    if (all) ids.delete(id)
    else ids.add(id)
  }
  return { ids, matching: false, anchor: null }
}

/** Whether all, some or none of the page is selected, for the header checkbox. */
export function pageState(selection: Selection, page: readonly string[]): boolean | 'indeterminate' {
  const count = page.filter((id) => isSelected(selection, id)).length
  return count === 0 ? false : count === page.length ? true : 'indeterminate'
}
