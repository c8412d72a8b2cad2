import { useEffect, useRef, useState } from 'react'
import { client } from '../../../../../ui/client/api.ts'
import { type ListSearch, listInputOf } from '../../embed/list-search.ts'
import { indexOf, type ListView, rowAt } from './list-view.ts'

/** Rows per request, and concurrent requests. */
const [perRequest, maxConcurrent] = [200, 4]
/** The contract's limit of a bulk change by ids. */
const maxIds = 5_000

/** The ids between two rows of the list, inclusive; null if more than can be changed together. Fetches rows that are not loaded. */
export type IdsBetween = (one: string, other: string) => Promise<readonly string[]> | readonly string[] | null

export function useIdsBetween(view: ListView, search: ListSearch) {
  const latest = useRef({ view, search })
  useEffect(() => {
    latest.current = { view, search }
  })
  // A range may start at a row that is no longer loaded.
  const [places] = useState(() => new Map<string, number>())

  function place(id: string): number {
    const index = indexOf(latest.current.view, id)
    if (index >= 0) places.set(id, index)
    return places.get(id) ?? -1
  }

  return {
    /** The index of a patient, remembered in case a range starts there. */
    place,
    idsBetween: ((one, other) => {
      const [from, to] = [place(one), place(other)].toSorted((a, b) => a - b) as [number, number]
      if (from < 0) return [other]
      if (to - from >= maxIds) return null
      const { view, search } = latest.current
      const loaded = Array.from({ length: to - from + 1 }, (_, at) => rowAt(view, from + at)?.id)
      return loaded.every((id) => id !== undefined) ? loaded : fetchIds(search, from, to)
    }) as IdsBetween,
  }
}

async function fetchIds(search: ListSearch, from: number, to: number): Promise<string[]> {
  const first = Math.floor(from / perRequest)
  const pages = Array.from({ length: Math.floor(to / perRequest) - first + 1 }, (_, at) => first + at)
  const ids: string[] = []
  while (pages.length > 0) {
    const answers = await Promise.all(
      pages.splice(0, maxConcurrent).map((page) => client.contacts.list({ ...listInputOf(search), page: page + 1, limit: perRequest })),
    )
    for (const { data } of answers) ids.push(...data.map(({ id }) => id))
  }
  return ids.slice(from - first * perRequest, to - first * perRequest + 1)
}
