import { columnId, fieldOf, type ListColumn, listedFields } from '../../../derived-fields.ts'

export type ColumnId = ListColumn | 'added'

interface Column {
  label: string
  /** The default width in pixels. */
  width: number
  /** The order of hiding when space is short: highest first. */
  hideOrder: number
}

const declared = listedFields.map((name): [ColumnId, Column] => {
  const { label, list } = fieldOf(name)
  return [columnId(name), { label, width: 0, hideOrder: 0, ...list }]
})
const all = new Map<ColumnId, Column>([...declared, ['added', { label: 'Added', width: 104, hideOrder: 10 }]])

/** The columns shown until the user chooses. */
const defaultColumns: readonly ColumnId[] = ['stage', 'procedure', 'phone', 'source', 'owner', 'followUp', 'lastContact']
const others = [...all].filter(([id]) => !defaultColumns.includes(id)).toSorted(([, a], [, b]) => a.hideOrder - b.hideOrder)

export const columnIds: readonly ColumnId[] = [...defaultColumns, ...others.map(([id]) => id)]
/** Every column except the patient's name. */
export const columns = Object.fromEntries(all) as Record<ColumnId, Column>

/** The columns a user has chosen, in order, and their custom widths. */
export interface ColumnLayout {
  shown: readonly ColumnId[]
  widths: Readonly<Partial<Record<ColumnId, number>>>
}

export const defaultLayout: ColumnLayout = { shown: defaultColumns, widths: {} }

/** The minimum width of the checkbox and the name. */
const minNameWidth = 48 + 180
const [minWidth, maxWidth] = [72, 400]
const step = 16

export const widthOf = (layout: ColumnLayout, id: ColumnId): number => layout.widths[id] ?? columns[id].width

export const withColumn = (layout: ColumnLayout, id: ColumnId, wanted: boolean): ColumnLayout => ({
  ...layout,
  shown: wanted ? [...layout.shown.filter((other) => other !== id), id] : layout.shown.filter((other) => other !== id),
})

/** The shown columns as text for the URL. */
export const shownAsText = ({ shown }: ColumnLayout): string => shown.join(',') || 'none'

/** The layout with the columns named in a URL; unknown ones are left out. */
export const withShown = (layout: ColumnLayout, text: string): ColumnLayout => ({
  ...layout,
  shown: [...new Set(text.split(','))].filter((id): id is ColumnId => columnIds.includes(id as ColumnId)),
})

/** Moves a column one position left (-1) or right (1), if there is one. */
export function moved(layout: ColumnLayout, id: ColumnId, by: -1 | 1): ColumnLayout {
  const at = layout.shown.indexOf(id)
  const to = at + by
  if (at < 0 || to < 0 || to >= layout.shown.length) return layout
  return { ...layout, shown: layout.shown.with(at, layout.shown[to]!).with(to, id) }
}

export const resized = (layout: ColumnLayout, id: ColumnId, width: number): ColumnLayout => ({
  ...layout,
  widths: { ...layout.widths, [id]: Math.round(Math.min(maxWidth, Math.max(minWidth, width))) },
})

export const widened = (layout: ColumnLayout, id: ColumnId, by: -1 | 1): ColumnLayout =>
  resized(layout, id, widthOf(layout, id) + by * step)

/** The chosen columns that fit next to the name, in order, so that nothing is clipped or scrolls sideways. */
export function fitting(layout: ColumnLayout, room: number): ColumnId[] {
  const shown = [...layout.shown]
  const needed = () => shown.reduce((sum, id) => sum + widthOf(layout, id), minNameWidth)
  while (shown.length > 0 && needed() > room) {
    const first = shown.reduce((a, b) => (columns[b].hideOrder > columns[a].hideOrder ? b : a))
    shown.splice(shown.indexOf(first), 1)
  }
  return shown
}

/** Reads a stored layout, possibly of another version; unknown parts are left out. */
export function readLayout(stored: string | null): ColumnLayout {
  const { shown, widths } = parse(stored)
  if (!Array.isArray(shown)) return defaultLayout
  const known = [...new Set(shown)].filter((id): id is ColumnId => columnIds.includes(id as ColumnId))
  const sizes = Object.entries(typeof widths === 'object' && widths !== null ? widths : {})
  return sizes.reduce<ColumnLayout>(
    (layout, [id, width]) =>
      columnIds.includes(id as ColumnId) && typeof width === 'number' && Number.isFinite(width)
        ? resized(layout, id as ColumnId, width)
        : layout,
    { shown: known, widths: {} },
  )
}

function parse(stored: string | null): { shown?: unknown; widths?: unknown } {
  try {
    const value: unknown = JSON.parse(stored ?? 'null')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
