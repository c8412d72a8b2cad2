import { useEffect, useRef, useState } from 'react'
import { client } from '../../../../../ui/client/api.ts'
import { type ListSearch, listInputOf } from '../../embed/list-search.ts'
import { indexOf, type ListView, rowAt } from './list-view.ts'

/** As many rows as the server gives at a time, and as many calls at once. */
const [perCall, atOnce] = [200, 4]
/** The contract's limit of a bulk change by ids. */
const most = 5_000

/** Who stands between two rows of the list; null for more than can be changed together. Rows that are not loaded are asked for. */
export type IdsBetween = (one: string, other: string) => Promise<readonly string[]> | readonly string[] | null

export function useIdsBetween(view: ListView, search: ListSearch) {
  const latest = useRef({ view, search })
  useEffect(() => {
    latest.current = { view, search }
  })
  // A range may begin at a row that was scrolled away since.
  const [places] = useState(() => new Map<string, number>())

  function place(id: string): number {
    const index = indexOf(latest.current.view, id)
    if (index >= 0) places.set(id, index)
    return places.get(id) ?? -1
  }

  return {
    /** Keeps where a patient stands, from whom a range may begin. */
    place,
    idsBetween: ((one, other) => {
      const [from, to] = [place(one), place(other)].toSorted((a, b) => a - b) as [number, number]
      if (from < 0) return [other]
      if (to - from >= most) return null
      const { view, search } = latest.current
      const loaded = Array.from({ length: to - from + 1 }, (_, at) => rowAt(view, from + at)?.id)
      return loaded.every((id) => id !== undefined) ? loaded : askFor(search, from, to)
    }) as IdsBetween,
  }
}

async function askFor(search: ListSearch, from: number, to: number): Promise<string[]> {
  const first = Math.floor(from / perCall)
  const pages = Array.from({ length: Math.floor(to / perCall) - first + 1 }, (_, at) => first + at)
  const ids: string[] = []
  while (pages.length > 0) {
    const answers = await Promise.all(
      pages.splice(0, atOnce).map((page) => client.contacts.list({ ...listInputOf(search), page: page + 1, limit: perCall })),
    )
    for (const { data } of answers) ids.push(...data.map(({ id }) => id))
  }
  return ids.slice(from - first * perCall, to - first * perCall + 1)
}
