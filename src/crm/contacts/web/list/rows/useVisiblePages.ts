import { useEffect } from 'react'
import { pageSize } from '../../embed/list-search.ts'
import { pageOfRow } from './list-view.ts'

/** Milliseconds a page must stay visible before it is loaded, so that dragging the scrollbar past thousands of pages loads none of them. */
const loadDelay = 60
/** The number of rows to load ahead. */
const ahead = pageSize / 2

/** Loads the pages of the rows from `first` to `end`, with a margin on either side, and keeps the page of the current row. */
export function useVisiblePages(
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
    const timer = setTimeout(() => show(pages), loadDelay)
    return () => clearTimeout(timer)
  }, [from, to, kept, show])
}
