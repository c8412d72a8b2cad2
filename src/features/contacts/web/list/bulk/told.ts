import type { MyChange } from './useBulkChange.ts'

const key = 'refyne.told-bulk-changes'
const most = 50

const nameOf = ({ id, status }: MyChange): string => `${id} ${status}`

function read(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}

/** Whether this browser has said what came of it: a page that is loaded anew does not say it again. */
export const isTold = (mine: MyChange): boolean => read().includes(nameOf(mine))

export const markTold = (mine: MyChange): void => localStorage.setItem(key, JSON.stringify([nameOf(mine), ...read()].slice(0, most)))
