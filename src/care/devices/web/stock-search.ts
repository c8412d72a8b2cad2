import { readerOf } from '../../calendar/web/embed/calendar-search.ts'
import { type DeviceKind, deviceKinds, stockWarnings } from '../rules.ts'

const shows = [...stockWarnings, 'retired', 'recalls'] as const
export type Show = (typeof shows)[number]

/** The URL state of the page, for sharing and the back button. Defaults are omitted. */
export interface StockSearch {
  show?: Show
  search?: string
  kind?: DeviceKind
  place?: string
  page?: number
  /** The device whose drawer is open. */
  device?: string
  /** The recall whose drawer is open. */
  recall?: string
}

/** Reads the URL state. Invalid values are set to undefined explicitly, because the router would keep them otherwise. */
export function readStockSearch(from: Record<string, unknown>): StockSearch {
  const { id, oneOf } = readerOf(from)
  const search = typeof from.search === 'string' || typeof from.search === 'number' ? String(from.search).trim().slice(0, 100) : ''
  const page = Number(from.page)
  return {
    show: oneOf('show', shows),
    search: search || undefined,
    kind: oneOf('kind', deviceKinds),
    place: id('place'),
    page: Number.isInteger(page) && page > 1 && page <= 10_000 ? page : undefined,
    device: id('device'),
    recall: id('recall'),
  }
}
