import { useEffect } from 'react'
import { pageSize } from '../../embed/list-search.ts'
import { pageOfRow } from './list-view.ts'

/** A page is asked for when it stays in sight for so long: anyone who drags the scrollbar past thousands of pages wants none of them. */
const pageSettles = 60
/** As many rows as are asked for ahead. */
const ahead = pageSize / 2

/** Asks for the pages of the rows from `first` to `end`, with some on either side, and keeps that of the row in hand. */
export function usePagesInSight(
  first: number,
  end: number,
  count: number,
  current: number | null,
  show: ((pages: number[]) => void) | null,
): void {
  const [from, to] = [pageOfRow(Math.max(0, first - ahead)), pageOfRow(Math.max(0, Math.min(count, end + ahead) - 1))]
  const kept = current === null ? from : pageOfRow(current)
  useEffect(() => {
    if (!show) return
    const pages = [...new Set([...Array.from({ length: to - from + 1 }, (_, at) => from + at), kept])]
    const timer = setTimeout(() => show(pages), pageSettles)
    return () => clearTimeout(timer)
  }, [from, to, kept, show])
}
